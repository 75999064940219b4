"""Put certified run folders into the package: raw models, extracted machine, one-hot weights, certificate, model card.

Usage: python -m experiments.ship_models RUN...   (run folders in which dfst certify said exact)
       python -m experiments.ship_models proof TASK...   (machine, one-hot weights and certificate of its raw model)
       python -m experiments.ship_models network NAME...   (the proof of a network itself, such as add2:lasting, or of
       the one that a run of the recipe lasting kept, as trained: brackets=RUN)
The lasting model is that of lasting/TASK/sSEED, with the seed that is chosen in results/raw_lengths.json. Without such
a folder the task comes without one. manifest.json (in the gallery: results.json) says where each of the files was made.
What a card says of the proof is read from the machine and the certificate beside it.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from experiments.measuring import asked, made, save
from experiments.pages.lengths import chosen_alone
from experiments.pages.page import load

from dfst import sample
from dfst.judging.certification import certify
from dfst.judging.checking import CERTIFICATE_NAME
from dfst.judging.network import NETWORK, prove_network
from dfst.manifest import manifest
from dfst.names import find_certificate, find_policy, find_teacher, model_of, sha256_of
from dfst.prove import checker
from dfst.prove.certificate import file_hash, load_certificate, save_certificate
from dfst.runs.card import Measured, card_header
from dfst.runs.run_folder import RunFolder
from dfst.shipped import FOLDER, RESULTS
from dfst.training.model import loss
from dfst.training.weights import ROUNDED
from dfst.until_proven.lasting import kept_stage

CARD = """{header}
# {task}

A differentiable finite-state transducer of dimension {d} that learned from {traces} traces of the teacher `{task}`
(recipe {recipe}, seed {seed}, data seed {data_seed}, {seconds:.0f} s of training), and the machine extracted from it.

- `raw.safetensors`: the float model as trained, with a loss of {loss:.2e} on its traces. It drifts: RLG {rlg},
  PLG {plg} (measured to {measured_to} digits).
{lasting}
{proof}

Made by `{command}` at commit {commit} on {cpu} with Python {python}; `manifest.json` has all commands. Apache-2.0.
"""

PROOF = """\
- `machine.dfst`: the machine extracted from `raw.safetensors`, of {states} states (the teacher has {teacher_states}).
- `one_hot.safetensors`: that machine as one-hot weights, exact in float32 at every length.
- `certificate.json`: the proof that the machine acts like the teacher on every input of every length, in {size}
  abstract configurations. Check it: `dfst check certificate.json --teacher {task} --weights one_hot.safetensors
  --machine machine.dfst`.

The proof is about the machine and its one-hot weights, not about the raw float model. It says that the machine equals
its teacher (SHA-256 {teacher_sha256}), not
that the teacher adds or multiplies: that, and that it halts, is proven in Rocq (`proofs/`).
{stuck}"""
"""What is read from the files of the proof; of the same form on every card, because it is found again by its ends."""

STUCK = {
    True: "It also shows that the teacher never gets stuck, that is, always has a rule.",
    False: "It does not show that the teacher never gets stuck (is without a rule); if it does, so does the machine.",
}
"""What the certificate shows of the teacher, by ``teacher_never_stuck``."""

NETWORK_LINE = """\
- `rounded.safetensors`: the lasting model, whose hidden state is rounded to {bits} bits after every step, and
  `network.json`: the proof that this network acts like the teacher {scope}. Check it: `dfst check` this folder.
"""

LASTING = """\
- `lasting.safetensors`: another float model on the same traces, of dimension {hidden_dim} ({parameters} parameters);
  recipe lasting, seed {seed}, chosen without a teacher (seeds tried: {candidates}; {run_seconds:.0f} s of training):
  RLG {rlg}, PLG {plg} (measured to {measured_to} digits)."""
NOT_LASTING = "- There is no `lasting.safetensors` yet: the recipe lasting was not measured."
_PROOF = r"- `machine\.dfst`.*?(?=\n\nMade by )"
FROM_RUN = ("machine.dfst", "one_hot.safetensors", "certificate.json")
ON = "random pairs and all same-digit pairs of one length (dfst eval --rlg)"


def ship(path: Path, lasting: dict[str, Any] | None) -> Path:
    """Put one run folder into the package; ``lasting`` is the row of its lasting model, if there is one."""
    run = RunFolder.open(path)
    proof = json.loads((path / "certification.json").read_text(encoding="utf-8"))
    if proof["verdict"] != "exact":
        sys.exit(f"{path}: {proof['explanation']}")
    folder = FOLDER / run.options.task
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(run.model_path, folder / "raw.safetensors")
    for name in FROM_RUN:
        shutil.copy(path / name, folder / name)
    where = {"raw": made(path), "certificate": of_certificate(folder, proof["manifest"])}
    (folder / "lasting.safetensors").unlink(missing_ok=True)
    if lasting is not None:
        source = lasting_of(path, lasting)
        shutil.copy(RunFolder.open(source).model_path, folder / "lasting.safetensors")
        where["lasting"] = made(source)
    save(folder / "manifest.json", where)
    (folder / "README.md").write_text(card(run, folder, proof, lasting), encoding="utf-8")
    return folder


def ship_proof(task: str) -> Path:
    """Extract the shipped raw model of ``task`` anew, prove it, and put that beside it; returns the folder."""
    folder, teacher = FOLDER / task, find_teacher(task)
    with tempfile.TemporaryDirectory() as out:
        found = certify(find_policy(f"{task}:raw"), teacher, traces=sample(teacher), out=Path(out), raw_length=0)
        if not found.exact:
            sys.exit(f"{task}: {found.explain()}")
        for name in FROM_RUN:
            shutil.copy(Path(out) / name, folder / name)
    where = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    save(folder / "manifest.json", where | {"certificate": of_certificate(folder, found.facts["manifest"])})
    path = folder / "README.md"
    text, proof = path.read_text(encoding="utf-8"), proven(folder)
    path.write_text(re.sub(_PROOF, lambda _: proof, text, count=1, flags=re.DOTALL), encoding="utf-8")
    return folder


def ship_network(name: str) -> Path:
    """Prove a network itself, hidden state rounded, along its task's certificate, and put both beside that."""
    (task, _, folder), said = name.replace(":", "=").partition("="), dict[str, Any]()
    path, teacher = find_certificate(task), find_teacher(task)
    if "=" in name:
        run = RunFolder.open(Path(folder))
        model, traces, said["run"] = kept_stage(run).folder(run).model(), run.traces(), made(folder)
    else:
        model, traces = model_of(find_policy(name)), sample(teacher)
    verdict = prove_network(model, load_certificate(path), traces, teacher.machine)
    if verdict is None or not verdict.exact:
        sys.exit(f"{name}: {verdict}")
    with tempfile.TemporaryDirectory() as out:
        verdict.save(Path(out))
        for what, file in (("network_sha256", NETWORK), ("weights_sha256", ROUNDED)):
            shutil.copy(Path(out) / file, path.with_name(CERTIFICATE_NAME.sub(file, path.name)))
            said[what] = file_hash(Path(out) / file)
    save_certificate(verdict.certificate, path)  # the same bytes, unless it took a finer one
    print(verdict)
    said |= manifest(agent_sha256=sha256_of(model))
    if path.parent.parent == FOLDER:
        tell_of_network(path.parent, verdict.model.bits, verdict.scope)
        where = json.loads((path.parent / "manifest.json").read_text(encoding="utf-8"))
        save(path.parent / "manifest.json", where | {"network": said})
    else:
        results = json.loads((path.parent / RESULTS).read_text(encoding="utf-8"))
        claim = {"certificate_sha256": file_hash(path), "teacher_never_stuck": verdict.scope == checker.CLAIM[False]}
        rows = [row | claim | {"network": said} if row["name"] == task else row for row in results["rows"]]
        save(path.parent / RESULTS, results | {"rows": rows})
    return path.parent


