"""Put what was measured into the pages that show it: python -m experiments.render [--check]

Every place of a page stands between the lines <!-- NAME --> and <!-- /NAME -->. With --check nothing is written, and
the exit status says whether the pages show what results/ holds. Pictures: python -m experiments.pages.pictures.
"""

import sys

from experiments.pages import baselines, certificates, lasting, logs, reliability, scale, sweeps, table1, training
from experiments.pages.page import ROOT


def main() -> None:
    first = table1.main_rows()
    pages = {
        "README.md": {"table1": first},
        "docs/results.md": {"main": first, **table1.shown(), **lasting.shown()},
        "docs/baselines.md": baselines.shown(),
        "docs/training.md": training.shown(),
        "docs/lasting.md": {"time_to_lasting": training.time_to_lasting()},
        "docs/sweeps.md": sweeps.shown(),
        "docs/reliability.md": reliability.shown(),
        "docs/scale.md": scale.shown(),
        "docs/certificates.md": certificates.shown(),
        "docs/logs.md": logs.shown(),
    }
    for name, places in pages.items():
        path = ROOT / name
        old = page = path.read_text(encoding="utf-8")
        for place, text in places.items():
            begin, end = f"<!-- {place} -->", f"<!-- /{place} -->"
            before, rest = page.split(begin)
            page = f"{before}{begin}\n\n{text.rstrip()}\n\n{end}{rest.split(end)[1]}"
        if "--check" not in sys.argv:
            path.write_text(page, encoding="utf-8")
        elif page != old:
            sys.exit(f"{name} does not show what results/ holds: python -m experiments.render")


if __name__ == "__main__":
    main()
