"""`Store`: a tournament's plan and games in one SQLite file, so that it can be stopped at any moment and resumed.

Every part of a tournament that was played is added in one transaction: all its games are there, or none. What the tables
hold is written in schema.py; whoever knows SQL can query them directly.
"""

from __future__ import annotations

import weakref
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..matches.games import GameRecord, Pairing, PlayedGames
from ..planning.plan import Plan
from ..ratings.score import Score
from .contents import check_pairings, first_rows, plan_in
from .database import Database
from .games import BEFORE_ALL, CHUNK, GameTable
from .rows import BY_GAME
from .sessions import Session, begin_session, session_of_game, sessions_in


class Store:
    """The plan and the games of a tournament. `create` and `open` make one; it is a context manager that closes itself.

    Args:
        database: its file.
        plan: what is to be played.
    """

    def __init__(self, database: Database, plan: Plan) -> None:
        self._database, self.plan = database, plan
        self._games = GameTable(database, plan)
        self._session: int | None = None
        self._ending = ExitStack()
        weakref.finalize(self, _close, self._ending, database)  # also at the end of a process that did not close it

    @classmethod
    def create(cls, path: str | Path | None, plan: Plan) -> Store:
        """A new store.

        Args:
            path: where to keep it; None for memory.
            plan: what is to be played.

        Raises:
            FileExistsError: there is a file of this name.
            OSError: it cannot be written.
        """
        return cls(Database.create(None if path is None else Path(path), first_rows(plan)), plan)

    @classmethod
    def open(cls, path: str | Path, *, trust: bool = False) -> Store:
        """An existing store. Other processes may read it too while its tournament is being played.

        Args:
            path: its file.
            trust: whether code may run that the store names. If not, the store can be read, and games can be added whose policies
                need none.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is not a store, is damaged, or has another format; or it needs a game that is not known here.
            OSError: it cannot be read.
        """
        database = Database.open(Path(path))
        try:
            plan = plan_in(database, trust)
            check_pairings(database, plan)
            return cls(database, plan)
        except BaseException:
            database.close()
            raise

    @property
    def path(self) -> Path | None:
        """Its file; None for one in memory."""
        return self._database.path

    # ---- writing

    @contextmanager
    def session(self, workers: int = 1, engine: str = "local") -> Generator[None]:
        """Reserves the store for this process while games are added, and records the machine and the versions that play them.

        Args:
            workers: how many processes play.
            engine: what runs them.

        Raises:
            BlockingIOError: another process is adding games.
            ValueError: it is damaged, or was begun by another version of ludus, so that results could differ.
            OSError: it cannot be written.
        """
        self._begin_session(workers, engine)
        try:
            yield
        finally:
            self._end_session()

    def add(self, pairing: Pairing, played: PlayedGames) -> None:
        """Adds games, all of them or, whatever happens, none. Outside of a `session` it begins one, which lasts until `close`.

        Args:
            pairing: whose games they are.
            played: games of this pairing that are not there yet.

        Raises:
            ValueError: the pairing is not in the plan, or a game is there already.
            OSError: they cannot be written, as when the disk is full; the store is what it was before.
        """
        self._games.place(pairing)
        self._games.add(pairing, played, self._session or self._begin_session(1, "local"))

    def close(self) -> None:
        """Ends the session and closes the file."""
        self._end_session()
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _begin_session(self, workers: int, engine: str) -> int:
        if self._session is not None:
            raise ValueError(f"games are already being added to the store {self.path}; one session at a time")
        with ExitStack() as stack:
            stack.enter_context(self._database.writing())
            number = begin_session(self._database, workers, engine)
            self._ending.enter_context(stack.pop_all())
        self._session = number
        return number

    def _end_session(self) -> None:
        self._session = None
        self._ending.close()

    # ---- reading

    def missing(self, pairing: Pairing) -> NDArray[np.int64]:
        """The numbers of the games that are not there yet, in rising order."""
        return np.setdiff1d(np.arange(self.plan.games), self._games.numbers(pairing), assume_unique=True)

    def count(self, pairing: Pairing | None = None) -> int:
        """How many games are there, of one pairing or of all."""
        return self._games.count(pairing)

    def score(self, pairing: Pairing) -> Score:
        """How a pairing's policies fared so far, by the openings of which both games are there."""
        played = self.played(pairing)
        whole = np.isin(played.numbers ^ 1, played.numbers)
        rows = np.flatnonzero(whole).tolist()
        reasons = {new: played.reasons[old] for new, old in enumerate(rows) if old in played.reasons}
        return Score.of(pairing, played._replace(reasons=reasons, **{name: getattr(played, name)[whole] for name in BY_GAME}))

    def scores(self) -> list[Score]:
        """The scores of all pairings, in the plan's order."""
        return [self.score(pairing) for pairing in self.plan.pairings]

    def played(self, pairing: Pairing) -> PlayedGames:
        """All games of a pairing that are there, by number."""
        return self._games.played(pairing)

    def parts(self, pairing: Pairing, size: int = CHUNK, after: int = BEFORE_ALL) -> Iterator[PlayedGames]:
        """The games of a pairing after a number, by number, so many at a time: for more than fit into memory."""
        return self._games.parts(pairing, size, after)

    def records(self, pairing: Pairing | None = None) -> Iterator[GameRecord]:
        """The games of one pairing, or of all, one by one."""
        for one in self.plan.pairings if pairing is None else [pairing]:
            for part in self.parts(one):
                yield from part.records(one)

    def record(self, pairing: Pairing, number: int) -> GameRecord:
        """One game.

        Raises:
            ValueError: it is not there.
        """
        found = self._games.one(pairing, number).records(pairing)
        if not found:
            raise ValueError(f"game {number} of {pairing} is not in the store; it has {self.count(pairing)} of {self.plan.games}")
        return found[0]

    def sessions(self) -> list[Session]:
        """When and on what machines its games were played."""
        return sessions_in(self._database)

    def session_of(self, record: GameRecord) -> Session:
        """When and on what machine one of its games was played."""
        return session_of_game(self._database, self._games.place(record.pairing), record.number)


def _close(ending: ExitStack, database: Database) -> None:
    ending.close()
    database.close()
