"""A page with places for what was measured, each between the lines <!-- NAME --> and <!-- /NAME -->."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def keep(name: str, shown: dict[str, str]) -> None:
    """Put every text into its place of the page; with --check, only say by the exit status whether it is there."""
    path = ROOT / name
    old = page = path.read_text(encoding="utf-8")
    for place, text in shown.items():
        begin, end = f"<!-- {place} -->", f"<!-- /{place} -->"
        before, rest = page.split(begin)
        page = f"{before}{begin}\n\n{text.rstrip()}\n\n{end}{rest.split(end)[1]}"
    if "--check" not in sys.argv:
        path.write_text(page, encoding="utf-8")
    elif page != old:
        sys.exit(f"{name} does not show what results/ holds: render it again")
