"""Results of games in files that any program wrote: CSV, and PGN of any game, of which the header alone is read.

    first,second,result                   one game a line: 1-0, 0-1, 1/2-1/2; 1, 0.5, 0 of the first player; or scores, 37-27
    Ada,Bob,1-0

    first,second,wins,draws,losses        many games a line, counted from the side of the first player
    Ada,Bob,12,3,5

    [White "Ada"] [Black "Bob"] [Result "1-0"]

In CSV the first player moved first. `white` and `black` may stand for `first` and `second`, `a` and `b` where it is not known who
moved first, and `;` or a tab for the comma. A column `game`, or such a line of the header in PGN, counts where it is the spec of a
game of ours. The CSV of `ludus replay --export` is read, too: its columns are `player_0` and `player_1`, its results 1, 0 and -1.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from ..core.numbers import short_repr
from ..games.registry import GAMES
from .file import RecordFile, at_path, wrong
from .pgn import UNFINISHED, headers_in, is_pgn, read_result

POINTS = {"1": 1, "1.0": 1, "0.5": 0, "1/2": 0, "0": -1, "0.0": -1}
"""The first player's result, where points are written."""
PLAYERS = {
    ("player_0", "player_1"): {"1": 1, "0": 0, "-1": -1},
    ("first", "second"): POINTS,
    ("white", "black"): POINTS,
    ("a", "b"): POINTS,
}
"""The columns of two players, and their numbers for results; in the last pair it is not known who moved first."""
COUNTS = ("wins", "draws", "losses")
HOW = "CSV begins with a header, as first,second,result or first,second,wins,draws,losses; PGN has White, Black and Result"


class Result(NamedTuple):
    """Games of two players, from the side of the first.

    Args:
        line: where the file has them.
        game: the spec of the game; empty where the file does not name one of ours.
        first, second: the players.
        counts: how many games the first won, drew and lost; none of an unfinished one.
        is_seated: whether the first player moved first.
    """

    line: int
    game: str
    first: str
    second: str
    counts: tuple[int, int, int]
    is_seated: bool


def read_results(path: Path) -> list[Result]:
    """The results of a file, CSV or PGN, whichever it holds.

    Raises:
        OSError: it cannot be read, or is not a regular file.
        ValueError: what is wrong with it, after its path and the number of the line.
    """
    file = RecordFile.open(path)
    try:
        results = [*(_results_in_pgn(file) if is_pgn(file) else _results_in_csv(file))]
        if not any(any(result.counts) for result in results):
            wrong(1, f"there are no results of finished games; {HOW}")
    except ValueError as error:
        raise at_path(path, error) from None
    return results


def _results_in_pgn(file: RecordFile) -> Iterator[Result]:
    for header in headers_in(file):
        line = min(number for number, _ in header.values())
        for name in ("White", "Black", "Result"):
            if name.lower() not in header:
                wrong(line, f'the game that begins here has no {name}; add it, as [{name} "…"], or leave the game out')
        number, result = header["result"]
        values = {name: value for name, (_, value) in header.items()}
        yield _result(line, values.get("game", ""), values["white"], values["black"], _counts_of(number, result, {}))


def _results_in_csv(file: RecordFile) -> Iterator[Result]:
    rows = csv.reader(StringIO(file.text, newline=""), delimiter=max(",;\t", key=file.first_entry().count), skipinitialspace=True)
    try:
        columns = {name.strip().lower(): number for number, name in enumerate(next((row for row in rows if any(row)), ()))}
        pair = next((pair for pair in PLAYERS if columns.keys() >= {*pair}), None)
        is_counted = columns.keys() >= {*COUNTS}
        if pair is None or not (is_counted or "result" in columns):
            wrong(max(1, rows.line_num), f"the columns are {short_repr(', '.join(columns))}; {HOW}")
        for row in filter(any, rows):
            line = rows.line_num
            if len(row) != len(columns):
                wrong(line, f"there are {len(row)} columns, and {len(columns)} in the header; a name with a comma stands in quotes")
            cells = {name: row[number].strip() for name, number in columns.items()}
            counts = _whole_counts(line, cells) if is_counted else _counts_of(line, cells["result"], PLAYERS[pair])
            yield _result(line, cells.get("game", ""), *(cells[name] for name in pair), counts, is_seated=pair != ("a", "b"))
    except csv.Error as error:
        wrong(rows.line_num, f"this is no CSV ({error}); {HOW}")


def _result(line: int, game: str, first: str, second: str, counts: tuple[int, int, int], *, is_seated: bool = True) -> Result:
    """A result whose players are checked."""
    if not (first and second):
        wrong(line, "a player has no name; give both names, or leave the game out")
    if first == second:
        wrong(line, f"{short_repr(first)} plays itself, which says nothing of its strength; leave such games out")
    return Result(line, game if GAMES.is_known(game.partition(":")[0]) else "", first, second, counts, is_seated)


def _counts_of(line: int, text: str, numbers: Mapping[str, int]) -> tuple[int, int, int]:
    """The counts of one game; its result may be one of these numbers."""
    result = numbers[text] if text in numbers else read_result(text) if text != "0-0" else None  # nobody came
    if result is None and text != UNFINISHED:
        wrong(line, f"the result is {short_repr(text)}; it must be 1-0, 0-1 or 1/2-1/2, scores such as 37-27, or * if unfinished")
    return int(result == 1), int(result == 0), int(result == -1)


def _whole_counts(line: int, cells: dict[str, str]) -> tuple[int, int, int]:
    """The counts that stand in their columns."""
    for name in COUNTS:
        if not (cells[name].isdecimal() and len(cells[name]) <= 12):
            wrong(line, f"{name} is {short_repr(cells[name])}; it must be a whole number of games")
    wins, draws, losses = (int(cells[name]) for name in COUNTS)
    return wins, draws, losses
