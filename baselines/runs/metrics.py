"""The metrics of a run: a table that grows by a row for each part."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ...core.files.reading import read_regular
from ...core.files.writing import Growing, write_whole

Row = dict[str, float]
MOST_BYTES = 1 << 30
"""A table that is larger was not written by a run of any length, and would fill the memory."""
ADVICE = "delete it, and the run continues with a table of its later parts alone"


class Metrics:
    """The rows of metrics.csv, one a part.

    Args:
        folder: that of the run; None keeps rows in memory.
        parts: the number of parts done; rows of later parts are removed, since these will be done again.

    Raises:
        ValueError: the table is damaged.
    """

    def __init__(self, folder: Path | None, parts: int) -> None:
        self.rows: list[Row] = []
        self._table: Growing | None = None
        if folder is None:
            return
        path = folder / "metrics.csv"
        if path.exists():
            self.rows = read_table(path)[:parts]
            if len(self.rows) < parts:
                raise ValueError(f"{path} is damaged: it has {len(self.rows)} rows, and {parts} parts are done; {ADVICE}")
            write_whole(path, _lines(*self.rows[:1], *(row.values() for row in self.rows)))
        self._table = Growing(path)

    def add(self, row: Row) -> None:
        """Adds the metrics of a part."""
        self.rows.append(row)
        if self._table is not None:
            names = self.rows[0]
            self._table.add(_lines(*([names] if len(self.rows) == 1 else []), [row[name] for name in names]))

    def flush(self) -> None:
        """Writes all that was added to disk."""
        if self._table is not None:
            self._table.flush()

    def close(self) -> None:
        """Ends writing. What `flush` could not write is left out."""
        if self._table is not None:
            with suppress(OSError):
                self._table.close()


def read_table(path: Path) -> list[Row]:
    """The rows of a table of numbers, without a last row that is incomplete; ValueError where it is damaged."""
    content = read_regular(path, MOST_BYTES)
    try:
        lines = content[: content.rfind(b"\n") + 1].decode().split("\n")[:-1]
        if not lines:  # no part is done yet, or a first line is being written
            return []
        names, *rows = csv.reader(lines, strict=True)
        if "" in names or len({*names}) < len(names):
            raise ValueError("its header has a name twice, or an empty one")
        return [_row(names, row, f"line {line}") for line, row in enumerate(rows, 2)]
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path} is damaged, or was not written by a run ({error}); {ADVICE}") from None


def _row(names: list[str], row: list[str], line: str) -> Row:
    """The numbers of a line."""
    if len(row) != len(names):
        raise ValueError(f"{line} has {len(row)} values under {len(names)} names")
    numbers: Row = {}
    for name, text in zip(names, row, strict=True):
        try:
            numbers[name] = int(text) if text.isdecimal() else float(text)
        except ValueError:
            raise ValueError(f"{line}, {name} is {text[:60]!r} and must be a number") from None
    return numbers


def _lines(*lines: Iterable[object]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()
