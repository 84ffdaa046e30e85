"""`Store`: a tournament's plan and games in one SQLite file, so that it can be stopped at any moment and resumed.

Every part of a tournament that was played is added in one transaction: all its games are there, or none. The tables are described
in schema.py and can be queried with SQL.
"""

from __future__ import annotations

import weakref
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

from ...core.files.writing import path_of
from ..matches.games import GameRecord, Pairing, PlayedGames
from ..planning.plan import Plan
from .contents import check_pairings, first_rows, plan_in
from .database import Database
from .games import GameTable
from .sessions import Session, begin_session, session_of_game, sessions_in


class Store(GameTable, AbstractContextManager["Store"]):
    """The plan and the games of a tournament, made by `create` or `open`. As a context manager it closes itself.

    Args:
        database: its file.
        plan: its plan.
    """

    def __init__(self, database: Database, plan: Plan) -> None:
        super().__init__(database, plan)
        self._session: int | None = None
        self._ending = ExitStack()
        weakref.finalize(self, _close, self._ending, database)  # also at the end of a process that did not close it

    @classmethod
    def create(cls, path: str | Path | None, plan: Plan) -> Store:
        """A new store.

        Args:
            path: its file; None for memory.
            plan: its plan.

        Raises:
            FileExistsError: there is a file of this name.
            OSError: it cannot be written.
        """
        return cls(Database.create(None if path is None else path_of(path), first_rows(plan)), plan)

    @classmethod
    def open(cls, path: str | Path, *, trust: bool = False) -> Store:
        """An existing store. Other processes may read it too while its tournament is being played.

        Args:
            path: its file.
            trust: whether to run code that the store names. Without it the store can be read, and games can be added whose policies
                need no such code.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is not a store, is damaged, or has another format; or it needs a game that is not installed.
            OSError: it cannot be read.
        """
        database = Database.open(path_of(path))
        try:
            plan = plan_in(database, trust)
            check_pairings(database, plan)
            return cls(database, plan)
        except BaseException:
            database.close()
            raise

    @contextmanager
    def session(self, workers: int = 1, engine: str = "local") -> Generator[None]:
        """Reserves the store for this process while games are added, and records the machine and the versions that play them.

        Args:
            workers: how many processes play.
            engine: what runs them.

        Raises:
            BlockingIOError: another process is adding games.
            ValueError: it is damaged, or its games were played by another version of ludus, whose results could differ.
            OSError: it cannot be written.
        """
        self._begin_session(workers, engine)
        try:
            yield
        finally:
            self._end_session()

    def add(self, pairing: Pairing, played: PlayedGames) -> None:
        """Adds games, all of them or none. Outside of a `session` it begins one, which lasts until `close`.

        Args:
            pairing: the pairing.
            played: games of this pairing that are not in the store yet.

        Raises:
            ValueError: the pairing is not in the plan, or a game is in the store already.
            OSError: they cannot be written, as when the disk is full; the store is unchanged.
        """
        self._pairing_number(pairing)
        self._add(pairing, played, self._session or self._begin_session(1, "local"))

    def close(self) -> None:
        """Ends the session and closes the file."""
        self._end_session()
        self._database.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin_session(self, workers: int, engine: str) -> int:
        if self._session is not None:
            raise ValueError(f"games are already being added to the store {self.path}; one session at a time")
        with ExitStack() as stack:
            stack.enter_context(self._database.reserve())
            number = begin_session(self._database, workers, engine)
            self._ending.enter_context(stack.pop_all())
        self._session = number
        return number

    def _end_session(self) -> None:
        self._session = None
        self._ending.close()

    def sessions(self) -> list[Session]:
        """The sessions in which its games were played."""
        return sessions_in(self._database)

    def session_of(self, record: GameRecord) -> Session:
        """The session in which one of its games was played."""
        return session_of_game(self._database, self._pairing_number(record.pairing), record.number)


def _close(ending: ExitStack, database: Database) -> None:
    ending.close()
    database.close()
