"""The trained network itself, with its hidden state rounded: is it proven, like the machine extracted from it?

The bits are chosen without a teacher: the fewest with which the rounded network still does what its traces show, then
more. What is proven is written as network.json, with the rounded network, and checked by prove/network_checker.py.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError
from dfst.explained import Explained
from dfst.files import read_bytes, remove_file, write_atomically
from dfst.prove import checker, network_checker
from dfst.prove.certificate import save_certificate
from dfst.prove.counterexample import problem_on_which, telling_problems
from dfst.prove.network import Closed, close, edges_of, finer
from dfst.prove.verdict import Conclusion
from dfst.traces.traces import UNKNOWN, Traces
from dfst.training.model import DFST, rounded
from dfst.training.weights import ROUNDED
from dfst.world.machine import GridMachine

CERTIFICATE, NETWORK = "certificate.json", "network.json"
"""The certificate, and the proof along it; the network that it is about lies beside them."""

MOST_BITS, MOST_GIVEN_UP, MOST_TRACES = 8, 2, 100
_LENGTHS, _STEPS, _STEPS_IN_ALL = (12, 16, 24, 40, 64, 100), 20_000, 100_000
"""A network acts on telling problems, then on those of these lengths, for so many steps each, and till it errs."""

_MOST_ASTRAY = 30


@dataclass(frozen=True, repr=False)
class NetworkVerdict(Explained):
    """What is known of a network with its hidden state rounded, and its teacher.

    ``exact``: it acts like the teacher on every input of every length, and the teacher is never stuck; exact until the
    teacher is stuck: up to there. Refuted: it does not on the problem in ``difference``. Otherwise ``closed.reason``
    says why it is undecided. ``tried`` lists the roundings that were tried before. The proof follows ``certificate``:
    the given one, or a finer one.
    """

    conclusion: Conclusion
    model: DFST
    closed: Closed
    certificate: dict[str, Any]
    seconds: float
    difference: str = ""
    tried: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Proven equal to the teacher on every input."""
        return self.conclusion == Conclusion.EXACT

    @property
    def proven(self) -> bool:
        """Proven in its ``scope``: exact, or exact until the teacher is stuck."""
        return not self.closed.reason

    @property
    def teacher_never_stuck(self) -> bool:
        """Whether the certificate shows it: where the teacher is stuck a network, unlike a machine, goes on."""
        return self.certificate["claim"]["teacher_never_stuck"]

    @property
    def scope(self) -> str:
        """Where a proof holds, as its certificate says it; empty if there is none."""
        return checker.CLAIM[not self.teacher_never_stuck] if self.proven else ""

    def explain(self) -> str:
        """The verdict as a sentence."""
        who = f"the network itself, hidden state rounded to {self.model.bits} bit{'s' * (self.model.bits != 1)},"
        match self.conclusion:
            case Conclusion.EXACT | Conclusion.UNTIL_STUCK:
                size = f"{self.closed.vectors:,} hidden vectors, {self.closed.pairs:,} pairs"
                return f"{who} acts like the teacher {self.scope} ({size})"
            case Conclusion.REFUTED:
                return f"{who} is refuted: {self.difference}"
            case Conclusion.UNDECIDED:
                return f"{who} is undecided: {self.closed.reason}"

    def to_json(self) -> dict[str, Any]:
        """The same facts for a program."""
        facts = {"verdict": self.conclusion.value, "bits": self.model.bits, "pairs": self.closed.pairs}
        facts |= {"scope": self.scope, "teacher_never_stuck": self.proven and self.teacher_never_stuck}
        facts |= {"vectors": self.closed.vectors, "members": len(self.certificate["members"])}
        facts |= {"seconds": round(self.seconds, 2), "tried": list(self.tried)}
        return facts | {"explanation": self.explain()}

    def save(self, folder: Path) -> dict[str, str]:
        """Write the proof and the network to ``folder``, and have the independent checker read them again."""
        save_certificate(self.certificate, folder / CERTIFICATE)
        self.model.save(folder / ROUNDED)
        weights = read_bytes(folder / ROUNDED)
        content: dict[str, Any] = {
            "format": network_checker.FORMAT,
            "certificate": self.certificate["digest"],
            "weights": hashlib.sha256(weights).hexdigest(),
            "bits": self.model.bits,
            "scope": self.scope,
            "pairs": self.closed.pairs,
            "vectors": self.closed.vectors,
        }
        content["digest"] = checker.sha256(content)
        network = (json.dumps(content, indent=2) + "\n").encode()
        write_atomically(folder / NETWORK, network)
        try:
            network_checker.verify(read_bytes(folder / CERTIFICATE), network, weights)
        except network_checker.Rejected as reason:
            remove_file(folder / NETWORK)
            remove_file(folder / ROUNDED)
            what = f"the proof about the network was written, but the independent checker says: {reason}"
            raise FileFormatError(what, where=str(folder), do="Check the disk, and call it once more.") from None
        return {"network": str(folder / NETWORK), "rounded": str(folder / ROUNDED)}


