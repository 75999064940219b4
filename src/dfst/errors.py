"""Every mistake a user can make ends in one of these: what was wrong, where, and what to do."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_OPTION = re.compile(r"(dfst [a-z]+\b(?:[^.;,:()]|[.:](?=\w))*)|(?<![\w-])--([a-z][a-z-]+)")
"""A command, which stays as it is, or an option by itself."""


class DfstError(Exception):
    """The base of every error a user can cause.

    ``what`` says what was wrong, ``where`` names the file, argument or line, ``do`` says what to do about it.

    An option is named as on the command line, where ``sentence`` is printed; in Python it is called by its parameter.

    >>> error = DfstError("the folder is not empty", where="run", do="Choose another one with --out.")
    >>> print(error)
    run: the folder is not empty. Choose another one with `out`.
    >>> print(error.sentence)
    run: the folder is not empty. Choose another one with --out.
    """

    def __init__(self, what: str, *, where: str = "", do: str = "") -> None:
        self.what, self.where, self.do = what, where, do
        super().__init__(what)

    @property
    def sentence(self) -> str:
        """All of it, for the command line."""
        return _sentence(self.what, self.where, self.do)

    def __str__(self) -> str:
        return _OPTION.sub(lambda found: found[1] or f"`{found[2].replace('-', '_')}`", self.sentence)

    def __reduce__(self) -> Any:
        """Copies and other processes get it as it is, whatever it was made from."""
        return type(self).__new__, (type(self), *self.args), self.__dict__


class InputError(DfstError):
    """An operand, a name or an option that cannot be used."""


class NoteWarning(UserWarning):
    """Something to know that keeps nobody from going on; the command line prints it as a note."""


class NameWarning(NoteWarning):
    """A name of dfst's own is also that of a file or folder here, or of the teacher in a run folder."""


class FileFormatError(DfstError):
    """A file that is damaged, truncated, of another format, or does not fit together."""


class RejectedError(DfstError):
    """A certificate that the independent checker rejects, or that is about something else than it is compared with."""

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        reason = printable(self.what.removeprefix("rejected: "))
        return {"verified": False, "file": printable(self.where), "reason": reason}


class MissingExtraError(DfstError):
    """A feature that needs an optional dependency which is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs `dfst[{extra}]`", do=f'Install it with: pip install "dfst[{extra}]"')


@dataclass(frozen=True)
class Mistake:
    """One thing wrong with a machine or its file.

    ``line`` counts from 1, or is None for a machine built in Python; ``key`` is the header key it is about, if any.
    """

    what: str
    do: str = ""
    line: int | None = None
    key: str = ""

    def __str__(self) -> str:
        return _sentence(self.what, f"line {self.line}" if self.line else "", self.do)


class MachineError(DfstError):
    """A machine that cannot be used; ``mistakes`` lists everything that is wrong with it, not only the first."""

    def __init__(self, mistakes: Iterable[Mistake], *, where: str = "") -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda p: p.line or 0))
        count = len(self.mistakes)
        super().__init__(f"{count} mistake{'s' * (count != 1)} in the machine", where=where)

    @property
    def sentence(self) -> str:
        """All of it, a line for every mistake."""
        return str(self)

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        return {"ok": False, "mistakes": [{"line": m.line, "what": m.what, "do": m.do} for m in self.mistakes]}

    def __str__(self) -> str:
        place = f"{printable(self.where)}: " if self.where else ""
        return "\n".join([f"{place}{self.what}:", *(f"  {mistake}" for mistake in self.mistakes)])


def check_text(text: object) -> None:
    """Refuse a path, or bytes, where a text is read."""
    if not isinstance(text, str):
        do = 'Read the file first, such as with Path(...).read_text(encoding="utf-8").'
        raise InputError(f"this is no text, but of the type {type(text).__name__}", do=do)


def check_type(given: object, wanted: type | tuple[type, ...], do: str) -> None:
    """Refuse what is of another type than the ``wanted`` one, or ones; ``do`` says what to give."""
    if not isinstance(given, wanted):
        raise InputError(f"{shown(given)} is of type {type(given).__name__}", do=do)


def quoted(text: str) -> str:
    """``text`` in quotes, for a sentence: a number of a million digits is cut short."""
    return repr(shortened(text))


def shown(value: object) -> str:
    """``value`` as Python writes it, for a sentence; whole numbers of 5,000 digits it does not write."""
    try:
        return shortened(repr(value))
    except ValueError:
        return "a number of thousands of digits"


def shortened(text: str) -> str:
    """``text``, or its beginning and its end if it is long."""
    return text if len(text) <= 40 else f"{text[:20]}…{text[-10:]}"


def interrupted(error: BaseException) -> bool:
    """Whether it is Ctrl-C; of one that comes while compiled code runs, a SystemError is made.

    >>> interrupted(KeyboardInterrupt()), interrupted(SystemError())
    (True, False)
    """
    return isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)


def raise_ours(error: BaseException) -> None:
    """Raise again what comes out of the user's own code, but is none of it: a sentence of dfst's own, or Ctrl-C."""
    if isinstance(error, DfstError) or interrupted(error):
        raise error


def in_your_code(error: BaseException) -> str:
    """What the user's own code raised, sys.exit() too, in words, with the line it comes from."""
    raise_ours(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    said = f"{type(error).__name__}: {error}".removesuffix(": ")[:150]
    return printable(f"{said} ({Path(last.filename).name}, line {last.lineno})")


def printable(text: str) -> str:
    r"""``text`` without characters that break, hide or reorder a line: each of them is written as its escape.

    Whatever a file says is printed through this, so that no file can forge or hide a line of output.

    >>> print(printable("add2\nverified \u202e and \x1b[8m"))
    add2\nverified \u202e and \x1b[8m
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _sentence(what: str, where: str, do: str) -> str:
    place = f"{where}: " if where else ""
    return printable(f"{place}{what}.{' ' + do if do else ''}")
