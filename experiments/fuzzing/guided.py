"""The same targets under atheris, which looks for inputs that reach new code.

python -m experiments.fuzzing.guided TARGET RUNS SEED ends with exit code 77, and the input in a file, if there is a
finding.
Atheris is not needed for anything else, and not installed with the rest: pip install atheris.
"""

import importlib
import random
import sys
import tempfile
from pathlib import Path
from typing import Any


def main(target: str, runs: int, seed: int) -> None:
    """Run ``target`` so often; atheris ends the process."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["dfst", "experiments.fuzzing", "tomllib"]):
        from experiments.fuzzing.mutate import mutated
        from experiments.fuzzing.run import tried
        from experiments.fuzzing.targets import TARGETS
    folder = Path(tempfile.mkdtemp())
    corpus = folder / "corpus"
    corpus.mkdir()
    seeds = TARGETS[target].seeds()
    for number, content in enumerate(seeds):
        (corpus / str(number)).write_bytes(content)

    def one(content: bytes) -> None:
        kind, what = tried(target, content, folder / TARGETS[target].name)
        if kind == "finding" and "of computing" not in what:  # instrumented code is slow
            raise AssertionError(what)

    def custom(content: bytes, size: int, number: int) -> bytes:
        """Half of the time our own changes, which know words, numbers and JSON."""
        if number % 2:
            return atheris.Mutate(content, size)
        return mutated(content, seeds, random.Random(number))[:size]

    options = [f"-runs={runs}", f"-seed={seed}", "-max_len=65536", "-rss_limit_mb=2048", "-timeout=20", "-verbosity=0"]
    words = [sys.argv[0], *options, "-print_final_stats=1", str(corpus)]
    atheris.Setup(words, one, custom_mutator=custom)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
