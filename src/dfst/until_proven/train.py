"""Training as its options say, in one go or in stages, and what it came to in words."""

from __future__ import annotations

import shlex
import time
from dataclasses import asdict, dataclass
from typing import Any

from dfst.explained import Explained
from dfst.runs.run_folder import RunFolder, Say, Watch, quiet
from dfst.training.recall import Recall, recall
from dfst.until_proven.lasting import LASTING, Stage, kept_stage, train_lasting


@dataclass(frozen=True, repr=False)
class Trained(Explained):
    """What a training run came to: its folder, its loss on all traces, the actions on them, and what it took.

    ``stage`` is the one whose model was kept, if the recipe has several.
    """

    run: RunFolder
    loss: float
    seconds: float
    recall: Recall
    hidden_dim: int
    stage: Stage | None = None

    @property
    def next(self) -> str:
        """The command to go on with."""
        verb = "extract" if self.run.has_own_traces else "certify"
        return f"dfst {verb if self.recall.learned else 'doctor'} {shlex.quote(str(self.run.path))}"

    def advice(self) -> str:
        """What to do next, in words."""
        rest = " looks for the cause; or train longer (--iterations) or with another --seed."
        return f"Next: {self.next}{'' if self.recall.learned else rest}"

    def explain(self) -> str:
        """In words."""
        verdict = "learned" if self.recall.learned else "not learned"
        took = f"(loss {self.loss:.2e}, {self.seconds:.0f} s)"
        return f"{self.run.path}: {verdict}: {self.recall.explain()} {took}.\n{self.advice()}"

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        facts = {"run": str(self.run.path), "seed": self.run.options.seed, "loss": self.loss, "seconds": self.seconds}
        facts |= {"problem": "", "hidden_dim": self.hidden_dim}
        if self.stage is not None:
            facts |= {"agrees": self.stage.agrees, "looked_to": self.stage.looked_to}
        said = {"learned": self.recall.learned, "explanation": self.recall.explain()}
        return facts | said | asdict(self.recall) | {"next": self.next}


def train_run(run: RunFolder, *, watch: Watch = quiet, say: Say = quiet) -> Trained:
    """Train ``run`` as its options say, from where it was stopped if it was."""
    began, lasting = time.monotonic(), run.options.recipe == LASTING
    loss = train_lasting(run, watch=watch, say=say) if lasting else run.train(watch=watch, say=say)
    seconds, model = round(time.monotonic() - began, 1), run.model()
    stage = kept_stage(run) if lasting else None
    return Trained(run, loss, seconds, recall(model, run.traces()), model.hidden_dim, stage)
