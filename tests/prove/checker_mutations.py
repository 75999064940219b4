"""Faults put into the checker: python -m tests.prove.checker_mutations [EVERY].

Each mutant is the checker's source with one thing changed: a comparison turned round or off by one, ``and`` for
``or``, a ``not`` dropped, a number off by one, an operator exchanged, a statement left out, a condition made constant.
The cases of checker_files.py must notice. With EVERY = n only every n-th mutant is tried. Prints the survivors and how
many were caught. Those that survive today make no difference: asking again instead of remembering an answer; a last
place marked as hit, beyond which nothing comes; another None of a member on any grid; the last of one number
instead of the first; seven bytes of a length instead of eight; one byte more read of a file that is too large.
"""

import ast
import copy
import signal
import sys
import types
from pathlib import Path

from dfst.prove import checker
from tests.prove.checker_files import CASES

SOURCE = Path(checker.__file__).read_text(encoding="utf-8")
TURNED = {
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
}  # fmt: skip
EXCHANGED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip

EQUIVALENT = {
    "ascii(key)[:50]": "how many wrong keys are named, and how much of each, does not matter",
    "text[:20]": "how much of a number is quoted does not matter",
    "strict=True": "the lists always have the same length",
}
"""Parts of a line in which a changed number makes no difference that matters; such mutants are not made."""


def changes(node):
    """Functions that each change ``node`` in place in one way."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in TURNED.get(type(op), ()):
                yield lambda n, i=i, other=other: n.ops.__setitem__(i, other())
    if isinstance(node, ast.BoolOp):
        yield lambda n: setattr(n, "op", ast.Or() if isinstance(n.op, ast.And) else ast.And())
        for i in range(len(node.values)):
            yield lambda n, i=i: n.values.pop(i)
    if isinstance(node, ast.BinOp) and type(node.op) in EXCHANGED:
        yield lambda n: setattr(n, "op", EXCHANGED[type(n.op)]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield lambda n: setattr(n, "op", ast.UAdd() if isinstance(n.op, ast.USub) else None)
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield lambda n: setattr(n, "value", n.value + 1)
        yield lambda n: setattr(n, "value", n.value - 1)
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield lambda n: setattr(n, "value", not n.value)
    if isinstance(node, ast.If | ast.IfExp):
        yield lambda n: setattr(n, "test", ast.Constant(True))
        yield lambda n: setattr(n, "test", ast.Constant(False))
    if isinstance(node, ast.comprehension):
        for i in range(len(node.ifs)):
            yield lambda n, i=i: n.ifs.pop(i)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("any", "all"):
        yield lambda n: setattr(n.func, "id", "all" if n.func.id == "any" else "any")
    for field in ("body", "orelse"):
        statements = getattr(node, field, None)
        for i, statement in enumerate(statements if isinstance(statements, list) else []):
            if isinstance(statement, ast.Expr | ast.AugAssign | ast.Raise) and not is_text(statement):
                yield lambda n, field=field, i=i: getattr(n, field).__setitem__(i, ast.Pass())


def is_text(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class _DropNot(ast.NodeTransformer):
    """A ``not`` without operator, as the change above leaves it, becomes its operand."""

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return node.operand if node.op is None else node


def mutants():
    """(line, what the changed code is, module source tree) of every mutant, in the order of the file."""
    tree = ast.parse(SOURCE)
    lines = SOURCE.splitlines()
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.If) and "__main__" in ast.unparse(node.test):
            continue
        for which, _ in enumerate(changes(node)):
            changed = copy.deepcopy(tree)
            target = next(n for i, n in enumerate(ast.walk(changed)) if i == number)
            [*changes(target)][which](target)
            changed = ast.fix_missing_locations(_DropNot().visit(changed))
            line = getattr(node, "lineno", 0)
            text = lines[line - 1] if line else ast.unparse(node)
            if not (isinstance(node, ast.Constant) and any(part in text for part in EQUIVALENT)):
                yield line, text.strip(), changed


def caught(tree) -> bool:
    """Whether a case notices the fault."""

    def late(*_):
        raise TimeoutError

    module = types.ModuleType("mutant")
    signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    try:
        exec(compile(tree, "mutant", "exec"), module.__dict__)
        for case in CASES.values():
            case(module)
    except BaseException:  # a fault may as well end the process or never end: then the alarm rings
        return True
    finally:
        signal.alarm(0)
    return False


def survivors(every: int = 1):
    """(number of mutants, those that no case noticed as (line, code, what was changed into))."""
    count, alive = 0, []
    original = ast.unparse(ast.parse(SOURCE)).splitlines()
    for i, (line, text, tree) in enumerate(mutants()):
        if i % every:
            continue
        count += 1
        if not caught(tree):
            new = [a for a, b in zip(ast.unparse(tree).splitlines(), original, strict=False) if a != b]
            alive.append((line, text, new[0].strip() if new else ""))
    return count, alive


if __name__ == "__main__":
    number, alive = survivors(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    for line, text, new in alive:
        print(f"line {line}: {text}\n     -> {new}")
    print(f"faults: {number}\ncaught: {number - len(alive)}")
