"""The command line: one thin verb per stage; each parses, calls the library, and prints.

Results go to stdout, messages and progress to stderr; exit 0 success, 1 a check failed, 2 a mistake in the call.
Commands import what they need themselves, so that ``dfst --help`` stays fast.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from dfst import __version__
from dfst.errors import DfstError, FileFormatError, InputError, MachineError

if TYPE_CHECKING:
    from dfst.act.rollout import Rollout
    from dfst.experts.task import Task
    from dfst.learn.model import DFST
    from dfst.learn.run_folder import RunConfig
    from dfst.world.machine import GridMachine
    from dfst.world.run import Run

app = App(
    name="dfst",
    help="Learn algorithms exactly, by watching them run.",
    version=__version__,
    suppress_keyboard_interrupt=False,  # main() says what happened
)
machine_app = App(name="machine", help="Check, show, draw and import machines written as text.")
model_app = App(name="model", help="Make, describe and test models (weights).")
bench_app = App(name="bench", help="Measure this machine, beside the bare engines (from a checkout).")
report_app = App(name="report", help="Tables and pictures of the measured results (from a checkout).")
app.command(machine_app)
app.command(model_app)
app.command(bench_app)
app.command(report_app)

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for machines instead of a table.")]


def main() -> None:
    """The entry point: a user's mistake becomes a sentence on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):  # × and → must survive a redirection on Windows, too
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        code = _call()
        sys.stdout.flush()
    except KeyboardInterrupt:
        _complain("stopped.")
        code = 130
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # `dfst … | head` is no mistake
            _complain(f"the output cannot be written ({error.strerror}).")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would try once more at its end
        code = 1
    sys.exit(code)


