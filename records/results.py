"""Results of games in files that any program wrote: CSV, and PGN of any game, of which the header alone is read.

    first,second,result                   one game a line: 1-0, 0-1, 1/2-1/2; 1, 0.5, 0 of the first player; or scores, 37-27
    first,second,wins,draws,losses        many games a line, counted from the side of the first player
    [White "Ada"] [Black "Bob"] [Result "1-0"]

In CSV the first player moved first. `white` and `black` may stand for `first` and `second`, `a` and `b` where it is not known who
moved first, and `;` or a tab for the comma. A column `game`, or such a line of the header in PGN, counts where it is the spec of a
game of ours. The CSV of `ludus replay --export` is read, too: its columns are `player_0` and `player_1`, its results 1, 0 and -1.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import NamedTuple, NoReturn

from ..core.errors import escape_unprintable
from ..core.numbers import short_repr
from ..games.registry import GAMES, make_game
from .file import RecordFile, at_path, wrong
from .pgn import TAG, UNFINISHED, is_pgn, read_result, unquote

POINTS = {"1": 1, "1.0": 1, "0.5": 0, "1/2": 0, "0": -1, "0.0": -1}
OURS = {("player_0", "player_1"): {"1": 1, "0": 0, "-1": -1}}
PLAYERS = OURS | dict.fromkeys((("first", "second"), ("white", "black"), ("a", "b")), POINTS)
"""The columns of two players, and the numbers that are results there."""
COUNTS = ("wins", "draws", "losses")
TAGS = ("white", "black", "result")
HOW = "CSV begins with a header, as first,second,result or first,second,wins,draws,losses; PGN has White, Black and Result"


class Result(NamedTuple):
    """Games of two players, from the side of the first: its wins, draws and losses, none where unfinished; its seat, if known; and
    the game's spec, empty where it is none of ours."""

    first: str
    second: str
    counts: tuple[int, ...]
    seat: int | None = 0
    game: str = ""


def read_results(path: Path) -> list[Result]:
    """The results of a file, CSV or PGN, whichever it holds; ValueError says what is wrong in which line."""
    file = RecordFile.open(path)
    try:
        results = [*(_results_in_pgn(file) if is_pgn(file) else _results_in_csv(file))]
        if not any(any(result.counts) for result in results):
            wrong(1, f"there are no results of finished games; {HOW}")
    except ValueError as error:
        raise at_path(path, error) from None
    return results


def _results_in_pgn(file: RecordFile) -> Iterator[Result]:
    """The results of a PGN; a game is whole when all TAGS were there."""
    values, begins = dict[str, str](), 0
    for line, text in file.lines():
        for tag in TAG.finditer(text) if text.lstrip("\ufeff \t").startswith("[") else ():
            if (name := tag[1].strip().lower()) in values:
                _refuse_part(begins, values)
            begins = begins if values else line
            values |= {name: unquote(tag[2])} if name in (*TAGS, "game") else {}
            if values.keys() >= {*TAGS}:
                yield _result(line, values, TAGS[:2], _counts_of_one(line, values["result"], {}))
                values = {}
    if values:
        _refuse_part(begins, values)


def _refuse_part(line: int, values: Mapping[str, str]) -> NoReturn:
    lacking = next(name for name in TAGS if name not in values).title()
    wrong(line, f'the game that begins here has no {lacking}; add it, as [{lacking} "…"], or leave the game out')


def _results_in_csv(file: RecordFile) -> Iterator[Result]:
    rows = csv.reader(StringIO(file.text, newline=""), delimiter=max(",;\t", key=file.first_entry().count), skipinitialspace=True)
    try:
        columns = [name.strip().lower() for name in next(filter(any, rows), ())]
        if twice := {name for name in columns if columns.count(name) > 1}:
            wrong(max(1, rows.line_num), f"two columns are named {min(twice)}; give each another name")
        pair = next((pair for pair in PLAYERS if {*pair} <= {*columns}), None)
        is_counted = {*COUNTS} <= {*columns}
        if pair is None or not (is_counted or "result" in columns):
            known = {name for names in PLAYERS for name in (*names, *COUNTS, "result")}
            near = {name: get_close_matches(name, known, 1) for name in columns if name not in known}
            meant = "".join(f"; did you mean {close[0]!r} by {name!r}?" for name, close in near.items() if close)
            wrong(max(1, rows.line_num), f"the columns are {short_repr(', '.join(columns))}{meant or '; ' + HOW}")
        for row in filter(any, rows):
            line = rows.line_num
            if len(row) != len(columns):
                wrong(line, f"there are {len(row)} columns, and {len(columns)} in the header; a name with a comma stands in quotes")
            cells = dict(zip(columns, map(str.strip, row), strict=True))
            counts = _counts_in(line, cells) if is_counted else _counts_of_one(line, cells["result"], PLAYERS[pair])
            yield _result(line, cells, pair, counts)
    except csv.Error as error:
        wrong(rows.line_num, f"this is no CSV ({error}); {HOW}")


def _result(line: int, values: Mapping[str, str], pair: tuple[str, str], counts: tuple[int, ...]) -> Result:
    """A result whose players are checked."""
    (first, second), game = (escape_unprintable(values[name]) for name in pair), values.get("game", "")
    if not (first and second):
        wrong(line, "a player has no name; give both names, or leave the game out")
    if first == second:
        wrong(line, f"{short_repr(first)} plays itself, which says nothing of its strength; leave such games out")
    return Result(first, second, counts, None if pair == ("a", "b") else 0, _spec_of(game))


def _spec_of(text: str) -> str:
    """The spec of a game of ours, or an empty text; code that a file names does not run."""
    with suppress(ValueError):
        if GAMES.is_known(text.partition(":")[0]):
            return make_game(text).spec
    return ""


def _counts_of_one(line: int, text: str, numbers: Mapping[str, int]) -> tuple[int, ...]:
    """The counts of one game; its result may be one of these numbers."""
    text = text.replace(" ", "").replace(":", "-").replace("½", "1/2")
    result = numbers[text] if text in numbers else read_result(text) if text != "0-0" else None  # neither came
    if result is None and text != UNFINISHED:
        wrong(
            line,
            f"the result is {short_repr(text)}; it must be 1-0, 0-1, 1/2-1/2, 1, 0.5, 0, scores such as 37-27, or *"
            " if unfinished; leave games out that nobody played",
        )
    return tuple(int(result == each) for each in (1, 0, -1))


def _counts_in(line: int, cells: Mapping[str, str]) -> tuple[int, ...]:
    """The counts that stand in their columns."""
    for name in COUNTS:
        if not (cells[name].isdecimal() and len(cells[name]) <= 12):
            wrong(line, f"{name} is {short_repr(cells[name])}; it must be a whole number of games")
    return tuple(int(cells[name]) for name in COUNTS)
