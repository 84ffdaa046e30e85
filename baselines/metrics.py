"""What the parts of a run told: kept as a table, and as events for TensorBoard where its writer is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

from ..envs.writing import Growing, write_whole
from .events import Events

Row = dict[str, float]


class Metrics:
    """The rows of metrics.csv, one a part.

    Args:
        folder: the run's; None keeps them in memory alone.
        parts: how many parts are done: rows beyond them are of parts that will be done again, and go.
        step: how many units are done.

    Raises:
        ValueError: the table is damaged.
    """

    def __init__(self, folder: Path | None, parts: int, step: int) -> None:
        self.rows: list[Row] = []
        self._file: Growing | None = None
        self._events: Events | None = None
        if folder is None:
            return
        path = folder / "metrics.csv"
        if path.exists():
            self.rows = read_table(path)[:parts]
            write_whole(path, _table(self.rows).encode())
        self._file = Growing(path)
        with suppress(ImportError):  # tensorboardX is not installed
            self._events = Events(folder / "events", step)

    def add(self, row: Row, step: int) -> None:
        """Keeps what a part told, after so many units."""
        self.rows.append(row)
        if self._file is not None:
            self._file.add(_table([row], header=len(self.rows) == 1, names=self.rows[0]).encode())
        self.show(row, step)

    def show(self, numbers: Mapping[str, float], step: int) -> None:
        """Writes events for TensorBoard."""
        if self._events is not None:
            for name, number in numbers.items():
                if isfinite(number):
                    self._events.add(name, number, step)

    def flush(self) -> None:
        """Has all that was added on the disk."""
        if self._file is not None:
            self._file.flush()
        if self._events is not None:
            self._events.flush()

    def close(self) -> None:
        """Ends writing."""
        if self._file is not None:
            self._file.close()
        if self._events is not None:
            self._events.close()


def read_table(path: Path) -> list[Row]:
    """The rows of a table of numbers, without a last one that was not written to its end.

    Raises:
        ValueError: it is none.
    """
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    try:
        return [
            {name: int(text) if text.isdecimal() else float(text) for name, text in row.items()} for row in csv.DictReader(whole)
        ]
    except (TypeError, ValueError, AttributeError, csv.Error):
        raise ValueError(f"{path} is damaged, or was not written by a run") from None


def _table(rows: list[Row], *, header: bool = True, names: Mapping[str, Any] | None = None) -> str:
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*(names or rows[0])], lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
