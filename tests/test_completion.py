"""The tab key: scripts for four shells, and what bash really makes of ours."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

DFST = str(Path(sys.executable).with_name("dfst"))
SHELLS = {"bash": "complete -F", "zsh": "#compdef dfst", "fish": "complete -c dfst", "powershell": "Register-Argument"}


@cache
def script(shell, *words, **environment):
    env = {**os.environ, **environment}
    done = subprocess.run([DFST, "completion", shell, *words], capture_output=True, text=True, check=True, env=env)
    return done.stdout


def completed(path, *words):
    """What bash offers when the tab key is pressed behind ``words``."""
    code = 'source "$1" || exit 9; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dfst; echo "${COMPREPLY[@]}"'
    call = ["bash", "--norc", "-c", code, "bash", str(path), *words]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_are_made_and_their_shell_can_read_them(shell, tmp_path):
    text = script(shell)
    assert SHELLS[shell] in text
    assert "export" in text
    path = tmp_path / "script"
    path.write_text(text, encoding="utf-8")
    if shell != "powershell" and shutil.which(shell):
        subprocess.run([shell, "-n", str(path)], check=True)


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes_verbs_and_options(tmp_path):
    path = tmp_path / "dfst"
    assert script("bash", "--out", str(path)) == ""
    assert completed(path, "dfst", "exp") == ["export"]
    assert completed(path, "dfst", "draw", "mac") == ["machine"]
    assert {"bash", "fish", "zsh"} <= set(completed(path, "dfst", "completion", ""))
    assert completed(path, "dfst", "train", "add2", "--rec") == ["--recipe"]
    assert completed(path, "dfst", "bogus") == []


@pytest.mark.skipif(os.name != "posix", reason="the home of a shell's files")
def test_install_writes_where_the_shell_looks(tmp_path):
    said = script("bash", "--install", HOME=str(tmp_path))
    path = Path(said.strip())
    assert path.is_relative_to(tmp_path)
    assert completed(path, "dfst", "exp") == ["export"]
    assert str(path.name) in (tmp_path / ".bashrc").read_text()
