"""Networks proven themselves: python -m experiments.network_proofs OUT.json RUNS RECIPE/TASK:FIRST-LAST...

Every network is trained by ``dfst train TASK --recipe RECIPE --seed SEED``, in a run folder below RUNS (one that is
there is taken as it is). A row is about the network with its hidden state rounded, in one of two columns: *as trained*
(nothing was changed after the last gradient step; of the recipe lasting, the stage that it kept) or *steadied*
(``dfst.steady`` after it). Its proof follows the certificate of the machine extracted from the network as trained. What
is proven is checked in whole numbers by network_checker.py, and run on problems of ten times the training's length.
"""

import tempfile
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from experiments.measuring import add_rows, asked, dfst, seeds_of

from dfst import DfstError, RunFolder, compare, extract, measure_lengths, steady, task
from dfst.judging.network import CERTIFICATE, NETWORK, NetworkVerdict, prove_network
from dfst.prove import network_checker
from dfst.training.model import DFST
from dfst.training.weights import ROUNDED
from dfst.until_proven.lasting import kept_stage

TIMES = 10
"""A proven network is measured on problems of so many times the training's length, or of ..."""

MOST_DIGITS = {"binary-to-unary": 8}
"""... so many symbols where the teacher takes too long."""


@lru_cache(maxsize=1)
def trained(name: str, recipe: str, seed: int, runs: Path) -> tuple[RunFolder, DFST]:
    """The run, and its network as it was trained."""
    folder = runs / recipe / name / f"s{seed}"
    resumed = ["--resume"] if folder.exists() else []
    done = dfst("train", name, "--recipe", recipe, "--seed", str(seed), "--out", str(folder), *resumed)
    if done.returncode and not (folder / "model.safetensors").exists():
        raise DfstError(f"dfst train {name} failed: {done.stderr}")
    run = RunFolder.open(folder)
    return run, kept_stage(run).folder(run).model() if recipe == "lasting" else run.model()


@lru_cache(maxsize=1)
def certificate(name: str, recipe: str, seed: int, runs: Path) -> tuple[dict | None, str]:
    """The certificate of the machine extracted from the network as trained, and the verdict on that machine."""
    run, model = trained(name, recipe, seed, runs)
    verdict = compare(name, extract(model, run.traces()).machine)
    return verdict.certificate().content if verdict.exact else None, verdict.conclusion.value


def row(name: str, recipe: str, seed: int, column: str, *, runs: Path) -> dict:
    """The verdict on one network, and what became of it when it was run."""
    key = {"task": name, "recipe": recipe, "seed": seed, "column": column}
    run, model = trained(name, recipe, seed, runs)
    content, machine = certificate(name, recipe, seed, runs)
    key |= {"machine": machine, "hidden_dim": model.hidden_dim}
    if content is None:
        return key | {"outcome": "machine not proven"}
    begun, teacher = time.perf_counter(), task(name)
    try:
        subject = model if column == "as trained" else steady(model)
        verdict = prove_network(subject, content, run.traces(), teacher.machine)
    except DfstError as error:
        return key | {"outcome": f"not steadied: {error.what}"}
    if verdict is None:
        return key | {"outcome": "no rounding follows the traces"}
    facts = {name: value for name, value in verdict.to_json().items() if name not in ("verdict", "seconds", "tried")}
    facts = key | {"outcome": verdict.conclusion.value, **facts, "seconds": round(time.perf_counter() - begun, 2)}
    if not verdict.exact:
        return facts
    facts |= dict(checked(verdict))
    to = MOST_DIGITS.get(name, TIMES * run.options.digits)
    reached = measure_lengths(verdict.model, name, to=to)
    if reached.rlg != reached.to:
        raise DfstError(f"{facts}: proven, but it leaves its teacher: {reached}")
    return facts | {"agrees_to": reached.to}


def checked(verdict: NetworkVerdict) -> Iterator[tuple[str, object]]:
    """What the independent checker says of the proof."""
    with tempfile.TemporaryDirectory() as folder:
        verdict.save(Path(folder))  # which has it checked, too
        files = ((Path(folder) / part).read_bytes() for part in (CERTIFICATE, NETWORK, ROUNDED))
        begun = time.perf_counter()
        report = network_checker.verify(*files)
        yield "check_seconds", round(time.perf_counter() - begun, 2)
    for part in ("nearest_rounding_tie", "smallest_lead_of_a_score", "same_steps_in_any_order_of_summation"):
        yield part, report[part]


def main(out: str, runs: str, *asked_for: str) -> None:
    """Both columns of every seed of the recipes and tasks named."""
    which = [(*name.split("/"), seed) for name, seeds in seeds_of(asked_for) for seed in seeds]
    keys = ((name, recipe, seed, column) for recipe, name, seed in which for column in ("as trained", "steadied"))
    measured = ("nearest_rounding_tie", "smallest_lead_of_a_score", "same_steps_in_any_order_of_summation")
    add_rows(out, ("task", "recipe", "seed", "column"), keys, lambda *key: row(*key, runs=Path(runs)), quiet=measured)


if __name__ == "__main__":
    main(*asked())
