"""A cluster that breaks: python -m experiments.cluster OUT.json

A Ray head and two worker nodes on loopback, a sweep of 48 trials; one node's raylet and then the driver are killed
(SIGKILL), the driver is started again, and it is counted what is there. The test is tests/sweep/test_cluster.py.
"""

import tempfile
from pathlib import Path

from experiments.breaking.ray_cluster import ordeal
from experiments.measuring import asked, save

from dfst.manifest import manifest


def main(out: str) -> None:
    log = []

    def say(text: str) -> None:
        log.append(text)
        print(text, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        counts, _ = ordeal(Path(folder), say, seconds=900)
    record = {"counts": counts, "log": log, "manifest": manifest()}
    save(out, record)


if __name__ == "__main__":
    main(*asked())
