"""The formats of games and positions, a line each, and what reads and writes any of them.

A format is named, or told by the end of the file's name; where several have that end, or none, by what the file holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..core import specs
from ..core.files.writing import path_of, writing_whole
from ..games.game import Game, StateArray
from ..games.registry import make_game
from .file import RecordFile, at_path
from .game import RecordedGame
from .lists import is_list_of_moves, is_list_of_positions, read_move_list, read_position_list, write_move_list, write_position_list
from .pgn import is_pgn, read_pgn, write_pgn


@dataclass(frozen=True)
class RecordFormat:
    """A format of files of games or positions.

    Args:
        name: its name, as users give it.
        title: what it is, in words.
        suffixes: ends of names of files that may have it.
        recognise: whether a file holds it, by its first lines.
        read: the games of a file, one by one; its errors begin with `line N: `.
        write: the texts of games, one after the other; None if it is only read.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    recognise: Callable[[RecordFile], bool]
    read: Callable[[RecordFile], Iterator[RecordedGame]]
    write: Callable[[Iterable[RecordedGame]], Iterator[str]] | None = None


FORMATS = {
    entry.name: entry
    for entry in (
        RecordFormat(
            name="pgn",
            title="texts with a header and numbered moves, as chess's PGN",
            suffixes=(".pgn", ".txt"),
            recognise=is_pgn,
            read=read_pgn,
            write=write_pgn,
        ),
        RecordFormat(
            name="positions",
            title="a list of positions, one a line",
            suffixes=(".positions", ".openings", ".txt"),
            recognise=is_list_of_positions,
            read=read_position_list,
            write=write_position_list,
        ),
        RecordFormat(
            name="moves",
            title="a list of lines of moves, one game a line",
            suffixes=(".moves", ".openings", ".txt"),
            recognise=is_list_of_moves,
            read=read_move_list,
            write=write_move_list,
        ),
    )
}
"""The formats, by name; those that are told more surely by what a file holds come first."""


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
    file = RecordFile.open(path_of(path), None if game is None else make_game(game), trust=trust)
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

    def count_games() -> Iterator[RecordedGame]:
        nonlocal count
        for record in games:
            yield record
            count += 1

    write = format_to_write(path, format)
    with writing_whole(path) as file:
        for text in write(count_games()):
            file.write(text.encode(errors="replace"))  # half a character, as in names of files, is a `?`
    return count


def format_named(name: str) -> RecordFormat:
    """A format by its name.

    Raises:
        ValueError: there is no such format; the message names the nearest.
    """
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r} of games; {specs.nearest(name, FORMATS)}")
    return FORMATS[name]


def format_to_write(path: Path, name: str | None = None) -> Any:
    """What writes a file: the writer of the named format, or of the first one with this end of the file's name.

    Raises:
        ValueError: there is none.
    """
    if name is None:
        name = next((entry.name for entry in FORMATS.values() if entry.write and path.suffix.lower() in entry.suffixes), None)
    if name is None:
        ends = ", ".join(dict.fromkeys(end for entry in FORMATS.values() if entry.write for end in entry.suffixes))
        raise ValueError(f"the end of {path.name} names no format of games; let it end in {ends}, or name the format")
    write = format_named(name).write
    if write is None:
        writable = ", ".join(entry.name for entry in FORMATS.values() if entry.write)
        raise ValueError(f"files of the format {name} are only read; those that can be written are {writable}")
    return write


def find_format(file: RecordFile) -> RecordFormat:
    """The format of a file, by the end of its name, or by what it holds.

    Raises:
        ValueError: it holds none.
    """
    likely = [entry for entry in FORMATS.values() if file.path.suffix.lower() in entry.suffixes]
    if len(likely) == 1:
        return likely[0]
    for entry in dict.fromkeys([*likely, *FORMATS.values()]):
        if entry.recognise(file):
            return entry
    raise ValueError(f"line 1: it holds no games or positions that can be read; formats are {', '.join(FORMATS)}")
