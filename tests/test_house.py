"""The house: data flows one way through the rooms, and heavy libraries stay where they belong."""

import ast
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "dfst"
ROOMS = ("world", "experts", "traces", "learn", "act", "prove", "study", "lesson", "show")
COMPILED = {
    "dfst.jit",
    "dfst.world.compiled",
    "dfst.world.skipping",
    "dfst.learn.barrier",
    "dfst.learn.tiles",
    "dfst.learn.fused_kernels",
    "dfst.learn.fused",
    "dfst.act.float_kernels",
    "dfst.act.recall_kernels",
    "dfst.act.recorded_kernels",
    "dfst.prove.swap_kernels",
    "dfst.study.policy_kernels",
}


def modules():
    for path in sorted(SOURCE.rglob("*.py")):
        name = ".".join(("dfst", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield name, tree


def imported(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def room(module):
    parts = module.split(".")
    return ROOMS.index(parts[1]) if len(parts) > 2 and parts[1] in ROOMS else None


def test_a_room_imports_only_from_rooms_before_it():
    wrong = [
        (name, other)
        for name, tree in modules()
        for other in imported(tree)
        if room(name) is not None and other.startswith("dfst.") and (room(other) or 0) > (room(name) or 0)
    ]
    assert wrong == []


def test_what_all_rooms_share_knows_no_room():
    shared = {"dfst.errors", "dfst.files", "dfst.seeds", "dfst.shapes", "dfst.jit", "dfst.lock", "dfst.manifest"}
    wrong = [
        (name, other)
        for name, tree in modules()
        if name in shared
        for other in imported(tree)
        if other.startswith("dfst.") and other not in shared
    ]
    assert wrong == []


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
    assert not any(name.startswith("dfst.experts") for name in users)
