"""`Store`: a tournament's plan and games in one SQLite file, so that it can be stopped at any moment and gone on with.

Every part of a tournament that was played is added in one transaction: all its games are there, or none. What the tables
hold is told in database.py; whoever knows SQL can ask them directly.
"""

from __future__ import annotations

import json
import os
import platform
import weakref
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import __version__
from ...envs.files.documents import converted, parse_document, quoted
from ...envs.files.reading import digest
from ...envs.games.registry import make_game
from ...envs.settings.numbers import is_whole
from ..matches.games import GameRecord, Pairing, Played
from ..planning.plan import Plan
from ..ratings.score import Score
from .database import Database, how_to_recover, inserting
from .rows import BY_GAME, COLUMNS, Bounds, action_bytes, played_of, rows_of, together

CHUNK = 4096
"""So many games are read at a time."""
FIRST = -(2**63)
"""No row has a lower number."""


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
        document = json.dumps(plan.document())
        rows = {"plan": [(document, _checksum(document))], "pairings": [(*row, 0) for row in _pairings_of(plan)]}
        return cls(Database.create(None if path is None else Path(path), rows), plan)

    @classmethod
    def open(cls, path: str | Path, *, trust: bool = False) -> Store:
        """A store that is there. Others may read it, too, while its tournament is being played.

        Args:
            path: its file.
            trust: whether code may run that the store names. If not, it can be looked at, and what its other policies need.

        Raises:
            FileNotFoundError: it is not there.
            ValueError: it is no store, is damaged, or has another format; or it needs a game that is not known here.
            OSError: it cannot be read.
        """
        database = Database.open(Path(path))
        try:
            plan = _plan_of(database, trust)
            _check_tables(database, plan)
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
        bounds = self._bounds(self._place(pairing))
        rows = rows_of(bounds, self._sitting or self._sit(1, "local"), played)
        with self._database.transaction() as connection:
            connection.executemany(inserting("games", 15), rows)
            connection.execute("UPDATE pairings SET added = added + ? WHERE pairing = ?", (len(played.numbers), bounds.pairing))

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
        played = self.played(pairing)
        whole = np.isin(played.numbers ^ 1, played.numbers)
        rows = np.flatnonzero(whole).tolist()
        reasons = {new: played.reasons[old] for new, old in enumerate(rows) if old in played.reasons}
        return Score.of(pairing, played._replace(reasons=reasons, **{name: getattr(played, name)[whole] for name in BY_GAME}))

    def scores(self) -> list[Score]:
        """The scores of all pairings, in the plan's order."""
        return [self.score(pairing) for pairing in self.plan.pairings]

    def played(self, pairing: Pairing) -> Played:
        """All games of a pairing that are there, by number."""
        place = self._place(pairing)
        added = self._added(place)
        found = self._read(place, "")
        self._check_lost(place, len(found.numbers), added)
        return found

    def parts(self, pairing: Pairing, size: int = CHUNK) -> Iterator[Played]:
        """The games of a pairing, by number, so many at a time: for more than fit into memory."""
        place, last, count = self._place(pairing), FIRST, 0
        added = self._added(place)
        while len((part := self._read(place, "AND number > ?", last, size=size)).numbers):
            last, count = int(part.numbers[-1]), count + len(part.numbers)
            yield part
        self._check_lost(place, count, added)

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
        found = self._read(self._place(pairing), "AND number = ?", number).records(pairing)
        if not found:
            raise ValueError(f"game {number} of {pairing} is not in the store; it has {self.count(pairing)} of {self.plan.games}")
        return found[0]

    def sittings(self) -> list[Sitting]:
        """When and on what its games were played."""
        return [self._sat(row) for row in self._database.rows("SELECT * FROM sittings ORDER BY sitting")]

    def sitting_of(self, record: GameRecord) -> Sitting:
        """When and on what one of its games was played."""
        query = "SELECT sittings.* FROM sittings JOIN games USING (sitting) WHERE pairing = ? AND number = ?"
        return self._sat(self._database.rows(query, self._place(record.pairing), record.number)[0])

    # ---- inside

    def _place(self, pairing: Pairing) -> int:
        """The number of a pairing."""
        if pairing not in self._pairings:
            raise ValueError(f"{pairing} is not in this tournament; it has {', '.join(map(str, self._pairings))}")
        return self._pairings[pairing]

    def _numbers(self, pairing: Pairing) -> NDArray[np.int64]:
        rows = self._database.rows("SELECT number FROM games WHERE pairing = ? ORDER BY number", self._place(pairing))
        return np.array(rows, np.int64).reshape(-1)

    def _added(self, place: int) -> int:
        """How many games of a pairing were added."""
        return self._database.rows("SELECT added FROM pairings WHERE pairing = ?", place)[0][0]

    def _check_lost(self, place: int, count: int, added: int) -> None:
        """Checks that no game of a pairing is lost: `added` was read first, others may have added more since.

        Raises:
            ValueError: one is.
        """
        if count < added:
            raise _damaged(self._database, f"of {self.plan.pairings[place]}, {added} games were added, and {count} are there")

    def _bounds(self, place: int) -> Bounds:
        """What the rows of a pairing may hold."""
        game = make_game(self.plan.pairings[place].game)
        sittings = tuple(sitting for (sitting,) in self._database.rows("SELECT sitting FROM sittings"))
        opening = self.plan.opening_plies[self.plan.pairings[place].game]
        return Bounds(place, self.plan.games, opening, game.actions, action_bytes(game), sittings)

    def _read(self, place: int, where: str, *values: Any, size: int = -1) -> Played:
        """Games of a pairing: those that a condition names, as many at most.

        Raises:
            ValueError: a row is damaged.
        """
        query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE pairing = ? {where} ORDER BY number LIMIT ?"
        rows, bounds = self._database.chunks(query, place, *values, size, size=CHUNK), self._bounds(place)
        try:
            return together([played_of(next(rows, []), bounds), *(played_of(chunk, bounds) for chunk in rows)])
        except ValueError as error:
            raise _damaged(self._database, f"{self.plan.pairings[place]}, {error}") from None

    def _sit(self, workers: int, engine: str) -> int:
        """Begins a sitting: its number."""
        if self._sitting is not None:
            raise ValueError(f"games are being added to the store {self.path} already; one sitting at a time")
        with ExitStack() as stack:
            stack.enter_context(self._database.writing())
            self._check_version()
            now = f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M:%S}"
            versions = (__version__, platform.python_version(), np.__version__)
            row = (now, *versions, platform.platform(), os.cpu_count() or 1, workers, engine)
            with self._database.transaction() as connection:
                number = 1 + connection.execute("SELECT ifnull(max(sitting), 0) FROM sittings").fetchone()[0]
                connection.execute(inserting("sittings", 10), (number, *row, _checksum(number, *row)))
            self._ending.enter_context(stack.pop_all())
        self._sitting = number
        return number

    def _sat(self, row: Sequence[Any]) -> Sitting:
        """The sitting of a row.

        Raises:
            ValueError: it is damaged.
        """
        *told, checksum = row
        if checksum != _checksum(*told):
            raise _damaged(self._database, f"the sitting {quoted(told[0])} does not fit its checksum")
        return converted(told, Sitting, f"a sitting of the store {self.path}", _advice(self._database))

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


