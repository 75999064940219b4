"""The public face: complete, documented, and fast to import."""

import inspect
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

import dfst

HEAVY = ("numba", "jax", "scipy", "pyarrow", "matplotlib", "numpy")


def timed(code_or_words):
    begin = time.perf_counter()
    done = subprocess.run(code_or_words, capture_output=True, text=True, check=True)
    return time.perf_counter() - begin, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "import dfst",
        "import sys; sys.argv = ['dfst', '--help']; from dfst.cli import main\ntry: main()\nexcept SystemExit: pass",
    ],
)
def test_fast_and_light(statement):
    spy = f"{statement}\nimport sys\nprint([name for name in {HEAVY} if name in sys.modules])"
    words = [sys.executable, "-c", spy]
    timed(words)
    runs = [timed(words) for _ in range(5)]
    assert runs[0][1].splitlines()[-1] == "[]"
    assert statistics.median(seconds for seconds, _ in runs) < 0.4


@pytest.mark.slow
def test_the_command_is_fast():
    command = Path(sys.executable).with_name("dfst")
    timed([str(command), "--help"])
    assert statistics.median(timed([str(command), "--help"])[0] for _ in range(5)) < 0.4


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
    assert without <= {"load_traces", "load_model", "save_machine"}  # shown by the example of their counterpart


def test_the_type_checkers_marker_is_there():
    assert dfst.__file__
    assert (Path(dfst.__file__).parent / "py.typed").exists()


def test_a_missing_extra_says_what_to_install(tmp_path):
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "import dfst\n"
        "traces = dfst.record(dfst.expert('add2').machine, [('1', '1')])\n"
        "try: dfst.save_traces(traces, 'x.parquet')\n"
        "except dfst.MissingExtraError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=os.environ)
    assert 'pip install "dfst[data]"' in done.stdout, done.stderr


def test_without_jaxtyping_annotations_are_plain_arrays():
    code = (
        "import sys; sys.modules['jaxtyping'] = None\n"
        "import dfst, numpy\n"
        "print(dfst.run(dfst.expert('add2').machine, '1', '1').answer.text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "10\n", done.stderr
