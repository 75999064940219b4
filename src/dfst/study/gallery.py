"""The gallery as a table: every task that comes with the package beside the paper's, and how its learning went."""

from __future__ import annotations

import json
from typing import Any

from dfst.experts.find import find_task, gallery
from dfst.experts.task_file import gallery_folder
from dfst.files import read_text

RESULTS = "results.json"
"""In the gallery's folder; made by experiments/gallery.py, with a manifest in every row."""


def gallery_rows() -> list[dict[str, Any]]:
    """A row per task: its states, the traces it is learnt from, seconds to train and prove, and the verdict."""
    measured = {row["name"]: row for row in json.loads(read_text(gallery_folder() / RESULTS))["rows"]}
    rows = []
    for name in gallery():
        task, result = find_task(name), measured.get(name, {})
        seconds = result.get("train_seconds", 0) + result.get("certify_seconds", 0)
        rows.append(
            {
                "name": name,
                "states": len(task.machine.states),
                "traces": task.sampling.n,
                "seconds": round(seconds, 1) if result else None,
                "certified": result.get("verdict") == "exact",
                "about": " ".join(task.machine.about.split()).partition(". ")[0],
            }
        )
    return rows
