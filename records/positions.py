"""Positions as people and programs write them, read in one way from the command line, files, options and pasted texts.

    ---------------------------OX------XO--------------------------- X      the game's own notation
    ---------------------------OX------XO--------------------------- : f5   moves after it, with a colon or without one
    8 -------- -------- -------- ---O*--- ---*O--- -------- … *             rows apart; other signs, with a size, as GGS writes it
    x o . / . x . / . . o                                                   who moves follows where the discs are counted
    f5 d6 c3                                                                moves from the start of the game
    44455554221 -1                                                          columns run together, and the score that they have

A board may stand on several lines, with the names of columns and rows around it and bars between the cells. The rules themselves
read their own notation alone (`Game.parse`); all else is brought into it here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from ..games.board_game import BoardGame
from ..games.drawing.grid import LETTERS
from ..games.game import Game, StateArray
from .moves import play_moves, split_moves

COLON = re.compile(r"(?<!\s)\s*:(?:\s+|$)")
"""Stands between a position and the moves from it."""
SCORED = re.compile(r"(\d{2,128})\s+([+-]?\d{1,2})")
"""Moves that are digits run together, and the score of the position after them, in one of the ways that P. Pons' files have it."""
ALIASES = ("xX*@", "oO0")
"""Other signs for what is player 0's and player 1's, besides the first letters of the players' names."""
EMPTY = "-._"
"""Signs for an empty cell."""
FRAME = re.compile(r"[|\[\]/]")
"""What may stand between cells."""
BETWEEN = " \t\r\n,;"
"""What may stand between a position and moves."""
ROWS = tuple("123456789")
COUNTS = re.compile(r"\s*\d+(?:[\s,+]+\d+)*(?=\s|$)")
"""A position that is numbers."""
AFTER_MOVER = r"(?!\w)(?:\s+(?:to\s+(?:move|play)|moves)\b)?(?:\s*·.*)?"
"""Words after the player to move; our own pictures have numbers of discs there, too."""
LONGEST_BOARD = 4096
"""Characters of a text that may be a board."""


class ReadLine(NamedTuple):
    """A position, and moves from there.

    Args:
        start: where they begin; None for the game's own start.
        actions: the moves.
        state: the state after them.
        score: what the text says of it; empty if nothing.
    """

    start: StateArray | None
    actions: tuple[int, ...]
    state: StateArray
    score: str = ""


class _Signs(NamedTuple):
    """How others write the boards of a game: our sign of each of theirs, the names of columns, and who is to move."""

    ours: dict[str, str]
    columns: tuple[str, ...]
    movers: tuple[re.Pattern[str], ...]


def state_of(game: Game, position: str | Iterable[Any]) -> StateArray:
    """The state of a position: of a text as `read_position` reads it, or of the state's words.

    Raises:
        ValueError: it is not a position of this game.
    """
    return read_position(game, position).state if isinstance(position, str) else game.position(position)


def read_position(game: Game, text: str) -> ReadLine:
    """Reads a position, moves, or a position and moves from there.

    Raises:
        ValueError: it is none; the message says what is wrong.
    """
    try:
        state = game.parse(text)
        return ReadLine(state, (), state)
    except ValueError as error:
        refusal = error
    *head, moves = COLON.split(text, maxsplit=1)
    if head:
        start = read_position(game, head[0]).state
        return ReadLine(start, *_play(game, moves, start))
    board = _board_in(game, text)
    if board and (not board[1] or begins_with_move(game, board[1])):
        try:
            start = _set_up(game, board[0])
            return ReadLine(start, *_play(game, board[1], start))
        except ValueError as error:
            refusal = error
    if not text.strip(BETWEEN):
        raise refusal  # not the start of the game
    scored = SCORED.fullmatch(text.strip())
    moves, score = scored.groups() if scored and len([*split_moves(game, scored[1])]) > 1 else (text, "")
    try:
        return ReadLine(None, *_play(game, moves, game.start), score)
    except ValueError as error:
        if board:
            raise refusal from None
        if begins_with_move(game, text):
            raise
        raise ValueError(f"{refusal}; read as moves, {error}") from None


def begins_with_move(game: Game, text: str) -> bool:
    """Whether the first word of a text is a move."""
    return next(split_moves(game, text), None) in game.actions_by_name


