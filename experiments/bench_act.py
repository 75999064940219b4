"""Steps per second of rollouts beside hand-written C: python -m experiments.bench_act OUT.json [--quick]

The same as python -m benchmarks.act --json, kept.
"""

from benchmarks.act import measure
from experiments.measuring import asked, save


def main(out: str, quick: str = "") -> None:
    save(out, measure(quick == "--quick", print))


if __name__ == "__main__":
    main(*asked())
