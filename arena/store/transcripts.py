"""`TranscriptTable`: the transcripts of moves, in two tables (schema.py) that are added when a policy first speaks.

The common part of a player's transcripts is kept once, as its document. Texts are compressed with this document as their
dictionary, so that a prompt takes little more room than what is new in it: all prompts of a game repeat the rules.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from msgspec import DecodeError, json

from ...agents.answers import Attempt, AttemptFault, Transcript
from ...core.errors import escape_surrogates, shorten
from ...core.files.documents import parse_document, short_json
from ...games.game import Game
from ..matches.games import PlayedGames
from .database import Database
from .errors import damage_error, how_to_recover
from .schema import SPOKEN_FORMAT, add_spoken_tables, checksum_of, format_of, insert_statement

LONGEST_TEXT = 1 << 16
"""How many characters of a text are kept."""
LONGEST_NAME = 300
"""How many characters of a model's name, and of the checksum of a prompt, are kept."""
MOST_BYTES = 32 * LONGEST_TEXT
"""The limit of question, reply, reason and reasoning together, as JSON."""
MOST = 2**53

CHECKS = {
    """SELECT added, ifnull(found, 0) FROM speakers
    LEFT JOIN (SELECT speaker, count(*) AS found FROM attempts GROUP BY speaker) USING (speaker)
    WHERE added IS NOT ifnull(found, 0) LIMIT 1""": "of one speaker, {} attempts were added, and {} are there",
    """SELECT attempts.number, ply FROM attempts LEFT JOIN games USING (pairing, number)
    WHERE plies IS NULL OR ply > plies LIMIT 1""": "something was said in game {}, ply {}, which is not there",
    """SELECT number, ply FROM (SELECT *, lag(pairing) OVER key AS p, lag(number) OVER key AS n, lag(ply) OVER key AS y,
    lag(attempt) OVER key AS a FROM attempts WINDOW key AS (ORDER BY pairing, number, ply, attempt))
    WHERE (p, n, y, a) >= (pairing, number, ply, attempt) LIMIT 1""": "what was said in game {}, ply {} is not in its place",
}
"""Queries for rows that are lost, belong to no game or are out of order, each with the words for what it finds."""


@dataclass(frozen=True)
class Speaker:
    """The common part of some transcripts.

    Args:
        system, model, prompt: as in `Transcript`.
        question: the first of their questions.
    """

    system: str
    model: str
    prompt: str
    question: str

    @classmethod
    def of(cls, transcript: Transcript) -> Speaker:
        """The speaker whose first transcript this is."""
        model, prompt = (_shorten(text, LONGEST_NAME) for text in (transcript.model, transcript.prompt))
        return cls(_shorten(transcript.system), model, prompt, _shorten(transcript.attempts[0].question))

    @cached_property
    def document(self) -> str:
        """The speaker as JSON, the question last: compression is best where a text is near what it repeats."""
        return json.encode(self).decode()


class AttemptRow(NamedTuple):
    """A row of the table attempts; the columns are described in schema.py."""

    pairing: int
    number: int
    ply: int
    attempt: int
    player: int
    speaker: int
    fault: AttemptFault | None
    milliseconds: float
    requests: int
    tokens_in: int | None
    tokens_out: int | None
    said: bytes
    checksum: int


COLUMNS = AttemptRow._fields
READING = f"SELECT {', '.join(COLUMNS)} FROM attempts WHERE pairing = ? AND number BETWEEN ? AND ? ORDER BY number, ply, attempt"


class SpokenMove(NamedTuple):
    """The transcript of one move.

    Args:
        number: the game's number in its pairing.
        ply: how many actions the game had before.
        player: whose move it was.
        transcript: the transcript.
    """

    number: int
    ply: int
    player: int
    transcript: Transcript


