"""Cards: the page beside data, which says what they are, how they were made and how to read them, with checksums.

Their words are in `templates/`.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from ...core.files.reading import decode_text, open_regular, read_regular
from ...core.files.writing import check_target

TEMPLATES = Path(__file__).parent / "templates"
OURS = re.compile(r"\bMIT, (that|the licence) of Ludus\.")
"""What all cards say."""


def render_card(template: str, **fields: Any) -> str:
    """The text of a card, or of a part of one: the template of this name, with its fields."""
    return (TEMPLATES / f"{template}.card").read_text("utf-8").format(**fields)


def check_card(path: Path) -> None:
    """Checks that a card can be written here; ValueError where something that is no card of Ludus lies there."""
    if path.exists() and OURS.search(decode_text(read_regular(path, 1 << 24))) is None:
        raise ValueError(f"{path} is there, and is no card of Ludus; it would be replaced by one: give another folder or name")
    check_target(path)


def checksums(files: list[Path]) -> str:
    """A line for each file: its SHA-256 and its name, as `sha256sum` writes them."""
    return "\n".join(f"{checksum(file)}  {file.name}" for file in files)


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with open_regular(path) as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
