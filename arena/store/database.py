"""A store's SQLite file: made whole, opened, checked, and written by one process at a time; every error is a sentence.

While games are added the file has a write-ahead log beside it (`-wal`, `-shm`): others can read all that was committed, and
a process that is killed leaves whole transactions. At the end of a sitting the log is folded into the one file again.
"""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from ...envs.files.locking import held
from ...envs.files.reading import opened_regular
from ...envs.files.writing import making_whole

APPLICATION, FORMAT = 0x4C756475, 2
"""What SQLite's header says of the file: that it is ours ("Ludu"), and in which format."""

IN_THE_WAY = ("unable to open", "interrupted")
"""What SQLite says where the file may be sound and something else is in the way, beside what has a sentence of its own."""

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


class Database:
    """An open SQLite file of ours.

    Args:
        path: where it is; None for one in memory.
        connection: the way to it.
    """

    def __init__(self, path: Path | None, connection: sqlite3.Connection) -> None:
        self.path, self.connection = path, connection

    @classmethod
    def create(cls, path: Path | None, rows: Mapping[str, Iterable[Sequence[Any]]]) -> Database:
        """A new one with these rows in its tables; the file appears with all of them or not at all.

        Raises:
            FileExistsError: there is something of this name.
            OSError: it cannot be written.
        """
        if path is None:
            connection = _connect(":memory:")
            _fill(connection, rows)
            return cls(None, connection)
        with locked(path):
            if path.exists():
                raise FileExistsError(
                    f"{path} is there already; go on with it by --resume {path}, or name a file that is not there yet"
                )
            with telling(path):
                _write_whole(path, rows)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Database:
        """One that is there.

        Raises:
            FileNotFoundError: it is not there.
            ValueError: it is something else, or has another format.
            OSError: it cannot be read.
        """
        try:
            opened_regular(path).close()
        except FileNotFoundError:
            raise FileNotFoundError(f"there is no store {path}") from None
        with telling(path):
            connection = _connect(f"{path.absolute().as_uri()}?mode=rw")  # SQLite only reads where it may not write
            try:
                _check_format(path, connection)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection)

    @contextmanager
    def writing(self) -> Generator[None]:
        """While it may be written, by nobody else.

        Raises:
            BlockingIOError: somebody else writes it.
            ValueError: it is damaged.
            OSError: it cannot be written.
        """
        if self.path is None:
            yield
            return
        with locked(self.path):
            with telling(self.path):
                self._prepare()
            try:
                yield
            finally:
                self._finish()

    def _prepare(self) -> None:
        if (found := self.connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise sqlite3.DatabaseError(f"malformed: {found.splitlines()[-1]}")
        self.connection.execute("PRAGMA busy_timeout = 5000")
        self.connection.execute("PRAGMA journal_mode = WAL")

    def _finish(self) -> None:
        """Makes one file of it again; where another process is reading, the last one to leave does so."""
        with suppress(sqlite3.Error):
            self.connection.execute("PRAGMA busy_timeout = 0")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.connection.execute("PRAGMA journal_mode = DELETE")

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """What is written inside is there as a whole or not at all."""
        with telling(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def rows(self, query: str, *values: Any) -> list[Any]:
        """What a query finds."""
        with telling(self.path):
            return self.connection.execute(query, values).fetchall()

    def chunks(self, query: str, *values: Any, size: int) -> Iterator[list[Any]]:
        """What a query finds, so many rows at a time, all of one moment; it is to be read to its end."""
        with telling(self.path):
            cursor = self.connection.execute(query, values)
        while True:
            with telling(self.path):
                rows = cursor.fetchmany(size)
            if not rows:
                return
            yield rows

    def close(self) -> None:
        """Leaves it."""
        self.connection.close()


@contextmanager
def telling(path: Path | None) -> Generator[None]:
    """Makes SQLite's errors sentences: ValueError for what is wrong with the file, OSError for what is in its way."""
    try:
        yield
    except sqlite3.Error as error:
        raise told(str(path or "in memory"), str(error)) from error
    except MemoryError as error:  # a length that was damaged
        raise told(str(path or "in memory"), "it asks for more memory than there is") from error


def told(path: str, error: str) -> ValueError | OSError:
    """The sentence for an error of SQLite; its words are all that Python 3.10 passes on."""
    if "not a database" in error:
        return ValueError(f"{path} is no store of ludus")
    if "full" in error:
        return OSError(f"the disk is full; the store {path} keeps all games that were added before. Make room and go on with it")
    if "disk I/O" in error:
        why = "the disk fails, or files may not grow any further here"
        return OSError(
            f"the store {path} cannot be written ({why}); it keeps all games that were added before. Make room, or go on with"
            " it elsewhere"
        )
    if "readonly" in error:
        return OSError(f"the store {path} may be read, but not written; see to its permissions and its folder's")
    if "UNIQUE" in error:
        return ValueError(f"one of these games is in the store {path} already; no game is kept twice")
    if "locked" in error:
        return BlockingIOError(f"another process is busy with the store {path}; try again when it is done")
    if any(words in error for words in IN_THE_WAY):
        return OSError(f"the store {path} cannot be used ({error}); see whether its folder may be read and written and has room")
    return ValueError(f"the store {path} is damaged ({' '.join(error.split())[:200]}); {how_to_recover(path)}")


def how_to_recover(path: str) -> str:
    """What to do with a damaged store, as the end of a sentence."""
    return f"keep a copy; `sqlite3 {shlex.quote(path)} .recover` writes out what can still be read"


@contextmanager
def locked(path: Path) -> Generator[None]:
    """While nobody else writes a store.

    Raises:
        BlockingIOError: somebody else does.
        OSError: its folder cannot be written.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(held(path.with_name(path.name + ".lock")))
        except BlockingIOError:
            raise BlockingIOError(f"somebody else is writing the store {path}; go on with it when they are done") from None
        except OSError as error:
            raise OSError(f"the store {path} cannot be written ({error.strerror}); its folder must be there and writable") from None
        yield


def _connect(place: str) -> sqlite3.Connection:
    # without Python's own transactions; closed by whoever collects the garbage, which may be another thread
    connection = sqlite3.connect(place, isolation_level=None, uri=True, check_same_thread=False)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _check_format(path: Path, connection: sqlite3.Connection) -> None:
    application, format_ = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
    if application != APPLICATION:
        raise ValueError(f"{path} is no store of ludus")
    if format_ != FORMAT:
        raise ValueError(
            f"the store {path} has format {format_}, and this ludus knows format {FORMAT}; use the ludus that wrote it"
        )
    if _tables(connection) != _our_tables():
        raise ValueError(
            f"the store {path} is damaged: its tables are not those of a store, or there are triggers or views, which could run"
            f" statements of whoever made it; {how_to_recover(str(path))}"
        )


def _tables(connection: sqlite3.Connection) -> list[Any]:
    """All that a file declares: tables, and whatever else SQLite knows."""
    return connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name").fetchall()


@cache
def _our_tables() -> list[Any]:
    connection = _connect(":memory:")
    try:
        connection.executescript(SCHEMA)
        return _tables(connection)
    finally:
        connection.close()


def _write_whole(path: Path, rows: Mapping[str, Iterable[Sequence[Any]]]) -> None:
    """Makes the file, with these rows in its tables."""
    with making_whole(path) as partial:
        connection = _connect(partial.absolute().as_uri())
        try:
            _fill(connection, rows)
        finally:
            connection.close()


def _fill(connection: sqlite3.Connection, rows: Mapping[str, Iterable[Sequence[Any]]]) -> None:
    """Makes the tables, with these rows."""
    header = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {FORMAT};"
    connection.executescript(f"BEGIN; {SCHEMA} {header}")
    for table, some in rows.items():
        for row in some:
            connection.execute(inserting(table, len(row)), row)
    connection.execute("COMMIT")


def inserting(table: str, columns: int) -> str:
    """The statement that adds a row."""
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"
