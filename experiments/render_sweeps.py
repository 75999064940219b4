"""Put the speed of training and of sweeps into docs/sweeps.md: python -m experiments.render_sweeps [--check]

With --check nothing is written, and the exit status says whether the page shows what results/ holds.
"""

from experiments.page import ROOT, keep
from experiments.report.results import load_results
from experiments.report.tables import markdown

from dfst.manifest import shown

ROWS = {"fused, two threads": "fused_ms", "JAX, `sequential`, on the same CPU": "jax_sequential_ms"}


def speed() -> str:
    """Milliseconds per iteration of both engines, and where they come from."""
    record = load_results(ROOT / "results", "bench_train")
    lines = [
        {"engine": name} | {facts["task"]: f"{float(f'{facts[key]:.2g}'):g}" for facts in record["tasks"]}
        for name, key in ROWS.items()
    ]
    made = record["manifest"]
    return f"{markdown(lines)}\n\nMeasured at commit {shown(made['commit'])} by `{made['command']}`."


def sweep() -> str:
    """What a sweep adds to the trials, and where that comes from."""
    record = load_results(ROOT / "results", "sweep_bench")
    made, bare = record["manifest"], record["seconds_per_trial"]["bare"]
    told = f"{record['trials']} trials of add2, {record['iterations']:,} iterations each: two workers did "
    told += f"{record['two_workers_to_twice_one']:.2f} times twice the work of one, and the sweep added "
    told += f"{1000 * record['overhead_seconds_per_trial']:.0f} ms to a trial of {bare} s."
    return f"{told} Measured at commit {shown(made['commit'])} by `{made['command']}`."


if __name__ == "__main__":
    keep("docs/sweeps.md", {"bench_train": speed(), "sweep_bench": sweep()})
