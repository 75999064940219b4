"""The public face: complete, documented, and fast to import."""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import dfst
import dfst.exchange
from dfst.cli import app

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


def test_without_jaxtyping_annotations_are_plain_arrays():
    code = (
        "import sys; sys.modules['jaxtyping'] = None\n"
        "import dfst, numpy\n"
        "print(dfst.solve('teacher:add2', '1', '1').answer.text)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "10\n", done.stderr


def test_the_face_is_small():
    assert len(dfst.__all__) <= 55
    assert len(dfst.exchange.__all__) <= 20
    assert len([verb for verb in app if not verb.startswith("-")]) <= 16


VERBS = {
    **{"solve": "api.solve", "view": "api.view", "data": "api.sample", "doctor": "api.doctor", "check": "api.check"},
    **{"certify": "judging.certification.certify", "extract": "api.extract", "diff": "api.diff"},
    **{"eval": "judging.evaluation.evaluate", "export": "api.export", "learn": "api.learn"},
    **{"train": "runs.options.Options", "sweep run": "sweep.run.run_sweep"},
}
"""Of every verb with options, the function that has them."""
ALONE = {"new", "tasks", "sweep report", "import"}
"""They have no option of a function; import has to know whether a blank was given."""
ASKED_LATER = {("view", "out"), ("train", "task")}
"""A path is a text in Python; the task is no option, its name is filled in."""


def command(verb):
    first, *rest = verb.split()
    return app[first][rest[0]] if rest else app[first]


def test_every_verb_is_compared_with_its_function():
    verbs = {verb for verb in app if verb[0] != "-"} - {"sweep"}
    assert verbs | {"sweep run", "sweep report"} == {*VERBS} | ALONE


@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_has_the_defaults_of_its_function(verb):
    module, name = f"dfst.{VERBS[verb]}".rsplit(".", 1)
    asked = inspect.signature(command(verb).default_command).parameters
    given = inspect.signature(getattr(import_module(module), name)).parameters
    both = [each for each in asked if each in given and (verb, each) not in ASKED_LATER]
    assert both
    assert {each: asked[each].default for each in both} == {each: given[each].default for each in both}
    renamed = {"raw_to": "raw_length"}
    assert all(asked[old].default == given[new].default for old, new in renamed.items() if old in asked)
