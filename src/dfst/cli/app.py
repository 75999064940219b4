"""The commands' tree, onto which the other files hang their verbs, and what these read alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

from cyclopts import App, Group, Parameter

from dfst import __version__
from dfst.errors import InputError, quoted

if TYPE_CHECKING:
    from cyclopts.argument import ArgumentCollection

    from dfst.teachers.program import ProgramTask
    from dfst.world.policy import Policy


def check_values(arguments: ArgumentCollection) -> None:
    """Refuse what the parser would take without a word: 1.5 for a whole number (it rounds), and an empty name.

    An empty name is what an unset variable of the shell leaves. It must never mean "do without".
    """
    for argument in arguments:
        kinds = (argument.hint, *get_args(argument.hint))
        for token in argument.tokens:
            where = token.keyword or argument.name.lstrip("-").upper()
            if int in kinds and "." in token.value:
                what = f"{quoted(token.value)} cannot be used"
                raise InputError(what, where=where, do="Give a whole number, such as 100.")
            named = Path in kinds or (str in kinds and token.keyword and argument.field_info.default != "")
            if named and not token.value:
                do = "Give a name. If it comes from a shell variable, that variable is not set."
                raise InputError("the name is empty", where=where, do=do)


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

Flag = Annotated[bool, Parameter(negative="")]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON instead of text.")]
Teacher = Annotated[
    str | None, Parameter(help="The teacher to compare with: a task's name, a machine file, a run folder.")
]
TeacherLayout = Annotated[
    bool, Parameter(negative="", help="Use the teacher's layout, if the policy's own was only guessed from traces.")
]


def read_problem(words: Sequence[str], policy: Policy | ProgramTask) -> tuple[str, ...]:
    """The operands: as given, or the content of the file named behind @; line ends and spaces only separate symbols."""
    from dfst.files import read_text

    def read(text: str) -> str:
        if not text.startswith("@") or len(text) == 1:
            return text
        return ("" if policy.alphabet.single_characters else " ").join(read_text(text[1:]).split())

    return tuple(map(read, words))
