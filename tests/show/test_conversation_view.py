"""A conversation is shown as inputs and outputs, whatever its names hold; anything else on the grid as before."""

import re

import dfst
from dfst.show.conversation_view import conversation_page, talks
from dfst.show.recording import record_both, record_run
from dfst.training.model import from_machine
from dfst.world.conversation import Turn, conversation_machine, turns_of
from tests.logs.protocols import DOOR, door

CELL = re.compile(r"<td[^>]*>(.*?)</td>")


def test_inputs_outputs_and_states_stand_in_one_line():
    shown = [record_run(door(), "open␣door lock unlock lock")]
    assert talks(shown)
    page = conversation_page(shown)
    rows = [CELL.findall(row) for row in page.split("<tr>")[2:]]
    outputs, states = ["ok"] * 4, ["closed", "open", "bolt out", "open"]
    inputs = ["open door", "lock", "unlock", "lock"]
    assert [tuple(row) for row in rows] == [*zip("1234", inputs, outputs, states, strict=True)]
    assert "http" not in page.replace("http-equiv", "")


def test_the_first_difference_is_marked_and_a_missing_answer_is_said(tmp_path):
    wrong = [turn._replace(output="error") if turn[:2] == ("bolt out", "unlock") else turn for turn in DOOR]
    teacher = door(("open", "unlock"))
    learner = conversation_machine(wrong, "closed", like=door())
    page = conversation_page(record_both(learner, door(), "open␣door lock unlock unlock"))
    cells = re.findall(r"<td style=\"([^\"]*)\">(.*?)</td>", page)
    styles = {style for style, _ in cells}
    assert len(styles) == 2
    assert [text for style, text in cells if [s for s, _ in cells].count(style) == 1] == ["error"]
    partial = conversation_page([record_run(teacher, "open␣door unlock lock")])
    assert partial.count("no answer") == 2
    assert "output" in conversation_page([record_run(from_machine(door()), "lock")])
    path = dfst.view(learner, "lock", out=tmp_path / "talk.html")
    assert "<td" in path.read_text()


def test_names_cannot_break_the_page_and_the_grid_is_shown_as_before(tmp_path):
    machine = conversation_machine([Turn("s", "<script>alert(1)</script>", "</table>", "s")], "s", name="<b>{title}")
    page = conversation_page([record_run(machine, machine.alphabet.symbols[0])])
    assert "<script" not in page
    assert page.count("</table>") == 1
    assert "&lt;b&gt;{title}" in page
    assert not talks([record_run(dfst.task("add2").machine, "1", "1")])
    assert {turn.input for turn in turns_of(machine)} == {"<script>alert(1)</script>"}
