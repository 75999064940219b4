"""Write docs/gallery.md and its films from the tasks that come with dfst: python docs/gallery.py [--check]"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import dfst
from dfst.prove.certificate import load_certificate
from dfst.show.film import equation, film
from dfst.study.catalogue import catalogue
from dfst.study.names import find_certificate
from dfst.world.run import run

HERE = Path(__file__).parent
PAGE, FILMS = HERE / "gallery.md", HERE / "pictures" / "films"

SHORT = {
    "mult2": ("11", "10"),
    "mult10": ("4", "12"),
    "binary-to-decimal": ("ioi",),
    "binary-to-unary": ("11",),
    "brackets": ("(())",),
    "collatz": ("011",),
    "compare": ("01", "10"),
    "copy": ("ab",),
    "decimal-to-binary": ("5",),
    "divide": ("|||||", "||"),
    "gcd": ("||||", "||"),
    "meander": ("||||",),
    "palindrome": ("0110",),
    "reverse": ("abc",),
    "rule110": ("0011",),
    "sort-bits": ("1100",),
    "subtract": ("10", "11"),
    "unary-to-binary": ("|||||",),
}
"""Problems for films that are short enough to watch; other tasks show the one that ``dfst tasks`` names."""

HEAD = """# Gallery

Every task that comes with dfst: four from the paper, nineteen more. Each was learned from traces alone; the machine
extracted from the network is proven equal to its teacher. *Run it* opens it on the first page: change the input, step
through it, edit a rule, check the proof. `dfst new NAME` begins a machine of [your own](your-own-algorithm.md).
"""


def card(row: dict[str, Any]) -> str:
    """One task: its film, its story, an input to try, and what was learned of it."""
    name = row["name"]
    task, certificate = dfst.task(name), load_certificate(find_certificate(name))
    operands = example(row)
    said = equation(task.machine.alphabet, task.machine.layout, operands, run(task.machine, *operands).answer.text)
    address = urlencode([("task", name), *(("in", operand) for operand in operands)])
    taught, learned = (len(certificate[who]["table"]) for who in ("teacher", "learner"))
    floats = f"; networks {', '.join(f'`:{kind}`' for kind in row['models'])}" if row["models"] else ""
    return f"""::::{{container}} card

:::{{rubric}} {name}
:::

![{said}](pictures/films/{name}.svg)

{story(name)}

<a href="index.html#{address.replace("&", "&amp;")}">Run it</a> or `{row["try"]}`.
{row["traces"]:,} traces; {learned} states (teacher {taught}), proven{floats}.

::::
"""


def story(name: str) -> str:
    """How it works, unless the card before has just said so."""
    known = {"add10": "Addition as in add2, with ten digits.", "mult10": "Multiplication as in mult2, with ten digits."}
    return known.get(name) or " ".join(dfst.task(name).machine.about.split())


def example(row: dict[str, Any]) -> tuple[str, ...]:
    """The problem of the film."""
    return SHORT.get(row["name"], tuple(shlex.split(row["try"])[3:]))


def write(check: bool) -> list[str]:
    """Write the page and the films; with ``check`` only the names of those that are old."""
    made = {PAGE: "\n".join([HEAD, ":::::{container} gallery\n", *(card(row) for row in catalogue()), ":::::\n"])}
    made |= {FILMS / f"{row['name']}.svg": film(dfst.task(row["name"]).machine, *example(row)) for row in catalogue()}
    old = [path for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if not check:
        FILMS.mkdir(parents=True, exist_ok=True)
        for path in old:
            path.write_text(made[path], encoding="utf-8")
    return [path.name for path in old]


if __name__ == "__main__":
    found = write("--check" in sys.argv)
    if found and "--check" in sys.argv:
        sys.exit(f"{', '.join(found)}: old; python docs/gallery.py")
