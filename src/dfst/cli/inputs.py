"""What the verbs read alike: operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dfst.act.policy import OwnPolicy
    from dfst.training.model import DFST
    from dfst.world.machine import GridMachine


def read_problem(words: Sequence[str], policy: GridMachine | DFST | OwnPolicy) -> tuple[str, ...]:
    """The operands: as given, or the content of the file named behind @; line ends and spaces only separate symbols."""
    from dfst.files import read_text

    def read(text: str) -> str:
        if not text.startswith("@") or len(text) == 1:
            return text
        return ("" if policy.alphabet.single_characters else " ").join(read_text(text[1:]).split())

    return tuple(map(read, words))
