"""Put certified run folders into the package: raw models, extracted machine, one-hot weights, certificate, model card.

Usage: python experiments/ship_models.py RUN...   (run folders in which dfst certify said exact)
The practised model is taken from the folder beside it (TASK-practice-sSEED), its lengths from results/table1.json.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from dfst import loss
from dfst.learn.card import Measured, card_header
from dfst.learn.run_folder import RunFolder
from dfst.study.results import load_results
from dfst.study.shipped import FOLDER

CARD = """{header}
# {task}

A differentiable finite-state transducer of dimension {d} that learnt from {traces} traces of the teacher `{task}`
(recipe {recipe}, seed {seed}, data seed {data_seed}, {seconds:.0f} s of training), and the machine extracted from it.

- `raw.safetensors`: the float model as trained, with a loss of {loss:.2e} on its traces. It drifts: RLG {rlg},
  PLG {plg} (measured to {measured_to} digits; forecast from 5 digits: {forecast}).
- `practised.safetensors`: the same after self-practice on {practice_traces} traces of up to {practice_digits} digits
  that the extracted machine made ({practice_seconds:.0f} s, no teacher): RLG {practice_rlg}, PLG {practice_plg}
  (measured to {practice_to} digits).
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
    measured = load_results(Path(__file__).parents[1] / "results", "table1")["rows"]
    for path in map(Path, sys.argv[1:]):
        run = RunFolder.open(path)
        proof = json.loads((path / "certification.json").read_text(encoding="utf-8"))
        if proof["verdict"] != "exact":
            sys.exit(f"{path}: {proof['explanation']}")
        config, records = run.config, run.records()
        folder = FOLDER / config.task
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(run.model_path, folder / "raw.safetensors")
        practised = RunFolder.open(path.with_name(path.name.replace(f"-{config.recipe.name}-", "-practice-")))
        shutil.copy(practised.model_path, folder / "practised.safetensors")
        lengths = next(row["practice"] for row in measured if row["task"] == config.task)
        for name in ("machine.dfst", "one_hot.safetensors", "certificate.json"):
            shutil.copy(path / name, folder / name)
        made = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
        on = "random pairs and all same-digit pairs of one length (dfst eval --rlg)"
        measured = [
            Measured(kind, f"{kind.upper()} of {name}.safetensors, measured to {numbers['measured_to']} digits", value)
            for name, numbers in (("raw", proof["raw"]), ("practised", lengths))
            for kind, value in (("rlg", numbers["rlg"]), ("plg", numbers["plg"]))
        ]
        card = CARD.format(
            header=card_header(config.task, measured, on=on),
            task=config.task, d=config.hidden_dim, traces=config.sampling.n, recipe=config.recipe.name,
            seed=config.seed, data_seed=config.data_seed, seconds=records[-1].seconds,
            loss=loss(run.model(), run.traces()), states=proof["states"], teacher_states=proof["teacher_states"],
            size=proof["configurations"], teacher_sha256=proof["teacher_sha256"], rlg=proof["raw"]["rlg"],
            plg=proof["raw"]["plg"], measured_to=proof["raw"]["measured_to"], forecast=proof["raw"]["forecast_rlg"],
            practice_traces=lengths["traces"], practice_digits=lengths["digits"],
            practice_seconds=lengths["seconds"], practice_rlg=lengths["rlg"], practice_plg=lengths["plg"],
            practice_to=lengths["measured_to"],
            command=made["command"], commit=made["commit"], cpu=made["cpu"], python=made["python"],
        )  # fmt: skip
        (folder / "README.md").write_text(card, encoding="utf-8")
        print(folder)


if __name__ == "__main__":
    main()
