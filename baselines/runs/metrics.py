"""The metrics of the parts of a run: a table, and events for TensorBoard where tensorboardX is installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

from ...envs.files.reading import read_regular
from ...envs.files.writing import Growing, write_whole
from .events import Events

Row = dict[str, float]
MOST_BYTES = 1 << 30
ADVICE = "delete it, and the run goes on with a table of its later parts alone"


class Metrics:
    """The rows of metrics.csv, one a part.

    Args:
        folder: that of the run; None keeps rows in memory.
        parts: the number of parts done; rows of later parts are removed, since these will be done again.
        step: the number of units done.

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
            if len(self.rows) < parts:
                raise ValueError(f"{path} is damaged: it has {len(self.rows)} rows, and {parts} parts are done; {ADVICE}")
            write_whole(path, _table(self.rows).encode())
        self._file = Growing(path)
        with suppress(ImportError):  # tensorboardX is not installed
            self._events = Events(folder / "events", step)

    def add(self, row: Row, step: int) -> None:
        """Adds the metrics of a part, after `step` units."""
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
        """Writes all that was added to disk."""
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
    """The rows of a table of numbers, without a last row that is incomplete.

    Raises:
        ValueError: it is damaged.
    """
    content = read_regular(path, MOST_BYTES)
    try:
        lines = content[: content.rfind(b"\n") + 1].decode().split("\n")[:-1]
        names, *rows = [*csv.reader(lines, strict=True)] or [[""]]
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path} is damaged, or was not written by a run ({error}); {ADVICE}") from None
    if "" in names or len({*names}) < len(names):
        raise ValueError(f"{path} is damaged: its header has a name twice, or an empty one; {ADVICE}")
    return [_row(path, number, names, row) for number, row in enumerate(rows, 2)]


def _row(path: Path, line: int, names: list[str], row: list[str]) -> Row:
    """The numbers of a line.

    Raises:
        ValueError: it holds something else, or more or fewer values than names.
    """
    if len(row) != len(names):
        raise ValueError(f"{path} is damaged: line {line} has {len(row)} values under {len(names)} names; {ADVICE}")
    found: Row = {}
    for name, text in zip(names, row, strict=True):
        try:
            found[name] = int(text) if text.isdecimal() else float(text)
        except ValueError:
            raise ValueError(f"{path} is damaged: line {line}, {name} is {text[:60]!r} and must be a number; {ADVICE}") from None
    return found


def _table(rows: list[Row], *, header: bool = True, names: Mapping[str, Any] | None = None) -> str:
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, [*(names or rows[0])], lineterminator="\n")
    if header:
        writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
