"""The header of a small machine file; tests write the rules below it."""


def header(
    name: str = "mine", start: str = "walk", symbols: str = '"0", "1", "_"', cells: str = '["digit+"]', more: str = ""
) -> str:
    """Eleven lines, for digits 0 and 1 on one row; ``more`` comes after the cells of the input."""
    return f"""\
format = 1
name = "{name}"
symbols = [{symbols}]
blank = "_"
start = "{start}"
[classes]
digit = ["0", "1"]
[input]
cells = {cells}
{more}[answer]
cells = "digit"
"""
