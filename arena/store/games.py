"""`GameTable`: the games of a store, read by pairing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Transcript
from ...games.registry import make_game
from ..matches.games import GameRecord, Pairing, PlayedGames
from ..planning.plan import Plan
from ..ratings.score import Score
from .database import Database
from .errors import damage_error
from .rows import BY_GAME, COLUMNS, NUMBER, SESSION, action_bytes, concatenate_games, games_from_rows, rows_of
from .schema import insert_statement
from .transcripts import SpokenMove, TranscriptTable

CHUNK = 4096
"""How many games are read at a time."""
SPOKEN_CHUNK = 256
"""How many games with transcripts are read at a time."""
BEFORE_ALL = -(2**62)
"""Below every number of a row, even a damaged one; a difference to it still fits into 64 bits."""


class GameTable:
    """The games of a plan in a store's file.

    Args:
        database: the file.
        plan: the plan.
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
        """One game, with its transcripts.

        Raises:
            ValueError: it is not there, or damaged.
        """
        played = self._read(pairing, number - 1, 1)
        if played.numbers.tolist() != [number]:
            raise ValueError(f"game {number} of {pairing} is not in the store; it has {self.count(pairing)} of {self.plan.games}")
        return self._with_transcripts(pairing, played).records(pairing)[0]

    def transcripts(self, pairing: Pairing, number: int) -> Mapping[int, Transcript]:
        """The transcripts of a game, by the number of actions before the move; empty if no policy speaks.

        Raises:
            ValueError: the game is not there, or damaged.
        """
        return self.record(pairing, number).transcripts

    def spoken(self) -> Iterator[tuple[Pairing, SpokenMove]]:
        """The transcript of each move, by pairing, game and ply.

        Raises:
            ValueError: a game is damaged.
        """
        for number in self._transcripts.pairings():
            pairing = self.plan.pairings[number]
            for part in self.parts(pairing, SPOKEN_CHUNK):
                yield from ((pairing, move) for move in self._moves(pairing, part))

    def _add(self, pairing: Pairing, played: PlayedGames, session: int) -> None:
        """Adds games, all of them or none."""
        number, game = self._pairing_number(pairing), make_game(pairing.game)
        with self._database.transaction() as connection:
            said = self._transcripts.add(number, game, played)
            rows = rows_of(number, session, action_bytes(game), played, said)
            connection.executemany(insert_statement("games", len(COLUMNS)), rows)
            connection.execute("UPDATE pairings SET added = added + ? WHERE pairing = ?", (len(played.numbers), number))

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
        """The number of a pairing.

        Raises:
            ValueError: it is not in the plan.
        """
        if pairing not in self._pairings:
            raise ValueError(f"{pairing} is not in this tournament; it has {', '.join(map(str, self._pairings))}")
        return self._pairings[pairing]

    def _read(self, pairing: Pairing, after: int, size: int) -> PlayedGames:
        """The next games of a pairing after a number, at most `size`.

        Raises:
            ValueError: one is damaged.
        """
        query = "SELECT * FROM games WHERE pairing = ? AND number > ? ORDER BY number LIMIT ?"
        number = self._pairing_number(pairing)
        rows = self._database.rows(query, number, after, size)
        said = self._transcripts.checksums(number, rows[0][NUMBER], rows[-1][NUMBER]) if rows else {}
        try:
            played = games_from_rows(rows, action_bytes(make_game(pairing.game)), after, said)
        except ValueError as error:
            raise damage_error(self.path, f"{pairing}, {error}") from None
        if {row[SESSION] for row in rows} - {session for (session,) in self._database.rows("SELECT session FROM sessions")}:
            raise damage_error(self.path, f"{pairing} has games of a session that is not in the table sessions")
        return played._replace(suite=self.plan.openings.get(pairing.game))
