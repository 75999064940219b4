"""What the tests of faults count, on a larger scale: python -m experiments.faults OUT.json

OUT.json is named after what it holds: faults (kills, crashes of the disk, failing operations, flipped bits), fuzz
(files and command lines that are wrong) or cluster (a node and the driver of a sweep killed). The tests run many times
as long as in the suite, and must pass; what they record is kept.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from experiments.measuring import asked, save

from dfst.manifest import manifest

TESTS = {
    "faults": (70, ["tests/faults", "tests/runs/test_runs.py::test_kill_minus_nine[fused-3-20000]"]),
    "fuzz": (170, ["tests/fuzz"]),
    "cluster": (1, ["tests/sweep/test_cluster.py"]),
}
"""For each file how many times as much is tried as in the suite, and the tests."""


def main(out: str) -> None:
    times, tests = TESTS[Path(out).stem]
    record: dict[str, Any] = {"manifest": manifest()}
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        words = [sys.executable, "-m", "pytest", "-q", *tests, f"--junitxml={report}", "-ojunit_family=xunit1"]
        subprocess.run(words, env=os.environ | {"DFST_TIMES": str(times), "DFST_SHAPES": "off"}, check=True)
        for found in ElementTree.parse(report).iter("property"):
            record.setdefault(found.attrib["name"], {}).update(json.loads(found.attrib["value"]))
    save(out, record)


if __name__ == "__main__":
    main(*asked())
