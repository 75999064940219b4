"""A machine as a graph for Graphviz."""

from __future__ import annotations

from dfst.world.machine import HALT, GridMachine


def to_dot(machine: GridMachine) -> str:
    r"""``machine`` in the dot language: one node per state, one arrow per (state, next state) with its rules as label.

    >>> import dfst
    >>> print(to_dot(dfst.task("add2").machine).splitlines()[5])
      "enter" -> "enter" [label="0 → 0 R\n1 → 1 R\n_ → 0 R"];
    """
    arrows: dict[tuple[str, str], list[str]] = {}
    for rule in machine.rules():
        label = f"{rule.seen} → {rule.written} {rule.move.name}"
        arrows.setdefault((rule.state, rule.next), []).append(label)
    lines = [f"digraph {_quoted(machine.name)} {{", "  rankdir=LR;", "  node [shape=ellipse];"]
    lines.append(f"  {_quoted(machine.states[machine.start])} [penwidth=2];")
    lines.append(f"  {_quoted(HALT)} [shape=doublecircle];")
    lines += [
        f"  {_quoted(state)} -> {_quoted(following)} [label={_quoted(*labels)}];"
        for (state, following), labels in arrows.items()
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(*texts: str) -> str:
    """A dot string of one or more lines; quotes and backslashes in names are shown as they are."""
    escaped = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return '"' + "\\n".join(escaped) + '"'
