"""The live page alone in a folder, from the models and certificates that come with dfst: python docs/live.py FOLDER

Every file is a script that a page loads by a tag, so that the site works from a folder, without a server: the scripts
of a page as one, a task (its teacher and the learned machine), float weights, or a certificate. As a Sphinx extension
it writes them into the site.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import dfst
from dfst.act.floats import pack
from dfst.names import find_certificate
from dfst.prove.certificate import learner_of, load_certificate
from dfst.shipped import EXAMPLES, Offer, catalogue, shipped_models
from dfst.show.recording import record_both
from dfst.show.viewer import BOARD, PAGE, one_script, viewer_page
from dfst.training.fit import fit
from dfst.training.model import identity_model

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE = Path(__file__).parent
_HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>dfst, live</title><link rel="icon" href="data:,">
<style>body { max-width: 60rem; margin: 0 auto; font-family: system-ui }</style>
"""

_SHARED = [PAGE / name for name in BOARD] + [
    HERE / "live" / f"{name}.js" for name in ("data", "grid", "canonical", "checker")
]
PAGES = {"live": ("workshop", "live"), "article": ("charts", "training", "article")}
"""The scripts of each page, besides those of every page."""

LONG = ("31415926535897932384", "27182818284590452353")
"""The problem of docs/viewer.md."""

TRAINING = {"batch": 8, "iterations": 4000, "learning_rate": 0.01, "clip": 1.0}
"""How the article trains add2 in the page: in seconds, with the paper's learning rate."""

KINDS = {"raw": "as trained", "lasting": "lasting"}
"""Of networks that drift, in the order in which the page offers them, and what a reader calls them."""

OFFERED = [*KINDS, "rounded"]

_STUCK = " The proof does not rule out that the teacher gets stuck; then the machine stops at the same step."
_SLIDERS = {"mult10": 18, "mult2": 24}
"""The longest inputs to draw; of other tasks, long enough to see the network fail."""

MEASURED = HERE.parent / "results" / "gallery_networks.json"
_CARD = re.compile(r'"RLG of (\w+)\.safetensors, measured to (\d+) digits"\s+value: (\d+)')


def stand_alone(folder: Path) -> Path:
    """Write the live part of the first page, with everything it needs, into ``folder``; returns the page."""
    shutil.copytree(HERE / "_static" / "live", folder / "_static" / "live", dirs_exist_ok=True)
    write_live(folder / "_static" / "live")
    (folder / "index.html").write_text(f"{_HEAD}{(HERE / 'live.html').read_text(encoding='utf-8')}", encoding="utf-8")
    return folder / "index.html"


def write_live(site: Path) -> list[str]:
    """Write the scripts and the data of every task into the folder ``site``; returns the names of the tasks."""
    folder = site / "data"
    rows = {row.name: row for row in catalogue()}
    floats = {name: [kind for kind in OFFERED if kind in row.models] for name, row in rows.items()}
    for name, row in rows.items():
        _script(folder / "tasks" / f"{name}.js", "tasks", name, task_data(name, row))
        content = find_certificate(name).read_bytes()
        plain = gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content
        packed = base64.b64encode(gzip.compress(plain, 9, mtime=0)).decode()
        _script(folder / "certificates" / f"{name}.js", "certificates", name, packed)
        for kind in floats[name]:
            _script(folder / "weights" / f"{name}-{kind}.js", "weights", f"{name}:{kind}", weights_data(name, kind))
    (folder / "eigenvalues.js").write_text(f"dfstLive.eigenvalues = {_json(eigenvalues('add2'))};\n", encoding="utf-8")
    (folder / "training.js").write_text(f"dfstLive.training = {_json(training_data('add2'))};\n", encoding="utf-8")
    offered = [{"name": name, "weights": floats[name]} for name in rows]
    tables = {"catalogue": offered, "tasks": {}, "weights": {}, "certificates": {}}
    for page, names in PAGES.items():
        script = one_script([*_SHARED, *(HERE / "live" / f"{name}.js" for name in names)])
        (site / f"{page}.js").write_text(f"globalThis.dfstLive = {_json(tables)};\n{script}", encoding="utf-8")
    shutil.copy(Path(str(PAGE)) / "board.css", site)
    return list(rows)


def eigenvalues(name: str) -> dict[str, dict[str, list[list[float]]]]:
    """By kind of float model and symbol: the eigenvalues of A[symbol], as real and imaginary parts."""
    found: dict[str, dict[str, list[list[float]]]] = {}
    for kind in KINDS:
        model = dfst.load(f"{name}:{kind}")
        each = {x: np.linalg.eigvals(model.A[n].astype(np.float64)) for x, n in model.alphabet.index.items()}
        found[kind] = {x: np.round(np.stack([e.real, e.imag], axis=1), 5).tolist() for x, e in each.items()}
    return found