def _call() -> int:
    from cyclopts import CycloptsError

    try:
        app(sys.argv[1:], exit_on_error=False, print_error=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except DfstError as error:
        _complain(str(error))
        return 1 if isinstance(error, (MachineError, FileFormatError)) else 2
    except CycloptsError as error:
        _complain(f"{error} Try --help.")
        return 2
    return 0


@app.command
def experts(*, json: Json = False) -> None:
    """List the teachers of the paper's four tasks (addR and multR exist for every radix from 2 to 36)."""
    from dfst.experts.expert import PAPER_TASKS, expert
    from dfst.learn.model import parameter_count

    rows = [
        {
            "name": teacher.name,
            "states": len(teacher.machine.states),
            "symbols": len(teacher.machine.alphabet),
            "hidden_dim": teacher.hidden_dim,
            "parameters": parameter_count(len(teacher.machine.alphabet), teacher.hidden_dim),
        }
        for teacher in map(expert, PAPER_TASKS)
    ]
    _show(rows, json, title="Teachers")


@app.command
def models(*, json: Json = False) -> None:
    """List the models that come with dfst: raw, extracted and proven."""
    from dfst.study.shipped import shipped_models

    rows = [
        {name: str(getattr(m, name)) for name in ("task", "raw", "practised", "one_hot", "certificate")}
        for m in shipped_models()
    ]
    if not rows and not json:
        _note("no models come with this installation.")
        return
    _show(rows, json, title="Models (the card beside each says how it was made)")


@app.command
def new(name: str) -> None:
    """Begin a task of your own: a folder with a working machine file to change, and right answers beside it.

    Parameters
    ----------
    name
        Its name, such as my-task.

    """
    from dfst.experts.scaffold import new_task

    for path in new_task(name, Path(name)):
        print(path)
    _note(f"next: dfst machine check {name}/{name}.dfst")


@app.command(name="gallery")
def show_gallery(*, json: Json = False) -> None:
    """List the tasks of the gallery: what each needs to be learnt, and whether that was proven."""
    from dfst.study.gallery import gallery_rows

    _show(gallery_rows(), json, title="Gallery (dfst machine show NAME prints one)")


@app.command
def run(
    task: str,
    *operands: str,
    json: Json = False,
    step_limit: int = 10**12,
    engine: Literal["auto", "reference", "compiled", "skipping"] = "auto",
) -> None:
    """Let a teacher (or a machine file) solve one problem.

    Parameters
    ----------
    task
        A teacher's name (add10, mult16, …) or a machine file.
    operands
        The numbers, in the task's radix; @FILE reads one from a file.
    step_limit
        Stop after so many steps.
    engine
        auto, reference (plain Python), compiled, or skipping (compiled, whole walks at once); all make the same run.

    """
    from dfst.world.run import run as run_machine

    machine = _machine(task)
    given = [_operand(text, machine) for text in operands]
    result = run_machine(machine, *given, step_limit=step_limit, engine=engine)
    _print_answer({"task": task}, result, json)


@app.command
def solve(model: str, *operands: str, json: Json = False, step_limit: int = 10**12, reach: int | None = None) -> None:
    """Let an agent loose on one problem: a trained model, or any machine.

    Parameters
    ----------
    model
        A run folder, a .safetensors file, a machine file, or teacher:NAME.
    operands
        The numbers, of any length, in the task's radix; @FILE reads one from a file.
    step_limit
        Stop after so many steps.
    reach
        How many cells beyond the input the agent may go, if there is to be a limit.

    """
    from dfst.act.rollout import rollout
    from dfst.learn.model import DFST
    from dfst.study.agents import find_agent
    from dfst.world.run import run as run_machine

    agent = find_agent(model).agent
    given = [_operand(text, agent) for text in operands]
    if isinstance(agent, DFST):
        result = rollout(agent, *given, step_limit=step_limit, reach=reach)
        counts = {"rescales": result.rescales, "flushed": result.flushed}
        _print_answer({"model": model} | counts, result, json)
    else:
        result = run_machine(agent, *given, step_limit=step_limit, reach=reach)
        _print_answer({"model": model}, result, json)


@app.command(name="eval")
def evaluate(
    model: str,
    *,
    to: int | None = None,
    rlg: Annotated[bool, Parameter(negative="")] = False,
    hard: Annotated[bool, Parameter(negative="")] = False,
    forecast: Annotated[bool, Parameter(negative="")] = False,
    task: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Measure how long problems may be: PLG (and RLG), as the paper defines them, with every length that was tested.

    A result of a run folder goes to its eval folder; a measurement that was stopped goes on where it was.

    Parameters
    ----------
    model
        A run folder, a .safetensors file, a machine file, or teacher:NAME.
    to
        The largest length to test; as far as the paper by default.
    rlg
        Also test all same-digit pairs.
    hard
        Also test inputs made to be hard, at the largest length that passed.
    forecast
        Also forecast, from 5-digit problems, how far a float model gets.
    task
        The teacher to compare with, if the agent does not say.
    seed
        The seed of the random problems.
    threads
        Problems at a time; as many as there are cores by default.
    out
        Write the result to this file (and every attempt beside it).

    """
    from dfst.study.agents import find_agent
    from dfst.study.evaluation import evaluate as measure

    named = find_agent(model)
    with _progress("") as advance:
        result = measure(
            named, task=task, to=to, rlg=rlg, hard=hard, with_forecast=forecast, seed=seed, threads=threads, out=out,
            progress=lambda m, done, total: advance(done, total, f"{m} digits"),
        )  # fmt: skip
    if json:
        _print_json(result)
        return
    kinds = ("random", "same_digit") if rlg else ("random",)
    rows = [
        {"digits": rung["m"]} | {kind.replace("_", "-"): _score(rung[kind]) for kind in kinds}
        for rung in result["tested"]
    ]
    shown = {key: result[key] for key in ("plg", "rlg", "forecast_rlg") if result.get(key) is not None}
    names = {"plg": "PLG", "rlg": "RLG", "forecast_rlg": "forecast of RLG"}
    _show(rows, False, title=f"{model}: {', '.join(f'{names[key]} {value}' for key, value in shown.items())}")
    if result["hard"]:
        print(f"hard inputs: {_score(result['hard'])}.")
    if result["first_failure"]:
        print(f"first difference: {result['first_failure']}.")


@app.command
def data(
    task: str,
    *,
    seed: int = 42,
    p: int | None = None,
    q: int | None = None,
    n: int | None = None,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Record a teacher's training traces with the paper's sampler, and report what they cover.

    Parameters
    ----------
    task
        A teacher's name, such as add2.
    seed
        The same seed gives the same traces, for ever.
    p
        All pairs of up to p digits are included.
    q
        All same-digit pairs of q digits, and random pairs of up to q digits.
    n
        The number of traces.
    out
        Write the traces to this .jsonl or .parquet file.

    """
    from dataclasses import replace

    from dfst.experts.find import find_task
    from dfst.traces.coverage import coverage
    from dfst.traces.files import save_traces
    from dfst.traces.sampler import sample

    teacher = find_task(task)
    given = {name: value for name, value in (("p", p), ("q", q), ("n", n)) if value is not None}
    with _progress("recording") as advance:
        traces = sample(teacher, replace(teacher.sampling, **given), seed=seed, progress=advance)
    report = coverage(teacher.machine, traces)
    if out is not None:
        save_traces(traces, out)
        _note(f"wrote {out}")
    loops = [
        {"state": loop.state, "move": loop.move.name, "symbols": list(loop.symbols), "lengths": loop.lengths}
        for loop in report.loops
    ]
    summary = {
        "task": task,
        "seed": seed,
        "traces": len(traces),
        "steps": len(traces.seen),
        "max_length": int(traces.lengths.max()),
        "sha256": traces.sha256,
        "uncovered": [list(pair) for pair in report.uncovered],
    }
    if json:
        _print_json(summary | {"loops": loops})
        return
    uncovered = " ".join(f"({state}, {symbol})" for state, symbol in report.uncovered)
    _show([summary | {"uncovered": uncovered or "none: every rule of the teacher is used"}], False, upright=True)
    rows = [
        {
            "state": loop.state,
            "move": loop.move.name,
            "on": " ".join(loop.symbols),
            "seen at lengths": _lengths(loop.lengths),
        }
        for loop in report.loops
    ]
    _show(rows, False, title="Loops: how far the teacher walks in one state")


@app.command
def train(
    task: str,
    *,
    recipe: str = "fast",
    seed: int = 42,
    seeds: str | None = None,
    data_seed: int = 42,
    n: int | None = None,
    digits: int | None = None,
    hidden_dim: int | None = None,
    practice: Path | None = None,
    out: Path | None = None,
    resume: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    engine: str = "fused",
    threads: int | None = None,
    checkpoint_seconds: float = 30.0,
    iterations: int | None = None,
    learning_rate: float | None = None,
    batch: int | None = None,
    clip: float | None = None,
    growth: float | None = None,
    first_visible: int | None = None,
    on_nonfinite: Literal["skip", "stop"] | None = None,
    json: Json = False,
) -> None:
    """Train a DFST on a teacher's traces, in a run folder that can be watched, stopped and resumed.

    Parameters
    ----------
    task
        A teacher's name, such as add2.
    recipe
        fast (ours) or paper (the paper's, to the letter); with --practice it is practice.
    seed
        The root seed of the initial weights and of the batches.
    seeds
        Several runs, such as 0:8 for seeds 0 to 7; as many at a time as there are threads.
    data_seed
        The seed of the training traces.
    n
        The number of traces, if not the paper's.
    digits
        The longest numbers in them, if not the paper's.
    hidden_dim
        The hidden dimension, if not the paper's.
    practice
        A finished run: go on from its weights, on longer traces that the machine extracted from it (its machine.dfst;
        see dfst extract and dfst certify) makes itself. No teacher is asked.
    out
        The run folder; runs/TASK-RECIPE-sSEED by default.
    resume
        Continue the run in that folder from its newest checkpoint.
    config
        A TOML file with any of these options; options on the command line go first.
    engine
        fused (numba) or jax.
    threads
        Threads for one run, or runs at a time with --seeds; by default as many as pay.
    checkpoint_seconds
        Save a checkpoint this often.
    iterations
        Adam steps, if not the recipe's.
    learning_rate
        At the start; it decays along a cosine.
    batch
        Traces per step.
    clip
        The largest gradient norm; inf never clips.
    growth
        The share of the run during which the visible prefix of every trace grows.
    first_visible
        The steps visible at the start of that.
    on_nonfinite
        After a gradient that is not finite: skip it, or stop.

    """
    from dfst.experts.find import find_task
    from dfst.learn.run_folder import RunFolder
    from dfst.show.progress import watch_runs

    recipe_fields = {
        "iterations": iterations, "learning_rate": learning_rate, "batch": batch, "clip": clip, "growth": growth,
        "first_visible": first_visible, "on_nonfinite": on_nonfinite,
    }  # fmt: skip
    options = {
        "recipe": recipe, "data_seed": data_seed, "n": n, "digits": digits, "hidden_dim": hidden_dim, "engine": engine,
        "threads": threads, **recipe_fields,
    }  # fmt: skip
    if config is not None:
        options = _with_config(config, options)
    teacher = find_task(task)
    taught = None if practice is None else _taught(practice, teacher)
    if taught is not None:
        options |= {"recipe": "practice", "hidden_dim": taught[0].hidden_dim}
    numbers = _seeds(seeds) if seeds is not None else [seed]
    folders = []
    for number in numbers:
        path = out or Path("runs") / f"{teacher.name}-{options['recipe']}-s{number}"
        path = path / f"s{number}" if out and len(numbers) > 1 else path
        if resume and path.exists():
            folders.append(RunFolder.open(path))
        elif taught is not None:
            settings = _run_config(teacher, number, options, len(numbers), practice=True)
            folders.append(RunFolder.create_practice(path, settings, *taught, task=teacher.text))
        else:
            settings = _run_config(teacher, number, options, len(numbers))
            folders.append(RunFolder.create(path, settings, task=teacher.text))
    results = watch_runs(folders, at_a_time=options["threads"], checkpoint_seconds=checkpoint_seconds, note=_note)
    rows = [
        {"run": str(folder.path), "seed": folder.config.seed, "loss": loss, "seconds": seconds, "problem": problem}
        for folder, (loss, seconds, problem) in zip(folders, results, strict=True)
    ]
    if json:
        _print_json(rows if seeds is not None else rows[0])
    elif seeds is None and rows[0]["problem"]:
        _complain(rows[0]["problem"])
    else:
        shown = [row | {"loss": "–" if row["loss"] is None else f"{row['loss']:.2e}"} for row in rows]
        _show(shown, False, title=f"{teacher.name}: loss on all traces, at full length")
    sys.exit(1 if any(row["problem"] for row in rows) else 0)


@app.command(name="extract")
def extract_machine(
    model: str, *, traces: Path | None = None, suggestions: int = 3, out: Path | None = None, json: Json = False
) -> None:
    """Read a finite machine out of a trained model, and say what speaks for it; no teacher is involved.

    Parameters
    ----------
    model
        A run folder, or a .safetensors file together with --traces.
    traces
        The traces it was trained on (.jsonl or .parquet); a run folder knows its own.
    suggestions
        How many problems to suggest whose traces would settle the weakest merges.
    out
        Write the machine to this file.

    """
    from dfst.learn.model import DFST
    from dfst.prove.extract import extract
    from dfst.prove.report import describe, report
    from dfst.study.agents import find_agent
    from dfst.study.certification import training_traces
    from dfst.traces.files import load_traces
    from dfst.world.machine_file import save_machine

    named = find_agent(model)
    if not isinstance(named.agent, DFST):
        raise InputError("it is a machine already", where=model, do="Give a trained model.")
    given = training_traces(named, None if traces is None else load_traces(traces))
    with _status("extracting") as say:
        extraction = extract(named.agent, given, progress=say)
    if out is not None:
        save_machine(extraction.machine, out)
        _note(f"wrote {out}")
    facts = report(extraction, suggestions=suggestions)
    if json:
        _print_json({"model": model} | facts)
    else:
        print(describe(facts))
    sys.exit(0 if facts["followed"] == facts["traces"] else 1)


@app.command
def certify(
    model: str,
    *,
    task: str | None = None,
    traces: Path | None = None,
    out: Path | None = None,
    raw_to: int = 100,
    json: Json = False,
) -> None:
    """Extract a machine and prove that it acts like the teacher on every input of every length, or refute it.

    Exit code 0: exact, and the certificate was checked; 1: refuted or undecided.

    Parameters
    ----------
    model
        A run folder, a .safetensors file together with --traces, or a machine file.
    task
        The teacher to compare with, by name or as a machine file, if the agent does not say.
    traces
        The traces the model was trained on; a run folder knows its own.
    out
        The folder for certificate.json, machine.dfst and one_hot.safetensors; the run folder by default.
    raw_to
        Measure the raw float model's own RLG up to so many digits.

    """
    from dfst.learn.model import DFST
    from dfst.study.agents import find_agent
    from dfst.study.certification import certify as prove
    from dfst.traces.files import load_traces

    named = find_agent(model)
    expert = named.expert(task)
    teacher = expert.machine
    folder = out or (named.run.path if named.run else Path(f"{Path(model.replace(':', '-')).stem}-certified"))
    given = None if traces is None else load_traces(traces)
    with _status("certifying") as say:
        record = prove(named, teacher, traces=given, expert=expert, out=folder, raw_length=raw_to, say=say)
    if json:
        _print_json(record)
    else:
        whose = "the extracted machine" if isinstance(named.agent, DFST) else "the machine"
        print(f"{whose} ({record['states']} states) is {record['explanation']}.")
        print(f"teacher: {teacher.name}, sha256 {record['teacher_sha256']}")
        if record["verdict"] == "exact":
            size = f"{record['configurations']} abstract configurations"
            print(f"proof: {size}, {record['certificate']}; the independent checker agrees.")
        if raw := record.get("raw"):
            forecast = f"forecast from 5 digits: {raw['forecast_rlg']}"
            reached = "at least " if raw["rlg"] == raw["measured_to"] else ""
            own = f"its own RLG is {reached}{raw['rlg']} digits ({forecast})"
            print(f"the raw float model is not what is certified: {own}.")
    sys.exit(0 if record["verdict"] == "exact" else 1)


@app.command(name="check")
def check_certificate(
    certificate: Path, *, teacher: str | None = None, weights: Path | None = None, json: Json = False
) -> None:
    """Check a certificate with the independent checker, which re-derives everything and trusts nothing.

    Parameters
    ----------
    certificate
        The JSON file.
    teacher
        A teacher's name or a machine file: is it the one the certificate speaks of?
    weights
        A .safetensors file: do its one-hot weights say the same as the certified machine?

    """
    from dfst.files import read_bytes
    from dfst.prove import checker
    from dfst.prove.certificate import machine_hash

    content = read_bytes(certificate, limit=checker.MAX_BYTES)
    try:
        given = checker.parse(content)
        report = checker.verify(given)
        if teacher is not None and machine_hash(_machine(teacher)) != report["teacher"]:
            raise checker.Rejected(f"it speaks of another teacher than {teacher}")
        if weights is not None:
            checker.check_weights(read_bytes(weights), given)
    except checker.Rejected as reason:
        if json:
            _print_json({"verified": False, "reason": str(reason)})
        else:
            _complain(f"{certificate}: rejected: {reason}.")
        sys.exit(1)
    if json:
        _print_json({"verified": True} | report)
    else:
        print(f"{certificate}: verified: {report['scope']} the learner acts like the teacher.")
        print(f"teacher sha256 {report['teacher']}\nlearner sha256 {report['learner']}")


@app.command
def diff(model: str, task: str | None = None, *operands: str, to: int = 100, json: Json = False) -> None:
    """Where does an agent first act otherwise than its teacher? Exit code 0: nowhere that was looked, 1: there.

    Parameters
    ----------
    model
        A run folder, a .safetensors file, a machine file, or teacher:NAME.
    task
        The teacher, by name or as a machine file.
    operands
        The problem to look at; without one, a short one that is found (by proof for machines, else by testing).
    to
        Test a float model up to so many digits.

    """
    from dfst.study.agents import find_agent
    from dfst.study.difference import first_difference

    named = find_agent(model)
    expert = named.expert(task)
    teacher = expert.machine
    given = tuple(_operand(text, teacher) for text in operands)
    with _status("looking") as say:
        found = first_difference(named.agent, teacher, expert, given or None, to, say)
    if json:
        _print_json(found)
    else:
        print(f"{found['explanation']}.")
    sys.exit(1 if found["differs"] else 0)


@app.command
def plot(*runs: Path, out: Path = Path("loss.png")) -> None:
    """Draw the loss curves of runs (extra plot).

    Parameters
    ----------
    runs
        Run folders.
    out
        The picture: .png, .svg or .pdf.

    """
    from dfst.learn.run_folder import RunFolder
    from dfst.show.loss_curves import draw_losses

    if not runs:
        raise InputError("no run folder was given", do="Give one or more, such as runs/add2-fast-s42.")
    draw_losses([RunFolder.open(run) for run in runs], out)
    print(f"wrote {out}")


@bench_app.command(name="train")
def bench_train(*, quick: Annotated[bool, Parameter(negative="")] = False, json: Json = False) -> None:
    """Milliseconds per iteration of every engine beside a bare JAX one, in one run (needs a checkout, and extra jax).

    Parameters
    ----------
    quick
        Under a minute; the parallel scans are left out.

    """
    result = _benchmark("train_bench").measure(quick, _note)
    if json:
        _print_json(result)
        return
    columns = {"task": "task", "fused_ms": "2 threads", "fused_1thread_ms": "1 thread", "bare_jax_ms": "bare JAX"}
    columns |= {"speedup_vs_bare_jax": "speed-up", "fraction_of_sgemm": "of sgemm"}
    rows = [{title: row[key] for key, title in columns.items()} for row in result["tasks"]]
    _show(rows, False, title=f"Training, ms per iteration (sgemm: {result['sgemm_gflops']} GFLOP/s)")


@bench_app.command(name="act")
def bench_act(*, quick: Annotated[bool, Parameter(negative="")] = False, json: Json = False) -> None:
    """Steps per second of the rollouts beside hand-written C doing the same work, in one run (a checkout and gcc).

    Parameters
    ----------
    quick
        Fewer rounds.

    """
    result = _benchmark("act_bench").measure(quick, _note)
    if json:
        _print_json(result)
        return
    rates = result["steps_per_second"]
    rows = [
        {"what": f"table, {row['task']}", "steps/s": f"{row['dfst']:.3g}", "of C": row["ratio"]}
        for row in rates["table"]
    ]
    rows += [
        {"what": f"float, d = {row['d']}", "steps/s": f"{row['dfst']:.3g}", "of C": row["ratio"]}
        for row in rates["float"]
    ]
    skip = rates["skip"]
    rows.append({"what": "walks skipped, add2", "steps/s": f"{skip['dfst']:.3g}", "of C": f"{skip['ratio']} x plain"})
    _show(rows, False, title=f"Rollouts beside C ({result['flags']})")


Results = Annotated[Path, Parameter(help="The folder of measured results, in a checkout.")]
Markdown = Annotated[bool, Parameter(negative="", help="Print a Markdown table.")]


@report_app.command(name="table1")
def report_table1(*, results: Results = Path("results"), markdown: Markdown = False, json: Json = False) -> None:
    """The paper's Table 1 with our rows beside its rows."""
    from dfst.show.result_tables import table1_grid
    from dfst.study.results import table1

    if json:
        _print_json({"rows": table1(results)})
    else:
        _print_report(table1_grid(results), markdown, "Table 1: right up to how many digits?")


@report_app.command(name="baselines")
def report_baselines(*, results: Results = Path("results"), markdown: Markdown = False, json: Json = False) -> None:
    """Other learners on the same traces: state merging, recurrent networks, a transformer."""
    from dfst.study.results import baselines

    if json:
        _print_json({"rows": baselines(results)})
    else:
        _print_report(baselines(results), markdown, "The same traces, other learners")


@report_app.command(name="curves")
def report_curves(*, results: Results = Path("results"), out: Path = Path("curves"), json: Json = False) -> None:
    """Pictures: loss and RLG against iterations, success over seeds, success against the number of traces.

    Parameters
    ----------
    out
        The folder for the pictures.

    """
    from dfst.show.result_curves import draw_results
    from dfst.study.results import data_sizes, load_results, seeds

    if json:
        shares = {task: [str(share), share.interval] for task, share in seeds(results).items()}
        sizes = {task: {n: str(share) for n, share in s.items()} for task, s in data_sizes(results).items()}
        _print_json({"curves": load_results(results, "curves")["rows"], "seeds": shares, "data_sizes": sizes})
        return
    for path in draw_results(results, out):
        print(path)


@machine_app.command
def check(file: Path, *, json: Json = False) -> None:
    """Check a machine file; every problem is listed with its line, and the exit code is 1 if there are any.

    If its table [task] names right answers, it has to give them.

    Parameters
    ----------
    file
        The machine file.

    """
    from dfst.errors import Problem
    from dfst.experts.task_file import load_task

    try:
        task = load_task(file)
        machine, wrong = task.machine, task.wrong_answers()
        if wrong:
            do = "Change the rules, or the answers."
            raise MachineError(
                [
                    Problem(f"on {' '.join(operands)} it says {said}, not {task.answers[operands]}", do)
                    for operands, said in wrong.items()
                ],
                where=str(file),
            )
    except MachineError as error:
        if not json:
            raise
        _print_json({"ok": False, "problems": [{"line": p.line, "what": p.what, "do": p.do} for p in error.problems]})
        sys.exit(1)
    rules = sum(1 for _ in machine.rules())
    summary = {"ok": True, "name": machine.name, "states": len(machine.states), "symbols": len(machine.alphabet)}
    if json:
        _print_json(summary | {"rules": rules, "problems": []})
    else:
        size = f"{len(machine.states)} states, {len(machine.alphabet)} symbols, {rules} rules"
        print(f"{file}: fine. {machine.name}: {size}.")


@machine_app.command
def show(task: str, *, out: Path | None = None) -> None:
    """Print a teacher or a machine file in the machine-file format.

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    out
        Write to this file instead.

    """
    from dfst.world.machine_file import dump_machine

    _write(dump_machine(_machine(task)), out)


@machine_app.command
def dot(task: str, *, out: Path | None = None) -> None:
    """Print a teacher or a machine file as a graph in Graphviz's dot language.

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    out
        Write to this file instead.

    """
    from dfst.world.dot import to_dot

    _write(to_dot(_machine(task)), out)


@machine_app.command
def draw(
    agent: str, *, out: Path = Path("machine.svg"), states: Annotated[bool, Parameter(negative="")] = False
) -> None:
    """Draw a machine: a teacher, a machine file, or what was extracted in a run folder (extra plot).

    Parameters
    ----------
    agent
        A teacher's name, a machine file, or a run folder that was certified.
    out
        The picture: .svg, .png or .pdf.
    states
        Draw every state of a large machine, too, and not only its phases.

    """
    from dfst.show.machine_drawing import draw_machine

    folder = Path(agent)
    if folder.is_dir():
        agent = str(folder / "machine.dfst")
    machine = _machine(agent)
    nodes = draw_machine(machine, out, by_phase=False if states else None)
    print(f"wrote {out}: {len(machine.states)} states in {nodes} nodes")


@machine_app.command
def film(task: str, *operands: str, out: Path = Path("film.svg")) -> None:
    """A run as an animated SVG picture, for browsers, slides and READMEs.

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    operands
        The problem.
    out
        The picture, .svg.

    """
    from dfst.show.film import film as filmed

    machine = _machine(task)
    _write(filmed(machine, *(_operand(text, machine) for text in operands)), out)


@machine_app.command
def morphett(file: Path, *, start: str = "0", symbols: str = "", out: Path | None = None) -> None:
    """Import a program written for Morphett's Turing machine simulator, as a machine file.

    Parameters
    ----------
    file
        The program.
    start
        Its initial state.
    symbols
        Symbols that may stand on the tape though the program does not name them.
    out
        Write to this file instead of stdout.

    """
    from dfst.files import read_text
    from dfst.world.machine_file import dump_machine
    from dfst.world.morphett import parse_morphett

    machine = parse_morphett(read_text(file), start=start, name=file.stem, extra_symbols=symbols, source=str(file))
    _write(dump_machine(machine), out)


@model_app.command
def one_hot(task: str, *, out: Path, hidden_dim: int | None = None) -> None:
    """Write a teacher or a machine file as a DFST with one-hot weights (the paper's Theorem 1).

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    out
        The .safetensors file to write.
    hidden_dim
        At least the number of states, which is the default.

    """
    from dfst.learn.one_hot import from_machine
    from dfst.learn.weights import save_model

    model = from_machine(_machine(task), hidden_dim)
    save_model(model, out)
    print(f"{out}: {model.parameters} parameters, hidden dimension {model.hidden_dim}.")


@model_app.command
def info(file: Path, *, json: Json = False) -> None:
    """Describe a model file, after checking that it is whole.

    Parameters
    ----------
    file
        A .safetensors file.

    """
    from dfst.learn.weights import load_model

    model = load_model(file)
    summary = {"name": model.name, "symbols": " ".join(model.alphabet.symbols), "hidden_dim": model.hidden_dim}
    summary |= {"parameters": model.parameters, "dtype": str(model.h0.dtype)}
    _show([summary], json, upright=True)


@model_app.command
def replay(file: Path, task: str, *operands: str, json: Json = False) -> None:
    """Does a model follow the teacher's run on one problem, step for step? Exit code 1 if not.

    Parameters
    ----------
    file
        A .safetensors file.
    task
        A teacher's name or a machine file.
    operands
        The numbers, in the task's radix; @FILE reads one from a file.

    """
    from dataclasses import asdict

    from dfst.learn.one_hot import replay as follow
    from dfst.learn.weights import load_model
    from dfst.traces.record import record

    model, machine = load_model(file), _machine(task)
    if model.alphabet.symbols != machine.alphabet.symbols:
        do = f"The model's symbols are {' '.join(model.alphabet.symbols)}."
        raise InputError(f"the model and {task} have different symbols", where=str(file), do=do)
    result = follow(model, record(machine, [tuple(_operand(text, machine) for text in operands)])[0])
    if json:
        _print_json({"exact": result.exact} | asdict(result))
    elif result.exact:
        print(f"exact: all {result.steps} steps agree, smallest margin {result.margin:.3g}.")
    else:
        how = "the model has nothing to say" if result.stuck else "the model acts otherwise"
        print(f"{result.agreed} of {result.steps} steps agree; then {how}.")
    sys.exit(0 if result.exact else 1)


# What the verbs share


def _machine(task: str) -> GridMachine:
    """A teacher by name, or a machine file by path."""
    from dfst.experts.find import find_task

    return find_task(task).machine


def _taught(run: Path, task: Task) -> tuple[DFST, GridMachine]:
    """The trained model of ``run`` and the machine that was extracted from it."""
    from dfst.learn.run_folder import RunFolder
    from dfst.world.machine_file import load_machine

    folder, machine = RunFolder.open(run), run / "machine.dfst"
    if folder.config.task != task.name:
        raise InputError(f"it is a run of {folder.config.task}", where=str(run), do=f"Give a run of {task.name}.")
    if not folder.model_path.exists() or not machine.exists():
        do = f"Finish its training, then extract its machine with dfst extract {run} --out {machine}."
        raise InputError("it has no model.safetensors or no machine.dfst yet", where=str(run), do=do)
    return folder.model(), load_machine(machine)


def _run_config(teacher: Task, seed: int, options: dict[str, Any], runs: int, *, practice: bool = False) -> RunConfig:
    """Everything that decides a run, with the defaults filled in."""
    from dataclasses import fields, replace

    from dfst.learn.fused import check_threads, threads_that_pay
    from dfst.learn.model import check_size
    from dfst.learn.recipes import Recipe
    from dfst.learn.recipes import recipe as named_recipe
    from dfst.learn.run_folder import RunConfig
    from dfst.traces.practice import check_practice, practice_sampling
    from dfst.traces.sampler import check_sampling

    names = {field.name for field in fields(Recipe)} - {"name"}
    own = teacher.training if options["recipe"] == "fast" else {}
    asked = {name: own.get(name) if options[name] is None else options[name] for name in names}
    recipe = named_recipe(options["recipe"], teacher.name).changed(**asked)
    sampling = practice_sampling(teacher.name) if practice else teacher.sampling
    changes = {"n": options["n"], "q": options["digits"]}
    sampling = replace(sampling, **{name: value for name, value in changes.items() if value is not None})
    d = teacher.hidden_dim if options["hidden_dim"] is None else options["hidden_dim"]
    check_size(len(teacher.machine.alphabet), d)
    if practice:
        check_practice(sampling)
    else:
        check_sampling(sampling, teacher.machine)
    if options["threads"] is not None:
        check_threads(options["threads"])
    threads = 1 if runs > 1 else options["threads"]
    if options["engine"] not in ("fused", "jax"):
        raise InputError(f"there is no engine {options['engine']!r}", where="--engine", do="Use fused or jax.")
    if threads is None and options["engine"] == "fused":
        threads = threads_that_pay(recipe.batch, sampling.q, d)
    engine = options["engine"]
    return RunConfig(teacher.name, recipe, sampling, d, seed, options["data_seed"], engine, threads or 1, practice)


def _with_config(path: Path, options: dict[str, Any]) -> dict[str, Any]:
    """``options`` with what ``path`` says where the command line kept the default."""
    import inspect

    from dfst.files import read_toml

    values = read_toml(path)
    defaults = {name: parameter.default for name, parameter in inspect.signature(train).parameters.items()}
    for name, value in values.items():
        key = name.replace("-", "_")
        if key not in options:
            raise InputError(f"{name!r} is not an option", where=str(path), do=f"Options are {', '.join(options)}.")
        kind = str if key in ("recipe", "engine", "on_nonfinite") else int
        kind = float if key in ("learning_rate", "clip", "growth") else kind
        if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
            what = "a text" if kind is str else "a number" if kind is float else "a whole number"
            raise InputError(f"{name} = {value!r} has the wrong kind of value", where=str(path), do=f"Write {what}.")
        if options[key] == defaults[key]:
            options[key] = value
    return options


def _seeds(text: str) -> list[int]:
    """3 or 0:8 or 1,5,7."""
    try:
        if ":" in text:
            first, last = text.split(":")
            numbers = list(range(int(first or 0), int(last)))
        else:
            numbers = [int(number) for number in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers:
        raise InputError(f"{text!r} names no seeds", where="--seeds", do="Write 0:8 for 0 to 7, or 1,5,7.")
    return numbers


def _print_answer(facts: dict[str, Any], result: Run | Rollout, as_json: bool) -> None:
    """The answer of a finished run; exit code 1 if it did not halt."""
    from dfst.world.run import Outcome

    answer = result.answer
    if as_json:
        record = facts | {"answer": answer.text, "cells": answer.cells, "steps": result.steps}
        _print_json(record | {"outcome": result.outcome.value, "only_answer_left": answer.only_answer_left})
    else:
        print(answer.text if answer.text is not None else answer.cells)
        if answer.text is None:
            why = "it did not halt" if result.outcome != Outcome.HALTED else "the answer's row holds something else"
            _complain(f"there is no answer ({why}); shown is what stands on the grid.")
        print(f"{result.explain()}.")
    sys.exit(0 if result.outcome == Outcome.HALTED else 1)


def _operand(text: str, machine: GridMachine | DFST) -> str:
    """An operand as given, or the content of the file named behind @; line ends and spaces only separate symbols."""
    from dfst.files import read_text

    if not text.startswith("@") or len(text) == 1:
        return text
    return ("" if machine.alphabet.single_characters else " ").join(read_text(text[1:]).split())


def _benchmark(name: str) -> Any:
    """A module of the checkout's benchmarks folder."""
    from importlib.util import module_from_spec, spec_from_file_location

    from dfst.errors import MissingExtraError

    path = Path(__file__).parents[2] / "benchmarks" / f"{name}.py"
    spec = spec_from_file_location(name, path) if path.exists() else None
    if spec is None or spec.loader is None:
        raise InputError("benchmarks are not part of the installed package", do="Run this from a checkout.")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(f"This benchmark ({error.name})", "all") from None
    return module


def _write(text: str, out: Path | None) -> None:
    from dfst.files import write_atomically

    if out is None:
        sys.stdout.write(text)
    else:
        write_atomically(out, text.encode())
        _note(f"wrote {out}")


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _show(rows: list[dict[str, Any]], as_json: bool, *, title: str = "", upright: bool = False) -> None:
    """Rows as a table for people, or as JSON; ``upright`` shows a single row as name and value."""
    if as_json:
        _print_json(rows[0] if upright else rows)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", show_header=not upright)
    if upright:
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        for name, value in rows[0].items():
            table.add_row(name, Text(str(value)))
    else:
        for name in rows[0]:
            numeric = isinstance(rows[0][name], int)
            table.add_column(name, justify="right" if numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(str(value)) for value in row.values()))
    Console().print(table)


def _print_report(rows: list[dict[str, Any]], markdown: bool, title: str) -> None:
    from dfst.show.result_tables import markdown as as_markdown

    if markdown:
        print(as_markdown(rows))
    else:
        plain = [{name: str(value).replace("**", "") for name, value in row.items()} for row in rows]
        _show(plain, False, title=title)


def _score(score: dict[str, int] | None) -> str:
    if score is None:
        return "not tested"
    answers = "" if score["right_answers"] == score["same_actions"] else f", {score['right_answers']} right answers"
    return f"{score['same_actions']} of {score['total']} act as the teacher{answers}"


def _lengths(lengths: Any) -> str:
    return " ".join(f"{length} (×{count})" for length, count in lengths.items()) or "never"


@contextmanager
def _progress(what: str) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr; it gives a function to call with (done, total) and, if it changes, what is done."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(what, total=None)
        yield lambda done, total, what=what: progress.update(bar, completed=done, total=total, description=what)


@contextmanager
def _status(what: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what is going on; it gives a function to change it."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status(what) as status:
        yield lambda text: status.update(text)


def _note(text: str) -> None:
    print(text, file=sys.stderr)


def _complain(text: str) -> None:
    print(f"dfst: {text}", file=sys.stderr)
