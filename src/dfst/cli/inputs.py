"""What the verbs read alike: operands, and options that mean nothing beside others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from dfst.errors import InputError

if TYPE_CHECKING:
    from dfst.training.model import DFST
    from dfst.world.same import Setting


def read_problem(words: Sequence[str], policy: Setting | DFST) -> tuple[str, ...]:
    """The operands: as given, or the content of the file named behind @; line ends and spaces only separate symbols."""
    from dfst.files import read_text

    def read(text: str) -> str:
        if not text.startswith("@") or len(text) == 1:
            return text
        return ("" if policy.alphabet.single_characters else " ").join(read_text(text[1:]).split())

    return tuple(map(read, words))


def check_left_out(options: Mapping[str, object], why: str) -> None:
    """Refuse options that were given although they would change nothing; ``why`` they would not."""
    for name, value in options.items():
        if value is not None:
            raise InputError(why, where=name, do="Leave it out.")
