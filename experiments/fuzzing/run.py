"""Feed a target with mutated files: python -m experiments.fuzzing.run TARGET COUNT SEED prints what happened as JSON.

A finding is anything but a value or a refusal in words: another exception, more than a second of computing, more memory
than ten times the file (and a few MiB that any parser takes).
"""

import json
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

from experiments.fuzzing.mutate import mutated
from experiments.fuzzing.targets import REFUSALS, TARGETS

MAX_SECONDS, MAX_FACTOR, ALWAYS = 1.0, 10, 4 * 2**20
_MEASURED = 40  # memory is measured for one input of so many, because measuring it makes everything slow


class HangError(Exception):
    """It took far more than a second."""


def _hangs(*_: object) -> None:
    raise HangError


def tried(target: str, content: bytes, path: Path, measured: bool = False) -> tuple[str, str]:
    """("accepted", "refused" or "finding", what was found)."""
    path.write_bytes(content)
    signal.signal(signal.SIGVTALRM, _hangs)  # without it, the timer would end the whole process
    signal.setitimer(signal.ITIMER_VIRTUAL, 5 * MAX_SECONDS)
    if measured:
        tracemalloc.start()
    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            TARGETS[target].read(path)
        result = "accepted", ""
    except REFUSALS as error:
        str(error).encode(errors="replace")
        result = "refused", ""
    except HangError:
        result = (
            "finding",
            f"no end after {time.process_time() - began:.1f} s of computing, {len(content)} bytes",
        )
    except Exception:
        result = "finding", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    seconds = time.process_time() - began
    if measured:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        if peak > MAX_FACTOR * len(content) + ALWAYS:
            return "finding", f"{peak} bytes of memory for a file of {len(content)}"
    elif seconds > MAX_SECONDS and result[0] != "finding":
        return "finding", f"{seconds:.1f} s of computing for a file of {len(content)}"
    return result


def fuzz(target: str, count: int, seed: int, findings: Path | None = None, most: int = 10) -> dict[str, Any]:
    """Counts for ``count`` inputs; the first findings are described, and kept as files in ``findings``."""
    rng, counts, described = random.Random(f"{target} {seed}"), {"accepted": 0, "refused": 0, "finding": 0}, []
    seeds, began = TARGETS[target].seeds(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / TARGETS[target].name
        for content in seeds:
            tried(target, content, path)  # what is imported or compiled on first use does not count
        for number in range(count):
            content = mutated(rng.choice(seeds), seeds, rng)
            kind, what = tried(target, content, path, measured=number % _MEASURED == 0)
            counts[kind] += 1
            if kind == "finding" and len(described) < most:
                described.append(what)
                if findings is not None:
                    findings.mkdir(parents=True, exist_ok=True)
                    (findings / f"{target}-{seed}-{number}").write_bytes(content)
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        **{"inputs": count, **counts, "seed": seed, "seconds": round(time.process_time() - began, 1)},
        **{"process_mib": largest, "findings": described},
    }


if __name__ == "__main__":
    print(json.dumps(fuzz(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path("results/fuzz-findings")), indent=1))
