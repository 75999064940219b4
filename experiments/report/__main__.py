"""Tables and pictures of the measured results: python -m experiments.report table1, raw-lengths, baselines, curves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter
from experiments.report import results as measured
from experiments.report.curves import draw_results
from experiments.report.tables import markdown as as_markdown
from experiments.report.tables import raw_lengths_grid, table1_grid

from dfst.cli import main
from dfst.cli.app import Json
from dfst.cli.output import note, print_json, show_rows

app = App(name="python -m experiments.report", help="Tables and pictures of the measured results.")

Results = Annotated[Path, Parameter(help="The folder of measured results, in a checkout.")]
Markdown = Annotated[bool, Parameter(negative="", help="Print a Markdown table.")]


@app.command(name="table1")
def report_table1(*, results: Results = Path("results"), markdown: Markdown = False, json: Json = False) -> None:
    """The paper's Table 1 with our rows beside its rows."""
    _tell(results, "table1", "extraction", "raw_lengths")
    if json:
        print_json({"rows": measured.table1(results)})
    else:
        _print_report(table1_grid(results), markdown, "Table 1: right up to how many digits?")


@app.command(name="raw-lengths")
def report_raw_lengths(*, results: Results = Path("results"), markdown: Markdown = False, json: Json = False) -> None:
    """How long raw float models last, over seeds and recipes, and how good a choice without a teacher is."""
    _tell(results, "raw_lengths")
    rows = measured.raw_lengths(results)
    if json:
        print_json({"rows": rows})
    else:
        _print_report(raw_lengths_grid(rows), markdown, "Raw float models: right up to how many digits?")


@app.command(name="baselines")
def report_baselines(*, results: Results = Path("results"), markdown: Markdown = False, json: Json = False) -> None:
    """Other learners on the same traces: state merging, recurrent networks, a transformer."""
    _tell(results, "table1", "extraction", "merging", "baselines")
    if json:
        print_json({"rows": measured.baselines(results)})
    else:
        _print_report(measured.baselines(results), markdown, "The same traces, other learners")


@app.command(name="curves")
def report_curves(*, results: Results = Path("results"), out: Path = Path("curves"), json: Json = False) -> None:
    """Pictures: loss and RLG against iterations, time over seeds, how long raw models last.

    Parameters
    ----------
    out
        The folder for the pictures.

    """
    _tell(results, "curves", "extraction", "data_sizes", "raw_lengths")
    if json:
        shares = {task: [str(share), share.interval] for task, share in measured.seeds(results).items()}
        sizes = {
            task: {choice: {n: str(share) for n, share in shares.items()} for choice, shares in choices.items()}
            for task, choices in measured.data_sizes(results).items()
        }
        print_json({"curves": measured.load_results(results, "curves")["rows"], "seeds": shares, "data_sizes": sizes})
        return
    for path in draw_results(results, out):
        print(path)


def _tell(results: Path, *names: str) -> None:
    """Say so if the numbers belong to no commit."""
    if sentence := measured.uncommitted(results, *names):
        note(sentence)


def _print_report(rows: list[dict[str, Any]], markdown: bool, title: str) -> None:

    if markdown:
        print(as_markdown(rows))
    else:
        plain = [{name: str(value).replace("**", "") for name, value in row.items()} for row in rows]
        show_rows(plain, title=title)


if __name__ == "__main__":
    main(app)
