"""The head of a model card: YAML in front of a README, as model hubs read it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

_TAGS = ("finite-state-transducer", "algorithmic-reasoning", "length-generalization", "exact-learning")


class Measured(NamedTuple):
    """A number that was measured: its kind (such as rlg), what it says of which file, and the value."""

    kind: str
    name: str
    value: int | float


def card_header(task: str, measured: Sequence[Measured] = (), *, on: str = "") -> str:
    """The lines from ``---`` to ``---``; with ``measured``, also a model index of what was measured ``on`` what.

    Texts are written as JSON strings, which are YAML's, so that any name of a task is safe.

    >>> print(card_header("add2").splitlines()[:3])
    ['---', 'license: apache-2.0', 'library_name: dfst']
    """
    lines = ["---", "license: apache-2.0", "library_name: dfst", "tags:"]
    lines += [f"- {json.dumps(tag)}" for tag in (*_TAGS, task)]
    if measured:
        lines += ["model-index:", f"- name: {json.dumps(task)}", "  results:"]
        lines += ["  - task:", '      type: "other"', f"      name: {json.dumps(task)}"]
        lines += ["    dataset:", '      type: "synthetic"', f"      name: {json.dumps(on)}", "    metrics:"]
        for kind, name, value in measured:
            lines += [f"    - type: {json.dumps(kind)}", f"      name: {json.dumps(name)}", f"      value: {value}"]
    return "\n".join([*lines, "---", ""])
