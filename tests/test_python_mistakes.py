"""In Python, too, a mistake ends in a sentence: what was wrong, and what to do."""

import subprocess
import sys

import pytest

from tests import own_mistakes, python_mistakes


@pytest.mark.parametrize("mistakes", [python_mistakes, own_mistakes])
def test_every_mistake_is_a_sentence(tmp_path, mistakes):
    """In a process of its own: with the type checks of the tests, some would never reach the library."""
    words = [sys.executable, mistakes.__file__]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answers = done.stdout.splitlines()
    assert len(answers) == len(mistakes.MISTAKES) >= 40
    for answer in answers:
        assert "no error" not in answer, answer
        assert "NOT A SENTENCE" not in answer, answer
    assert list(tmp_path.iterdir()) == []
