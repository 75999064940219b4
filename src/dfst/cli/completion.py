"""dfst completion: the tab key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from dfst.cli.app import EXCHANGE, app
from dfst.cli.output import write_text
from dfst.errors import InputError

Shell = Literal["bash", "zsh", "fish", "powershell"]


@app.command(group=EXCHANGE)
def completion(
    shell: Shell | None = None,
    *,
    install: Annotated[bool, Parameter(negative="")] = False,
    out: Path | None = None,
) -> None:
    """Print or install the script for tab completion in the shell.

    Parameters
    ----------
    shell
        bash, zsh, fish or powershell; by default the shell that dfst is called from.
    install
        Write the script where the shell looks for it, and add a line to its startup file if needed.
    out
        Write to this file instead of stdout.

    """
    from cyclopts.completion.detect import ShellDetectionError, detect_shell

    if install and out is not None:
        raise InputError("--install and --out exclude each other", do="Leave one of them out.")
    try:
        shell = shell or detect_shell()
    except ShellDetectionError:
        raise InputError("it is not clear which shell this is", do="Name it: dfst completion bash.") from None
    if not install:
        write_text(app.generate_completion(shell=shell), out)
        return
    try:
        print(app.install_completion(shell=shell))
    except OSError as error:
        raise InputError(f"it cannot be installed ({error.strerror})", do="Use --out, and source the file.") from None
