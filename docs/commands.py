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

`dfst COMMAND --help` says the same as this page, which is made from it. Results go to stdout, messages and progress to
stderr, and `--json` prints for programs. The exit code is 0 for success, 1 if a check failed (an inexact policy, a
damaged file), 2 for a mistake in the call. `dfst --version` prints the version, and `dfst
--install-completion` makes the tab key complete commands and options (bash, zsh, fish or PowerShell).

The examples build on each other: together they are one script, `docs/command_examples.sh`, which is run in an empty
folder whenever the project is tested.
"""


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
    rows = [
        f"| [`{name.removeprefix('dfst ')}`](#{name.replace(' ', '-')}) | {_summary(helps[name])} |" for name in shown
    ]
    table = "\n".join(["| command | what it does |", "|---|---|", *rows])
    sections = [_section(name, helps[name], lines) for name, lines in shown.items()]
    return "\n".join([INTRODUCTION, table, "", *sections])


def _summary(text: str) -> str:
    """The first line after the usage."""
    return text.split("```")[2].strip().splitlines()[0]


def _section(name: str, text: str, lines: str) -> str:
    _, usage, rest = text.split("```", 2)
    usage = usage.removeprefix("console\n")
    if arguments := re.search(r"\*\*Arguments\*\*:\s+\* `(\w+)`", rest):
        usage = usage.replace("[ARGS...]", f"[{arguments[1]}...]")
    rest = rest.replace(" *[default: False]*", "").replace("**Parameters**:", "**Options**:").strip()
    return f"## {name}\n\n```text\n{usage}```\n\n{rest}\n\n**Example**:\n\n```sh\n{lines}\n```\n"


def main() -> None:
    """Write or check."""
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        sys.exit("docs/commands.md is not up to date: run python docs/commands.py")


if __name__ == "__main__":
    main()