def prove_network(
    model: DFST,
    certificate: dict[str, Any],
    traces: Traces,
    teacher: GridMachine,
    say: Callable[[str], None] = lambda text: None,
) -> NetworkVerdict | None:
    """Try one rounding after another, the coarsest first; None if no rounding does what the traces show.

    One that is seen to be wrong on a problem is not followed. The ``certificate`` is that of any machine with this
    ``teacher``; that of the machine extracted from the model serves best. Where the network acts differently along it,
    which may be on a path that no grid has, finer ones are followed. The work is counted, so that any computer finds
    the same. If a proof leaves open whether the teacher gets stuck, a finer one is tried that excludes it.

    >>> import dfst
    >>> from dfst.prove.certificate import load_certificate
    >>> from dfst.names import find_certificate
    >>> task, content = dfst.task("increment"), load_certificate(find_certificate("increment"))
    >>> prove_network(dfst.load("increment:raw"), content, task.sample(), task.machine).exact
    True
    """
    begun, tried = time.perf_counter(), []
    refuted: dict[int | None, tuple[DFST, str]] = {}
    waiting: Iterable[DFST] = _not_refuted(_fitting(model, traces), model, teacher, refuted)
    last: tuple[DFST, Closed, dict[str, Any]] | None = None
    given_up = 0
    proven: NetworkVerdict | None = None
    for content in chain([certificate], finer(certificate, teacher)):
        never_stuck = content["claim"]["teacher_never_stuck"]
        if proven is not None and not never_stuck:
            continue
        edges, wrong = edges_of(content), []
        for subject in waiting:
            say(f"the network itself, hidden state rounded to {subject.bits} bit{'s' * (subject.bits != 1)}")
            closed = close(subject.rounding, edges)
            if not closed.reason:
                took = time.perf_counter() - begun
                conclusion = Conclusion.EXACT if never_stuck else Conclusion.UNTIL_STUCK
                proven = NetworkVerdict(conclusion, subject, closed, content, took, tried=tuple(tried))
                wrong = [subject]
                break
            shown = (problem_on_which(teacher, path) for path in closed.paths)
            if found := _difference(subject, filter(None, shown), teacher):
                refuted[subject.bits] = subject, found
                continue
            last = subject, closed, content
            tried.append(f"{subject.bits} bits, {len(content['members']):,} members: {closed.reason}")
            wrong += [subject] if closed.wrong else []
            given_up += not closed.wrong
            if given_up == MOST_GIVEN_UP:
                break
        waiting = wrong
        if given_up == MOST_GIVEN_UP or not wrong or (proven is not None and proven.exact):
            break
    if proven is not None:
        return proven
    tried = [f"{subject.bits} bits: wrong {found}" for subject, found in refuted.values()] + tried
    if last is None:
        if not refuted:
            return None
        finest = refuted[max(refuted, key=lambda bits: bits or 0)][0]
        last = finest, Closed(0, 0, "it is wrong on a problem", wrong=True), certificate
    known = refuted.get(last[0].bits)
    difference = known[1] if known else _difference(last[0], _problems(teacher), teacher)
    conclusion = Conclusion.REFUTED if difference else Conclusion.UNDECIDED
    return NetworkVerdict(conclusion, *last, time.perf_counter() - begun, difference, tuple(tried))


def _fitting(model: DFST, traces: Traces) -> Iterator[DFST]:
    """``model`` rounded to 1, 2, ... bits, as far as it does what (some of) its traces show."""
    for bits in range(1, MOST_BITS + 1) if model.bits is None else (model.bits,):
        subject = rounded(model, bits)
        if all(_follows(subject, trace) for trace in islice(traces, MOST_TRACES)):
            yield subject


def _follows(model: DFST, trace: Any) -> bool:
    state = model.begin()
    for seen, written, move in zip(*(each.tolist() for each in trace), strict=True):
        action = model.act(state, seen)
        if action is None or action[2] != move or written not in (action[1], UNKNOWN):
            return False
        state = action[0]
    return True


def _not_refuted(
    subjects: Iterable[DFST], model: DFST, teacher: GridMachine, refuted: dict[int | None, tuple[DFST, str]]
) -> Iterator[DFST]:
    """Those that solve the problems on which ``model`` itself, without rounding, is soon seen to leave its teacher.

    The others are added to ``refuted``, each with its difference: no certificate need be followed to know.
    """
    astray: list[tuple[str, ...]] | None = None
    for subject in subjects:
        if astray is None:
            wrong = (problem for problem in _problems(teacher) if _difference(model, [problem], teacher))
            astray = list(islice(wrong, _MOST_ASTRAY))
        if found := _difference(subject, astray, teacher):
            refuted[subject.bits] = subject, found
        else:
            yield subject


def _problems(teacher: GridMachine) -> Iterator[tuple[str, ...]]:
    """Telling ones, short ones first."""
    for lengths in (None, *((each,) for each in _LENGTHS)):
        yield from telling_problems(teacher, lengths)


def _difference(model: DFST, problems: Iterable[tuple[str, ...]], teacher: GridMachine) -> str:
    """The first of ``problems`` on which it leaves the teacher, and how; empty if it does not in as many steps.

    Where the teacher gets stuck, a network may go on.
    """
    left = _STEPS_IN_ALL
    for problem in problems:
        found = model.run(*problem, beside=teacher, step_limit=_STEPS)
        if found.divergence is not None and not found.divergence.unclaimed:
            return f"on {' and '.join(problem)}, {found.divergence.explain(talk=teacher.world.is_conversation)}"
        left -= found.steps
        if left <= 0:
            break
    return ""
