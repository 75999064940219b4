"""Model cards: a README with YAML in front, as model hubs read it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from dfst.errors import printable
from dfst.runs.options import Options
from dfst.traces.traces import Traces
from dfst.training.fit import Record
from dfst.training.model import DFST

_TAGS = ("finite-state-transducer", "algorithmic-reasoning", "length-generalization", "exact-learning")


class Measured(NamedTuple):
    """A number that was measured: its kind (such as rlg), what it says of which file, and the value."""

    kind: str
    name: str
    value: int | float


def plain(text: str) -> str:
    """``text``, such as a name from a file, as Markdown shows it: no tag, link or emphasis in it is one.

    >>> plain("my_task"), plain("<b> _c_")
    ('my_task', '&#60;b&#62; &#95;c&#95;')
    """
    return re.sub(r"[^\w\s,+=-]|(?<![^\W_])_|_(?![^\W_])", lambda found: f"&#{ord(found[0])};", printable(text))


def card_header(task: str, measured: Sequence[Measured] = (), *, on: str = "") -> str:
    """The lines from ``---`` to ``---``; with ``measured``, also a model index of what was measured ``on`` what.

    Texts are written as JSON strings, which are YAML's, so that any name of a task is safe.
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


def run_card(options: Options, model: DFST, traces: Traces, *, maker: str, loss: float, last: Record) -> str:
    """The card of a run folder; ``maker`` says who made the traces, ``last`` what the training took.

    ``loss`` is that on all traces, at full length.
    """
    problem = traces.problems[-1] if traces.problems else ()  # traces need not say what they began with
    operands = "".join(f"{json.dumps(operand, ensure_ascii=False)}, " for operand in problem)
    sample = f"print(dfst.solve(model, {operands}step_limit=1_000_000).answer.text)\n" if problem else ""
    return f"""{card_header(options.task)}
# {plain(options.task)}, seed {options.seed}

A differentiable finite-state transducer of dimension {model.hidden_dim} ({model.parameters} parameters), trained
on {len(traces)} traces of {maker} with the recipe {plain(options.recipe)}.

| | |
|---|---|
| loss on all traces, at full length | {loss:.3e} |
| iterations | {last.iteration} |
| gradients that were not finite | {last.nonfinite} |
| training time | {last.seconds:.0f} s |
| data | p = {options.p}, q = {options.digits}, {options.n} traces, sha256 {traces.sha256[:16]}… |

`config.toml` says how it was made, `manifest.json` where. Apache-2.0.

```python
import dfst

model = dfst.load(".")  # this folder
{sample}```
"""
