"""The house: data flows one way through the rooms, and heavy libraries stay where they belong."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "dfst"
GROUND = ("errors", "effort", "explained", "files", "records", "seeds", "shapes", "jit", "llvm", "lock", "manifest")
"""What all rooms share; it knows none of them."""
ROOMS = (
    *("world", "traces", "act", "teachers", "training", "runs", "extraction", "prove"),
    *("exchange", "judging", "until_proven", "sweep", "show"),
)
"""In the order in which data flows: a room imports only from itself and from rooms before it."""
NAMES = ("shipped", "names", "own")
"""What a name means: files of their own, after ``prove``."""
ABOVE = ("api", "gym", "cli", "__main__")
"""What people call; nothing imports it."""
ORDER = (*ROOMS[: ROOMS.index("exchange")], *NAMES, *ROOMS[ROOMS.index("exchange") :], *ABOVE)
COMPILED = {
    "dfst.jit",
    "dfst.llvm",
    "dfst.world.compiled",
    "dfst.training.fused_arrays",
    "dfst.training.fused_kernels",
    "dfst.training.fused",
    "dfst.extraction.kernels",
}


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(("dfst", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield name, tree


def imported(tree):
    """Every module that is imported, also inside functions; ``from dfst.prove import checker`` names two."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


HANDED_OVER = {
    ("dfst.world.machine", "dfst.world.machine_file"),
    ("dfst.traces.traces", "dfst.traces.files"),
    ("dfst.training.model", "dfst.training.weights"),
}
"""``x.save(path)`` hands over to the file that knows the format, when it is called."""


def arrows():
    """Which module of the package imports which."""
    names = {name for name, _ in modules()}
    for name, tree in modules():
        yield from ((name, other) for other in imported(tree) if other in names - {"dfst", name})


def floor(module):
    """How high in the house: the ground is 0, then the rooms, then what people call."""
    part = module.split(".")[1]
    return 0 if part in GROUND else 1 + ORDER.index(part)


def test_a_room_imports_only_from_rooms_before_it():
    assert [(name, other) for name, other in arrows() if name != "dfst" and floor(other) > floor(name)] == []


def test_what_all_rooms_share_knows_no_room():
    assert [(name, other) for name, other in arrows() if name != "dfst" and floor(name) == 0 < floor(other)] == []


def test_nothing_imports_in_a_circle():
    graph = {}
    for name, other in {*arrows()} - HANDED_OVER:
        graph.setdefault(name, set()).add(other)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))


def test_every_room_has_its_line():
    described = (SOURCE.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [room for room in ROOMS if f"`{room}/`" not in described] == []
    assert {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()} == {*ROOMS, "cli"}


def test_no_file_is_too_long():
    """The checker is one file that people can take away and read, and the api a table of contents with examples."""
    long = {path.name for path in SOURCE.rglob("*.py") if len(path.read_text(encoding="utf-8").splitlines()) > 300}
    assert long <= {"api.py", "checker.py"}


def fields():
    """(module, class, field, its annotation) of every class of the package."""
    for name, tree in modules():
        for node in ast.walk(tree):
            for part in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                    yield name, node.name, part.target.id, ast.unparse(part.annotation)


def test_only_a_world_has_an_alphabet_and_a_layout():
    wrong = [each for each in fields() if each[3].split(" ")[0] in ("Alphabet", "Layout") and each[1] != "World"]
    assert wrong == []


def test_four_arrays_are_one_record():
    """A, B, C and h0 stand together in one record, from the file to the kernel, which has its own padded ones."""
    assert {each[1] for each in fields() if each[2] == "h0" and each[0] != "dfst.training.fused_arrays"} == {"Weights"}


def test_parts_are_taken_apart_in_one_place():
    """What ``digit+`` means; the checkers, which stand alone, say it for themselves."""
    alone = {"dfst.prove.checker", "dfst.sweep.run"}  # the latter compares versions
    for name, tree in modules():
        calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
        taken = [call.func.attr for call in calls if [ast.unparse(each) for each in call.args] == ["'+'"]]
        if name not in {"dfst.world.worlds", *alone}:
            assert not {"removesuffix", "rstrip", "endswith"} & {*taken}, name


def test_whoever_acts_is_asked_for_no_kind():
    names = {node.attr for _, tree in modules() for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert not names & {"as_table", "as_model"}


def test_nothing_is_done_by_an_assert():
    """python -O leaves every assert out, so none may call what changes something; these two only look."""
    wrong = [
        (name, ast.unparse(node.test))
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        for part in ast.walk(node.test)
        if isinstance(part, (ast.NamedExpr, ast.Await, ast.Yield))
        or (isinstance(part, ast.Call) and ast.unparse(part.func) not in ("isinstance", "window.inside"))
    ]
    assert wrong == []


def test_only_compiled_modules_import_numba():
    users = {name for name, tree in modules() if any(other.split(".")[0] == "numba" for other in imported(tree))}
    assert users <= COMPILED
    assert not any(name.startswith("dfst.teachers") for name in users)


def test_experiments_and_tests_import_nothing_from_each_other():
    """A test that needs an experiment runs its command; one that needs a number reads results/."""
    wrong = {"experiments": "tests", "benchmarks": "tests", "examples": "tests", "tests": "experiments"}
    for folder, other in wrong.items():
        for path in (SOURCE.parent.parent / folder).rglob("*.py"):
            names = imported(ast.parse(path.read_text(encoding="utf-8")))
            assert not any(name.split(".")[0] == other for name in names), path


def test_every_file_has_its_opening_sentence():
    for folder in ("src", "tests"):
        for path in (SOURCE.parents[1] / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert ast.get_docstring(tree) or not tree.body, path


def test_no_test_is_too_long():
    for path in (SOURCE.parents[1] / "tests").rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 500, path


def test_no_class_name_is_given_twice():
    names = [node.name for _, tree in modules() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert sorted(names) == sorted(set(names))


def test_only_commands_have_many_parameters():
    for module, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and not module.startswith("dfst.cli"):
                args = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
                assert len([arg for arg in args if arg.arg not in ("self", "cls")]) <= 9, (module, node.name)
