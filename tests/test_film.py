"""Films of runs: read back as XML, they show the run."""

import xml.etree.ElementTree as ElementTree

import pytest

from dfst.show.film import film
from dfst.teachers.find import find_task

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(("task", "operands"), [("add10", ("58", "67")), ("mult2", ("11", "10")), ("add2", ("1", "0"))])
def test_the_last_frame_is_the_answer(task, operands):
    machine = find_task(task).machine
    root = ElementTree.fromstring(film(machine, *operands))
    row = {}
    for text in root.iter(f"{SVG}text"):
        blink = text.find(f"{SVG}animate")
        shown = text.get("opacity") if blink is None else blink.get("values", "").split(";")[-1]
        if text.get("class") == "symbol" and shown == "1":
            row[float(text.get("y", "")), float(text.get("x", ""))] = text.text
    answer = "".join(symbol for _, symbol in sorted(row.items()))
    assert answer.lstrip("0") == (machine.run(*operands).answer.text or "?").lstrip("0")


def test_time_never_goes_back():
    root = ElementTree.fromstring(film(find_task("add10").machine, "99", "9"))
    for animation in root.iter(f"{SVG}animate"):
        times = [float(time) for time in animation.get("keyTimes", "").split(";")]
        assert times == sorted(times)
        assert times[0] == 0
        assert times[-1] <= 1
        assert len(times) == len(animation.get("values", "").split(";"))
