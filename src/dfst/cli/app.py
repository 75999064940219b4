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

app.register_install_completion_command()
for _flag in ("--help", "--version", "--install-completion"):
    app[_flag].show = False  # so that the verbs fit on one screen

TRY, TEACH, LEARN, PROVE, MEASURE, MANY, EXCHANGE = (
    Group(name, sort_key=number)
    for number, name in enumerate(("Try", "Teach", "Learn", "Prove", "Measure", "Many runs", "Exchange"))
)

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON instead of text.")]
Teacher = Annotated[
    str | None, Parameter(help="The teacher to compare with: a task's name, a machine file, a run folder.")
]
TeacherLayout = Annotated[
    bool, Parameter(negative="", help="Use the teacher's layout, if the policy's own was only guessed from traces.")
]
