"""`TranscriptTable`: the transcripts of moves, in two tables (schema.sql).

The common part of a player's transcripts is kept once. Texts are compressed with it as their dictionary, so that a prompt takes
little more room than what is new in it: all prompts of a game repeat the rules.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from msgspec import DecodeError, json

from ...agents.answers import Attempt, AttemptFault, Transcript
from ...core.errors import escape_surrogates, shorten
from ...games.game import Game
from ..matches.games import GameRecord
from .database import Database
from .errors import damage_error, sqlite_errors
from .schema import checksum_of, insert_statement

LONGEST_TEXT = 1 << 16
"""How many characters of a text are kept."""
LONGEST_NAME = 300
"""How many characters of a model's name, and of the checksum of a prompt, are kept."""
MOST_BYTES = 32 * LONGEST_TEXT
"""The limit of question, reply, reason and reasoning together, as JSON."""
MOST = 2**53


class Speaker(NamedTuple):
    """The common part of some transcripts, and the first of their questions: a row of the table speakers without its number."""

    system: str
    model: str
    prompt: str
    question: str

    @classmethod
    def of(cls, transcript: Transcript) -> Speaker:
        """The speaker whose first transcript this is."""
        model, prompt = (_shorten(text, LONGEST_NAME) for text in (transcript.model, transcript.prompt))
        return cls(_shorten(transcript.system), model, prompt, _shorten(transcript.attempts[0].question))

    @property
    def dictionary(self) -> bytes:
        """The dictionary for texts. Its end is the question: compression is best where a text is near what it repeats."""
        return json.encode(self)


class AttemptRow(NamedTuple):
    """A row of the table attempts; the columns are described in schema.sql."""

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


READING = """SELECT attempts.*, system, model, prompt, question FROM attempts JOIN speakers USING (speaker)
WHERE pairing = ? AND number BETWEEN ? AND ? ORDER BY number, ply, attempt"""
"""The query for attempts, each with its speaker."""
NUMBER, PLY = AttemptRow._fields.index("number"), AttemptRow._fields.index("ply")


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
    """The transcripts in the file of a store."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, pairing: int, game: Game, records: Iterable[GameRecord]) -> dict[int, int]:
        """Adds the transcripts of games that are added in the same transaction; returns their checksums by the game's number."""
        checksums: dict[int, int] = {}
        connection = self._database.connection
        known = ((speaker_number, Speaker(*texts)) for speaker_number, *texts in self._database.rows("SELECT * FROM speakers"))
        speakers = {speaker[:3]: (speaker_number, speaker) for speaker_number, speaker in known}
        for record in records:
            movers = game.players(record.states(game)).tolist()
            for ply, transcript in sorted(record.transcripts.items()):
                new = Speaker.of(transcript)
                if new[:3] not in speakers:
                    added = connection.execute(insert_statement("speakers", 5), (None, *new))
                    speakers[new[:3]] = added.lastrowid or 0, new
                speaker_number, speaker = speakers[new[:3]]
                for index, attempt in enumerate(transcript.attempts):
                    values = _row((pairing, record.number, ply, index, movers[ply], speaker_number), attempt, speaker)
                    connection.execute(insert_statement("attempts", len(values)), values)
                    checksums[record.number] = checksum_of(checksums.get(record.number), *values, *speaker)
        return checksums

    def pairings(self) -> list[int]:
        """The numbers of the pairings in which something was said."""
        query = "SELECT pairing FROM pairings WHERE EXISTS (SELECT * FROM attempts WHERE attempts.pairing = pairings.pairing)"
        return [pairing for (pairing,) in self._database.rows(query)]

    def checksums(self, pairing: int, first: int, last: int) -> dict[int, int]:
        """The checksums of what was said in the games of a pairing between two numbers, both included, by these; none where nothing
        was said."""
        checksums: dict[int, int] = {}
        with sqlite_errors(self._database.path):
            for row in self._database.connection.execute(READING, (pairing, first, last)):  # one by one, since they are large
                checksums[row[NUMBER]] = checksum_of(checksums.get(row[NUMBER]), *row)
        return checksums

    def read(self, pairing: int, first: int, last: int) -> Iterator[SpokenMove]:
        """The transcripts in the games of a pairing between two numbers, both included, by game and ply, whose checksums were
        compared before. ValueError where their texts cannot be unpacked."""
        rows = self._database.rows(READING, pairing, first, last)
        for (number, ply), some in groupby(rows, itemgetter(NUMBER, PLY)):
            spoken = [(AttemptRow(*row[:-4]), Speaker(*row[-4:])) for row in some]
            try:
                attempts = tuple(_attempt(row, speaker) for row, speaker in spoken)
            except (zlib.error, DecodeError, TypeError):  # somebody wrote them, with a checksum that fits
                raise damage_error(self._database.path, f"what was said in game {number}, ply {ply} cannot be unpacked") from None
            row, speaker = spoken[0]
            yield SpokenMove(number, ply, row.player, Transcript(attempts, speaker.system, speaker.model, speaker.prompt))


def _row(numbers: tuple[int, int, int, int, int, int], attempt: Attempt, speaker: Speaker) -> AttemptRow:
    """An attempt as a row of the table."""
    milliseconds = float(min(max(attempt.milliseconds, 0), MOST))
    counts = _limit(attempt.requests) or 0, _limit(attempt.tokens_in), _limit(attempt.tokens_out)
    texts = [_shorten(text) for text in (attempt.question, attempt.reply, attempt.reason, attempt.reasoning)]
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=speaker.dictionary)
    said = deflate.compress(json.encode(texts)) + deflate.flush()
    return AttemptRow(*numbers, attempt.fault, milliseconds, *counts, said)


def _attempt(row: AttemptRow, speaker: Speaker) -> Attempt:
    """The attempt in a row of the table; DecodeError or zlib.error where its texts cannot be unpacked."""
    inflate = zlib.decompressobj(-zlib.MAX_WBITS, zdict=speaker.dictionary)
    texts = json.decode(inflate.decompress(row.said, MOST_BYTES), type=tuple[str, str, str, str])
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


def _limit(count: int | None) -> int | None:
    return None if count is None else min(max(count, 0), MOST)


def _shorten(text: str, longest: int = LONGEST_TEXT) -> str:
    return escape_surrogates(shorten(text, longest))