class TranscriptTable:
    """The transcripts of a store.

    Args:
        database: its file.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def is_there(self) -> bool:
        """Whether the store has the tables of transcripts."""
        return format_of(self._database.connection) == SPOKEN_FORMAT

    def add(self, pairing: int, game: Game, played: PlayedGames) -> None:
        """Adds the transcripts of games that are added in the same transaction."""
        connection = self._database.connection
        if not self.is_there:
            add_spoken_tables(connection)
        speakers = {(known.system, known.model, known.prompt): (number, known) for number, known in self._speakers().items()}
        added = Counter[int]()
        movers = _movers(game, played)
        for (row, ply), transcript in sorted(played.transcripts.items()):
            new = Speaker.of(transcript)
            number, speaker = speakers.setdefault((new.system, new.model, new.prompt), (len(speakers) + 1, new))
            if speaker is new:
                connection.execute(insert_statement("speakers", 4), (number, new.document, checksum_of(new.document), 0))
            for index, attempt in enumerate(transcript.attempts):
                first = (pairing, int(played.numbers[row]), ply, index, movers[row, ply], number)
                connection.execute(insert_statement("attempts", len(COLUMNS)), _row(first, attempt, speaker))
            added[number] += len(transcript.attempts)
        connection.executemany(
            "UPDATE speakers SET added = added + ? WHERE speaker = ?", [(count, number) for number, count in added.items()]
        )

    def read(self, pairing: int, first: int, last: int) -> Iterator[SpokenMove]:
        """The transcripts in some games of a pairing, by game and ply.

        Args:
            pairing: its number in the plan.
            first, last: the numbers of the games, both included.

        Raises:
            ValueError: it is damaged.
        """
        if not self.is_there:
            return
        rows = map(self._check_row, self._database.rows(READING, pairing, first, last))
        speakers = self._speakers()
        for (number, ply), some in groupby(rows, lambda row: (row.number, row.ply)):
            attempts, which = [*some], f"game {number}, ply {ply}"
            if (speaker := speakers.get(attempts[0].speaker)) is None:
                raise self._damage(f"what was said in {which} is not of a speaker in its table speakers")
            if [row.attempt for row in attempts] != [*range(len(attempts))]:
                raise self._damage(f"what was said in {which} is not in order")
            transcript = Transcript(
                tuple(self._attempt(row, speaker) for row in attempts), speaker.system, speaker.model, speaker.prompt
            )
            yield SpokenMove(number, ply, attempts[0].player, transcript)

    def check(self) -> None:
        """Checks that no transcript is lost, and that each belongs to a game.

        Raises:
            ValueError: one is lost, or belongs to no game.
        """
        if self.is_there:
            for query, what in CHECKS.items():
                for values in self._database.rows(query):
                    raise self._damage(what.format(*map(short_json, values)))

    def _speakers(self) -> Mapping[int, Speaker]:
        """All speakers, by number."""
        where, advice = f"a speaker in the store {self._database.path}", how_to_recover(self._database.path)
        speakers: dict[int, Speaker] = {}
        for number, document, checksum in self._database.rows("SELECT speaker, document, checksum FROM speakers"):
            if type(document) is not str or checksum != checksum_of(document):
                raise self._damage("a speaker does not match its checksum")
            speakers[number] = parse_document(document, Speaker, where, advice)
        return speakers

    def _check_row(self, row: tuple[Any, ...]) -> AttemptRow:
        attempt = AttemptRow(*row)
        if type(attempt.said) is not bytes or attempt.checksum != _checksum(*row[:-1]):
            where = f"game {short_json(attempt.number)}, ply {short_json(attempt.ply)}"
            raise self._damage(f"what was said in {where} does not match its checksum")
        return attempt

    def _attempt(self, row: AttemptRow, speaker: Speaker) -> Attempt:
        texts = _decompress(row.said, speaker)
        if texts is None:
            raise self._damage(f"the texts of game {row.number}, ply {row.ply} cannot be unpacked")
        question, reply, reason, reasoning = texts
        return Attempt(
            question=question,
            reply=reply,
            fault=row.fault,
            reason=reason,
            milliseconds=row.milliseconds,
            requests=row.requests,
            tokens_in=row.tokens_in,
            tokens_out=row.tokens_out,
            reasoning=reasoning,
        )

    def _damage(self, what: str) -> ValueError:
        return damage_error(self._database.path, what)


def _row(first: tuple[int, ...], attempt: Attempt, speaker: Speaker) -> tuple[Any, ...]:
    """An attempt as a row of the table."""
    numbers = (attempt.milliseconds, attempt.requests, attempt.tokens_in, attempt.tokens_out)
    milliseconds, *counts = (None if number is None else min(max(number, 0), MOST) for number in numbers)
    values = (*first, attempt.fault, float(milliseconds or 0), *counts)
    said = _compress((attempt.question, attempt.reply, attempt.reason, attempt.reasoning), speaker)
    return (*values, said, _checksum(*values, said))


def _compress(texts: tuple[str, ...], speaker: Speaker) -> bytes:
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=speaker.document.encode())
    return deflate.compress(json.encode([_shorten(text) for text in texts])) + deflate.flush()


def _decompress(said: bytes, speaker: Speaker) -> tuple[str, str, str, str] | None:
    """The texts; None if they are damaged."""
    try:
        inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=speaker.document.encode())
        return json.decode(inflate.decompress(said, MOST_BYTES), type=tuple[str, str, str, str])
    except (zlib.error, DecodeError):
        return None


def _shorten(text: str, longest: int = LONGEST_TEXT) -> str:
    return escape_surrogates(shorten(text, longest))


def _checksum(*values: Any) -> int:
    *numbers, said = values
    return zlib.crc32(said, zlib.crc32(json.encode(numbers)))


def _movers(game: Game, played: PlayedGames) -> dict[tuple[int, int], int]:
    """The players of the moves that have transcripts, by row and ply."""
    by_move: dict[tuple[int, int], int] = {}
    ends = np.cumsum(played.plies)
    states = played.starts(game)
    for ply in range(int(played.plies.max(initial=-1)) + 1):
        movers = game.players(states).tolist()
        by_move |= {(row, ply): mover for row, mover in enumerate(movers) if (row, ply) in played.transcripts}
        going = np.flatnonzero(played.plies > ply)
        actions = played.actions[(ends - played.plies)[going] + ply].astype(np.int64)
        states[going] = game.plays(states[going], actions)
    return by_move
