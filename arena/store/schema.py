"""The tables of a store (schema.sql), and the check that a file holds them and nothing else.

The plan, each session and each game have a checksum: of their row's other values, and a game's also of all that was said in it.
It is compared whenever the plan, the session or the game is read. It shows damage, and keeps nobody from writing another game with
a checksum that fits.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from msgspec import msgpack

from ...records.file import STORE_BEGINS
from .errors import damage_error

APPLICATION = 0x4C756475
"""The application id in SQLite's header: "Ludu"."""
FORMAT = 8
"""The format of a store, also in SQLite's header."""

SCHEMA = Path(__file__).with_name("schema.sql")


def connect(address: str) -> sqlite3.Connection:
    """A connection to a file, or to memory, without Python's own transactions."""
    # The garbage collector may close it in another thread.
    connection = sqlite3.connect(address, isolation_level=None, uri=True, check_same_thread=False)
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
    connection.executescript(f"BEGIN; {SCHEMA.read_text(encoding='utf-8')} {header}")
    for table, table_rows in rows.items():
        for row in table_rows:
            connection.execute(insert_statement(table, len(row)), row)
    connection.execute("COMMIT")


def insert_statement(table: str, columns: int) -> str:
    """The SQL statement that adds a row."""
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def checksum_of(*values: Any) -> int:
    """The checksum of values as SQLite gives them, with their types."""
    return zlib.crc32(msgpack.encode([value + 0.0 if isinstance(value, float) else value for value in values]))  # it keeps no -0.0


def is_store(path: Path) -> bool:
    """Whether a file is a store, of whatever format, by SQLite's header."""
    with path.open("rb") as file:
        header = file.read(72)
    return header.startswith(STORE_BEGINS) and header[68:] == APPLICATION.to_bytes(4, "big")


def check_format(path: Path, connection: sqlite3.Connection) -> None:
    """Checks that a file is a store of a format that is known; ValueError where it is something else, or holds other tables."""
    application, format_ = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if application != APPLICATION:
        raise ValueError(f"{path} is not a store of ludus")
    if format_ != FORMAT:
        raise ValueError(f"the store {path} has format {format_}, and this ludus reads format {FORMAT}; use the one that wrote it")
    if _tables(connection) != _our_tables():
        raise damage_error(
            path, "its tables are not those of a store, or it has triggers or views, which could run other statements"
        )


def _tables(connection: sqlite3.Connection) -> list[Any]:
    """Everything that a file declares: tables, indexes, triggers and views."""
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


@cache
def _our_tables() -> list[Any]:
    with closing(connect(":memory:")) as connection:
        create_tables(connection, {})
        return _tables(connection)
