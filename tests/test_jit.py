"""Machine code on disk is that of the sources: an edit of any file that a kernel is made of makes new code."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import dfst

RUN = """
import dfst
from dfst.world.compiled import _walk
assert dfst.solve("teacher:increment", "9" * 20_000).answer.text == "1" + "0" * 20_000
print(sum(_walk.stats.cache_hits.values()), sum(_walk.stats.cache_misses.values()))
"""


def test_an_edit_of_a_file_that_kernels_are_made_of_makes_new_machine_code(tmp_path):
    shutil.copytree(Path(dfst.__file__).parent, tmp_path / "dfst", ignore=shutil.ignore_patterns("__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "kept")}

    def ran():
        """(from the disk, compiled)"""
        command = [sys.executable, "-c", RUN]
        done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    assert ran() == ["0", "1"]
    kept = sorted(path.name for path in (tmp_path / "kept").rglob("*.nb?"))
    for other in ("errors.py", "api.py"):
        with (tmp_path / "dfst" / other).open("a") as file:
            file.write("\n# edited\n")
    assert ran() == ["1", "0"]
    for own in ("llvm.py", "world/moves.py"):
        with (tmp_path / "dfst" / own).open("a") as file:
            file.write("\n# edited\n")
        assert ran() == ["0", "1"]
        assert sorted(path.name for path in (tmp_path / "kept").rglob("*.nb?")) == kept  # the old code is replaced
