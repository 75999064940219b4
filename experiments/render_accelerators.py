"""Put the speed of training into docs/accelerators.md: python -m experiments.render_accelerators [--check]

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


if __name__ == "__main__":
    keep("docs/accelerators.md", {"bench_train": speed()})
