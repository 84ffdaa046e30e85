"""`GameTable`: the games of a store, read by pairing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Transcript
from ...games.registry import make_game
from ..matches.games import GameRecord, Pairing, PlayedGames
from ..planning.plan import Plan
from ..ratings.score import Score
from .database import Database
from .errors import damaged
from .rows import BY_GAME, COLUMNS, INSERTING, Bounds, action_bytes, joined, played_of, rows_of
from .transcripts import Spoken, TranscriptTable

CHUNK = 4096
"""So many games are read at a time."""
SPOKEN_CHUNK = 256
"""The same where something was said in them."""
BEFORE_ALL = -(2**62)
"""Numbers of rows are higher, even damaged ones; the difference of two still fits into 64 bits."""


class GameTable:
    """The games of a plan in a store's file.

    Args:
        database: the file.
        plan: whose games they are.
    """

    def __init__(self, database: Database, plan: Plan) -> None:
        self._database, self.plan = database, plan
        self._pairings = {pairing: number for number, pairing in enumerate(plan.pairings)}
        self._transcripts = TranscriptTable(database)

    @property
    def path(self) -> Path | None:
        """Its file; None for one in memory."""
        return self._database.path

    def missing(self, pairing: Pairing) -> NDArray[np.int64]:
        """The numbers of the games that are not there yet, in rising order."""
        rows = self._database.rows("SELECT number FROM games WHERE pairing = ?", self._place(pairing))
        return np.setdiff1d(np.arange(self.plan.games), np.array(rows, np.int64))

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
        games = played._replace(reasons=reasons, **{name: getattr(played, name)[whole] for name in BY_GAME})
        return Score.empty(pairing, self.plan.seed) + Score.of(pairing, games)

    def scores(self) -> list[Score]:
        """The scores of all pairings, in the plan's order."""
        return [self.score(pairing) for pairing in self.plan.pairings]

    def played(self, pairing: Pairing) -> PlayedGames:
        """All games of a pairing that are there, by number, without what was said in them."""
        return joined([*self.parts(pairing)] or [self._read(pairing, BEFORE_ALL, 0)])

    def parts(self, pairing: Pairing, size: int = CHUNK, after: int = BEFORE_ALL) -> Iterator[PlayedGames]:
        """The games of a pairing after a number, by number, so many at a time: for more than fit into memory. What was said in them
        is left out.

        Raises:
            ValueError: a row is damaged, or games are lost.
        """
        place, last, count = self._place(pairing), after, 0
        added = self._database.rows("SELECT added FROM pairings WHERE pairing = ?", place)[0][0]
        while len((part := self._read(pairing, last, size)).numbers):
            last, count = int(part.numbers[-1]), count + len(part.numbers)
            yield part
        if after == BEFORE_ALL and count < added:  # which was read first: another process may have added more since
            raise damaged(self.path, f"of {pairing}, {added} games were added, and {count} are there")

    def records(self, pairing: Pairing | None = None) -> Iterator[GameRecord]:
        """The games of one pairing, or of all, one by one, with what was said in them."""
        self._transcripts.check()
        for one in self.plan.pairings if pairing is None else [pairing]:
            for part in self.parts(one):
                rows = {number: row for row, number in enumerate(part.numbers.tolist())}
                said = self._transcripts.read(self._place(one), int(part.numbers[0]), int(part.numbers[-1]))
                transcripts = {(rows[each.number], each.ply): each.transcript for each in said if each.number in rows}
                yield from part._replace(transcripts=transcripts).records(one)

    def record(self, pairing: Pairing, number: int) -> GameRecord:
        """One game, with what was said in it.

        Raises:
            ValueError: it is not there, or damaged.
        """
        found = self._read(pairing, number - 1, 1).records(pairing)
        if not found or found[0].number != number:
            raise ValueError(f"game {number} of {pairing} is not in the store; it has {self.count(pairing)} of {self.plan.games}")
        return replace(found[0], transcripts=self.transcripts(pairing, number))

    def transcripts(self, pairing: Pairing, number: int) -> Mapping[int, Transcript]:
        """What was said in a game, by the number of actions that it had before; empty if no policy speaks.

        Raises:
            ValueError: it is damaged.
        """
        return {one.ply: one.transcript for one in self._transcripts.read(self._place(pairing), number, number)}

    def spoken(self) -> Iterator[tuple[Pairing, Spoken]]:
        """What was said about each move, by pairing, game and ply.

        Raises:
            ValueError: it is damaged.
        """
        self._transcripts.check()
        if self._transcripts.is_there:
            for pairing, place in self._pairings.items():
                for first in range(0, self.plan.games, SPOKEN_CHUNK):
                    for one in self._transcripts.read(place, first, first + SPOKEN_CHUNK - 1):
                        yield pairing, one

    def _add(self, pairing: Pairing, played: PlayedGames, session: int) -> None:
        """Adds games, all of them or, whatever happens, none."""
        bounds = self._bounds(pairing)
        with self._database.transaction() as connection:
            connection.executemany(INSERTING, rows_of(bounds, session, played))
            if played.transcripts:
                self._transcripts.add(bounds.pairing, make_game(pairing.game), played)
            connection.execute("UPDATE pairings SET added = added + ? WHERE pairing = ?", (len(played.numbers), bounds.pairing))

    def _place(self, pairing: Pairing) -> int:
        """The number of a pairing.

        Raises:
            ValueError: it is not in the plan.
        """
        if pairing not in self._pairings:
            raise ValueError(f"{pairing} is not in this tournament; it has {', '.join(map(str, self._pairings))}")
        return self._pairings[pairing]

    def _bounds(self, pairing: Pairing) -> Bounds:
        """What the rows of a pairing may hold."""
        game, opening = make_game(pairing.game), self.plan.opening_plies[pairing.game]
        sessions = tuple(session for (session,) in self._database.rows("SELECT sitting FROM sittings"))
        return Bounds(self._place(pairing), self.plan.games, opening, game.num_actions, action_bytes(game), sessions)

    def _read(self, pairing: Pairing, after: int, size: int) -> PlayedGames:
        """The games of a pairing with higher numbers than one, up to so many.

        Raises:
            ValueError: a row is damaged.
        """
        query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE pairing = ? AND number > ? ORDER BY number LIMIT ?"
        rows = self._database.rows(query, self._place(pairing), after, size)
        try:
            return played_of(rows, self._bounds(pairing), after)
        except ValueError as error:
            raise damaged(self.path, f"{pairing}, {error}") from None
