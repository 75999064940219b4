"""What results have in common: a sentence, a one-line repr, HTML for notebooks."""

from __future__ import annotations

from html import escape


class Explained:
    """A small frozen record that explains itself; ``print`` shows the explanation, a notebook as well."""

    def explain(self) -> str:
        """The result in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.explain()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.explain().partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        return f"<div>{'<br>'.join(map(escape, self.explain().splitlines()))}</div>"
