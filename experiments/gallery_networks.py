"""A network for every task of the gallery: python -m experiments.gallery_networks OUT.json FOLDER RUNS [NAME...]

Each is what ``dfst train NAME`` makes with its defaults, in a run folder below RUNS. FOLDER (the package's,
src/dfst/teachers/gallery) gets its weights, a file beside the certificate that is about the machine in it: the one
extracted from this very network must be the one that is proven. OUT.json gets a row for each, with how far the network
gets by itself.
"""

import shutil
from pathlib import Path

from experiments.measuring import add_rows, asked, dfst

from dfst import DfstError, RunFolder, extract, measure_lengths, task
from dfst.names import find_certificate
from dfst.prove.certificate import file_hash, learner_of, load_certificate, machine_hash
from dfst.teachers.find import gallery
from dfst.training.model import loss
from dfst.training.weights import load_model

TO = {"binary-to-unary": 8}
"""As far as it is measured, where 100 symbols would take too many steps: this one takes about 4^n."""


def row(name: str, folder: Path, runs: Path) -> dict:
    """Train one network as a user would, keep its weights, and measure how far it gets."""
    trained = dfst("train", name, "--out", str(runs / name), *(["--resume"] if (runs / name).exists() else []))
    if trained.returncode:
        raise DfstError(f"dfst train {name} failed: {trained.stderr}")
    run, teacher = RunFolder.open(runs / name), task(name)
    path, traces = folder / f"{name}.raw.safetensors", run.traces()
    shutil.copy(run.model_path, path)
    model = load_model(path)
    machine = machine_hash(extract(model, traces).machine)
    if machine != machine_hash(learner_of(load_certificate(find_certificate(name)), teacher.machine)):
        raise DfstError(f"{name}: the machine extracted from this network is not the one that is proven")
    reached = measure_lengths(model, teacher, to=TO.get(name, 100))
    return {
        "name": name,
        "seed": run.options.seed,
        "recipe": run.options.recipe,
        "parameters": model.parameters,
        "loss": loss(model, traces),
        "rlg": reached.rlg,
        "plg": reached.plg,
        "measured_to": reached.to,
        "machine_sha256": machine,
        "weights": path.name,
        "weights_sha256": file_hash(path),
    }


def main(out: str, folder: str, runs: str, *names: str) -> None:
    """All that is asked for (every task by default)."""
    add_rows(out, ("name",), ((name,) for name in names or gallery()), lambda name: row(name, Path(folder), Path(runs)))


if __name__ == "__main__":
    main(*asked("src/dfst/teachers/gallery/*.raw.safetensors"))
