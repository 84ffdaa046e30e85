"""`GameTable`: the games of a store, added and read by pairing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...envs.games.registry import make_game
from ..matches.games import Pairing, PlayedGames
from ..planning.plan import Plan
from .database import Database
from .errors import damaged
from .rows import COLUMNS, Bounds, action_bytes, joined, played_of, rows_of
from .schema import inserting

CHUNK = 4096
"""So many games are read at a time."""
BEFORE_ALL = -(2**63)
"""No row has a lower number."""


class GameTable:
    """The games of a plan in a store's file.

    Args:
        database: the file.
        plan: whose games they are.
    """

    def __init__(self, database: Database, plan: Plan) -> None:
        self._database, self._plan = database, plan
        self._pairings = {pairing: number for number, pairing in enumerate(plan.pairings)}

    def add(self, pairing: Pairing, played: PlayedGames, session: int) -> None:
        """Adds games, all of them or, whatever happens, none.

        Raises:
            ValueError: the pairing is not in the plan, or a game is there already.
            OSError: they cannot be written; the store is what it was before.
        """
        bounds = self._bounds(self.place(pairing))
        rows = rows_of(bounds, session, played)
        with self._database.transaction() as connection:
            connection.executemany(inserting("games", 15), rows)
            connection.execute("UPDATE pairings SET added = added + ? WHERE pairing = ?", (len(played.numbers), bounds.pairing))

    def place(self, pairing: Pairing) -> int:
        """The number of a pairing.

        Raises:
            ValueError: it is not in the plan.
        """
        if pairing not in self._pairings:
            raise ValueError(f"{pairing} is not in this tournament; it has {', '.join(map(str, self._pairings))}")
        return self._pairings[pairing]

    def numbers(self, pairing: Pairing) -> NDArray[np.int64]:
        """The numbers of a pairing's games that are there, in rising order."""
        rows = self._database.rows("SELECT number FROM games WHERE pairing = ? ORDER BY number", self.place(pairing))
        return np.array(rows, np.int64).reshape(-1)

    def count(self, pairing: Pairing | None) -> int:
        """How many games are there, of one pairing or of all."""
        where, values = ("", ()) if pairing is None else (" WHERE pairing = ?", (self.place(pairing),))
        return self._database.rows("SELECT count(*) FROM games" + where, *values)[0][0]

    def played(self, pairing: Pairing) -> PlayedGames:
        """All games of a pairing that are there, by number."""
        place = self.place(pairing)
        added = self._added(place)
        found = self._read(place, "")
        self._check_none_lost(place, len(found.numbers), added)
        return found

    def parts(self, pairing: Pairing, size: int, after: int = BEFORE_ALL) -> Iterator[PlayedGames]:
        """The games of a pairing after a number, by number, so many at a time: for more than fit into memory."""
        place, last, count = self.place(pairing), after, 0
        added = self._added(place)
        while len((part := self._read(place, "AND number > ?", last, size=size)).numbers):
            last, count = int(part.numbers[-1]), count + len(part.numbers)
            yield part
        if after == BEFORE_ALL:
            self._check_none_lost(place, count, added)

    def one(self, pairing: Pairing, number: int) -> PlayedGames:
        """One game of a pairing, or none where it is not there."""
        return self._read(self.place(pairing), "AND number = ?", number)

    def _added(self, place: int) -> int:
        """How many games of a pairing were added."""
        return self._database.rows("SELECT added FROM pairings WHERE pairing = ?", place)[0][0]

    def _check_none_lost(self, place: int, count: int, added: int) -> None:
        """Checks that no game of a pairing is lost: `added` was read first, another process may have added more since.

        Raises:
            ValueError: one is.
        """
        if count < added:
            found = f"of {self._plan.pairings[place]}, {added} games were added, and {count} are there"
            raise damaged(self._database.path, found)

    def _bounds(self, place: int) -> Bounds:
        """What the rows of a pairing may hold."""
        game = make_game(self._plan.pairings[place].game)
        sessions = tuple(session for (session,) in self._database.rows("SELECT sitting FROM sittings"))
        opening = self._plan.opening_plies[self._plan.pairings[place].game]
        return Bounds(place, self._plan.games, opening, game.num_actions, action_bytes(game), sessions)

    def _read(self, place: int, where: str, *values: Any, size: int = -1) -> PlayedGames:
        """The games of a pairing that meet a condition, up to a number of them.

        Raises:
            ValueError: a row is damaged.
        """
        query = f"SELECT {', '.join(COLUMNS)} FROM games WHERE pairing = ? {where} ORDER BY number LIMIT ?"
        rows, bounds = self._database.chunks(query, place, *values, size, size=CHUNK), self._bounds(place)
        try:
            return joined([played_of(next(rows, []), bounds), *(played_of(chunk, bounds) for chunk in rows)])
        except ValueError as error:
            raise damaged(self._database.path, f"{self._plan.pairings[place]}, {error}") from None
