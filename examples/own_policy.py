"""Any object that acts step by step can be measured against a teacher: here one that forgets to carry."""

import dfst
from dfst.world.moves import Move

task = dfst.task("increment")
symbols = task.machine.alphabet.symbols


class Forgetful:
    """Adds 1 to the last digit, and never carries."""

    step_limit = 10_000

    def begin(self) -> str:
        return "to the end"

    def act(self, state: str, symbol: int) -> tuple[str, int, int]:
        seen = symbols[symbol]
        if state == "to the end":
            if seen == task.machine.alphabet.blank:
                return "add", symbol, Move.L
            return state, symbol, Move.R
        last = symbols.index(str((int(seen) + 1) % 10))
        return state, last, Move.S


print(dfst.measure_lengths(Forgetful(), task, to=3))
