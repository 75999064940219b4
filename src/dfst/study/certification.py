"""From an agent to a certificate in one call: extract, compare, write the proof, and look at the raw model.

What is certified is the *extracted* machine (and its one-hot weights). The float model it was extracted from is another
thing: it drifts, and its own horizon is reported beside.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dfst.act.rollout import check_teacher
from dfst.errors import InputError
from dfst.experts.task import Task
from dfst.files import make_folder, read_bytes, write_atomically
from dfst.learn.model import DFST, check_alphabet
from dfst.learn.one_hot import from_machine
from dfst.learn.weights import model_bytes, save_model
from dfst.manifest import manifest
from dfst.prove import checker
from dfst.prove.certificate import certificate, machine_hash, save_certificate
from dfst.prove.compare import Outcome, Verdict, check_same_world, compare
from dfst.prove.extract import Extraction, extract
from dfst.study.agents import NamedAgent, beside
from dfst.study.evaluation import foretold
from dfst.study.lengths import measure_lengths
from dfst.study.test_sets import check_length
from dfst.traces.traces import Traces
from dfst.world.machine import GridMachine
from dfst.world.machine_file import dump_machine, save_machine

RAW_LENGTH = 100
"""The raw model's own RLG is measured up to this many digits."""

Say = Callable[[str], None]


def certify(
    named: NamedAgent,
    teacher: GridMachine,
    *,
    traces: Traces | None = None,
    expert: Task | None = None,
    out: Path | None = None,
    raw_length: int = RAW_LENGTH,
    say: Say = lambda text: None,
) -> dict[str, Any]:
    """Prove that what ``named`` has learnt acts like ``teacher`` on every input of every length, or refute it.

    A float model needs the ``traces`` it was trained on (a run folder knows them); a machine is compared as it is. With
    ``expert`` the raw model's own horizon is forecast, and measured up to ``raw_length`` digits. If the verdict is
    exact, machine.dfst, one_hot.safetensors and certificate.json are written to ``out``, and the independent checker
    has read them again. certification.json is written in any case.

    >>> import dfst
    >>> from dfst.study.agents import find_agent
    >>> certify(find_agent("teacher:add2"), dfst.expert("add2").machine)["verdict"]
    'exact'
    """
    given = _checked(named, teacher, traces, raw_length)
    if out is not None:
        make_folder(out)
    begin = time.perf_counter()
    extraction = _extraction(named, given, say)
    learner = named.agent if extraction is None else extraction.machine
    assert isinstance(learner, GridMachine)
    learner = beside(teacher, learner)
    extracted = time.perf_counter()
    say(f"comparing {len(learner.states)} states with the teacher's {len(teacher.states)}")
    verdict = compare(teacher, learner)
    record: dict[str, Any] = {
        "model": named.source,
        "task": teacher.name,
        "verdict": verdict.outcome.value,
        "explanation": verdict.explain(),
        "states": len(learner.states),
        "teacher_states": len(teacher.states),
        "teacher_sha256": machine_hash(teacher),
        "teacher_never_stuck": verdict.teacher_never_stuck,
        "configurations": verdict.size,
        "refinements": list(verdict.tried),
        "extract_seconds": round(extracted - begin, 2) if extraction else None,
        "prove_seconds": round(verdict.seconds, 2),
    }
    if verdict.counterexample is not None:
        record["counterexample"] = list(verdict.counterexample.operands)
    if extraction is not None:
        record |= _evidence(extraction)
    if out is not None and verdict.outcome == Outcome.EXACT:
        used = None if extraction is None else extraction.evidence.traces
        record |= _write(out, teacher, learner, verdict, named, used)
    if expert is not None and isinstance(named.agent, DFST):
        say("looking how far the raw float model gets")
        record["raw"] = raw_horizon(beside(teacher, named.agent), expert, raw_length)
    record["manifest"] = manifest(agent_sha256=named.sha256)
    if out is not None:
        write_atomically(out / "certification.json", (json.dumps(record, indent=2) + "\n").encode())
    return record


def training_traces(named: NamedAgent, traces: Traces | None = None) -> Traces:
    """``traces``, or those of the run folder; refuses an agent whose traces nobody knows."""
    if traces is None and named.run is not None:
        return named.run.traces()
    if traces is None:
        do = "Give a run folder, or the traces it was trained on with --traces FILE."
        raise InputError("the extraction needs the training traces", where=named.source, do=do)
    return traces


def _extraction(named: NamedAgent, traces: Traces | None, say: Say) -> Extraction | None:
    if traces is None or isinstance(named.agent, GridMachine):
        return None
    return extract(named.agent, traces, progress=say)


def _checked(named: NamedAgent, teacher: GridMachine, traces: Traces | None, raw_length: int) -> Traces | None:
    """The traces of the model (None for a machine), after everything that can be refused without any work."""
    check_length(raw_length)
    if isinstance(named.agent, GridMachine):
        if traces is not None:
            raise InputError("it is a machine, which needs no traces", where=named.source, do="Leave --traces out.")
        check_same_world(teacher, beside(teacher, named.agent))
        return None
    check_teacher(beside(teacher, named.agent), teacher)
    traces = training_traces(named, traces)
    check_alphabet(named.agent, traces)
    return traces


def _evidence(extraction: Extraction) -> dict[str, Any]:
    evidence = extraction.evidence
    return {
        "traces": len(evidence.traces),
        "traces_followed": evidence.followed,
        "rehearsals": len(evidence.rehearsed),
        "open_probes": evidence.open_probes,
        "weakest_merges": [join.explain() for join in evidence.joins[:3]],
    }


def _write(
    out: Path, teacher: GridMachine, learner: GridMachine, verdict: Verdict, named: NamedAgent, traces: Traces | None
) -> dict[str, Any]:
    """The files of a proof, read again by the checker, which trusts none of the above."""
    assert verdict.proof is not None
    one_hot = from_machine(learner)
    hashes = {"model": named.sha256, "machine": hashlib.sha256(dump_machine(learner).encode()).hexdigest()}
    hashes["one_hot"] = hashlib.sha256(model_bytes(one_hot)).hexdigest()
    if traces is not None:
        hashes["traces"] = traces.sha256
    paths = {"machine": "machine.dfst", "one_hot": "one_hot.safetensors", "certificate": "certificate.json"}
    paths = {what: out / name for what, name in paths.items()}
    save_machine(learner, paths["machine"])
    save_model(one_hot, paths["one_hot"])
    save_certificate(certificate(teacher, learner, verdict.proof, hashes), paths["certificate"])
    given = checker.parse(read_bytes(paths["certificate"], limit=checker.MAX_BYTES))
    report = checker.verify(given)
    checker.check_weights(read_bytes(paths["one_hot"]), given)
    return {what: str(path) for what, path in paths.items()} | {"checked": True, "scope": report["scope"]}


def raw_horizon(model: DFST, expert: Task, to: int) -> dict[str, Any]:
    """How far the float model itself gets: as forecast, for each walk of the teacher as well, and as measured."""
    lengths = measure_lengths(model, expert, to=to)
    measured = {"rlg": lengths.rlg, "plg": lengths.plg, "measured_to": to, "tested": [rung.m for rung in lengths.rungs]}
    return foretold(model, expert) | measured
