"""A part of a sweep, for the queue of a cluster: 3/16 is the third of sixteen jobs."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeVar

from dfst.errors import InputError, quoted

T = TypeVar("T")
_MOST = 10_000


class Shard(NamedTuple):
    """Part ``number`` of ``total``; the parts share no trial and miss none."""

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """From a text such as 3/16.

        >>> Shard.parse("3/16")
        Shard(number=3, total=16)
        """
        match = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", text)
        shard = cls(int(match[1]), int(match[2])) if match else cls(0, 0)
        if not 1 <= shard.number <= shard.total <= _MOST:
            do = "Write 3/16 for the third of 16; the first is 1/16."
            raise InputError(f"{quoted(text)} is not a part of a sweep", where="--shard", do=do)
        return shard

    @property
    def name(self) -> str:
        """For files: 3-of-16."""
        return f"{self.number}-of-{self.total}"

    def part(self, everything: list[T]) -> list[T]:
        """What this part is to do: every ``total``-th, so that neighbours, which cost alike, are spread evenly.

        >>> Shard(2, 3).part(list(range(8)))
        [1, 4, 7]
        """
        return everything[self.number - 1 :: self.total]
