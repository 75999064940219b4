"""Milliseconds per training iteration beside a bare JAX engine: python -m experiments.bench_train OUT.json [--quick]

The same as dfst bench train --json, kept.
"""

from benchmarks.train_bench import measure
from experiments.measuring import asked, save


def main(out: str, quick: str = "") -> None:
    save(out, measure(quick == "--quick", print))


if __name__ == "__main__":
    main(*asked())
