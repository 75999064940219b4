"""Put certified run folders into the package: raw model, extracted machine, one-hot weights, certificate, model card.

Usage: python experiments/ship_models.py RUN...   (run folders in which dfst certify said exact)
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from dfst import loss
from dfst.learn.run_folder import RunFolder
from dfst.study.shipped import FOLDER

CARD = """# {task}

A differentiable finite-state transducer of dimension {d} that learnt from {traces} traces of the teacher `{task}`
(recipe {recipe}, seed {seed}, data seed {data_seed}, {seconds:.0f} s of training), and the machine extracted from it.

- `raw.safetensors`: the float model as trained, with a loss of {loss:.2e} on its traces. It drifts: RLG {rlg},
  PLG {plg} (measured to {measured_to} digits; forecast from 5 digits: {forecast}).
- `machine.dfst`: the machine extracted from it, of {states} states (the teacher has {teacher_states}).
- `one_hot.safetensors`: that machine as one-hot weights, exact in float32 at every length.
- `certificate.json`: the proof that the machine acts like the teacher on every input of every length, in {size}
  abstract configurations. Check it: `dfst check certificate.json --teacher {task} --weights one_hot.safetensors`.

The proof speaks of the machine and its one-hot weights, not of the raw float model. It says that the machine equals its
teacher (SHA-256 {teacher_sha256}), not that
the teacher can add or multiply: that is tested.

Made by `{command}` at commit {commit} on {cpu} with Python {python}. Apache-2.0.
"""


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        run = RunFolder.open(path)
        proof = json.loads((path / "certification.json").read_text(encoding="utf-8"))
        if proof["verdict"] != "exact":
            sys.exit(f"{path}: {proof['explanation']}")
        config, records = run.config, run.records()
        folder = FOLDER / config.task
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(run.model_path, folder / "raw.safetensors")
        for name in ("machine.dfst", "one_hot.safetensors", "certificate.json"):
            shutil.copy(path / name, folder / name)
        made = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
        card = CARD.format(
            task=config.task, d=config.hidden_dim, traces=config.sampling.n, recipe=config.recipe.name,
            seed=config.seed, data_seed=config.data_seed, seconds=records[-1].seconds,
            loss=loss(run.model(), run.traces()), states=proof["states"], teacher_states=proof["teacher_states"],
            size=proof["configurations"], teacher_sha256=proof["teacher_sha256"], rlg=proof["raw"]["rlg"],
            plg=proof["raw"]["plg"], measured_to=proof["raw"]["measured_to"], forecast=proof["raw"]["forecast_rlg"],
            command=made["command"], commit=made["commit"], cpu=made["cpu"], python=made["python"],
        )  # fmt: skip
        (folder / "README.md").write_text(card, encoding="utf-8")
        print(folder)


if __name__ == "__main__":
    main()
