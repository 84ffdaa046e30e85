"""A file of events for TensorBoard: each event is a record with checksums.

tensorboardX gives the records and their checksums. Its own writer is not used: its thread dies when the disk is full, and then the
process waits for it forever.
"""

from __future__ import annotations

import socket
import struct
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from ...core.files.writing import Growing, make_folder


class Events:
    """A new file of events.

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

    def _add(self, **what: Any) -> None:
        event = self._protocol.Event(wall_time=time.time(), **what).SerializeToString()
        length = struct.pack("<Q", len(event))
        checksums = (struct.pack("<I", self._checksum(part)) for part in (length, event))
        self._file.add(length + next(checksums) + event + next(checksums))
