"""Put the measured tables between the markers of the README: python experiments/render_readme.py [--check]

With --check nothing is written, and the exit status says whether the README shows what results/ holds.
"""

import re
import sys
from pathlib import Path

from dfst.show.result_tables import markdown, table1_grid
from dfst.study.results import table1

ROOT = Path(__file__).parents[1]
MARKERS = re.compile(r"(<!-- table1 -->\n).*?(<!-- /table1 -->)", re.DOTALL)


def rendered(text: str) -> str:
    """``text`` with Table 1 as it is in results/ now."""
    results = ROOT / "results"
    made: dict[str, list[str]] = {}
    for row in table1(results):
        made.setdefault(row["commit"][:12], []).append(row["task"])
    where = ", ".join(f"{commit} ({', '.join(tasks)})" for commit, tasks in made.items())
    how = "`python experiments/table1.py results/table1.json runs`, shown by `dfst report table1`"
    table = f"{markdown(table1_grid(results))}\n\nMeasured at commit {where} by {how}.\n"
    return MARKERS.sub(lambda match: match[1] + table + match[2], text)


def main() -> None:
    """Write or check."""
    path = ROOT / "README.md"
    old = path.read_text(encoding="utf-8")
    new = rendered(old)
    if "--check" in sys.argv:
        sys.exit(0 if new == old else "the README does not show what results/ holds: run experiments/render_readme.py")
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
