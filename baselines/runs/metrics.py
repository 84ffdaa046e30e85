"""The metrics of a run: a table, and events for TensorBoard where tensorboardX is installed.

Events are written by tensorboardX's `EventsWriter`, which has no thread of its own: the thread of its `SummaryWriter` dies when the
disk is full, and then the process waits for it forever.
"""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any

from ...core.files.reading import read_regular
from ...core.files.writing import Growing, make_folder, write_whole

Row = dict[str, float]
MOST_BYTES = 1 << 30
ADVICE = "delete it, and the run continues with a table of its later parts alone"


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
        self._table: Growing | None = None
        self._events: Any = None
        if folder is None:
            return
        path = folder / "metrics.csv"
        if path.exists():
            self.rows = read_table(path)[:parts]
            if len(self.rows) < parts:
                raise ValueError(f"{path} is damaged: it has {len(self.rows)} rows, and {parts} parts are done; {ADVICE}")
            write_whole(path, _lines(*self.rows[:1], *(row.values() for row in self.rows)))
        self._table = Growing(path)
        with suppress(ImportError):  # tensorboardX is not installed
            writer: Any = import_module("tensorboardX.event_file_writer").EventsWriter
            make_folder(folder / "events")
            self._events = writer(str(folder / "events" / "events"), f".{sum(1 for _ in (folder / 'events').iterdir())}")
            if step:  # hides what earlier sessions wrote for later steps
                log = import_module("tensorboardX.proto.event_pb2").SessionLog
                self._add_event(step=step + 1, session_log=log(status=log.START))

    def add(self, row: Row, step: int) -> None:
        """Adds the metrics of a part, after `step` units."""
        self.rows.append(row)
        if self._table is not None:
            names = self.rows[0]
            self._table.add(_lines(*([names] if len(self.rows) == 1 else []), [row[name] for name in names]))
        self.show(row, step)

    def show(self, numbers: Mapping[str, float], step: int) -> None:
        """Writes events for TensorBoard."""
        if self._events is not None:
            for name, number in numbers.items():
                if isfinite(number):
                    self._add_event(step=step, summary=import_module("tensorboardX.summary").scalar(name, number))

    def flush(self) -> None:
        """Writes all that was added to disk."""
        for file in filter(None, (self._table, self._events)):
            file.flush()

    def close(self) -> None:
        """Ends writing. What `flush` could not write is left out."""
        for file in filter(None, (self._table, self._events)):
            with suppress(OSError):
                file.close()

    def _add_event(self, **fields: Any) -> None:
        self._events.write_event(import_module("tensorboardX.proto.event_pb2").Event(wall_time=time.time(), **fields))


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
