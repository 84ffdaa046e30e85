"""`Store`: a tournament's plan and games in one SQLite file, so that it can be stopped at any moment and resumed.

Every part of a tournament that was played is added in one transaction: all its games are there, or none. The tables are described
in schema.py and can be queried with SQL.
"""

from __future__ import annotations

import json
import os
import platform
import weakref
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime, timezone
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ... import __version__
from ...core.files.documents import parse_document, short_json
from ...core.files.writing import path_of
from ...core.numbers import is_whole, short_repr
from ...games.registry import make_game
from ..matches.games import GameRecord, Pairing, PlayedGames
from ..planning.plan import Plan
from .database import Database
from .errors import damage_error, how_to_recover
from .games import GameTable
from .rows import action_bytes
from .schema import checksum_of, insert_statement


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
        document = json.dumps(plan.document())
        rows = {"plan": [(document, checksum_of(document))], "pairings": [(*row, 0) for row in _pairings(plan)]}
        return cls(Database.create(None if path is None else path_of(path), rows), plan)

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
            return cls(database, _read_plan(database, trust))
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
            number = self._add_session(workers, engine)
            self._ending.enter_context(stack.pop_all())
        self._session = number
        return number

    def _add_session(self, workers: int, engine: str) -> int:
        """Adds a session that begins now, on this machine; returns its number."""
        played_by = {session.ludus for session in self.sessions()} or {__version__}
        if played_by != {__version__}:
            raise ValueError(
                f"the games of {self.path} were played by ludus {', '.join(played_by)}, and this is {__version__}, whose results"
                f" could differ. The store can be read; to resume it, install ludus {min(played_by)}"
            )
        now = f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M:%S}"
        with self._database.transaction() as connection:
            session = Session(
                number=1 + connection.execute("SELECT ifnull(max(session), 0) FROM sessions").fetchone()[0],
                began=now,
                ludus=__version__,
                python=platform.python_version(),
                numpy=np.__version__,
                platform=platform.platform(),
                cpus=os.cpu_count() or 1,
                workers=workers,
                engine=engine,
            )
            connection.execute(insert_statement("sessions", 10), (*session, checksum_of(*session)))
        return session.number

    def _end_session(self) -> None:
        self._session = None
        self._ending.close()

    def sessions(self) -> list[Session]:
        """The sessions in which its games were played.

        Raises:
            ValueError: one is damaged.
        """
        return [self._read_session(row) for row in self._database.rows("SELECT * FROM sessions ORDER BY session")]

    def session_of(self, record: GameRecord) -> Session:
        """The session in which one of its games was played."""
        query = "SELECT sessions.* FROM sessions JOIN games USING (session) WHERE pairing = ? AND number = ?"
        return self._read_session(self._database.rows(query, self._pairing_number(record.pairing), record.number)[0])

    def _read_session(self, row: Sequence[Any]) -> Session:
        *values, checksum = row
        if checksum != checksum_of(*values):
            raise damage_error(self.path, f"the session {short_json(values[0])} does not match its checksum")
        return Session(*values)


def _close(ending: ExitStack, database: Database) -> None:
    ending.close()
    database.close()


def _read_plan(database: Database, trust: bool) -> Plan:
    """The plan that a store holds, whose pairings are those of its table.

    Raises:
        ValueError: it is damaged; it needs a game that is not known here; or it names code, without trust.
    """
    rows = database.rows("SELECT document, checksum FROM plan LIMIT 2")
    if len(rows) != 1 or type(rows[0][0]) is not str:
        raise damage_error(database.path, f"its table plan holds {len(rows)} rows of text, and must hold one")
    [(document, checksum)] = rows
    where, advice = f"the plan in the store {database.path}", how_to_recover(database.path)
    plan = parse_document(document, Plan, where, advice, trust=trust)
    if checksum != checksum_of(document):
        raise damage_error(database.path, "its plan does not match its checksum")
    for name, _ in plan.entrants:
        if not name.isprintable():
            raise damage_error(database.path, f"it names a policy {short_repr(name)}, with characters that control a terminal")
    for planned, row in zip_longest(_pairings(plan), database.rows("SELECT * FROM pairings ORDER BY pairing")):
        if not planned or not row or planned != row[:-1] or not is_whole(row[-1], 0, plan.games):
            raise damage_error(
                database.path, f"its table pairings says {short_json(row)} where its plan says {short_json(planned)}"
            )
    return plan


def _pairings(plan: Plan) -> list[tuple[Any, ...]]:
    """The rows of the table pairings, without the number of games that were added."""
    return [(number, *pairing, action_bytes(make_game(pairing.game))) for number, pairing in enumerate(plan.pairings)]
