"""Put what both checkers say of add2's certificate into docs/certificates.md: python -m experiments.render_certificates

With --check nothing is written, and the exit status says whether the page shows what they say now.
"""

import shlex
import subprocess
import sys

from experiments.page import keep

from dfst.prove import checker
from dfst.shipped import FOLDER

COMMANDS = {
    "checker": "python -I checker.py certificate.json",
    "check": "dfst check certificate.json --teacher add2 --weights one_hot.safetensors --machine machine.dfst",
}
"""For every place of the page the command whose output it shows."""


def said(command: str) -> str:
    """The command and its output, in the folder of the model that comes with dfst."""
    program, *words = shlex.split(command)
    words = [checker.__file__ if word == "checker.py" else word for word in words]
    before = [sys.executable, *(["-m", "dfst"] if program == "dfst" else [])]
    done = subprocess.run([*before, *words], cwd=FOLDER / "add2", capture_output=True, text=True, check=True)
    return f"```text\n$ {command}\n{done.stdout.rstrip()}\n```"


if __name__ == "__main__":
    keep("docs/certificates.md", {place: said(command) for place, command in COMMANDS.items()})
