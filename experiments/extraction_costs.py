"""What extraction costs, from one-hot and trained models. Part of experiments/scale.py."""

from experiments.cost_model import Measured, Quantity, Sizes, fastest, traced

import dfst
from dfst.extraction.pipeline import extract
from dfst.extraction.rehearse import PROBES, longest_operands, probes
from dfst.seeds import Stream
from dfst.shipped import shipped_model
from dfst.teachers.find import find_task
from dfst.teachers.sampling import Sampling
from dfst.training.size import MOVES


def extract_one_hot(name: str, n: int, longest: int, d: int) -> tuple[Sizes, Measured]:
    """The one-hot model of a teacher in ``d`` dimensions; ``n`` traces of numbers of up to ``longest`` digits."""
    task = find_task(name)
    traces = dfst.sample(task, Sampling(task.sampling.p, longest, n))
    return extracted(dfst.from_machine(task.machine, d), traces)


def extract_shipped(name: str) -> tuple[Sizes, Measured]:
    """A trained model that ships, on the traces it was trained on."""
    return extracted(dfst.load(shipped_model(name).raw), dfst.sample(dfst.task(name)))


def extracted(model: dfst.DFST, traces: dfst.Traces) -> tuple[Sizes, Measured]:
    with traced() as peak:
        result = extract(model, traces)
    seconds = fastest(lambda: extract(model, traces))
    assert model.layout is not None
    longest = longest_operands(traces)
    assert longest is not None
    fresh = set(probes(model.world, longest, PROBES, Stream(0, "rehearsal"))) - set(traces.problems)
    sizes = {"d": model.hidden_dim, "K": len(model.alphabet), "n": len(traces), "T": float(traces.lengths.mean())}
    sizes |= {"longest": float(traces.lengths.max()), "states": len(result.machine.states)}
    return sizes | {"rounds": len(result.rounds), "rehearsed": len(fresh)}, {"seconds": seconds, "bytes": peak[0]}


def work(s: Sizes) -> float:
    """Multiplications of one step."""
    return s["d"] * (s["d"] + s["K"] + MOVES)


def rehearsed(s: Sizes) -> float:
    return s["rounds"] * s["rehearsed"]


def tested(s: Sizes) -> float:
    """Pairs of state and symbol, in all rounds."""
    return s["rounds"] * s["states"] * s["K"]


EXTRACT = Quantity(
    extract_one_hot,
    {
        "seconds": {
            "1": lambda s: 1,
            "n T": lambda s: s["n"] * s["T"],
            "r R": rehearsed,
            "r R L²": lambda s: rehearsed(s) * s["longest"] ** 2,
            "r R T d (d + K + 5)": lambda s: rehearsed(s) * s["T"] * work(s),
            "r S K T d (d + K + 5)": lambda s: tested(s) * s["T"] * work(s),
            "r S² K": lambda s: tested(s) * s["states"],
        },
        "bytes": {
            "1": lambda s: 1,
            "n T": lambda s: s["n"] * s["T"],
            "R T": lambda s: s["rehearsed"] * s["T"],
            "L²": lambda s: s["longest"] ** 2,
            "K d (d + K + 5)": lambda s: s["K"] * work(s),
        },
    },
    [
        *(("add2", 20, 3, d) for d in (12, 48, 120)),
        *(("add2", n, longest, 12) for n, longest in ((100, 3), (100, 6), (100, 12), (1000, 6))),
        *(("add10", n, longest, 20) for n, longest in ((225, 3), (225, 6), (1000, 3))),
        *(("add10", 225, 3, d) for d in (60, 120)),
        *(("mult2", n, 5, 32) for n in (100, 400)),
        *(("mult2", 100, longest, 32) for longest in (3, 7)),
        *(("mult2", 100, 5, d) for d in (64, 128)),
        *(("mult10", n, 3, 108) for n in (300, 500)),
        ("mult10", 500, 4, 108),
        ("mult10", 300, 3, 160),
        ("mult2", 3000, 6, 32),
        ("add10", 20_000, 4, 20),
    ],
    [("add2",), ("add10",), ("mult2",), ("mult10",)],
    extract_shipped,
)
