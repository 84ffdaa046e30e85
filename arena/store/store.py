"""`Store`: a tournament's plan and games in one SQLite file, so that it can be stopped at any moment and resumed.

Every part of a tournament that was played is added in one transaction: all its games are there, or none. The tables are described
in schema.sql and can be queried with SQL.
"""

from __future__ import annotations

import json
import os
import platform
import weakref
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime, timezone
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import __version__
from ...agents.answers import Transcript
from ...core.files.documents import parse_document, short_json
from ...core.files.writing import path_of
from ...core.numbers import is_whole, short_repr
from ..matches.games import GameRecord, Pairing, PlayedGames
from ..planning.plan import Plan
from ..ratings.score import Score
from .database import Database
from .errors import damage_error, how_to_recover
from .rows import BY_GAME, COLUMNS, NUMBER, SESSION, action_bytes, concatenate_games, games_from_rows, rows_of
from .schema import checksum_of, insert_statement
from .transcripts import SpokenMove, TranscriptTable

CHUNK = 4096
"""How many games are read at a time."""
SPOKEN_CHUNK = 256
"""How many games with transcripts are read at a time."""
BEFORE_ALL = -(2**62)
"""Below every number of a row, even a damaged one; a difference to it still fits into 64 bits."""


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


class Store(AbstractContextManager["Store"]):
    """The plan and the games of a tournament, made by `create` or `open`. As a context manager it closes itself."""

    def __init__(self, database: Database, plan: Plan) -> None:
        self._database, self.plan = database, plan
        self._pairings = {pairing: number for number, pairing in enumerate(plan.pairings)}
        self._transcripts = TranscriptTable(database)
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
        number, game = self._pairing_number(pairing), self.plan.rules[pairing.game]
        session = self._session or self._begin_session(1, "local")
        with self._database.transaction() as connection:
            spoken = self._transcripts.add(number, game, played.records(pairing)) if played.transcripts else {}
            rows = rows_of(number, session, action_bytes(game), played, spoken)
            connection.executemany(insert_statement("games", len(COLUMNS)), rows)
            connection.execute("UPDATE pairings SET added = added + ? WHERE pairing = ?", (len(played.numbers), number))

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
            self._session = self._add_session(workers, engine)
            self._ending.enter_context(stack.pop_all())
        return self._session

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
        """The sessions in which its games were played; ValueError where one is damaged."""
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

    # ---- reading

    @property
    def path(self) -> Path | None:
        """Its file; None for one in memory."""
        return self._database.path

    def missing(self, pairing: Pairing) -> NDArray[np.int64]:
        """The numbers of the games that are not in the store yet, in rising order."""
        rows = self._database.rows("SELECT number FROM games WHERE pairing = ?", self._pairing_number(pairing))
        return np.setdiff1d(np.arange(self.plan.games), np.array(rows, np.int64))

    def count(self, pairing: Pairing | None = None) -> int:
        """The number of games in the store, of one pairing or of all."""
        where, values = ("", ()) if pairing is None else (" WHERE pairing = ?", (self._pairing_number(pairing),))
        return self._database.rows("SELECT count(*) FROM games" + where, *values)[0][0]

    def score(self, pairing: Pairing, stop: int | None = None) -> Score:
        """The score of a pairing so far, from the openings of which both games are in the store, or from those below a number."""
        played = self.played(pairing)
        both = np.isin(played.numbers ^ 1, played.numbers) & (played.numbers < (self.plan.games if stop is None else stop))
        rows = np.flatnonzero(both).tolist()
        reasons = {new: played.reasons[old] for new, old in enumerate(rows) if old in played.reasons}
        games = played._replace(reasons=reasons, **{name: getattr(played, name)[both] for name in BY_GAME})
        return Score.empty(pairing, self.plan.seed) + Score.of(pairing, games)

    def scores(self) -> list[Score]:
        """The scores of all pairings, in the plan's order."""
        return [self.score(pairing) for pairing in self.plan.pairings]

    def played(self, pairing: Pairing) -> PlayedGames:
        """All games of a pairing in the store, by number, without transcripts."""
        return concatenate_games([*self.parts(pairing)] or [self._read(pairing, BEFORE_ALL, 0)])

    def parts(self, pairing: Pairing, size: int = CHUNK, after: int = BEFORE_ALL) -> Iterator[PlayedGames]:
        """The games of a pairing, by number, `size` at a time, for more than fit into memory; without transcripts.

        Args:
            pairing: the pairing.
            size: how many games at a time.
            after: only games with higher numbers.

        Raises:
            ValueError: a game is damaged, or games are lost.
        """
        last, count = after, 0
        added = self._database.rows("SELECT added FROM pairings WHERE pairing = ?", self._pairing_number(pairing))[0][0]
        while len((part := self._read(pairing, last, size)).numbers):
            last, count = int(part.numbers[-1]), count + len(part.numbers)
            yield part
        if after == BEFORE_ALL and count < added:  # which was read first: another process may have added more since
            raise damage_error(self.path, f"of {pairing}, {added} games were added, and {count} are there")

    def records(self, pairing: Pairing | None = None) -> Iterator[GameRecord]:
        """The games of one pairing, or of all, one by one, with transcripts."""
        for chosen in self.plan.pairings if pairing is None else [pairing]:
            for part in self.parts(chosen, SPOKEN_CHUNK):
                yield from self._with_transcripts(chosen, part).records(chosen)

    def record(self, pairing: Pairing, number: int) -> GameRecord:
        """One game, with its transcripts; ValueError where it is not there, or damaged."""
        played = self._read(pairing, number - 1, 1)
        if played.numbers.tolist() != [number]:
            raise ValueError(f"game {number} of {pairing} is not in the store; it has {self.count(pairing)} of {self.plan.games}")
        return self._with_transcripts(pairing, played).records(pairing)[0]

    def transcripts(self, pairing: Pairing, number: int) -> Mapping[int, Transcript]:
        """The transcripts of a game, by the number of actions before the move, empty if no policy speaks; ValueError as for
        `record`."""
        return self.record(pairing, number).transcripts

    def spoken(self) -> Iterator[tuple[Pairing, SpokenMove]]:
        """The transcript of each move, by pairing, game and ply; ValueError where a game is damaged."""
        for number in self._transcripts.pairings():
            pairing = self.plan.pairings[number]
            for part in self.parts(pairing, SPOKEN_CHUNK):
                yield from ((pairing, move) for move in self._moves(pairing, part))

    def _with_transcripts(self, pairing: Pairing, played: PlayedGames) -> PlayedGames:
        """Games that were read, with their transcripts."""
        rows = {number: row for row, number in enumerate(played.numbers.tolist())}
        moves = self._moves(pairing, played)
        return played._replace(transcripts={(rows[move.number], move.ply): move.transcript for move in moves})

    def _moves(self, pairing: Pairing, played: PlayedGames) -> Iterator[SpokenMove]:
        """The transcripts of games that were read, by game and ply."""
        first, last = played.numbers[[0, -1]].tolist()
        numbers = {*played.numbers.tolist()}  # another process may have added some between them since
        moves = self._transcripts.read(self._pairing_number(pairing), first, last)
        return (move for move in moves if move.number in numbers)

    def _pairing_number(self, pairing: Pairing) -> int:
        """The number of a pairing; ValueError where it is not in the plan."""
        if pairing not in self._pairings:
            raise ValueError(f"{pairing} is not in this tournament; it has {', '.join(map(str, self._pairings))}")
        return self._pairings[pairing]

    def _read(self, pairing: Pairing, after: int, size: int) -> PlayedGames:
        """The next games of a pairing after a number, at most `size`; ValueError where one is damaged."""
        query = "SELECT * FROM games WHERE pairing = ? AND number > ? ORDER BY number LIMIT ?"
        number = self._pairing_number(pairing)
        rows = self._database.rows(query, number, after, size)
        spoken = self._transcripts.checksums(number, rows[0][NUMBER], rows[-1][NUMBER]) if rows else {}
        try:
            played = games_from_rows(rows, action_bytes(self.plan.rules[pairing.game]), after, spoken)
        except ValueError as error:
            raise damage_error(self.path, f"{pairing}, {error}") from None
        if {row[SESSION] for row in rows} - {session for (session,) in self._database.rows("SELECT session FROM sessions")}:
            raise damage_error(self.path, f"{pairing} has games of a session that is not in the table sessions")
        return played._replace(suite=self.plan.openings.get(pairing.game))


def _close(ending: ExitStack, database: Database) -> None:
    ending.close()
    database.close()


def _read_plan(database: Database, trust: bool) -> Plan:
    """The plan that a store holds, whose pairings are those of its table. ValueError where it is damaged, needs a game that is not
    known here, or names code, without trust."""
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
    return [(number, *pairing, action_bytes(plan.rules[pairing.game])) for number, pairing in enumerate(plan.pairings)]
