"""What a training run is asked to be: one record, from the command line, a config file or Python to the run folder."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_type_hints

import tomli_w

from dfst.errors import FileFormatError, InputError, quoted
from dfst.files import read_toml
from dfst.records import check_keys, of_kind, read_record
from dfst.teachers.find import is_own_name, named_task
from dfst.teachers.sampling import Sampling, check_sampling
from dfst.teachers.task import Task
from dfst.traces.traces import Traces
from dfst.training.fit import EngineName, check_engine
from dfst.training.recipes import RECIPE_FIELDS, Recipe, check_field
from dfst.training.recipes import recipe as named_recipe
from dfst.training.size import check_size

OWN: Any = None
"""Not given: then it is the recipe's, the task's or dfst's own."""

FORMAT = 1
_UNKNOWN_DIM = 32
"""Hidden dimensions for traces of which nobody knows how many states made them."""


@dataclass(frozen=True)
class Options:
    """How to train, on which traces, and where to write; what is left out is the recipe's, the task's or dfst's own.

    These are the options of ``dfst train`` and the keys of a file for its ``--config``:

    - ``recipe``: fast, quick, lasting or paper; ``iterations`` to ``on_nonfinite`` change it (:class:`dfst.Recipe`)
    - ``n`` traces, of all problems of up to ``p`` symbols and of random ones of up to ``digits``, by ``data_seed``
    - ``hidden_dim``, and the root ``seed`` of the initial weights and of the batches
    - ``engine`` (fused, jax or associative) on so many ``threads``, which change no bit (0: as many as speed it up)
    - ``checkpoint_seconds`` between checkpoints; ``out``, the run folder; whether to ``resume`` what is in it

    >>> import dfst
    >>> full = Options(seed=7, iterations=100).on(dfst.task("add2"))
    >>> full.seed, full.iterations, full.learning_rate, full.n, full.hidden_dim
    (7, 100, 0.002, 20, 12)
    """

    recipe: str = OWN
    iterations: int = OWN
    learning_rate: float = OWN
    batch: int = OWN
    clip: float = OWN
    growth: float = OWN
    first_visible: int = OWN
    on_nonfinite: Literal["skip", "stop"] = OWN
    n: int = OWN
    digits: int = OWN
    p: int = OWN
    data_seed: int = OWN
    hidden_dim: int = OWN
    seed: int = OWN
    engine: EngineName = OWN
    threads: int = OWN
    checkpoint_seconds: float = field(default=30.0, compare=False)
    out: Path = field(default=OWN, compare=False)
    resume: bool = field(default=False, compare=False)
    task: str = OWN
    """The name of what is learned, which ``on`` fills in."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None:
                object.__setattr__(self, name, _checked(name, value))

    @classmethod
    def read(cls, path: Path | None, **given: Any) -> Options:
        """What is ``given`` (not None), and for the rest what the TOML file ``path`` says, if there is one."""
        known = [name for name in OPTION_KINDS if name not in ("task", "out", "resume")]
        values = {} if path is None else {name.replace("-", "_"): value for name, value in read_toml(path).items()}
        do = "The page on training lists the keys, such as iterations."
        check_keys(values, known, where=str(path), what="an option", do=do, error=InputError)
        for name, value in values.items():
            values[name] = of_kind(name, value, OPTION_KINDS[name], where=str(path), error=InputError)
        return cls(**values | {name: value for name, value in given.items() if value is not None})

    @property
    def training(self) -> Recipe:
        """The recipe with its changes, once everything is filled in."""
        return Recipe(self.recipe, **{name: getattr(self, name) for name in RECIPE_FIELDS})

    def following(self, recipe: Recipe) -> Options:
        """The same with another recipe."""
        rules = asdict(recipe)
        return replace(self, recipe=rules.pop("name"), **rules)

    @property
    def sampling(self) -> Sampling:
        """Which traces, once everything is filled in."""
        return Sampling(self.p, self.digits, self.n)

    def on(self, subject: Task | Traces, *, recipe: str = "fast") -> Options:
        """With everything filled in for a task, or for traces alone, and held against it.

        ``recipe`` is the one that is meant if none is given. Traces that name a task of ours have its hidden dimension
        and its settings, others 32 dimensions.
        """
        alone = subject.machine is None
        task, which = (_task_of(subject), Sampling(0, 0, len(subject))) if alone else (subject, subject.sampling)
        filled: dict[str, Any] = asdict(named_recipe(self.recipe or recipe, task or ""))
        filled |= {"recipe": filled.pop("name"), "n": which.n, "digits": which.q, "p": which.p}
        filled |= {"data_seed": 42, "seed": 42, "engine": "fused", "threads": 0}
        filled |= {"task": subject.name, "hidden_dim": _UNKNOWN_DIM if task is None else task.hidden_dim}
        options = replace(self, **{name: filled[name] for name in filled if getattr(self, name) is None})
        check_size(len(subject.alphabet if alone else subject.machine.alphabet), options.hidden_dim)
        if not alone:
            check_sampling(options.sampling, subject.world)
        check_engine(options.engine)
        if self.threads:
            from dfst.training.fused import check_threads  # numba

            check_threads(self.threads)
        return options

    def dump(self) -> str:
        """config.toml of a run folder: everything that decides its weights."""
        facts = {each.name: getattr(self, each.name) for each in fields(_Written) if each.name != "recipe"}
        return tomli_w.dumps({"format": FORMAT, **asdict(_Written(recipe=self.training, **facts))})

    @classmethod
    def parse(cls, values: dict[str, Any], *, source: str) -> Options:
        """From the values of a config.toml; a key that is not known or missing is refused."""
        if values.pop("format", None) != FORMAT:
            do = f"This dfst reads format {FORMAT}; the run may be of a newer one."
            raise FileFormatError("its format is not known", where=source, do=do)
        if values.get("practice") is False:
            del values["practice"]  # what format 1 held at first
        found = read_record(_Written, values, where=source, do="Write it as dfst train did, or train again.")
        facts = dict(vars(found))
        which, recipe = facts.pop("sampling"), facts.pop("recipe")
        return cls(p=which.p, digits=which.q, n=which.n, **facts).following(recipe)


@dataclass(frozen=True)
class _Written:
    """What config.toml says, in its order."""

    task: str
    recipe: Recipe
    sampling: Sampling
    hidden_dim: int
    seed: int
    data_seed: int
    engine: EngineName
    threads: int


def parse_seeds(text: str, *, where: str, most: int) -> list[int]:
    """The seeds that ``text`` names, in the option or file ``where``: 3, or 0:8 (0 to 7), or 1,5,7.

    >>> parse_seeds("0:8", where="--seeds", most=1000)
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    try:
        first, colon, last = text.partition(":")
        begin = int(first or 0) if colon else 0
        numbers = [*range(begin, min(int(last), begin + most + 1))] if colon else [*map(int, text.split(","))]
    except ValueError:
        numbers = []
    for wrong, what, do in (
        (not numbers, "no seeds", "Write 0:8 for 0 to 7, or 1,5,7."),
        (len(numbers) > most, f"more than {most} seeds", "Name fewer."),
        (len(set(numbers)) < len(numbers), "a seed twice", "Name each once."),
    ):
        if wrong:
            raise InputError(f"{quoted(text)} names {what}", where=where, do=do)
    return numbers


OPTION_KINDS = get_type_hints(Options)
"""The options by their names, each with the kind of its values."""


def _checked(name: str, value: Any) -> Any:
    """``value`` as it is kept, if it is of the right kind and can be used."""
    if name == "out":
        if not isinstance(value, (str, os.PathLike)):
            raise InputError(f"out = {value!r} is no path", do="Give a path to write to.")
        return Path(value)
    kind = OPTION_KINDS[name]
    value = of_kind(name, value, kind, where="", error=InputError)
    if name in RECIPE_FIELDS:
        check_field(name, value)
    if name == "checkpoint_seconds" and not value >= 0:
        raise InputError(f"{value} cannot be used", where="--checkpoint-seconds", do="Give 0 or more.")
    return value


def _task_of(traces: Traces) -> Task | None:
    """The task of ours that the traces name, if it has their symbols; else it is a namesake."""
    if not is_own_name(traces.task) or ":" in traces.task:
        return None
    task = named_task(traces.task)
    return task if task.machine.alphabet.symbols == traces.alphabet.symbols else None
