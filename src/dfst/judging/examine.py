"""What can be wrong with a task before anything is trained: its teacher, and the traces it is to be learned from.

Every finding is a cause, in plain words, and the change to try.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product, takewhile
from typing import Literal

from dfst.errors import InputError
from dfst.extraction.rehearse import probes
from dfst.extraction.trie import trie_of
from dfst.seeds import Stream
from dfst.teachers.sampling import Operands, problem_count, problems
from dfst.teachers.task import Task
from dfst.traces.consistency import faults
from dfst.traces.coverage import Coverage, coverage
from dfst.traces.logs import only_conversations
from dfst.traces.record import record
from dfst.traces.traces import Traces
from dfst.world.conversation import answerable
from dfst.world.machine import GridMachine
from dfst.world.rollout import Outcome

_SHORT, _RANDOM, _LONGER = 3000, 500, 3
"""The teacher is looked at on so many of the shortest problems, and on random ones, a little longer than trained."""

_FEW = 1000
"""So many short problems may all be recorded."""

_STEPS = 10**6
"""A teacher that takes longer on a training problem is taken not to halt."""

_IN_VAIN, _FEWER_STEPS = 20, 10**5
"""After so many such problems no more are tried; on problems of other lengths a teacher gets fewer steps."""

_REMEMBERED, _CROSSED = 3, 3
"""So many states that differ only in what they remember, walking over so many symbols, are hard to learn."""

Cause = Literal[
    "wrong-answers", "unknown-answers", "does-not-halt", "contradiction", "memory-across-symbols", "unreachable-rule",
    "unseen-rule", "missing-transition", "loop-at-one-length", "hidden-dimension", "exploding", "learning-rate",
    "too-short", "stalled", "not-finished", "weak-merge", "undecided", "seen-once", "not-told-apart",
]  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """One thing that keeps a task from being learned, or a machine from being proven.

    A ``problem`` by itself explains a failure; a ``warning`` may. Of a log, ``conversations`` are all those to record.
    """

    cause: Cause
    what: str
    do: str
    severity: Literal["problem", "warning"] = "problem"
    conversations: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.severity}: {self.cause}: {self.what}. {self.do}"


def some(items: list[str], most: int = 4) -> str:
    """The first of many, for a sentence.

    >>> some(["a", "b", "c", "d", "e"], 2)
    'a, b and 3 more'
    """
    rest = len(items) - most
    return ", ".join(items[:most]) + (f" and {rest} more" if rest > 0 else "")


def examine_task(task: Task, seed: int = 42) -> list[Finding]:
    """Everything about the teacher of ``task`` and its sampling that may keep it from being learned."""
    if found := [*_not_halting(task, seed)] or [*_wrong_answers(task)]:
        return found  # its traces cannot be recorded, or would teach something wrong
    traces = record(task.machine, answerable(task.machine, problems(task.world, task.sampling, seed=seed)))
    seen, (wider, witnesses, tried) = coverage(task.machine, traces), _looked_at_wider(task)
    untaught = list(_uncovered(task, seen, witnesses, tried))
    untaught += [] if task.machine.world.is_conversation else _one_length(task, seen, wider)  # those have no walks
    return [*_unknown_answers(task), *_memory(task.machine), *untaught]


def examine_traces(traces: Traces) -> list[Finding]:
    """What is wrong with traces of which nobody knows the teacher."""
    faulty, found = faults(traces), []
    for kind in ("contradiction", "does-not-halt"):  # the first of each, and which others there are
        if such := [fault for fault in faulty if fault.kind == kind]:
            others = [f"trace {fault.trace} at step {fault.step}" for fault in such[1:]]
            found.append(Finding(kind, such[0].what + (f"; likewise {some(others)}" if others else ""), such[0].do))
    if found:
        return found
    try:
        trie_of(traces)
    except InputError as error:
        return [Finding("contradiction", error.what, error.do or "Remove or correct one of them.")]
    lengths = {len(traces.alphabet.encode(x)) for operands in traces.problems for x in operands}
    if traces.problems and len(lengths) < 2 and not only_conversations(traces):
        what = f"all operands have {lengths.pop()} symbols, so no loop is seen at two lengths"
        return [Finding("loop-at-one-length", what, "Add traces of shorter and of longer inputs.")]
    return []


def _wrong_answers(task: Task) -> Iterator[Finding]:
    if wrong := task.wrong_answers():
        operands, said = next(iter(wrong.items()))
        what = f"on {len(wrong)} of {len(task.answers)} problems the teacher is wrong, such as {' '.join(operands)}"
        what += f": it {_says(said)}, not {task.answers[operands]}"
        do = "Change its rules, or the answers; a proof says only that the learner equals this teacher."
        yield Finding("wrong-answers", what, do)


def _unknown_answers(task: Task) -> Iterator[Finding]:
    """The edges that nobody has thought of: the shortest problems, if right answers are given, but none for them."""
    if not task.answers:
        return
    shortest = product(*(operand.symbols for operand in task.machine.world.operands))
    edges = [problem for problem in shortest if len(set(problem)) == 1]  # 0, 1, …; of two operands 0 0, 1 1, …
    asked = [problem for problem in edges if problem not in task.answers]
    unknown = {problem: task.machine.run(*problem, step_limit=_STEPS).answer.text for problem in asked}
    if unknown:
        examples = some([f"on {' '.join(problem)} the teacher {_says(said)}" for problem, said in unknown.items()])
        have = "has" if len(unknown) == 1 else "have"
        of = f"{len(unknown)} of the {len(edges)} shortest problems {have}"
        what = f"{of} no right answer to compare with: {examples}"
        yield Finding("unknown-answers", what, "Add their right answers to the file, and look again.", "warning")


def _says(answer: str | None) -> str:
    return "gives no answer" if answer is None else f"says {answer}"


def _not_halting(task: Task, seed: int) -> Iterator[Finding]:
    bad: list[tuple[Operands, str]] = []
    given, tried, waited = answerable(task.machine, problems(task.world, task.sampling, seed=seed)), 0, 0
    for operands in given:
        tried += 1
        result = task.machine.run(*operands, step_limit=_STEPS)
        waited += result.outcome in (Outcome.STEP_LIMIT, Outcome.LEFT)  # either takes long
        if result.outcome != Outcome.HALTED:
            bad.append((operands, result.explain()))
        if waited == _IN_VAIN:
            break
    if bad:
        operands, why = bad[0]
        many = f"{tried}" if tried == len(given) else f"the first {tried}"
        what = f"on {len(bad)} of {many} training problems the teacher does not halt, such as"
        do = "Add the rule that is missing, or one that halts." if "no rule" in why else "Let every problem end."
        yield Finding("does-not-halt", f"{what} {' '.join(operands)} ({why})", do)


def _memory(machine: GridMachine) -> Iterator[Finding]:
    """States that walk alike over the same changing symbols, so differ only in what they remember meanwhile."""
    walks: dict[tuple[tuple[str, ...], int], list[str]] = defaultdict(list)
    symbols, blank = machine.alphabet.symbols, machine.alphabet.blank_index
    for q, state in enumerate(machine.states):
        stays: dict[int, list[str]] = defaultdict(list)
        for x in range(len(symbols)):
            if x != blank and machine.next_state[q, x] == q and machine.written[q, x] == x:
                stays[int(machine.move[q, x])].append(symbols[x])
        for move, over in stays.items():
            walks[tuple(over), move].append(state)
    for (over, _), states in walks.items():
        if len(states) >= _REMEMBERED and len(over) >= _CROSSED:
            walk = f"{len(states)} states ({some(states)}) walk over the same {len(over)} symbols ({some(list(over))})"
            what = f"{walk} and differ only in what they remember; every remembered thing has to be seen crossing"
            what += " every symbol"
            do = "Let the memory cross blanks or one fixed symbol: carry it along another row, or leave a mark."
            yield Finding("memory-across-symbols", what, do)


def _looked_at_wider(task: Task) -> tuple[Coverage, dict[tuple[str, str], Operands], int]:
    """What the teacher does on many problems, most of them short; a problem for every pair it uses; how many."""
    machine, longest = task.machine, task.sampling.q + _LONGER
    random = probes(task.world, [longest] * len(task.world.operands), _RANDOM, Stream(0, "doctor"))
    symbols = machine.alphabet.encode  # of a problem; a symbol may have many characters
    short = takewhile(lambda each: max(len(symbols(x)) for x in each) <= longest, machine.world.shortest_problems())
    halting, witnesses = [], {}
    todo = dict.fromkeys([*islice(short, _SHORT), *random])
    tried, most = set[Operands](), len(todo) + _SHORT
    while todo and len(tried) < most:
        tried.add(problem := next(iter(todo)))
        del todo[problem]
        result = machine.run(*problem, step_limit=_FEWER_STEPS, engine="compiled", record=True)
        assert result.pairs is not None
        if result.outcome == Outcome.HALTED:
            halting.append(problem)
        known = len(witnesses)
        for pair in dict.fromkeys(result.pairs.tolist()):
            q, x = divmod(pair, len(machine.alphabet))
            witnesses.setdefault((machine.states[q], machine.alphabet.symbols[x]), problem)
        if len(witnesses) > known:  # where a new rule was used, more of them may lie ahead
            todo |= dict.fromkeys(each for each in _one_longer(machine, problem) if each not in tried)
    return coverage(machine, record(machine, halting)), witnesses, len(tried)


def _one_longer(machine: GridMachine, problem: Operands) -> Iterator[Operands]:
    """The problem with one symbol more before or after one of its operands."""
    for place, operand in enumerate(machine.world.operands):
        word = [machine.alphabet.symbols[x] for x in machine.alphabet.encode(problem[place])]
        for symbol in operand.symbols if operand.many else ():
            for longer in ([*word, symbol], [symbol, *word]):
                yield (*problem[:place], operand.word(longer), *problem[place + 1 :])


def _possible(machine: GridMachine) -> set[tuple[str, str]]:
    """The rules that may be used, as far as states and symbols go: no problem uses any other."""
    alphabet, states = machine.alphabet, {machine.states[machine.start]}
    symbols = {alphabet.blank, *(part for part in machine.layout.parts if part in alphabet.index)}
    symbols |= {symbol for operand in machine.world.operands for symbol in operand.symbols}
    rules, used = list(machine.rules()), set[tuple[str, str]]()
    while new := [r for r in rules if r.state in states and r.seen in symbols and (r.state, r.seen) not in used]:
        used |= {(rule.state, rule.seen) for rule in new}
        states |= {rule.next for rule in new}
        symbols |= {rule.written for rule in new}
    return used


def _uncovered(task: Task, seen: Coverage, witnesses: dict[tuple[str, str], Operands], tried: int) -> Iterator[Finding]:
    possible = _possible(task.machine)
    unseen = [pair for pair in seen.uncovered if pair not in witnesses]
    if dead := [f"({q}, {x})" for q, x in unseen if (q, x) not in possible]:
        what = f"no problem can use {_rules(dead)} {some(dead)}: nothing leads to that state, or writes that symbol"
        yield Finding("unreachable-rule", what, "Remove it from the machine.", "warning")
    if open_ := [f"({q}, {x})" for q, x in unseen if (q, x) in possible]:
        what = f"none of {tried:,} problems tried uses {_rules(open_)} {some(open_)}; others may"
        yield Finding("unseen-rule", what, "Record a problem that does, if there is one.", "warning")
    if missed := {pair: witnesses[pair] for pair in seen.uncovered if pair in witnesses}:
        what = f"no trace uses {_rules(list(missed))} {some([f'({q}, {x})' for q, x in missed])}"
        examples = [" ".join(problem) for problem in dict.fromkeys(missed.values())]
        do = f"Record problems such as {some(examples)}: {_sampling_with(task, list(missed.values()))}."
        yield Finding("missing-transition", what, do)


def _sampling_with(task: Task, missing: list[Operands]) -> str:
    """How [task] takes problems like these: all that are so short if they are few, or more random ones."""
    longest = max(len(task.machine.alphabet.encode(operand)) for problem in missing for operand in problem)
    if problem_count(task.world, longest) <= _FEW:
        return f"p = {longest} in [task] takes all that are so short"
    q = max(longest, task.sampling.q)
    return f"in [task], q = {q} and a larger n (now {task.sampling.n}) take more random ones"


def _rules(items: list) -> str:
    return "the rule" if len(items) == 1 else f"{len(items)} rules:"


def _one_length(task: Task, seen: Coverage, wider: Coverage) -> Iterator[Finding]:
    """Loops that are seen at one length only, though the teacher walks at others as well."""
    known = {(loop.state, loop.move): len(loop.lengths) for loop in wider.loops}
    if pinned := [each for each in seen.loops if len(each.lengths) == 1 < known[each.state, each.move]]:
        names = [f"{loop.state} moving {loop.move.name} ({next(iter(loop.lengths))} steps)" for loop in pinned]
        what = f"{len(pinned)} of {len(seen.loops)} loops are seen at one length only: {some(names)}"
        do = f"Add inputs of other lengths: p = {max(1, task.sampling.q - 1)} and a larger n in [task] do."
        yield Finding("loop-at-one-length", what, do, "problem" if len(pinned) == len(seen.loops) else "warning")
