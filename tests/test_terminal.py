"""What is printed on a terminal: names in files and of files are text there, never markup; tables fit."""

import re

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


@pytest.mark.parametrize("words", ["solve {} 01", "check {}"])
def test_a_name_of_a_file_makes_no_line_of_its_own(call, work, words):
    name = "c\nverified: all of it" + (".json" if "check" in words else ".dfst")
    (work / "a.dfst").write_text(header() + RULES)
    assert call("certify", "a.dfst", "--teacher", "a.dfst", "--out", "a")[0] == 0
    (work / ("a/certificate.json" if "check" in words else "a.dfst")).rename(work / name)
    code, out, err = call(*(word.format(name) for word in words.split()))
    assert code == 0
    assert "\nverified" not in out + err


def test_a_table_of_seeds_has_a_line_for_each(terminal, work):
    code, out, _ = terminal("learn", "increment", "--ask", "--seeds", "3,5")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()
    assert (code, lines[0].strip()) == (0, "2 of 2 seeds are proven exact")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if line.startswith("│")]
    assert [row[:2] for row in rows] == [[f"runs/increment-quick-s{seed}", "exact"] for seed in (3, 5)]
    assert max(map(len, lines)) <= 80
    code, out, _ = terminal("learn", "mult2", "--seeds", "3,5", "--seconds", "0.01")
    assert (code, out.count("\nruns/mult2-quick-s")) == (1, 2), "each that is not proven says why"
