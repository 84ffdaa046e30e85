"""The metrics of a run: a table, and events for TensorBoard where tensorboardX is installed.

tensorboardX gives the records of events and their checksums. Its own writer is not used: its thread dies when the disk is full, and
then the process waits for it forever.
"""

from __future__ import annotations

import csv
import io
import socket
import struct
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
        self._events: Events | None = None
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
            self._events = Events(folder / "events", step)

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
                    self._events.add(name, number, step)

    def flush(self) -> None:
        """Writes all that was added to disk."""
        for file in filter(None, (self._table, self._events)):
            file.flush()

    def close(self) -> None:
        """Ends writing."""
        for file in filter(None, (self._table, self._events)):
            file.close()


class Events:
    """A new file of events for TensorBoard: each event is a record with checksums.

    Args:
        folder: where the files of all sessions lie.
        step: the number of units done; events of earlier sessions for later steps are hidden.

    Raises:
        ImportError: tensorboardX is not installed.
        OSError: it cannot be written.
    """

    def __init__(self, folder: Path, step: int) -> None:
        self._protocol: Any = import_module("tensorboardX.proto.event_pb2")
        self._scalar: Any = import_module("tensorboardX.summary").scalar
        self._checksum: Any = import_module("tensorboardX.record_writer").masked_crc32c
        make_folder(folder)
        self._file = Growing(folder / f"events.out.tfevents.{time.time():.0f}.{socket.gethostname()}")
        self._add(file_version="brain.Event:2")
        if step:
            self._add(step=step + 1, session_log=self._protocol.SessionLog(status=self._protocol.SessionLog.START))

    def add(self, name: str, number: float, step: int) -> None:
        """Adds a number, after `step` units."""
        self._add(step=step, summary=self._scalar(name, number))

    def flush(self) -> None:
        """Writes all that was added to disk."""
        self._file.flush()

    def close(self) -> None:
        """Ends writing."""
        self._file.close()

    def _add(self, **fields: Any) -> None:
        event = self._protocol.Event(wall_time=time.time(), **fields).SerializeToString()
        length = struct.pack("<Q", len(event))
        checksums = (struct.pack("<I", self._checksum(part)) for part in (length, event))
        self._file.add(length + next(checksums) + event + next(checksums))


def read_table(path: Path) -> list[Row]:
    """The rows of a table of numbers, without a last row that is incomplete.

    Raises:
        ValueError: it is damaged.
    """
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
    """The numbers of a line.

    Raises:
        ValueError: it holds something else, or more or fewer values than names.
    """
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
