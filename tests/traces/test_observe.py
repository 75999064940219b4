"""Python programs watched at work, as traces and as tasks; traces in every form that people have them in."""

import pytest

import dfst


def flip(head):
    while head.see() != "_":
        head.do("1" if head.see() == "0" else "0", "R")


def flip_in_pieces(head):
    """The same, with more looks, a second thought, and the halt said aloud."""
    while (bit := head.see()) in "01":
        head.write("_")
        head.write(str(1 - int(bit)))
        head.move(dfst.Move.R)
    head.move("S")


@dfst.teacher(symbols="01", problems="01", answer=lambda word: word.translate({48: "1", 49: "0"}))
def flipper(head):
    flip(head)


def test_what_the_head_does_is_the_trace():
    traces = dfst.observe(flip, ["0", "110"], symbols="01")
    assert [traces.alphabet.decode(traces[1][i]) for i in range(2)] == ["110_", "001_"]
    assert traces[1].moves.tolist() == [3, 3, 3, 4]
    assert (traces.task, traces.problems, traces.layout.answer_row) == ("flip", (("0",), ("110",)), 0)
    assert dfst.observe(flip_in_pieces, ["0", "110"], symbols="01").sha256 == traces.sha256


def test_two_rows_that_could_hold_the_answer_are_a_warning():
    def both(head):
        head.move("U")
        head.write("1")

    with pytest.warns(UserWarning, match="leaves something on rows 0 and 1; row 0 is read as the answer"):
        dfst.observe(both, ["1"], symbols="01")
    assert dfst.observe(both, ["1"], symbols="01", answer_row=1).layout.answer_row == 1


def test_a_program_as_a_task():
    traces = dfst.sample(flipper)
    assert len(traces) == flipper.sampling.n == 100
    assert dfst.record(flipper, [("10",)]).sha256 == dfst.observe(flip, ["10"], symbols="01").sha256
    assert (flipper.truth("10"), flipper.wrong_answers()) == ("01", {})
    right = dfst.policy(lambda state, x: (state, x, "S") if x == 2 else (state, 1 - x, "R"))
    found = dfst.certify(right, flipper, number=50)
    assert (found.passed, found.exact, found.right_answers, len(found.machine.states)) == (True, False, 50, 1)
    assert "tested, not proven" in found.explain()
    assert dfst.measure_lengths(found.machine, flipper, to=5).rlg == 5
    lazy = dfst.policy(lambda state, x: (state, x, "S" if x == 2 else "R"))
    found = dfst.certify(lazy, flipper, number=20)
    assert (found.passed, found.right_answers) == (False, 0)
    assert "the teacher writes" in found.explain()
    assert dfst.measure_lengths(lazy, flipper, to=5).rlg == 0


def test_a_task_in_a_python_file(call, work):
    (work / "programs.py").write_text(
        "import dfst\n@dfst.teacher(symbols='01', problems='01')\ndef idle(head):\n    head.move('S')\n"
    )
    assert len(dfst.sample("programs.py:idle")) > 10
    (work / "lazy.py").write_text("def right(state, symbol):\n    return state, symbol, 'S'\n")
    code, out, _ = call("certify", "lazy.py:right", "--teacher", "programs.py:idle", "--out", "found")
    assert (code, "tested, not proven" in out, (work / "found" / "machine.dfst").exists()) == (1, True, True)


def test_traces_by_hand():
    traces = dfst.Traces.of("01_", [("1_", "0_", "RS"), [("0", "1", "R"), (2, "_", 4)]])
    assert repr(traces) == "<Traces: 2 traces, 4 steps>"
    assert (traces[1].seen.tolist(), traces[1].moves.tolist()) == ([0, 2], [3, 4])
    words = dfst.Traces.of(["one", "ten", "_"], [("one _", "ten _", "RS"), (["ten", "_"], ["one", "_"], "RS")])
    assert words[1].written.tolist() == [0, 2]
