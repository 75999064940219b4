"""The stages of a lasting run, and what each came to: stages.json."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from dfst.errors import FileFormatError
from dfst.files import write_atomically
from dfst.records import read_json, read_record
from dfst.runs.run_folder import RunFolder
from dfst.study.lengths import reached_text
from dfst.training.model import DFST
from dfst.training.reduce import steady

STAGES, POLISH = "stages.json", "polish"


@dataclass(frozen=True)
class Stage:
    """One training on the way, and up to what length its model does what the machine extracted from it does.

    ``fits`` says whether the model acts as all the traces say, and its loss has not jumped. ``agrees`` is that length
    on random problems and on those of one symbol, as an RLG is measured, ``agrees_random`` on random ones, as a PLG;
    both are None for a stage that nobody needed to look at. ``looked_to`` is the length to which this was measured:
    less than asked for, if the machine takes too many steps on longer problems. ``steady`` says whether they are about
    the model with steady walks; ``loss`` is that of the model as it was trained.
    """

    name: str
    hidden_dim: int
    loss: float
    seconds: float
    fits: bool
    steady: bool = False
    agrees: int | None = None
    agrees_random: int | None = None
    looked_to: int | None = None

    def explain(self) -> str:
        """In words.

        >>> Stage("d8", 8, 9.8e-10, 6.6, fits=True, steady=True, agrees=3850, looked_to=3850).explain()
        'd = 8: loss as trained 9.8e-10; with steady walks agrees with its own machine to at least 3,850 symbols'
        """
        if self.agrees is None or self.looked_to is None:
            return f"d = {self.hidden_dim}: loss {self.loss:.1e}{'' if self.fits else '; does not fit the traces'}"
        walks = "with steady walks " if self.steady else ""
        how = f"{walks}agrees with its own machine to {reached_text(self.agrees, self.looked_to)} symbols"
        return f"d = {self.hidden_dim}: loss as trained {self.loss:.1e}; {how}"

    def model(self, run: RunFolder) -> DFST:
        """What this stage of ``run`` came to."""
        trained = self.folder(run).model()
        return steady(trained) if self.steady else trained

    def folder(self, run: RunFolder) -> RunFolder:
        """Where it was trained."""
        return RunFolder.open(run.path / "stages" / self.name)


def stages_of(run: RunFolder) -> list[Stage]:
    """What the stages of a lasting run came to so far, in their order."""
    path = run.path / STAGES
    do = "Remove it; the stages' models stay, and are looked at once more."
    found = read_json(path, do=do) if path.exists() else []
    if not isinstance(found, list):
        raise FileFormatError("it is damaged", where=str(path), do=do)
    return [read_record(Stage, each, where=str(path), do=do) for each in found]


def lasts(stage: Stage) -> tuple[int, int]:
    """How long its model lasts, and with how few dimensions; the larger the better, and needs no teacher."""
    return stage.agrees or 0, -stage.hidden_dim


def kept_stage(run: RunFolder) -> Stage:
    """The one whose model a lasting run ended with."""
    return max((stage for stage in stages_of(run) if stage.agrees is not None), key=lasts)


def save_stages(run: RunFolder, stages: Iterable[Stage]) -> None:
    """Keep what they came to, so that a run that goes on need not find it out again."""
    text = json.dumps([asdict(stage) for stage in stages], indent=1)
    write_atomically(run.path / STAGES, f"{text}\n".encode())
