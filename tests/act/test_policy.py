"""A policy of one's own: objects and functions, numbers and texts; measured, compared, shown, refuted."""

import dfst

INCREMENT = dfst.task("increment")

FORGETFUL = '''
class Forgetful:
    """Adds 1 to the last digit, and never carries."""

    task, sees = "increment", "text"

    def begin(self):
        return "to the end"

    def act(self, state, symbol):
        if state == "to the end":
            return ("add", symbol, "L") if symbol == "_" else (state, symbol, "R")
        return state, str((int(symbol) + 1) % 10), "S"
'''
space = {}
exec(FORGETFUL, space)
Forgetful = space["Forgetful"]


def table(state, symbol):
    """The teacher itself, as a function of numbers."""
    return INCREMENT.machine.table[INCREMENT.machine.start if state is None else state][symbol]


def test_a_policy_is_measured_and_refuted_with_an_input():
    assert dfst.measure_lengths(Forgetful(), to=3).rlg == 0
    found = dfst.diff(Forgetful())
    assert (found.found, found.operands, found.at.done) == (True, ("9",), ("0", "S"))
    assert dfst.diff(Forgetful(), "18").found is False
    assert dfst.solve(Forgetful(), "19", beside=INCREMENT).divergence.step == 3
    alone = dfst.solve(Forgetful(), "19")
    assert (alone.outcome.value, alone.answer.text, alone.divergence) == ("halted", "10", None)
    assert dfst.solve(Forgetful(), "18").answer.text == "19"
    assert "PLG 1, RLG 0" in dfst.evaluate(Forgetful(), to=3, rlg=True).explain()


def test_a_bare_function_is_a_policy():
    assert dfst.measure_lengths(table, INCREMENT, to=4).rlg == 4
    assert dfst.solve(table, "999", beside="increment").answer.text == "1000"
    assert dfst.diff(table, teacher="increment", to=5).found is False


def test_a_policy_with_nothing_to_say_is_stuck():
    result = dfst.solve(dfst.policy(lambda state, symbol: None, task="add2"), "1", "1")
    assert result.explain() == "stuck after 0 steps, at cell (-1, 0): it returns no action"


def test_on_the_command_line(call, work):
    (work / "mine.py").write_text(FORGETFUL)
    (work / "broken.py").write_text("import nothing_of_the_kind\n")
    code, out, _ = call("eval", "mine.py:Forgetful", "--to", 3, "--rlg")
    assert (code, out.splitlines()[0]) == (0, "mine.py:Forgetful: PLG 1, RLG 0")
    code, out, _ = call("diff", "mine.py:Forgetful")
    assert (code, out.startswith("on 9, at step 2")) == (1, True)
    code, out, _ = call("view", "mine.py:Forgetful", "19", "--out", "seen.html")
    assert (code, out) == (0, "seen.html\n")
    assert "policy in Python" in (work / "seen.html").read_text(encoding="utf-8")
    code, out, _ = call("certify", "mine.py:Forgetful")
    assert (code, "refuted: on 9" in out) == (1, True)
    for words, sentence in [
        (("eval", "mine.py:Forgetfull"), "Did you mean mine.py:Forgetful?"),
        (("eval", "broken.py:Policy"), "ModuleNotFoundError"),
        (("eval", "gone.py:Policy"), "there is no such file"),
        (("eval", "nowhere:Policy"), "there is no policy called"),
    ]:
        code, _, err = call(*words)
        assert (code, sentence in err) == (2, True), err
