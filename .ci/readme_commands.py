"""Prints the shell commands of a Markdown file, without the install line: what a new user would type."""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.M | re.S)
commands = [line for block in blocks for line in block.splitlines() if line and not line.startswith("pip install")]
if not commands:
    sys.exit("no commands found")
print("\n".join(commands))
