"""Plain lists: positions, or lines of moves, one to a line of the file.

    # Game: tictactoe
    # anything about the list
    XO------- X              # positions: each in the game's own notation
    ----X---- O

    # Game: othello
    f5 d6 c3 d3 c4           # lines of moves, from the start of the game
    f5d6c3d3c4               # run together
    ---------------------------OX------XO--------------------------- X : d3 c3    # from a position

What follows a `#` is a comment. One that names the game may be left out; then whoever reads the list names it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from ..games.game import Game
from .file import RecordFile, quote, wrong
from .format import RecordFormat
from .game import RecordedGame, result_of
from .moves import read_line, split_moves

AFTER_START = " : "
"""Stands between a position and the moves from it."""
COLON = re.compile(r"(?<!\s)\s*:(?:\s+|$)")
"""How people write it."""


# ---- positions


def is_list_of_positions(file: RecordFile) -> bool:
    """Whether the first entry of a list is a position of its game."""
    return _is_position(file.game, file.first_entry())


def _is_position(game: Game, text: str) -> bool:
    try:
        game.parse(text)
    except ValueError:
        return False
    return True


def read_position_list(file: RecordFile) -> Iterator[RecordedGame]:
    """The positions of a list, as games without moves.

    Raises:
        ValueError: a line is no position; the message begins with its number.
    """
    game = file.game
    for number, text, comment in file.entries():
        try:
            state = game.parse(text)
        except ValueError as error:
            wrong(number, str(error))
        comments = {0: comment} if comment else {}
        yield RecordedGame(game.spec, start=game.text(state), result=result_of(game, state), comments=comments)


def write_position_list(games: Iterable[RecordedGame]) -> Iterator[str]:
    """The last position of each game, as a list."""
    for record in _with_game_line(games):
        yield record if isinstance(record, str) else f"{record.rules.text(record.states()[-1])}{_remark(record)}\n"


# ---- lines of moves


def is_list_of_moves(file: RecordFile) -> bool:
    """Whether the first entry of a list begins with a move, or with a position and a colon: reading says what is wrong then."""
    *position, moves = COLON.split(file.first_entry(), maxsplit=1)
    try:
        start = file.game.parse(position[0]) if position else file.game.start
        for move in islice(split_moves(file.game, moves), 1):
            file.game.action(move, start)
    except ValueError:
        return False
    return bool(position or moves)


def read_move_list(file: RecordFile) -> Iterator[RecordedGame]:
    """The games of a list of lines of moves.

    Raises:
        ValueError: a line is no line of moves; the message begins with its number.
    """
    return read_move_lines(file, file.game, str)


def read_move_lines(file: RecordFile, game: Game, rewrite: Callable[[str], str]) -> Iterator[RecordedGame]:
    """The games of a list.

    Args:
        file: the file.
        game: the game that is played.
        rewrite: what makes moves that this module reads of those in the file.

    Raises:
        ValueError: a line is no line of moves; the message begins with its number.
    """
    for number, text, comment in file.entries():
        try:
            record = _read_entry(game, rewrite(text))
        except ValueError as error:
            wrong(number, str(error))
        yield replace(record, comments={len(record.actions): comment}) if comment else record


def _read_entry(game: Game, text: str) -> RecordedGame:
    """The game of a line: moves, or a position, a colon and moves from it."""
    *position, moves = COLON.split(text, maxsplit=1)
    start = game.parse(position[0]) if position else game.start
    actions, state = read_line(game, moves, start)
    return RecordedGame(game.spec, game.text(start) if position else None, actions, result=result_of(game, state))


def write_move_list(games: Iterable[RecordedGame]) -> Iterator[str]:
    """The games as lines of moves.

    Raises:
        ValueError: a game has neither moves nor a position that it starts from.
    """
    for record in _with_game_line(games):
        if isinstance(record, str):
            yield record
            continue
        names = record.rules.moves
        moves = " ".join(names[action] for action in record.actions)
        if not moves and record.start is None:
            raise ValueError("a list of moves cannot hold a game without moves from the start of its game; leave it out")
        start = f"{record.start}{AFTER_START}" if record.start is not None else ""
        yield f"{start}{moves}{_remark(record)}".rstrip() + "\n"


def _with_game_line(games: Iterable[RecordedGame]) -> Iterator[RecordedGame | str]:
    """The games, and before the first of them the comment that names what is played.

    Raises:
        ValueError: there are games of two kinds.
    """
    spec = None
    for record in games:
        if spec is None:
            spec = record.game
            yield f"# Game: {spec}\n"
        if record.game != spec:
            raise ValueError(
                f"a list holds games of one kind, and these are of {quote(spec)} and {quote(record.game)}; write two lists"
            )
        yield record


def _remark(record: RecordedGame) -> str:
    """The comment at the end of a line: what is remarked after the last move."""
    remark = " ".join(record.comments.get(len(record.actions), "").split())
    return f"  # {remark}" if remark else ""


POSITIONS = RecordFormat(
    name="positions",
    title="a list of positions, one a line",
    suffixes=(".positions", ".openings", ".txt"),
    recognise=is_list_of_positions,
    read=read_position_list,
    write=write_position_list,
)
MOVES = RecordFormat(
    name="moves",
    title="a list of lines of moves, one game a line",
    suffixes=(".moves", ".openings", ".txt"),
    recognise=is_list_of_moves,
    read=read_move_list,
    write=write_move_list,
)
