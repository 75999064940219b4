"""The public face: complete, documented, and fast to import."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import dfst

HEAVY = ("numba", "jax", "scipy", "pyarrow", "matplotlib", "numpy")


def python(code):
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    "statement",
    [
        "import dfst",
        "import sys; sys.argv = ['dfst', '--help']; from dfst.cli import main\ntry: main()\nexcept SystemExit: pass",
    ],
)
def test_light(statement):
    spy = f"{statement}\nimport sys\nprint([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run(python(spy), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_every_public_name_exists_and_is_documented():
    for name in dfst.__all__:
        value = getattr(dfst, name)
        if name != "__version__":
            assert inspect.getdoc(value), name
    assert set(dfst.__all__) <= set(dir(dfst))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = dfst.nothing


def test_every_public_function_has_an_example():
    without = {
        name
        for name in dfst.__all__
        if inspect.isfunction(value := getattr(dfst, name)) and ">>>" not in (inspect.getdoc(value) or "")
    }
    assert without == set()


def test_the_type_checkers_marker_is_there():
    assert dfst.__file__
    assert (Path(dfst.__file__).parent / "py.typed").exists()


def test_a_missing_extra_says_what_to_install(tmp_path):
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import dfst\n"
        "traces = dfst.record(dfst.task('add2').machine, [('1', '1')])\n"
        "try: traces.save('x.parquet')\n"
        "except dfst.errors.MissingExtraError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=os.environ)
    assert 'pip install "dfst[data]"' in done.stdout, done.stderr


def test_without_jaxtyping_annotations_are_plain_arrays():
    code = (
        "import sys; sys.modules['jaxtyping'] = None\n"
        "import dfst, numpy\n"
        "print(dfst.solve('teacher:add2', '1', '1').answer.text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "10\n", done.stderr
