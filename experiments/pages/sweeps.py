"""The speed of training and of sweeps, for docs/sweeps.md."""

from experiments.pages.page import load, made, markdown

ROWS = {"fused, two threads": "fused_ms", "JAX, `sequential`, on the same CPU": "jax_sequential_ms"}


def shown() -> dict[str, str]:
    """Milliseconds per iteration of both engines, and what a sweep adds to the trials."""
    trained, swept = load("bench_train"), load("sweep_bench")
    lines = [
        {"engine": name} | {facts["task"]: f"{float(f'{facts[key]:.2g}'):g}" for facts in trained["tasks"]}
        for name, key in ROWS.items()
    ]
    told = f"{swept['trials']} trials of add2, {swept['iterations']:,} iterations each: two workers did "
    told += f"{swept['two_workers_to_twice_one']:.2f} times twice the work of one, and the sweep added "
    told += f"{1000 * swept['overhead_seconds_per_trial']:.0f} ms to a trial of {swept['seconds_per_trial']['bare']} s."
    return {
        "bench_train": f"{markdown(lines)}\n\n{made(trained['manifest'])}",
        "sweep_bench": f"{told} {made(swept['manifest'])}",
    }
