"""Training mult2 beside a process that holds one core: python -m experiments.busy_core OUT.json [ITERATIONS]

One thread, two threads and the default (a number chosen by measuring) train side by side, in turns, first alone and
then beside a process that never sleeps. Their weights are compared bit by bit at the end.
"""

import multiprocessing
import time

from experiments.measuring import asked, save

from dfst import recipe, sample
from dfst.manifest import manifest
from dfst.teachers.find import find_task
from dfst.training.fused import FusedEngine
from dfst.training.model import identity_model
from dfst.training.state import TrainState

TASK = "mult2"
WAYS = {"one_thread": 1, "two_threads": 2, "default": 0}
TURNS = 5


def hold_a_core() -> None:
    """Work for ever."""
    while True:
        pass


def trained(iterations: int) -> tuple[dict[str, float], bool]:
    """Seconds per thousand iterations, each way, and whether all end with the same weights."""
    teacher = find_task(TASK)
    traces = sample(teacher)
    state = TrainState.start(identity_model(traces.alphabet, teacher.hidden_dim))
    rules = recipe("fast", TASK)
    engines = {way: FusedEngine(state, traces, rules, seed=42, threads=threads) for way, threads in WAYS.items()}
    seconds = dict.fromkeys(WAYS, 0.0)
    for engine in engines.values():
        engine.advance(10)  # compile
    for _ in range(TURNS):
        for way, engine in engines.items():
            began = time.perf_counter()
            engine.advance(iterations // TURNS)
            seconds[way] += time.perf_counter() - began
    ends = [engine.state().model for engine in engines.values()]
    made = iterations // TURNS * TURNS
    return {way: round(1000 * took / made, 3) for way, took in seconds.items()}, all(end == ends[0] for end in ends)


def main(out: str, iterations: str = "2000") -> None:
    """Alone, then beside a busy process."""
    table: dict = {"task": TASK, "iterations": int(iterations), "turns": TURNS}
    for place in ("alone", "beside_a_busy_process"):
        busy = multiprocessing.get_context("spawn").Process(target=hold_a_core, daemon=True)
        if place != "alone":
            busy.start()
            time.sleep(1)
        seconds, same = trained(int(iterations))
        if busy.pid is not None:
            busy.kill()
        slower = round(seconds["default"] / seconds["one_thread"], 3)
        table[place] = {"seconds_per_1000": seconds, "default_to_one_thread": slower, "same_weights": same}
        print(place, table[place], flush=True)
    save(out, table | {"manifest": manifest()})


if __name__ == "__main__":
    main(*asked())
