"""What both checkers say of add2's certificate, for docs/certificates.md."""

import shlex
import subprocess
import sys

from dfst.prove import checker, network_checker
from dfst.shipped import FOLDER

COMMANDS = {
    "checker": "python -I checker.py certificate.json",
    "network": "python -I network_checker.py certificate.json network.json rounded.safetensors",
    "check": "dfst check certificate.json --teacher add2 --weights one_hot.safetensors --machine machine.dfst",
}
"""For every place of the page the command whose output it shows."""

SCRIPTS = {"checker.py": checker.__file__, "network_checker.py": network_checker.__file__}


def shown() -> dict[str, str]:
    """Each command and its output, in the folder of the model that comes with dfst."""
    said = {}
    for place, command in COMMANDS.items():
        program, *words = shlex.split(command)
        words = [SCRIPTS.get(word, word) for word in words]
        before = [sys.executable, *(["-m", "dfst"] if program == "dfst" else [])]
        done = subprocess.run([*before, *words], cwd=FOLDER / "add2", capture_output=True, text=True, check=True)
        said[place] = f"```text\n$ {command}\n{done.stdout.rstrip()}\n```"
    return said
