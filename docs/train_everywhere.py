"""Train one model on all devices of all processes: python train_everywhere.py TASK OUT.safetensors [ITERATIONS]

Every process runs this same script. Under SLURM (srun), on a TPU slice and under Open MPI they find each other; with
JAX_COORDINATOR_ADDRESS=HOST:PORT, PROCESSES and RANK in the environment they are told; else there is only this one.
"""

import os
import sys

import jax

from dfst.teachers.find import find_task
from dfst.training.model import identity_model


def join() -> None:
    """Find the other processes; before anything else is asked of JAX."""
    if "RANK" in os.environ:
        jax.distributed.initialize(num_processes=int(os.environ["PROCESSES"]), process_id=int(os.environ["RANK"]))
    elif {"SLURM_STEP_NODELIST", "TPU_WORKER_HOSTNAMES", "OMPI_COMM_WORLD_SIZE"} & set(os.environ):
        jax.distributed.initialize()


def main(name: str, out: str, iterations: str | None = None) -> None:
    """Train; the first process saves the model."""
    join()

    import dfst
    from dfst.training.engine import TrainState
    from dfst.training.jax_engine import JaxEngine

    task = find_task(name)
    traces = dfst.sample(task)  # the same on every process: it depends on the seed alone
    recipe = dfst.recipe("fast", task).changed(iterations=int(iterations) if iterations else None)
    model = identity_model(traces.world, task.hidden_dim, name=name)
    engine = JaxEngine(TrainState.start(model), traces, recipe, seed=42)
    while engine.iteration < recipe.iterations:
        loss = engine.advance(1000).losses[-1]
        print(f"{jax.device_count()} devices, iteration {engine.iteration}: loss {loss:.2e}", flush=True)
    if jax.process_index() == 0:
        engine.state().model.save(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
