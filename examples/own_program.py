"""A Python function becomes a teacher: watched on 100 short words, learned, and tested on 1,000 longer ones."""

import dfst


@dfst.teacher(symbols="ab*", problems="ab", answer_row=1, answer=lambda word: "".join(2 * letter for letter in word))
def double(head: dfst.Head) -> None:
    """Writes every letter twice, on the row above."""
    while head.see() != "_":
        letter = head.see()
        head.do("*", "U")
        while head.see() != "_":
            head.move("R")
        head.do(letter, "R")
        head.do(letter, "D")
        while head.see() != "*":
            head.move("L")
        head.move("R")
    head.move("L")
    while head.see() == "*":
        head.do("_", "L")


model, history = dfst.fit(double, hidden_dim=12, recipe=dfst.recipe("fast").changed(iterations=6000))
print(dfst.certify(model, double))
