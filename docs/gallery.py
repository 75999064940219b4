"""Write docs/gallery.md and its films from the tasks that come with dfst: python docs/gallery.py [--check]"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from urllib.parse import urlencode

from live import KINDS, reached

import dfst
from dfst.judging.lengths import reached_text
from dfst.names import find_certificate
from dfst.prove.certificate import load_certificate
from dfst.shipped import EXAMPLES, Offer, catalogue
from dfst.show.film import equation, film
from dfst.teachers.find import gallery

HERE = Path(__file__).parent
PAGE, FILMS = HERE / "gallery.md", HERE / "pictures" / "films"

WORDS = 8
"""A card tells the first sentences of a description, so many words at least."""

HEAD = """# Gallery

These are the {all} tasks that come with dfst: four from the paper, and the {own} of the gallery. A network learned each
of them from traces alone, and the machine extracted from the network is proven equal to its teacher. *Run it* opens a
task on the first page. `dfst export teacher:NAME` prints a machine with its whole description.

Each card ends with the number of symbols up to which its networks follow the teacher. That is tested, not proven: on
ten random inputs of each tested length, and on all inputs that repeat one symbol.
"""


def head() -> str:
    """How many tasks there are, and what the cards show."""
    return HEAD.format(all=len(catalogue()), own=len(gallery()))


def card(row: Offer) -> str:
    """One task: its film, its story, an input to try, and what was learned of it."""
    name = row.name
    task, certificate = dfst.task(name), load_certificate(find_certificate(name))
    operands = EXAMPLES[name]
    said = equation(task.machine.alphabet, task.machine.layout, operands, task.machine.run(*operands).answer.text)
    address = urlencode([("task", name), *(("in", operand) for operand in operands)])
    taught, learned = (len(certificate[who]["table"]) for who in ("teacher", "learner"))
    stuck = ", may get stuck" if row.may_get_stuck else ""
    return f"""::::{{container}} card

:::{{rubric}} {name}
:::

![{said}](pictures/films/{name}.svg)

{story(name)}

<a href="index.html#{address.replace("&", "&amp;")}">Run it</a>

{row.traces:,} traces; {learned} states (teacher {taught}){stuck}; {networks(name)}.

::::
"""


def story(name: str) -> str:
    """How it works, as the machine's own description begins, unless the card before has just said so."""
    known = {"add10": "Addition as in add2, with ten digits.", "mult10": "Multiplication as in mult2, with ten digits."}
    about = " ".join(dfst.task(name).machine.about.split())
    told = ""
    for sentence in re.split(r"(?<=[.?]) ", about):
        told = told if len(told.split()) >= WORDS else f"{told} {sentence}"
    return known.get(name) or told.strip()


def networks(name: str) -> str:
    """How far its networks get by themselves."""
    far = [f"{KINDS[kind]} {reached_text(length, to)}" for kind, (length, to) in reached(name).items()]
    return f"network: {', '.join(far)}"


def write(check: bool) -> list[str]:
    """Write the page and the films; with ``check`` only the names of those that are old."""
    made = {PAGE: "\n".join([head(), ":::::{container} gallery\n", *(card(row) for row in catalogue()), ":::::\n"])}
    made |= {FILMS / f"{name}.svg": film(dfst.task(name).machine, *EXAMPLES[name]) for name in EXAMPLES}
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
