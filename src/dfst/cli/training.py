"""The verb train: from traces to weights."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from dfst.cli.app import LEARN, Json, app
from dfst.cli.output import complain, note, print_json, show_rows
from dfst.errors import InputError

if TYPE_CHECKING:
    from dfst.runs.run_folder import RunFolder
    from dfst.show.progress import Result


@app.command(group=LEARN)
def train(
    task: str,
    *,
    recipe: str | None = None,
    seed: int | None = None,
    seeds: str | None = None,
    data_seed: int | None = None,
    n: int | None = None,
    digits: int | None = None,
    hidden_dim: int | None = None,
    out: Path | None = None,
    resume: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    engine: str | None = None,
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
    """Train a DFST on the traces of a task, or on a file of traces.

    Everything is kept in a run folder, which can be watched, stopped and resumed.

    Parameters
    ----------
    task
        A teacher's name such as add2, a name of the gallery, a machine file, a file of traces (.jsonl, .parquet) whose
        teacher is unknown, or FILE.py:name for a Python program (dfst.teacher).
    recipe
        fast (ours, the default), quick (that of dfst learn), lasting (fast, then fewer dimensions and steady walks: a
        float model that follows its teacher for longer) or paper (exactly the paper's).
    seed
        The root seed of the initial weights and of the batches; 42 by default.
    seeds
        Several training runs, such as 0:8 for seeds 0 to 7; as many at a time as there are threads.
    data_seed
        The seed of the training traces; 42 by default.
    n
        The number of traces, if not the paper's.
    digits
        The longest numbers in them, if not the paper's.
    hidden_dim
        The hidden dimension, if not the paper's.
    out
        The run folder; runs/TASK-RECIPE-sSEED by default.
    resume
        Resume the training run in that folder from its newest checkpoint.
    config
        A TOML file with options of the recipe, the traces and the engine; the command line takes precedence.
    engine
        fused (numba, the default), jax, or associative (jax by the paper's log-parallel scan, for accelerators).
    threads
        Threads for one training run, or training runs at a time with --seeds; by default as many as speed it up.
    checkpoint_seconds
        Seconds between checkpoints.
    iterations
        Adam steps, if not the recipe's; for the recipe lasting, this and the following are about refits and polishing.
    learning_rate
        The learning rate at the start; it decays along a cosine.
    batch
        Traces per step.
    clip
        Clip gradients at this norm; inf never clips.
    growth
        The share of the training run during which the visible prefix of every trace grows.
    first_visible
        How many steps of every trace are visible at first.
    on_nonfinite
        What to do about a gradient that is not finite: skip it, or stop.

    """
    from dfst.runs.run_options import OPTIONS
    from dfst.show.progress import watch_runs
    from dfst.until_proven.begin import begin_runs, chosen_seeds, subject_of, with_config

    given: dict[str, Any] = {
        "recipe": recipe, "data_seed": data_seed, "n": n, "digits": digits,
        "hidden_dim": hidden_dim, "engine": engine, "threads": threads, "iterations": iterations,
        "learning_rate": learning_rate, "batch": batch, "clip": clip, "growth": growth,
        "first_visible": first_visible, "on_nonfinite": on_nonfinite,
    }  # fmt: skip
    if config is not None:
        given = with_config(config, given)
    if not checkpoint_seconds >= 0:
        raise InputError(f"{checkpoint_seconds} cannot be used", where="--checkpoint-seconds", do="Give 0 or more.")
    numbers = chosen_seeds(seed, seeds)
    given |= {"seed": seed}
    folders = begin_runs(subject_of(task, given), given, numbers, out=out, resume=resume)
    at_a_time = given["threads"] if given["threads"] is not None else OPTIONS["threads"]
    results = watch_runs(folders, at_a_time=at_a_time, checkpoint_seconds=checkpoint_seconds, note=note)
    rows = [_row(folder, result) for folder, result in zip(folders, results, strict=True)]
    if json:
        print_json(rows if seeds is not None else rows[0])
    elif seeds is None:
        _say(rows[0])
    else:
        _show(rows, folders[0].config.task)
    sys.exit(1 if any(row["problem"] for row in rows) else 0)


def _row(folder: RunFolder, result: Result) -> dict[str, Any]:
    """How a run ended: its loss, whether every action on its traces is as recorded, and the command to go on with."""
    import shlex
    from dataclasses import asdict

    from dfst.training.recall import recall
    from dfst.until_proven.lasting import LASTING
    from dfst.until_proven.stages import kept_stage

    loss, seconds, problem = result
    row = {"run": str(folder.path), "seed": folder.config.seed, "loss": loss, "seconds": seconds, "problem": problem}
    if problem:
        return row | {"learned": None, "explanation": "", "next": ""}
    model = folder.model()
    judged = recall(model, folder.traces())
    row |= {"hidden_dim": model.hidden_dim}
    if folder.config.recipe.name == LASTING:
        stage = kept_stage(folder)
        row |= {"agrees": stage.agrees, "looked_to": stage.looked_to}
    verb = "extract" if folder.has_own_traces else "certify"
    following = f"dfst {verb if judged.learned else 'doctor'} {shlex.quote(str(folder.path))}"
    return row | {"learned": judged.learned, "explanation": judged.explain(), **asdict(judged), "next": following}


def _say(row: dict[str, Any]) -> None:
    """How one run ended, in words."""
    if row["problem"]:
        complain(row["problem"])
        return
    verdict = "learned" if row["learned"] else "not learned"
    print(f"{row['run']}: {verdict}: {row['explanation']} (loss {row['loss']:.2e}, {row['seconds']:.0f} s).")
    print(f"Next: {_next(row)}")


def _next(row: dict[str, Any]) -> str:
    if row["learned"]:
        return row["next"]
    return f"{row['next']} looks for the cause; or train longer (--iterations) or with another --seed."


def _show(rows: list[dict[str, Any]], name: str) -> None:
    """How several runs ended: a table, and what to do with the best that learned its traces."""
    from dfst.study.lengths import reached_text

    def lasting(row: dict[str, Any]) -> dict[str, str]:
        """What only runs of that recipe have."""
        if "agrees" not in row:
            return {}
        return {"d": str(row["hidden_dim"]), "agrees with itself to": reached_text(row["agrees"], row["looked_to"])}

    shown = [
        {
            **{key: row[key] for key in ("run", "seed")},
            "loss": "–" if row["loss"] is None else f"{row['loss']:.2e}",
            "seconds": row["seconds"],
            "learned": "–" if row["learned"] is None else "yes" if row["learned"] else "no",
            "wrong steps": "–" if row["learned"] is None else f"{row['wrong_steps']:,} of {row['steps']:,}",
            **lasting(row),
            **({"problem": row["problem"]} if any(each["problem"] for each in rows) else {}),
        }
        for row in rows
    ]
    show_rows(shown, title=f"{name}: loss and actions on all traces, at full length")
    learned = sorted(
        (row for row in rows if row["learned"]), key=lambda row: (-row.get("agrees", 0), row["hidden_dim"])
    )
    print(f"{len(learned)} of {len(rows)} learned their traces.")
    if finished := learned or [row for row in rows if row["learned"] is not None]:
        print(f"Next: {_next(finished[0])}")
