"""Sixty iterations of mult2 on all devices; with a port and a rank, as one of two processes. Prints the losses."""

import json
import sys


def main(words: list[str]) -> None:
    import jax

    if words:
        jax.distributed.initialize(f"127.0.0.1:{words[0]}", num_processes=2, process_id=int(words[1]))

    import dfst
    from dfst.learn.jax_engine import JaxEngine
    from dfst.learn.state import TrainState

    teacher = dfst.expert("mult2")
    traces = dfst.sample(teacher, dfst.Sampling(p=1, q=3, n=100))
    recipe = dfst.recipe("fast", "mult2").changed(
        iterations=100, learning_rate=1e-4
    )  # at 1e-3 mult2 begins chaotically
    engine = JaxEngine(TrainState.start(dfst.identity_model(traces.alphabet, 16)), traces, recipe, seed=1)
    print(json.dumps({"devices": jax.device_count(), "losses": engine.advance(60).losses.tolist()}))


if __name__ == "__main__":
    main(sys.argv[1:])
