"""Any object that acts step by step can be measured against a teacher and refuted: here one that forgets to carry."""

import dfst


class Forgetful:
    """Adds 1 to the last digit, and never carries."""

    task, sees = "increment", "text"

    def begin(self) -> str:
        return "to the end"

    def act(self, state: str, symbol: str) -> tuple[str, str, str]:
        if state == "to the end":
            return ("add", symbol, "L") if symbol == "_" else (state, symbol, "R")
        return state, str((int(symbol) + 1) % 10), "S"


print(dfst.measure_lengths(Forgetful(), to=3))
print(dfst.certify(Forgetful()))
