"""The tables of a store, and the check that a file holds them and nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from .errors import damaged

APPLICATION, FORMAT = 0x4C756475, 2
"""What SQLite's header says of the file: that it is ours ("Ludu"), and in which format."""

SCHEMA = """
CREATE TABLE plan (
    document TEXT NOT NULL,                 -- all that the results depend on, as JSON
    checksum TEXT NOT NULL                  -- of the document
);
CREATE TABLE pairings (
    pairing INTEGER PRIMARY KEY,            -- its number in the plan
    game TEXT NOT NULL,                     -- the game's spec
    a TEXT NOT NULL, b TEXT NOT NULL,       -- the policies' names; in even games a is player 0, in odd ones player 1
    action_bytes INTEGER NOT NULL,          -- how many bytes an action takes in games.actions, 1 or 2
    added INTEGER NOT NULL                  -- how many games were added, so that it shows when some are lost
);
CREATE TABLE sittings (
    sitting INTEGER PRIMARY KEY,
    began TEXT NOT NULL,                    -- in UTC
    ludus TEXT NOT NULL, python TEXT NOT NULL, numpy TEXT NOT NULL, platform TEXT NOT NULL,
    cpus INTEGER NOT NULL, workers INTEGER NOT NULL, engine TEXT NOT NULL,
    checksum TEXT NOT NULL                  -- of all the others
);
CREATE TABLE games (
    pairing INTEGER NOT NULL,
    number INTEGER NOT NULL,                -- games 2j and 2j + 1 have the same opening
    key INTEGER NOT NULL,                   -- all randomness of the game: 64 bits, shown as signed
    opening_plies INTEGER NOT NULL,         -- how many of the actions were the opening's
    plies INTEGER NOT NULL,                 -- how many actions there are
    result INTEGER NOT NULL,                -- player 0's: 1, 0, -1
    ending INTEGER NOT NULL,                -- 0 rules, 1 max_plies, 2 illegal, 3 error, 4 time, 5 died
    reason TEXT,                            -- what went wrong, where something did
    moves_0 INTEGER NOT NULL, moves_1 INTEGER NOT NULL,     -- how many moves each player chose
    seconds_0 REAL NOT NULL, seconds_1 REAL NOT NULL,       -- how long each player thought
    sitting INTEGER NOT NULL,
    actions BLOB NOT NULL,                  -- all of them from the start, action_bytes each, the low byte first
    checksum INTEGER NOT NULL,              -- of all the others and the pairing
    PRIMARY KEY (pairing, number)
) WITHOUT ROWID;
"""


def connect(place: str) -> sqlite3.Connection:
    """A connection to a file, or to memory, without Python's own transactions."""
    # it is closed when the garbage is collected, which may happen in another thread
    connection = sqlite3.connect(place, isolation_level=None, uri=True, check_same_thread=False)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def create_tables(connection: sqlite3.Connection, rows: Mapping[str, Iterable[Sequence[Any]]]) -> None:
    """Creates the tables, with these rows in them."""
    header = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};"
    connection.executescript(f"BEGIN; {SCHEMA} {header}")
    for table, some in rows.items():
        for row in some:
            connection.execute(inserting(table, len(row)), row)
    connection.execute("COMMIT")


def inserting(table: str, columns: int) -> str:
    """The statement that adds a row."""
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def check_format(path: Path, connection: sqlite3.Connection) -> None:
    """Checks that a file is a store of this format.

    Raises:
        ValueError: it is something else, has another format, or holds other tables.
    """
    application, format_ = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if application != APPLICATION:
        raise ValueError(f"{path} is not a store of ludus")
    if format_ != FORMAT:
        raise ValueError(
            f"the store {path} has format {format_}, and this ludus knows format {FORMAT}; use the ludus that wrote it"
        )
    if _tables(connection) != _our_tables():
        raise damaged(path, "its tables are not those of a store, or it has triggers or views, which could run other statements")


def _tables(connection: sqlite3.Connection) -> list[Any]:
    """Everything that a file declares: tables, and what else SQLite knows."""
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


@cache
def _our_tables() -> list[Any]:
    with closing(connect(":memory:")) as connection:
        create_tables(connection, {})
        return _tables(connection)