def names_columns(game: Game, line: str) -> bool:
    """Whether a line has the names of a board's columns alone; they could also be moves."""
    return isinstance(game, BoardGame) and bool(line.strip()) and not _without_names(line, _signs_of(game))


def _play(game: Game, moves: str, start: StateArray) -> tuple[tuple[int, ...], StateArray]:
    return play_moves(game, split_moves(game, moves), start)


def _set_up(game: Game, board: list[str]) -> StateArray:
    """The state of a board: of one that does not say who moves, that which can be, if there is one alone."""
    states, refusals = list[StateArray](), list[ValueError]()
    for position in board:
        try:
            states.append(game.parse(position))
        except ValueError as error:
            refusals.append(error)
    if not states:
        raise refusals[-1]
    return states[0] if len(states) == 1 else game.parse(board[0].rpartition(" ")[0])  # which says that nobody is to move


def _board_in(game: Game, text: str) -> tuple[list[str], str] | None:
    """The board at the front of a text in the game's own notation, once for each player who may move, and what follows it.

    None where there is no such board.
    """
    if not isinstance(game, BoardGame) or type(game).parse is not BoardGame.parse or len(text) > LONGEST_BOARD:
        return None
    notation, signs = game.layout.notation, _signs_of(game)
    if notation.counts:
        match = COUNTS.match(text)
        heaps = re.findall(r"\d+", match[0]) if match else []
        return ([" ".join(heaps)], text[len(match[0]) :]) if match and len(heaps) == len(notation.groups) else None
    text = "\n".join(_without_names(line, signs) for line in FRAME.sub(" ", text).split("\n"))
    words, cells, at = re.finditer(r"\S+", text), list[str](), 0
    for group in notation.groups:
        parts, size = list[str](), len(group)
        while size > 0 and (word := next(words, None)):
            parts.append(word[0])
            size, at = size - len(word[0]), word.end()
        widths = {*map(len, parts)}
        if size or len(widths) > 1 or not widths <= {1, game.board[1], len(group)} or not {*"".join(parts)} <= signs.ours.keys():
            return None  # a board is whole, or in rows, or in cells
        cells.append("".join(signs.ours[sign] for sign in "".join(parts)))
    rest = text[at:].lstrip(BETWEEN)
    for sign, mover in zip(notation.movers, signs.movers, strict=True):
        if named := mover.match(rest):
            return [" ".join([*cells, sign])], rest[named.end() :].lstrip(BETWEEN)
    return [" ".join([*cells, sign]) for sign in notation.movers] or [" ".join(cells)], rest


@lru_cache(maxsize=64)
def _signs_of(game: BoardGame) -> _Signs:
    notation, own = game.layout.notation, {symbol.char for symbol in game.layout.symbols}
    ours = dict.fromkeys(EMPTY, "-")
    for sign, aliases, name in zip(notation.movers, ALIASES, game.player_names, strict=False):
        ours |= dict.fromkeys((*aliases, *(f(word) for word in (sign, name[0]) for f in (str.lower, str.upper))), sign)
    ours |= {sign.upper(): sign for sign in own if notation.any_case} | {sign: sign for sign in own}
    movers = list[re.Pattern[str]]()
    for sign, name in zip(notation.movers, game.player_names, strict=False):
        words = "|".join(map(re.escape, (name, *(alias for alias, means in ours.items() if means == sign))))
        movers.append(re.compile(rf"(?:{words}){AFTER_MOVER}", re.IGNORECASE))
    names = (LETTERS[: game.board[1]], "".join(ROWS[: game.board[1]]))
    columns = tuple(name for name in names if not own & {*name})  # what is a piece names no column
    return _Signs(ours, columns, tuple(movers))


def _without_names(line: str, signs: _Signs) -> str:
    """A line of a board without the names of columns, or of its row at the front or on both sides."""
    row, *cells = line.split() or [""]
    if "".join([row, *cells]).lower() in signs.columns:
        return ""
    if row not in ROWS or row in signs.ours:
        return line
    cells = cells[:-1] if cells and cells[-1] == row else cells
    return " ".join(cells) if all(sign in signs.ours for sign in "".join(cells)) else line
