"""The tab key: what dfst --install-completion writes, and what bash really makes of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DFST = str(Path(sys.executable).with_name("dfst"))

pytestmark = pytest.mark.skipif(os.name != "posix" or not shutil.which("bash"), reason="needs bash")


def install(home, *words):
    call = [DFST, "--install-completion", *words]
    return subprocess.run(call, capture_output=True, text=True, env=os.environ | {"HOME": str(home)})


def completed(path, *words):
    """What bash offers when the tab key is pressed behind ``words``."""
    code = 'source "$1" || exit 9; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dfst; echo "${COMPREPLY[@]}"'
    call = ["bash", "--norc", "-c", code, "bash", str(path), *words]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()


def test_bash_completes_verbs_and_options(tmp_path):
    assert install(tmp_path, "--shell", "bash").returncode == 0
    [path] = (file for file in tmp_path.rglob("dfst") if file.is_file())
    assert str(path) in (tmp_path / ".bashrc").read_text()
    assert completed(path, "dfst", "exp") == ["export"]
    assert completed(path, "dfst", "draw", "mac") == ["machine"]
    assert completed(path, "dfst", "train", "add2", "--rec") == ["--recipe"]
    assert completed(path, "dfst", "bogus") == []


def test_what_cannot_be_installed_is_a_sentence(tmp_path):
    (tmp_path / "home").write_text("no folder")
    done = install(tmp_path / "home", "--shell", "bash")
    assert (done.returncode, done.stderr) == (1, "dfst: the output cannot be written (Not a directory).\n")
    done = install(tmp_path, "--shell", "csh")
    assert (done.returncode, "Give one of zsh, bash, fish, powershell" in done.stderr) == (2, True)
