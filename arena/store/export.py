"""Games for other programs: CSV, Parquet, JSON lines and records to read, with one row or text for each game.

    game, a, b, number      the pairing, and the game's number in it
    player_0, player_1      the policies in seat 0 and seat 1
    result                  player 0's: 1, 0 or -1
    ending, reason          how it ended (arena/matches/games.py), and a description of the fault, if there was one
    opening_plies, plies    how many of the moves are the opening's, and how many there are
    moves                   their names, with MOVES_APART between them
    moves_0, moves_1        how many moves each player chose
    seconds_0, seconds_1    how long each player thought
    key                     the source of the game's randomness, 64 bits, unsigned
    start                   the position that it started from; empty for the game's own start
    said                    in JSON lines only: what was said about moves (arena/matches/transcripts.py)

Files are written game by game, so that a tournament of any length fits; each is written whole or not at all.

Spreadsheets run a text of a CSV file that begins with a character of FORMULA as a formula. So a `'` is written before such a text,
and before one that begins with `'`; a reader of the file removes one `'` from the start of texts.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from ...core.files.writing import path_of, writing_whole
from ...core.plugins.loading import install_with
from ...games.registry import make_game
from ..matches.games import GameRecord, transcript_entries
from ..matches.record import write

MOVES_APART = "; "  # since a name may have two words
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
CHUNK = 16384
"""How many games are in memory at a time for Parquet."""


class GameRow(NamedTuple):
    """One game; the columns are described at the top of this module."""

    game: str
    a: str
    b: str
    number: int
    player_0: str
    player_1: str
    result: int
    ending: str
    reason: str
    opening_plies: int
    plies: int
    moves: str
    moves_0: int
    moves_1: int
    seconds_0: float
    seconds_1: float
    key: int
    start: str


TYPES = {"result": "int8", "opening_plies": "uint16", "plies": "uint16", "moves_0": "uint16", "moves_1": "uint16", "key": "uint64"}
"""Types of columns in Parquet that differ from int64."""


def to_csv(records: Iterable[GameRecord], path: str | Path) -> int:
    """Writes games, as `Store.records` gives them, as CSV with a header; returns how many there were."""
    count = 0
    with _text_file(path) as file:
        lines = csv.writer(file)
        lines.writerow(GameRow._fields)
        for record in records:
            lines.writerow(map(_literal, row_of(record)))
            count += 1
    return count


def to_text(records: Iterable[GameRecord], path: str | Path) -> int:
    """Writes games as readable text, from which `record.parse` makes them again; as `to_csv`."""
    return _write_texts(path, ("\n" * (number > 0) + write(record) for number, record in enumerate(records)))


def to_json_lines(records: Iterable[GameRecord], path: str | Path) -> int:
    """Writes games as JSON, one in each line, with what was said in them; as `to_csv`."""
    rows = (row_of(record)._asdict() | {"moves": _moves(record), "said": transcript_entries(record)} for record in records)
    return _write_texts(path, (json.dumps(row) + "\n" for row in rows))


def to_parquet(records: Iterable[GameRecord], path: str | Path) -> int:
    """Writes games as Parquet, as `to_csv`; ImportError where the extra `frames` is not installed."""
    arrow, usual = library("pyarrow"), {str: "string", int: "int64", float: "float64"}
    types = {name: TYPES.get(name, usual[kind]) for name, kind in get_type_hints(GameRow).items()}
    schema = arrow.schema([(name, getattr(arrow, kind)()) for name, kind in types.items()])
    rows, count = map(row_of, records), 0
    with writing_whole(path_of(path)) as file, library("pyarrow.parquet").ParquetWriter(file, schema) as writer:
        while chunk := [*islice(rows, CHUNK)]:
            writer.write_table(arrow.table([*zip(*chunk, strict=True)], schema=schema))
            count += len(chunk)
    return count


FORMATS: dict[str, Callable[[Iterable[GameRecord], Path], int]] = {
    ".csv": to_csv,
    ".parquet": to_parquet,
    ".jsonl": to_json_lines,
    ".txt": to_text,
}
"""How to write games, by a file's extension."""


def row_of(record: GameRecord) -> GameRow:
    """A game as a row."""
    moves = MOVES_APART.join(_moves(record))
    return GameRow(
        *record.pairing,
        record.number,
        *record.players,
        record.result,
        record.ending,
        record.reason,
        record.opening,
        len(record.actions),
        moves,
        *record.moves,
        *record.seconds,
        record.key,
        record.start or "",
    )


def _literal(cell: str | float) -> str | float:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("'", *FORMULA)) else cell


def _moves(record: GameRecord) -> list[str]:
    names = _move_names(record.pairing.game)
    return [names[action] for action in record.actions]


@lru_cache(maxsize=64)
def _move_names(game: str) -> tuple[str, ...]:
    """The names of a game's actions; kept, since a row is made of each of many games."""
    return make_game(game).moves


@contextmanager
def _text_file(path: str | Path) -> Generator[io.TextIOWrapper]:
    with writing_whole(path_of(path)) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        yield text
        text.flush()
        text.detach()


def _write_texts(path: str | Path, texts: Iterable[str]) -> int:
    """Writes texts one after the other; returns how many there were."""
    count = 0
    with _text_file(path) as file:
        for text in texts:
            file.write(text)
            count += 1
    return count


def library(name: str) -> Any:
    """A library that only Parquet and frames need; ImportError where the extra `frames` is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"Parquet and frames need pandas and pyarrow ({error}); {install_with('frames')} brings them") from None
