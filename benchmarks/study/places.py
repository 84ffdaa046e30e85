"""Where the study keeps the rows of its cells and the runs of its panel: files below `runs/strength`, one a cell.

The repository keeps the rows, too, in a compressed file for each game. A line of it has the name and the content of a file.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Any

from ludus.cli.machine import describe_machine, machine
from ludus.core.files.writing import make_folder, write_whole

from .. import ROOT
from ..runner import commit
from .design import GAMES, Cell

FOLDER = ROOT / "runs" / "strength"
KEPT = ROOT / "benchmarks" / "study" / "rows"
"""Where the repository keeps the rows."""
ENDINGS = "json", "error"
"""Of the files of rows, and of the sentences that stand in place of a row that could not be measured."""


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
    """Writes the row of a cell, with the commit and the machine that made it, whole or not at all."""
    make_folder(row_file(cell).parent)
    made = {"commit": commit(ROOT), "machine": describe_machine(machine())}
    write_whole(row_file(cell), compact({**rounded(row), **made}).encode())
    error_file(cell).unlink(missing_ok=True)


def keep_rows() -> None:
    """Writes rows, the sentences of cells without one, and the games of the panels to the files that the repository keeps."""
    make_folder(KEPT)
    for game in GAMES:
        files = sorted(file for ending in ENDINGS for file in (FOLDER / game).glob(f"*.{ending}"))
        lines = "".join(f"{compact({'file': file.name, 'content': file.read_text(encoding='utf-8')})}\n" for file in files)
        if lines:
            write_whole(KEPT / f"{game}.jsonl.xz", lzma.compress(lines.encode(), preset=lzma.PRESET_EXTREME))


def take_kept_rows() -> None:
    """Writes the rows that the repository keeps to their files, where a cell has neither a row nor a sentence."""
    for game in GAMES:
        if (kept := KEPT / f"{game}.jsonl.xz").exists():
            make_folder(FOLDER / game)
            for line in lzma.decompress(kept.read_bytes()).decode().splitlines():
                row = json.loads(line)
                file = FOLDER / game / row["file"]
                if not any(file.with_suffix(f".{ending}").exists() for ending in ENDINGS):
                    write_whole(file, row["content"].encode())


def compact(value: Any) -> str:
    """A value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rounded(value: Any) -> Any:
    """Numbers with five digits, wherever they stand in lists and dictionaries; None for one that is not defined."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [*map(rounded, value)]
    return value if not isinstance(value, float) else None if isnan(value) else float(f"{value:.5g}")