def training_data(name: str) -> dict[str, Any]:
    """What training in the page begins with, and the loss of a run that dfst made of it."""
    traces, d = dfst.sample(name), dfst.task(name).hidden_dim
    model = identity_model(traces.world, d)
    recipe = dfst.recipe("quick", name).changed(**TRAINING)
    _, history = fit(model, traces, recipe, threads=1)
    recorded = [[record.iteration, float(f"{record.loss:.3g}")] for record in history.records]
    numbers = {"d": d, "k": len(traces.alphabet), "h0": model.h0.tolist()}
    facts = {"rate": recipe.learning_rate, "batch": recipe.batch, "iterations": recipe.iterations, "clip": recipe.clip}
    shown = [[column.tolist() for column in trace] for trace in traces]
    return {**numbers, **facts, "traces": shown, "recorded": recorded}


def reached(name: str) -> dict[str, tuple[int, int]]:
    """How far each network of a task follows its teacher, and how far that was tested (RLG), as it was measured."""
    for model in shipped_models():
        if model.task == name:
            found = _CARD.findall(model.card.read_text(encoding="utf-8"))
            return {kind: (int(length), int(to)) for kind, to, length in found if kind in KINDS}
    rows = {row["name"]: row for row in json.loads(MEASURED.read_text(encoding="utf-8"))["rows"]}
    return {"raw": (rows[name]["rlg"], rows[name]["measured_to"])}


def task_data(name: str, row: Offer) -> dict[str, Any]:
    """What the page knows of a task: its world, teacher and learned machine as tables, its story, an input to try."""
    task = dfst.task(name)
    content = load_certificate(find_certificate(name))
    learner = learner_of(content, task.machine)
    shown = {key: content[key] for key in ("symbols", "blank", "classes", "layout")}
    machines = {who: {key: content[who][key] for key in ("states", "start", "table")} for who in ("teacher", "learner")}
    machines["learner"]["states"] = list(learner.states)
    length, tested = reached(name)["raw"]
    far = {kind: _reach(task, kind, far, to, row.may_get_stuck) for kind, (far, to) in reached(name).items()}
    far |= {"rounded": _proven(task, row.may_get_stuck)} if "rounded" in row.models else {}
    return {
        **shown,
        **machines,
        "name": name,
        "story": " ".join(task.machine.about.split()),
        "example": EXAMPLES[name],
        "reached": far,
        "slider": _SLIDERS.get(name, min(tested, max(60, math.ceil(1.3 * length)))),
    }


def _reach(task: dfst.Task, kind: str, length: int, tested: int, stuck: bool) -> str:
    """How far a network gets, as it was measured: of it, nothing is proven."""
    far = f"at least {tested:,} symbols, as far as it was tested" if length >= tested else f"{length:,} symbols"
    return (
        f"The network ({KINDS[kind]}) learned from {task.sampling.n:,} traces of inputs of up to {task.sampling.q} "
        "symbols. In tests on random inputs and on inputs that repeat one symbol, it acts like its teacher up to "
        f"{far}. The machine is proven to act like the teacher at every length.{_STUCK if stuck else ''}"
    )


def _proven(task: dfst.Task, stuck: bool) -> str:
    """What is known of a network whose hidden state is rounded: the same as of the machine."""
    return (
        f"The network learned from {task.sampling.n:,} traces of inputs of up to {task.sampling.q} symbols. With its "
        "hidden state rounded after every step it does not drift: like the machine, it is proven to act like the "
        f"teacher at every length; dfst check {task.name}:rounded verifies it.{_STUCK if stuck else ''}"
    )


def weights_data(name: str, kind: str) -> dict[str, Any]:
    """H0 and the weights in the order in which they are added up: for each symbol, column j of A, B and C together.

    Of a network with rounded hidden state also the bits; its h0 is rounded.
    """
    model = dfst.load(f"{name}:{kind}")
    d, k = model.hidden_dim, len(model.alphabet)
    if model.h0.dtype != np.float32:
        raise TypeError(f"{name}:{kind} is not float32")
    start = model.h0 if model.bits is None else np.array(model.rounding.start)
    numbers = np.concatenate([start, pack(model.weights)[:, :, : d + k + 5].ravel()]).astype("<f4")
    return {"d": d, "k": k, "bits": model.bits, "numbers": base64.b64encode(numbers.tobytes()).decode()}


def _script(path: Path, table: str, key: str, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"dfstLive.{table}[{_json(key)}] = {_json(value)};\n", encoding="utf-8")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _into_site(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        write_live(Path(app.outdir) / "_static" / "live")
        learner, teacher = dfst.load("add10:raw"), dfst.task("add10").machine
        both = record_both(learner, teacher, *LONG, name="add10:raw")
        (Path(app.outdir) / "_static" / "viewer.html").write_text(viewer_page(both), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("build-finished", _into_site)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    print(stand_alone(Path(sys.argv[1])))
