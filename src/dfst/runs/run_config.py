"""What decides a run, as config.toml says it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import tomli_w

from dfst.errors import FileFormatError
from dfst.records import read_record
from dfst.teachers.sampling import Sampling
from dfst.training.fit import EngineName
from dfst.training.recipes import Recipe

FORMAT = 1
_AGAIN = "Write it as dfst train did, or train again."


@dataclass(frozen=True)
class RunConfig:
    """Everything that decides the weights a run ends with; and ``threads``, which does not (0: whatever is fastest)."""

    task: str
    recipe: Recipe
    sampling: Sampling
    hidden_dim: int
    seed: int = 42
    data_seed: int = 42
    engine: EngineName = "fused"
    threads: int = 0

    def dump(self) -> str:
        """As TOML."""
        return tomli_w.dumps({"format": FORMAT, **asdict(self)})

    @classmethod
    def parse(cls, values: dict[str, Any], *, source: str) -> RunConfig:
        """From the values of a TOML file; a key that is not known or missing is refused."""
        if values.pop("format", None) != FORMAT:
            do = f"This dfst reads format {FORMAT}; the run may be of a newer one."
            raise FileFormatError("its format is not known", where=source, do=do)
        practice = values.pop("practice", False)  # what older versions wrote
        if practice is not False:
            what = "it is a training run by self-practice, which dfst no longer has"
            raise FileFormatError(what, where=source, do="Use its weights by themselves: give its model.safetensors.")
        return read_record(cls, values, where=source, do=_AGAIN)
