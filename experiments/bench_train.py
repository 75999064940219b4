"""Milliseconds per training iteration beside a bare JAX engine: python -m experiments.bench_train OUT.json [--quick]

The same as python -m benchmarks.train --json, kept.
"""

from benchmarks.train import measure
from experiments.measuring import asked, save


def main(out: str, quick: str = "") -> None:
    save(out, measure(quick == "--quick", print))


if __name__ == "__main__":
    main(*asked())
