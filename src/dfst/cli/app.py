"""The commands' tree: the verbs of the other files hang themselves onto it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import App, Group, Parameter

from dfst import __version__
from dfst.cli.mistakes import check_values

app = App(
    name="dfst",
    help="Learn algorithms exactly, by watching them run.",
    version=__version__,
    group_parameters=Group("Parameters", validator=check_values),
    suppress_keyboard_interrupt=False,  # main() says what happened
)
machine_app = App(name="machine", help="Check, show, draw and import machines written as text.")
model_app = App(name="model", help="Make, describe and test models (weights).")
bench_app = App(name="bench", help="Measure this machine, beside the bare engines (from a checkout).")
report_app = App(name="report", help="Tables and pictures of the measured results (from a checkout).")
draw_app = App(name="draw", help="Pictures of runs, data and models (extra plot).")
app.command(machine_app)
app.command(model_app)
app.command(bench_app)
app.command(report_app)
app.command(draw_app)

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for machines instead of a table.")]
