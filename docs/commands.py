"""Write docs/commands.md from the commands' own help and docs/command_examples.sh: python docs/commands.py [--check]

With --check nothing is written, and the exit status says whether the page is up to date.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from dfst.cli import app

HERE = Path(__file__).parent
PAGE, EXAMPLES = HERE / "commands.md", HERE / "command_examples.sh"

INTRODUCTION = """\
<!-- made by python docs/commands.py: change the help in src/dfst/cli, or command_examples.sh -->

# Commands

This page is made from `dfst COMMAND --help`, which says more of each option, explains the arguments and has the
defaults. Results go to stdout, messages and progress to stderr. The exit code is 0 for success, 1 if a check failed (an
inexact policy, a damaged file), 2 for a mistake in the call. `dfst --install-completion` makes the tab key complete
commands and options.

POLICY, TASK and TEACHER stand for [a name](api.md#names), a run folder or a file. Options that several commands share:
"""

SINGLE = """\
The examples build on each other; together they are one script, which the tests run in an empty folder.
"""

SHARED, MANY = 2, 9
"""An option that so many commands explain in the same words is explained once; a longer list of them is not shown."""


def examples() -> dict[str, str]:
    """The example lines of every command, in the order of the file."""
    parts = re.split(r"^# (dfst .+)\n", EXAMPLES.read_text(encoding="utf-8"), flags=re.M)
    return {name: lines.strip() for name, lines in zip(parts[1::2], parts[2::2], strict=True)}


def help_texts() -> dict[str, str]:
    """What every command says of itself, in Markdown; commands that only hold others are left out."""
    parts = re.split(r"^# (dfst .+)\n", app.generate_docs("markdown", flatten_commands=True), flags=re.M)
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    return {name: text for name, text in texts.items() if "**Commands**" not in text and "```" in text}


def page() -> str:
    """The whole page; a command without an example, or an example without a command, is a mistake."""
    helps, shown = help_texts(), examples()
    if helps.keys() != shown.keys():
        odd = ", ".join(sorted(helps.keys() ^ shown.keys()))
        sys.exit(f"{EXAMPLES.name} and the commands differ in: {odd}")
    said: dict[tuple[str, str], list[str]] = {}
    for name, text in helps.items():
        for option in _options(text):
            said.setdefault(option, []).append(name.removeprefix("dfst "))
    common = {option for option, users in said.items() if len(users) >= SHARED}
    lines = [f"* `{name}` ({_users(said[name, meaning])}): {meaning}" for name, meaning in sorted(common)]
    sections = [_section(name, helps[name], common, lines) for name, lines in shown.items()]
    return "\n".join([INTRODUCTION, *lines, "", SINGLE, *sections])


def _users(commands: list[str]) -> str:
    return ", ".join(commands) if len(commands) < MANY else "most commands"


def _options(text: str) -> list[tuple[str, str]]:
    """The options of a command and what they mean; arguments, which --help explains, are left out."""
    found = re.findall(r"^\* `(--[^`]+)`: (.*?)(?=^\* |\n\n|\Z)", text, flags=re.M | re.S)
    return [(name, _first(" ".join(meaning.split()))) for name, meaning in found]


def _first(meaning: str) -> str:
    """What comes before the first full stop or semicolon; --help says the rest, and the default."""
    return re.split(r"[.;] ", re.sub(r" \*\[.*?\]\*", "", meaning))[0].rstrip(".") + "."


def _section(name: str, text: str, common: set[tuple[str, str]], lines: str) -> str:
    about = re.split(r"\*\*(?:Arguments|Parameters)\*\*:", text.split("```", 2)[2])[0].strip().split("\n\n")[0]
    own = "\n".join(f"* `{name}`: {meaning}" for name, meaning in _options(text) if (name, meaning) not in common)
    parts = [f"## {name}", about, own, f"```sh\n{lines}\n```"]
    return "\n\n".join(part for part in parts if part) + "\n"


def main() -> None:
    """Write or check."""
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.exit("docs/commands.md is not up to date: run python docs/commands.py")


if __name__ == "__main__":
    main()
