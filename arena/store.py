"""`Store`: a tournament's plan and games in one SQLite file, so that it can be stopped at any moment and gone on with.

Every part of a tournament that was played is added in one transaction: all its games are there, or none. What the tables
hold is told in database.py; whoever knows SQL can ask them directly.
"""

from __future__ import annotations

import json
import os
import platform
import weakref
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..envs.plugins import check_file
from ..envs.registry import GAMES, make_game
from .database import Database, inserting
from .games import GameRecord, Played
from .plan import Pairing, Plan
from .rows import BY_GAME, COLUMNS, action_bytes, played_of, rows_of
from .score import Score

CHUNK = 4096
"""So many games are read at a time."""


class Sitting(NamedTuple):
    """One go at a tournament, from when it is begun or gone on with until it is left.

    Args:
        number: counted from 1.
        began: when, in UTC, as `2031-05-17 08:30:00`.
        ludus, python, numpy: their versions.
        platform: the machine's system, in words.
        cpus: how many processors it has.
        workers: how many processes played.
        engine: what ran them.
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


class Store:
    """The plan and the games of a tournament. `create` and `open` make one; it is a context manager that closes itself.

    Args:
        database: its file.
        plan: what is to be played.
    """

    def __init__(self, database: Database, plan: Plan) -> None:
        self._database, self.plan = database, plan
        self._pairings = {pairing: number for number, pairing in enumerate(plan.pairings)}
        self._widths = dict(database.rows("SELECT pairing, action_bytes FROM pairings"))
        self._sitting: int | None = None
        self._ending = ExitStack()
        weakref.finalize(self, _leave, self._ending, database)  # also at the end of a process that was not told to close it

    @classmethod
    def create(cls, path: str | Path | None, plan: Plan) -> Store:
        """A new store.

        Args:
            path: where to keep it; None for memory.
            plan: what is to be played.

        Raises:
            FileExistsError: there is something of this name.
            OSError: it cannot be written.
        """
        pairings = [(n, *pairing, action_bytes(pairing.game)) for n, pairing in enumerate(plan.pairings)]
        rows = {"plan": [(json.dumps(plan.document()),)], "pairings": pairings}
        return cls(Database.create(None if path is None else Path(path), rows), plan)

    @classmethod
    def open(cls, path: str | Path) -> Store:
        """A store that is there. Others may read it, too, while its tournament is being played.

        Raises:
            FileNotFoundError: it is not there.
            ValueError: it is no store, is damaged, or has another format; or it needs a game that is not known here.
            OSError: it cannot be read.
        """
        database = Database.open(Path(path))
        try:
            plan = _plan_of(database)
            check_file(f"the store {path}", [(GAMES, pairing.game) for pairing in plan.pairings], plan.needs)
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
    def sitting(self, workers: int = 1, engine: str = "local") -> Generator[None]:
        """While games are added: nobody else may, and it is noted on what machine, and with what, they were played.

        Args:
            workers: how many processes play.
            engine: what runs them.

        Raises:
            BlockingIOError: somebody else is adding games.
            ValueError: it is damaged, or was begun by another version of ludus, so that results could differ.
            OSError: it cannot be written.
        """
        self._sit(workers, engine)
        try:
            yield
        finally:
            self._rise()

    def add(self, pairing: Pairing, played: Played) -> None:
        """Adds games, all of them or, whatever happens, none. Outside of a `sitting` it begins one, which lasts until `close`.

        Args:
            pairing: whose games they are.
            played: games of its that are not there yet.

        Raises:
            ValueError: the pairing is not in the plan, or a game is there already.
            OSError: they cannot be written, as when the disk is full; the store is what it was before.
        """
        number = self._place(pairing)
        sitting = self._sitting or self._sit(1, "local")
        rows = rows_of(number, sitting, played, self._widths[number])
        with self._database.transaction() as connection:
            connection.executemany(inserting("games", 14), rows)

    def close(self) -> None:
        """Ends the sitting and leaves the file, which is whole by itself then."""
        self._rise()
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- reading

    def missing(self, pairing: Pairing) -> NDArray[np.int64]:
        """The numbers of the games that are not there yet, in rising order."""
        return np.setdiff1d(np.arange(self.plan.games), self._numbers(pairing), assume_unique=True)

    def count(self, pairing: Pairing | None = None) -> int:
        """How many games are there, of one pairing or of all."""
        where, values = ("", ()) if pairing is None else (" WHERE pairing = ?", (self._place(pairing),))
        return self._database.rows("SELECT count(*) FROM games" + where, *values)[0][0]

    def score(self, pairing: Pairing) -> Score:
        """How a pairing's policies fared so far, by the openings of which both games are there."""
        played = self._played(pairing, "zeroblob(0)")
        whole = np.isin(played.numbers ^ 1, played.numbers)
        rows = np.flatnonzero(whole).tolist()
        reasons = {new: played.reasons[old] for new, old in enumerate(rows) if old in played.reasons}
        return Score.of(pairing, played._replace(reasons=reasons, **{name: getattr(played, name)[whole] for name in BY_GAME}))

    def scores(self) -> list[Score]:
        """The scores of all pairings, in the plan's order."""
        return [self.score(pairing) for pairing in self.plan.pairings]

    def played(self, pairing: Pairing) -> Played:
        """All games of a pairing that are there, by number."""
        return self._played(pairing, "actions")

    def parts(self, pairing: Pairing, size: int = CHUNK) -> Iterator[Played]:
        """The games of a pairing, by number, so many at a time: for more than fit into memory."""
        number, last = self._place(pairing), -1
        query = f"SELECT {COLUMNS}, actions FROM games WHERE pairing = ? AND number > ? ORDER BY number LIMIT ?"
        while rows := self._database.rows(query, number, last, size):
            last = rows[-1][0]
            yield self._read(number, rows)

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
        found = self._played(pairing, "actions", number).records(pairing)
        if not found:
            raise ValueError(f"game {number} of {pairing} is not in the store; it has {self.count(pairing)} of {self.plan.games}")
        return found[0]

    def sittings(self) -> list[Sitting]:
        """When and on what its games were played."""
        return [Sitting(*row) for row in self._database.rows("SELECT * FROM sittings ORDER BY sitting")]

    def sitting_of(self, record: GameRecord) -> Sitting:
        """When and on what one of its games was played."""
        query = "SELECT sittings.* FROM sittings JOIN games USING (sitting) WHERE pairing = ? AND number = ?"
        return Sitting(*self._database.rows(query, self._place(record.pairing), record.number)[0])

    # ---- inside

    def _place(self, pairing: Pairing) -> int:
        """The number of a pairing."""
        if pairing not in self._pairings:
            raise ValueError(f"{pairing} is not in this tournament; it has {', '.join(map(str, self._pairings))}")
        return self._pairings[pairing]

    def _numbers(self, pairing: Pairing) -> NDArray[np.int64]:
        rows = self._database.rows("SELECT number FROM games WHERE pairing = ? ORDER BY number", self._place(pairing))
        return np.array(rows, np.int64).reshape(-1)

    def _played(self, pairing: Pairing, actions: str, number: int | None = None) -> Played:
        """Games of a pairing, or one of them, with this in the place of the column `actions`."""
        place = self._place(pairing)
        where, values = ("", ()) if number is None else (" AND number = ?", (number,))
        query = f"SELECT {COLUMNS}, {actions} FROM games WHERE pairing = ?{where} ORDER BY number"
        return self._read(place, self._database.rows(query, place, *values), bare=actions != "actions")

    def _read(self, place: int, rows: list[Any], *, bare: bool = False) -> Played:
        """Games from rows of a pairing, their actions being ones of the game unless the rows are `bare` of them."""
        played = played_of(rows, self._widths[place])
        if not bare:
            known = make_game(self.plan.pairings[place].game).actions
            if len(played.actions) != played.plies.sum() or (played.actions >= known).any():
                raise ValueError(
                    f"the store {self.path} is damaged: games of {self.plan.pairings[place]} hold what is no action of it"
                )
        return played

    def _sit(self, workers: int, engine: str) -> int:
        """Begins a sitting: its number."""
        if self._sitting is not None:
            raise ValueError(f"games are being added to the store {self.path} already; one sitting at a time")
        with ExitStack() as stack:
            stack.enter_context(self._database.writing())
            self._check_version()
            now = f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M:%S}"
            versions = (__version__, platform.python_version(), np.__version__)
            row = (None, now, *versions, platform.platform(), os.cpu_count() or 1, workers, engine)
            with self._database.transaction() as connection:
                self._sitting = connection.execute(inserting("sittings", 9), row).lastrowid
            self._ending.enter_context(stack.pop_all())
        assert self._sitting is not None
        return self._sitting

    def _rise(self) -> None:
        """Ends the sitting, where there is one."""
        self._sitting = None
        self._ending.close()

    def _check_version(self) -> None:
        theirs = {sitting.ludus for sitting in self.sittings()} or {__version__}
        if theirs != {__version__}:
            raise ValueError(
                f"the games of {self.path} were played by ludus {', '.join(theirs)}, and this is {__version__}, whose results"
                f" could differ. The store can be read; to go on with it, install ludus {min(theirs)}"
            )


def _leave(ending: ExitStack, database: Database) -> None:
    ending.close()
    database.close()


def _plan_of(database: Database) -> Plan:
    try:
        return Plan.of(json.loads(database.rows("SELECT document FROM plan")[0][0]))
    except (LookupError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(
            f"the plan in {database.path} cannot be read ({error}); the store is damaged, or of another ludus"
        ) from None
