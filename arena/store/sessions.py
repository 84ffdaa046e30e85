"""`Session`: when, on what machine and with what versions games of a tournament were played. Its table is called sittings."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple

import numpy as np

from ... import __version__
from ...core.files.documents import short_json
from .contents import checksum_of
from .database import Database
from .errors import damage_error
from .schema import insert_statement


class Session(NamedTuple):
    """The time from when a tournament is started or resumed until it stops.

    Args:
        number: its number, from 1.
        began: its start in UTC, as `2031-05-17 08:30:00`.
        ludus, python, numpy: their versions.
        platform: the machine's system, in words.
        cpus: how many processors the machine has.
        workers: how many processes played.
        engine: the engine that ran them.
    """

    number: int
    began: str
    ludus: str
    python: str
    numpy: str
    platform: str
    cpus: int
    workers: int
    engine: str


def begin_session(database: Database, workers: int, engine: str) -> int:
    """Adds a session that begins now, on this machine; returns its number.

    Raises:
        ValueError: another version of ludus played the games in the store, so that results could differ.
    """
    played_by = {session.ludus for session in sessions_in(database)} or {__version__}
    if played_by != {__version__}:
        raise ValueError(
            f"the games of {database.path} were played by ludus {', '.join(played_by)}, and this is {__version__}, whose results"
            f" could differ. The store can be read; to resume it, install ludus {min(played_by)}"
        )
    now = f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M:%S}"
    with database.transaction() as connection:
        number = 1 + connection.execute("SELECT ifnull(max(sitting), 0) FROM sittings").fetchone()[0]
        session = Session(
            number=number,
            began=now,
            ludus=__version__,
            python=platform.python_version(),
            numpy=np.__version__,
            platform=platform.platform(),
            cpus=os.cpu_count() or 1,
            workers=workers,
            engine=engine,
        )
        connection.execute(insert_statement("sittings", 10), (*session, checksum_of(*session)))
    return number


def sessions_in(database: Database) -> list[Session]:
    """All sessions.

    Raises:
        ValueError: one is damaged.
    """
    return [_session(database, row) for row in database.rows("SELECT * FROM sittings ORDER BY sitting")]


def session_of_game(database: Database, pairing: int, number: int) -> Session:
    """The session in which a game was played."""
    query = "SELECT sittings.* FROM sittings JOIN games USING (sitting) WHERE pairing = ? AND number = ?"
    return _session(database, database.rows(query, pairing, number)[0])


def _session(database: Database, row: Sequence[Any]) -> Session:
    *values, checksum = row
    if checksum != checksum_of(*values):
        raise damage_error(database.path, f"the sitting {short_json(values[0])} does not match its checksum")
    return Session(*values)
