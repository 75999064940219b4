"""dfst models and dfst model: the weights there are."""

from __future__ import annotations

import sys
from pathlib import Path

from dfst.cli.app import Json, app, model_app
from dfst.cli.inputs import machine_named, read_operand
from dfst.cli.output import note, print_json, show_rows


@app.command
def models(*, json: Json = False) -> None:
    """List the models that come with dfst: raw, extracted and proven."""
    from dfst.study.shipped import shipped_models

    rows = [
        {"task": model.task}
        | {
            name: str(path) if (path := getattr(model, name)).exists() else None
            for name in ("raw", "lasting", "practised", "one_hot", "certificate")
        }
        for model in shipped_models()
    ]
    if not rows and not json:
        note("no models come with this installation.")
        return
    show_rows(rows, json, title="Models (the card beside each says how it was made)")


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

    model = from_machine(machine_named(task), hidden_dim)
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
    show_rows([summary], json, upright=True)


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
    from dfst.world.same import check_same_world

    model, machine = load_model(file), machine_named(task)
    check_same_world(model, machine, where=str(file))
    result = follow(model, record(machine, [tuple(read_operand(text, machine) for text in operands)])[0])
    if json:
        print_json({"exact": result.exact} | asdict(result))
    elif result.exact:
        print(f"exact: all {result.steps} steps agree, smallest margin {result.margin:.3g}.")
    else:
        how = "the model has nothing to say" if result.stuck else "the model acts otherwise"
        print(f"{result.agreed} of {result.steps} steps agree; then {how}.")
    sys.exit(0 if result.exact else 1)
