"""Games for other programs: CSV, Parquet, pandas frames and records to read, one row or text a game.

    game, a, b, number      the pairing, and the game's number in it
    player_0, player_1      who sat where
    result                  player 0's: 1, 0 or -1
    ending, reason          how it ended (arena/matches/games.py), and what went wrong where something did
    opening_plies, plies    how many of the moves the opening took, and how many there are
    moves                   their names, with MOVES_APART between them
    moves_0, moves_1        how many moves each player chose
    seconds_0, seconds_1    how long each player thought
    key                     all randomness of the game, 64 bits without sign

Files are written game by game, so that a tournament of any length fits; they are there whole or not at all.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from ...envs.files.writing import writing_whole
from ..matches.games import GameRecord
from ..matches.record import move_names, write

MOVES_APART = "; "  # as a name may be of two words
CHUNK = 16384
"""So many games are in memory at a time."""


class Row(NamedTuple):
    """One game, as the module's head tells."""

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


TYPES = {"result": "int8", "opening_plies": "uint16", "plies": "uint16", "moves_0": "uint16", "moves_1": "uint16", "key": "uint64"}
"""Types of columns, in Parquet and frames, that take less room than int64, or more."""


def to_csv(records: Iterable[GameRecord], path: str | Path) -> int:
    """Writes games as CSV, with a line of names first.

    Args:
        records: the games, as `Store.records` gives them.
        path: the file.

    Returns:
        How many there were.

    Raises:
        OSError: it cannot be written.
    """

    def written(file: Any) -> int:
        lines = csv.writer(file)
        lines.writerow(Row._fields)
        return sum(_count(chunk, lines.writerows) for chunk in _chunks(records))

    return _text_file(path, written)


def to_text(records: Iterable[GameRecord], path: str | Path) -> int:
    """Writes games as a text that people read, and `record.parse` too; as `to_csv`."""

    def written(file: Any) -> int:
        count = 0
        for count, record in enumerate(records, 1):
            file.write(("\n" if count > 1 else "") + write(record))
        return count

    return _text_file(path, written)


def to_parquet(records: Iterable[GameRecord], path: str | Path) -> int:
    """Writes games as Parquet; as `to_csv`.

    Raises:
        ImportError: the extra `frames` is not installed.
    """
    arrow, parquet = _library("pyarrow"), _library("pyarrow.parquet")
    schema = _schema(arrow)
    with writing_whole(Path(path)) as file, parquet.ParquetWriter(file, schema) as writer:
        return sum(_count(chunk, lambda rows: writer.write_table(_table(arrow, schema, rows))) for chunk in _chunks(records))


def to_frame(records: Iterable[GameRecord]) -> Any:
    """The games as a pandas frame.

    Raises:
        ImportError: the extra `frames` is not installed.
    """
    arrow, _ = _library("pyarrow"), _library("pandas")
    schema = _schema(arrow)
    tables = [_table(arrow, schema, chunk) for chunk in _chunks(records)]
    return arrow.concat_tables(tables or [schema.empty_table()]).to_pandas()


FORMATS: dict[str, Callable[[Iterable[GameRecord], Path], int]] = {".csv": to_csv, ".parquet": to_parquet, ".txt": to_text}
"""How to write games, by the end of a file's name."""


def row_of(record: GameRecord) -> Row:
    """A game as a row."""
    names = move_names(record.pairing.game)
    moves = MOVES_APART.join([names[action] for action in record.actions])
    return Row(
        *record.pairing, record.number, *record.players, record.result, record.ending, record.reason,
        record.opening, len(record.actions), moves, *record.moves, *record.seconds, record.key,
    )  # fmt: skip


def _chunks(records: Iterable[GameRecord]) -> Iterator[list[Row]]:
    rows = map(row_of, records)
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _count(rows: list[Row], take: Callable[[list[Row]], object]) -> int:
    take(rows)
    return len(rows)


def _text_file(path: str | Path, written: Callable[[Any], int]) -> int:
    with writing_whole(Path(path)) as file:
        text = io.TextIOWrapper(file, "utf-8", newline="")
        count = written(text)
        text.flush()
        text.detach()
        return count


def _schema(arrow: Any) -> Any:
    """The types of the columns."""
    usual = {str: "string", int: "int64", float: "float64"}
    types = {name: TYPES.get(name, usual[kind]) for name, kind in get_type_hints(Row).items()}
    return arrow.schema([(name, getattr(arrow, kind)()) for name, kind in types.items()])


def _table(arrow: Any, schema: Any, rows: list[Row]) -> Any:
    return arrow.table([*zip(*rows, strict=True)], schema=schema)


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(
            f"Parquet and frames need pandas and pyarrow ({error}); install them: pip install 'ludus[frames]'"
        ) from None
