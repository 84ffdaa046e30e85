"""Draws the pictures of the games, fills in all figures of the pages, and makes notebooks of tutorials.

make docs
"""

from __future__ import annotations

from pathlib import Path

from filling import figures, filled, pages
from notebooks import OUT, make_notebooks
from pictures import moving, planes, still

from ludus.games.registry import BUILT_IN

FOLDER = Path(__file__).parent


def build(folder: Path) -> None:
    """Writes all pictures to a folder."""
    for part in ("games", "planes"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name in BUILT_IN:
        _write(folder / f"{name}.svg", still(name))
        _write(folder / "games" / f"{name}.svg", moving(name))
        _write(folder / "planes" / f"{name}.svg", planes(name))


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def fill() -> None:
    """Writes the measured figures into the pages."""
    known = figures()
    for page in pages():
        _write(page, filled(page.read_text(encoding="utf-8"), known))


if __name__ == "__main__":
    build(FOLDER / "images")
    fill()
    make_notebooks(OUT)