def _plan_of(database: Database, trust: bool) -> Plan:
    """The plan that a store holds.

    Raises:
        ValueError: it is damaged; or it needs a game that is not known here, or is code, without trust.
    """
    rows = database.rows("SELECT document, checksum FROM plan LIMIT 2")
    if len(rows) != 1 or type(rows[0][0]) is not str:
        raise _damaged(database, f"its table plan holds {len(rows)} rows of text, and must hold one")
    [(document, checksum)] = rows
    plan = parse_document(document, Plan, f"the plan in the store {database.path}", _advice(database), trust=trust)
    if checksum != _checksum(document):
        raise _damaged(database, "its plan does not fit its checksum")
    for name, _ in plan.entrants:
        if not name.isprintable():
            raise _damaged(database, f"it names a policy {name!r}, with characters that a terminal obeys")
    return plan


def _check_tables(database: Database, plan: Plan) -> None:
    """Checks that the pairings are those of the plan, and that all games are theirs.

    Raises:
        ValueError: they are not.
    """
    for wanted, found in zip_longest(_pairings_of(plan), database.rows("SELECT * FROM pairings ORDER BY pairing")):
        if not wanted or not found or wanted != found[:-1] or not is_whole(found[-1], 0, plan.games):
            raise _damaged(database, f"its table pairings says {quoted(found)} where its plan says {quoted(wanted)}")
    for pairing in database.rows("SELECT min(pairing), max(pairing) FROM games")[0]:
        if pairing is not None and not is_whole(pairing, 0, len(plan.pairings) - 1):
            raise _damaged(database, f"it holds games of the pairing {quoted(pairing)}; its plan has 0 to {len(plan.pairings) - 1}")


def _pairings_of(plan: Plan) -> list[tuple[Any, ...]]:
    """The rows of the table pairings."""
    return [(number, *pairing, action_bytes(make_game(pairing.game))) for number, pairing in enumerate(plan.pairings)]


def _checksum(*values: Any) -> str:
    """The checksum of a row."""
    return digest(json.dumps(values, default=repr).encode()).hex()


def _damaged(database: Database, what: str) -> ValueError:
    return ValueError(f"the store {database.path} is damaged: {what}; {_advice(database)}")


def _advice(database: Database) -> str:
    return how_to_recover(str(database.path))
