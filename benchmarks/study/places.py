"""Where the study keeps the rows of its cells and the runs of its panel: files below `runs/strength`, one a cell."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

from ludus.core.files.writing import make_folder, write_whole

from .. import ROOT
from .design import Cell

FOLDER = ROOT / "runs" / "strength"


def folder_of(cell: Cell) -> Path:
    """The folder of the run of a cell of the panel."""
    return FOLDER / cell.game / "panel" / cell.file


def row_file(cell: Cell) -> Path:
    """The file of a cell's row."""
    return FOLDER / cell.game / f"{cell.file}.json"


def error_file(cell: Cell) -> Path:
    """The file with the sentence that says why a cell has no row."""
    return FOLDER / cell.game / f"{cell.file}.error"


def is_done(cell: Cell) -> bool:
    """Whether a cell has a row, or a sentence that says why it has none."""
    return row_file(cell).exists() or error_file(cell).exists()


def read_row(cell: Cell) -> dict[str, Any] | None:
    """The row of a cell; None before it is measured."""
    file = row_file(cell)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def seconds_of(row: Mapping[str, Any]) -> float:
    """The processor seconds of a row: of its training, and of measuring its policies."""
    return row.get("training", {}).get("seconds", 0.0) + sum(policy["seconds"] for policy in row["policies"].values())


def write_row(cell: Cell, row: dict[str, Any]) -> None:
    """Keeps the row of a cell, whole or not at all."""
    make_folder(row_file(cell).parent)
    write_whole(row_file(cell), json.dumps(rounded(row), ensure_ascii=False, separators=(",", ":")).encode())


def rounded(value: Any) -> Any:
    """Numbers with five digits, wherever they stand in lists and dictionaries; None for one that is not defined."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [*map(rounded, value)]
    return value if not isinstance(value, float) else None if isnan(value) else float(f"{value:.5g}")
