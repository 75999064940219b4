"""A network for every task of the gallery: python -m experiments.gallery_networks OUT.json FOLDER RUNS [NAME...]

Each is what ``dfst train NAME`` makes with its defaults, in a run folder below RUNS. FOLDER (the package's,
src/dfst/teachers/gallery) gets its weights, a file beside the certificate that is about the machine in it: the one
extracted from this very network must be the one that is proven. OUT.json gets a row for each, with how far the network
gets by itself; rows that it has already are kept, and it is written anew after every row.
"""

import shutil
from pathlib import Path

from experiments.measuring import asked, dfst, kept, save

from dfst import RunFolder, extract, load_model, measure_lengths
from dfst.errors import DfstError
from dfst.manifest import manifest
from dfst.names import find_certificate
from dfst.prove.certificate import file_hash, learner_of, load_certificate, machine_hash
from dfst.teachers.find import find_task, gallery
from dfst.training.model import loss, parameter_count

TO = {"binary-to-unary": 8}
"""As far as it is measured, where 100 symbols would take too many steps: this one takes about 4^n."""


def row(name: str, folder: Path, runs: Path) -> dict:
    """Train one network as a user would, keep its weights, and measure how far it gets."""
    trained = dfst("train", name, "--out", str(runs / name), *(["--resume"] if (runs / name).exists() else []))
    if trained.returncode:
        raise DfstError(f"dfst train {name} failed: {trained.stderr}")
    run, task = RunFolder.open(runs / name), find_task(name)
    path, traces = folder / f"{name}.raw.safetensors", run.traces()
    shutil.copy(run.model_path, path)
    model = load_model(path)
    machine = machine_hash(extract(model, traces).machine)
    if machine != machine_hash(learner_of(load_certificate(find_certificate(name)), task.machine)):
        raise DfstError(f"{name}: the machine extracted from this network is not the one that is proven")
    reached = measure_lengths(model, task, to=TO.get(name, 100))
    return {
        "name": name,
        "seed": run.config.seed,
        "recipe": run.config.recipe.name,
        "parameters": parameter_count(len(model.alphabet), model.hidden_dim),
        "loss": loss(model, traces),
        "rlg": reached.rlg,
        "plg": reached.plg,
        "measured_to": reached.to,
        "machine_sha256": machine,
        "weights": path.name,
        "weights_sha256": file_hash(path),
    }


def main(out: str, folder: str, runs: str, *names: str) -> None:
    """All that is asked (every task by default) and not there yet."""
    rows = kept(out, {"rows": []})["rows"]
    done = {facts["name"] for facts in rows}
    for name in names or gallery():
        if name not in done:
            rows.append(row(name, Path(folder), Path(runs)) | {"manifest": manifest()})
            print(*(f"{key}={value}" for key, value in rows[-1].items() if key != "manifest"), flush=True)
            save(out, {"rows": sorted(rows, key=lambda facts: facts["name"])})


if __name__ == "__main__":
    main(*asked("src/dfst/teachers/gallery/*.raw.safetensors"))
