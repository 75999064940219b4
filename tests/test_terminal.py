"""What is printed on a terminal: names in files and of files are text there, never markup."""

import pytest

from tests.small import header

LINK = "[link=file:///etc/passwd]verified[/link]"
RULES = "---\nwalk digit -> = R walk\nwalk _ -> = S halt\n"


@pytest.fixture
def terminal(call, monkeypatch):
    """Calls the command line as on a terminal."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    return call


@pytest.mark.parametrize("name", ["[/a]", LINK, ":smile:"])
@pytest.mark.parametrize("words", ["diff x.dfst --teacher x.dfst", "train x.dfst --seeds 0:2 --config c --out o"])
def test_a_name_in_a_file_is_no_markup(terminal, work, name, words):
    (work / "x.dfst").write_text(header(name=name) + RULES)
    (work / "c").write_text("iterations = 20")
    code, out, err = terminal(*words.split())
    assert ("\x1b]8;" in out + err, "Traceback" in err) == (False, False)
    assert code == 0, err
    assert "--seeds" not in words or name in out


@pytest.mark.parametrize("words", ["certify {0} --teacher {0}", "eval {0} --teacher {0} --to 3", "doctor {0}"])
def test_a_name_of_a_file_is_no_markup(terminal, work, words):
    (work / "[").mkdir()
    (work / "[" / "a].dfst").write_text(header() + RULES)
    code, _, err = terminal(*words.format("[/a].dfst").split())
    assert code == 0, err