def tell_of_network(folder: Path, bits: int | None, scope: str) -> None:
    """Say it on the model card, above the machine."""
    path, machine = folder / "README.md", "- `machine.dfst`"
    text = re.sub(rf"- `{ROUNDED}`:.*?(?={machine})", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    path.write_text(text.replace(machine, NETWORK_LINE.format(bits=bits, scope=scope) + machine, 1), encoding="utf-8")


def of_certificate(folder: Path, made_by: dict[str, Any]) -> dict[str, Any]:
    """Where the certificate in ``folder`` was made, with the hash of the very file."""
    return {"certificate_sha256": file_hash(folder / "certificate.json")} | made_by


def proven(folder: Path) -> str:
    """What the card says of the machine and its proof, as it is in the files of ``folder``."""
    given = checker.parse((folder / "certificate.json").read_bytes())
    report = checker.verify(given)
    return PROOF.format(
        task=folder.name, states=len(given["learner"]["states"]), teacher_states=len(given["teacher"]["states"]),
        size=f"{report['members']:,}", teacher_sha256=report["teacher"], stuck=STUCK[report["teacher_never_stuck"]],
    )  # fmt: skip


def of_model(name: str, numbers: dict[str, Any]) -> list[Measured]:
    """RLG and PLG of one of the float models, for the head of the card."""
    what = f"of {name}.safetensors, measured to {numbers['measured_to']} digits"
    return [Measured(kind, f"{kind.upper()} {what}", numbers[kind]) for kind in ("rlg", "plg")]


def lasting_of(path: Path, row: dict[str, Any]) -> Path:
    """The run folder of the model that ``row`` of results/raw_lengths.json is about."""
    return path.parent / "lasting" / row["task"] / f"s{row['seed']}"


def card(run: RunFolder, folder: Path, proof: dict[str, Any], lasting: dict[str, Any] | None) -> str:
    """The model card: what the files in ``folder`` are, and how far the float models get."""
    config, where = run.options, made(run.path)
    models = {"raw": proof["raw"], "lasting": lasting}
    measured = [each for name, numbers in models.items() if numbers is not None for each in of_model(name, numbers)]
    return CARD.format(
        header=card_header(config.task, measured, on=ON),
        task=config.task, d=config.hidden_dim, traces=config.n, recipe=config.recipe,
        seed=config.seed, data_seed=config.data_seed, seconds=run.records()[-1].seconds,
        loss=loss(run.model(), run.traces()), rlg=proof["raw"]["rlg"], plg=proof["raw"]["plg"],
        measured_to=proof["raw"]["measured_to"], proof=proven(folder),
        lasting=NOT_LASTING if lasting is None else LASTING.format(**lasting),
        command=where["command"], commit=where["commit"], cpu=where["cpu"], python=where["python"],
    )  # fmt: skip


def main(*runs: str) -> None:
    """Ship all of some runs, or the proofs of some tasks."""
    if runs[:1] in (("proof",), ("network",)):
        for task in runs[1:]:
            print(ship_proof(task) if runs[0] == "proof" else ship_network(task))
        return
    for path in map(Path, runs):
        task = RunFolder.open(path).options.task
        lasting = chosen_alone(load("raw_lengths")["rows"]).get(task)
        print(ship(path, lasting if lasting and lasting_of(path, lasting).exists() else None))


if __name__ == "__main__":
    main(
        *asked("src/dfst/models", "src/dfst/teachers/gallery/*.network.json", "src/dfst/teachers/gallery/*.safetensors")
    )
