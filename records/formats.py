"""The formats of games and positions, a line each, and what reads and writes any of them.

A format is named, or known by the end of the file's name; where several have that end, or none, by what the file holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from ..core import specs
from ..core.files.writing import path_of, writing_whole
from ..core.numbers import short_repr
from ..games.game import Game, StateArray
from ..games.registry import make_game
from .file import RecordFile, at_path
from .format import RecordFormat
from .game import RecordedGame
from .lists import MOVES, POSITIONS
from .othello.ggf import GGF
from .othello.obf import OBF
from .othello.transcripts import TRANSCRIPTS
from .othello.wthor import WTHOR
from .pgn import PGN
from .saved import SAVED

FORMATS = {entry.name: entry for entry in (WTHOR, SAVED, PGN, GGF, OBF, TRANSCRIPTS, MOVES, POSITIONS)}
"""The formats, by name; those that are recognised more surely by what a file holds come first."""


def read_games(
    path: str | Path, game: str | Game | None = None, *, format: str | None = None, trust: bool = False
) -> Iterator[RecordedGame]:
    """Reads the games of a file, one by one. A position is a game without moves.

    Args:
        path: the file.
        game: the game that is played, or its spec; None if the file says it.
        format: the name of its format (`FORMATS`); None to find it out.
        trust: whether code may run that the file names as a game.

    Raises:
        OSError: the file cannot be read.
        ValueError: there is no such format, or the file does not hold it; the message names the file and the line. What is wrong
            with a game is raised when its turn comes.
    """
    return games_in(RecordFile.open(path_of(path), None if game is None else make_game(game), trust=trust), format)


def games_in(file: RecordFile, format: str | None = None) -> Iterator[RecordedGame]:
    """The games of a file that was read, as `read_games`."""
    try:
        chosen = find_format(file) if format is None else format_named(format)
    except ValueError as error:
        raise at_path(file.path, error) from None
    return _read(chosen, file)


def _read(chosen: RecordFormat, file: RecordFile) -> Iterator[RecordedGame]:
    try:
        yield from chosen.read(file)
    except ValueError as error:
        raise at_path(file.path, error) from None


def read_positions(path: str | Path, game: str | Game, *, format: str | None = None) -> StateArray:
    """Reads the positions of a file as states (N, W): of a list of positions each of them, of games the last position of each.

    Args:
        path: the file.
        game: the game, or its spec.
        format: the name of its format (`FORMATS`); None to find it out.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no file of games or positions of this game.
    """
    game = make_game(game)
    states = [record.states()[-1] for record in read_games(path, game, format=format)]
    return np.array(states, np.uint64).reshape(-1, game.num_words)


def write_games(path: str | Path, games: Iterable[RecordedGame], *, format: str | None = None) -> int:
    """Writes games to a file, whole or not at all.

    Args:
        path: the file.
        games: the games.
        format: the name of the format (`FORMATS`); None for the first one with this end of the file's name.

    Returns:
        How many games were written.

    Raises:
        OSError: the file cannot be written.
        ValueError: there is no such format, it is only read, or it cannot hold one of the games.
    """
    path, count = path_of(path), 0
    write = format_to_write(path, format).write
    assert write is not None  # format_to_write names no other

    def count_games() -> Iterator[RecordedGame]:
        nonlocal count
        for record in games:
            yield record
            count += 1

    with writing_whole(path) as file:
        for text in write(count_games()):
            file.write(text.encode(errors="replace"))  # half a character, as in names of files, is a `?`
    return count


def format_named(name: str) -> RecordFormat:
    """A format by its name; ValueError, which names the nearest, where there is none."""
    if name not in FORMATS:
        raise ValueError(f"there is no format {short_repr(name)} of games; {specs.nearest(name, FORMATS)}")
    return FORMATS[name]


def format_to_write(path: Path, name: str | None = None) -> RecordFormat:
    """The format in which a file is written: the one that is named, or the first with this end of the file's name; ValueError for
    none."""
    written = [entry for entry in FORMATS.values() if entry.write]
    if name is None:
        for entry in written:
            if path.suffix.lower() in entry.suffixes:
                return entry
        ends = ", ".join(dict.fromkeys(end for entry in written for end in entry.suffixes))
        raise ValueError(f"the end of {path.name} names no format that is written; let it end in {ends}, or name the format")
    chosen = format_named(name)
    if chosen not in written:
        names = ", ".join(entry.name for entry in written)
        raise ValueError(f"files of the format {name} are only read; those that can be written are {names}")
    return chosen


def find_format(file: RecordFile) -> RecordFormat:
    """The format of a file, by the end of its name, or by what it holds; ValueError where that is none."""
    likely = [entry for entry in FORMATS.values() if file.path.suffix.lower() in entry.suffixes]
    if len(likely) == 1:
        return likely[0]
    if not file.content.strip():
        return PGN  # in which a text may hold no games
    for entry in FORMATS.values():
        if entry.recognise(file):
            return entry
    raise ValueError(f"line 1: it holds no games or positions that can be read; formats are {', '.join(FORMATS)}")
