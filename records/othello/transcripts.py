"""Transcripts: one game a line, its moves run together, as `f5d6c3d3c4f4`; Othello's players and programs pass them around so.

Passes are written as `--`, `@@`, `pa`, `ps` or `pass`, or left out; letters are large or small.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...games.othello import Othello
from ..file import RecordFile
from ..format import RecordFormat
from ..game import RecordedGame
from ..lists import read_list
from .boards import asked_game, is_othello

PASSES = re.compile(r"--|@@(?:@@)?|pass|pa|ps", re.IGNORECASE)
"""The ways to write a pass."""
TRANSCRIPT = re.compile(rf"(?:[a-h][1-8]|{PASSES.pattern}|[\s,])+", re.IGNORECASE)
FIRST_MOVES = ("c4", "d3", "e6", "f5")
"""The first moves on 8×8; no other game of ours starts with a move of one of these names."""


def is_transcript(file: RecordFile) -> bool:
    """Whether the first line is moves alone, and Othello's on 8×8 if the user names no game."""
    first = file.first_entry()
    begins = isinstance(file.asked, Othello) or first[:2].lower() in FIRST_MOVES
    return is_othello(file) and not file.game_line() and begins and TRANSCRIPT.fullmatch(first) is not None


def read_transcripts(file: RecordFile) -> Iterator[RecordedGame]:
    """The games of a file of transcripts; ValueError, after the number of the line, where it is none."""
    return read_list(file, asked_game(file), lambda moves: PASSES.sub(" pass ", moves))


def write_transcripts(games: Iterable[RecordedGame]) -> Iterator[str]:
    """The games as transcripts, passes written as `--`; ValueError where one is not Othello, or does not start from its own
    start."""
    for record in games:
        game = record.rules
        if not isinstance(game, Othello):
            raise ValueError(f"a transcript holds games of {Othello.title} alone, and this is one of {game}; write pgn or moves")
        if record.start is not None:
            raise ValueError("a transcript cannot hold a game that starts from a position; write it as pgn or moves")
        if not record.actions:
            raise ValueError("a transcript cannot hold a game without moves; leave it out")
        yield "".join(game.moves[action].replace("pass", "--") for action in record.actions) + "\n"


TRANSCRIPTS = RecordFormat(
    name="transcripts",
    title="Othello's transcripts, one game a line",
    suffixes=(".transcripts", ".transcript", ".txt"),
    recognise=is_transcript,
    read=read_transcripts,
    write=write_transcripts,
)
