"""Makes notebooks of tutorials, for Jupyter and what opens its files: `make docs` writes them to examples/notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
OUT = FOLDER.parent / "examples" / "notebooks"
TUTORIALS = ("measure", "train", "perfect")
CELL = re.compile(r"^```\{code-cell\} python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def make_notebook(page: str) -> str:
    """A tutorial as a notebook without outputs. Links to other pages lead nowhere from there, so their words alone are left."""
    _, _, text = page.removeprefix("---\n").partition("---\n")
    parts = CELL.split(text)
    cells = [cell for number, part in enumerate(parts) for cell in _cells_of(part, number % 2 == 1)]
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return json.dumps({"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}, indent=1, ensure_ascii=False) + "\n"


def _cells_of(part: str, is_code: bool) -> Iterator[dict[str, Any]]:
    if is_code:
        yield make_cell("code", part)
    elif part.strip():
        yield make_cell("markdown", LINK.sub(r"\1", part))


def make_cell(kind: str, text: str) -> dict[str, Any]:
    """A cell of a notebook."""
    cell = {"cell_type": kind, "metadata": {}, "source": text.strip("\n").splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def make_notebooks(folder: Path) -> None:
    """Writes the notebooks to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in TUTORIALS:
        page = (FOLDER / "tutorials" / f"{name}.md").read_text(encoding="utf-8")
        (folder / f"{name}.ipynb").write_text(make_notebook(page), encoding="utf-8")
