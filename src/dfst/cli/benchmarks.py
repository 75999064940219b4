"""dfst bench: this computer beside the bare engines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from dfst.cli.app import Json, bench_app
from dfst.cli.output import note, print_json, show_rows
from dfst.errors import InputError


@bench_app.command(name="train")
def bench_train(*, quick: Annotated[bool, Parameter(negative="")] = False, json: Json = False) -> None:
    """Milliseconds per iteration of every engine beside a bare JAX one, in one run (needs a checkout, and extra jax).

    Parameters
    ----------
    quick
        Under a minute; the parallel scans are left out.

    """
    result = _benchmark("train_bench").measure(quick, note)
    if json:
        print_json(result)
        return
    columns = {"task": "task", "fused_ms": "2 threads", "fused_1thread_ms": "1 thread", "bare_jax_ms": "bare JAX"}
    columns |= {"speedup_vs_bare_jax": "speed-up", "fraction_of_sgemm": "of sgemm"}
    rows = [{title: row[key] for key, title in columns.items()} for row in result["tasks"]]
    show_rows(rows, False, title=f"Training, ms per iteration (sgemm: {result['sgemm_gflops']} GFLOP/s)")


@bench_app.command(name="act")
def bench_act(*, quick: Annotated[bool, Parameter(negative="")] = False, json: Json = False) -> None:
    """Steps per second of the rollouts beside hand-written C doing the same work, in one run (a checkout and gcc).

    Parameters
    ----------
    quick
        Fewer rounds.

    """
    result = _benchmark("act_bench").measure(quick, note)
    if json:
        print_json(result)
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
    show_rows(rows, False, title=f"Rollouts beside C ({result['flags']})")


def _benchmark(name: str) -> Any:
    """A module of the checkout's benchmarks folder."""
    from importlib.util import module_from_spec, spec_from_file_location

    from dfst.errors import MissingExtraError

    path = Path(__file__).parents[3] / "benchmarks" / f"{name}.py"
    spec = spec_from_file_location(name, path) if path.exists() else None
    if spec is None or spec.loader is None:
        raise InputError("benchmarks are not part of the installed package", do="Run this from a checkout.")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        raise MissingExtraError(f"This benchmark ({error.name})", "all") from None
    return module
