"""A store's SQLite file: created, opened, checked, and written by one process at a time.

While games are added there is a write-ahead log next to the file (`-wal`, `-shm`): other processes can read all that was
committed, and a process that is killed leaves whole transactions. At the end of a session the log is merged into the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from ...core.files.locking import hold_lock
from ...core.files.reading import open_regular
from ...core.files.writing import making_whole
from .errors import sqlite_errors
from .schema import check_format, connect, create_tables


class Database:
    """An open SQLite file with the tables of a store; without a path it is in memory."""

    def __init__(self, path: Path | None, connection: sqlite3.Connection) -> None:
        self.path, self.connection = path, connection
        self._file = None if path is None else _file_at(path)

    @classmethod
    def create(cls, path: Path | None, rows: Mapping[str, Iterable[Sequence[Any]]]) -> Database:
        """Creates a file with these rows in its tables: with all of them, or not at all; FileExistsError where there is one of this
        name."""
        if path is None:
            connection = connect(":memory:")
            create_tables(connection, rows)
            return cls(None, connection)
        with lock_store(path):
            if path.exists():
                raise FileExistsError(f"{path} exists already; resume it by --resume {path}, or name a file that does not exist")
            with sqlite_errors(path), making_whole(path) as partial, closing(connect(partial.absolute().as_uri())) as connection:
                create_tables(connection, rows)
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> Database:
        """Opens a file; FileNotFoundError where there is none, ValueError where it is not a store, or has another format."""
        try:
            open_regular(path).close()
        except FileNotFoundError:
            raise FileNotFoundError(f"there is no store {path}") from None
        with sqlite_errors(path):
            connection = connect(f"{path.absolute().as_uri()}?mode=rw")  # SQLite only reads where it may not write
            try:
                check_format(path, connection)
            except BaseException:
                connection.close()
                raise
        return cls(path, connection)

    @contextmanager
    def reserve(self) -> Generator[None]:
        """Reserves the file for writes by this process; BlockingIOError where another one writes to it, ValueError where it is
        damaged."""
        if self.path is None:
            yield
            return
        with lock_store(self.path):
            with sqlite_errors(self.path):
                if (problem := self.connection.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                    raise sqlite3.DatabaseError(f"malformed: {problem.splitlines()[-1]}")
                self.connection.execute("PRAGMA busy_timeout = 5000")
                self.connection.execute("PRAGMA journal_mode = WAL")
            try:
                yield
            finally:
                with suppress(sqlite3.Error):  # where another process is reading, the last one to close the file merges the log
                    self.connection.execute("PRAGMA busy_timeout = 0")
                    self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                    self.connection.execute("PRAGMA journal_mode = DELETE")

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Commits everything that is executed inside, or nothing; OSError where it cannot be written, or was replaced, moved or
        deleted."""
        if (
            self.path is not None and _file_at(self.path) != self._file
        ):  # SQLite would go on writing to the old file, which has no name any more
            gone = "has been replaced" if self.path.exists() else "has been deleted or moved"
            raise FileNotFoundError(f"the store {self.path} {gone} while games were added; those played since are lost")
        with sqlite_errors(self.path):
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def rows(self, query: str, *values: Any) -> list[Any]:
        """The rows of a query."""
        with sqlite_errors(self.path):
            return self.connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Closes the file."""
        self.connection.close()


def _file_at(path: Path) -> tuple[int, int] | None:
    """The device and inode of the file at a path, which no other file has; None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def lock_store(path: Path) -> Generator[None]:
    """Keeps other processes from writing to a store; BlockingIOError where another one is writing."""
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(path.with_name(path.name + ".lock")))
        except BlockingIOError:
            raise BlockingIOError(f"another process is writing to the store {path}; try again when it is done") from None
        except OSError as error:
            raise OSError(f"the store {path} cannot be written ({error.strerror})") from None
        yield
