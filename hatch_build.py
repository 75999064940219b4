"""What a package index shows: the README with links that work there, and the project's addresses.

The address of the repository is filled in at one place, `repository` in pyproject.toml. As long as it is empty, the
README stays as it is.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(?P<picture>!?)\[(?P<text>[^\]]*)\]\((?P<path>(?![a-z]+:|#)[^)]+)\)")


def with_addresses(text: str, repository: str) -> str:
    """Markdown in which links to files of the repository name the place where it is published."""

    def linked(link: re.Match[str]) -> str:
        view = "raw" if link["picture"] else "blob"
        return f"{link['picture']}[{link['text']}]({repository}/{view}/main/{link['path']})"

    return _LINK.sub(linked, text) if repository else text


class Published(MetadataHookInterface):
    """Fills in what depends on where the repository is."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README and the addresses."""
        repository = self.config["repository"].rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": with_addresses(text, repository)}
        metadata["urls"] = {**self.config["urls"], **({"Repository": repository} if repository else {})}
