"""What decides a run, as config.toml says it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, get_args

import tomli_w

from dfst.errors import FileFormatError, InputError
from dfst.learn.fit import EngineName
from dfst.learn.recipes import Recipe
from dfst.teachers.task import Sampling

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
    practice: bool = False

    def dump(self) -> str:
        """As TOML."""
        return tomli_w.dumps({"format": FORMAT, **asdict(self)})

    @classmethod
    def parse(cls, values: dict[str, Any], *, source: str) -> RunConfig:
        """From the values of a TOML file; a key that is not known or missing is refused."""
        if values.pop("format", None) != FORMAT:
            do = f"This dfst reads format {FORMAT}; the run may be of a newer one."
            raise FileFormatError("its format is not known", where=source, do=do)
        nested: dict[str, type] = {"recipe": Recipe, "sampling": Sampling}
        for name, kind in nested.items():
            table = values.get(name)
            if not isinstance(table, dict) or set(table) != {field.name for field in fields(kind)}:
                what = f"its table [{name}] is missing or has other keys than it should"
                raise FileFormatError(what, where=source, do=_AGAIN)
        values = {"practice": False} | values  # the first runs were made before there was practice
        kinds = {name: type(getattr(cls, name)) for name in ("seed", "data_seed", "engine", "threads", "practice")}
        kinds |= {"task": str, "hidden_dim": int}
        for table, wanted in ((values, kinds), (values["sampling"], dict.fromkeys("pqn", int))):
            for name, kind in wanted.items():
                if type(table.get(name)) is not kind:
                    what = f"{name!r} is missing, or has the wrong kind of value"
                    raise FileFormatError(what, where=source, do=_AGAIN)
        if values["engine"] not in get_args(EngineName):
            do = f"Write one of {', '.join(get_args(EngineName))}."
            raise FileFormatError(f"there is no engine {values['engine']!r}", where=source, do=do)
        try:
            return cls(**values | {name: kind(**values[name]) for name, kind in nested.items()})
        except TypeError:
            what = "it has unknown keys, or values of the wrong kind"
            raise FileFormatError(what, where=source, do=_AGAIN) from None
        except InputError as error:
            raise FileFormatError(f"{error.where}: {error.what}", where=source, do=error.do) from None
