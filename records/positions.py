"""Positions as people and programs write them, read in one way from the command line, files, options and pasted texts.

    ---------------------------OX------XO--------------------------- X      the game's own notation
    ---------------------------OX------XO--------------------------- : f5   moves after it, with a colon or without one
    8 -------- -------- -------- ---O*--- ---*O--- -------- … *             rows apart; other signs, with a size, as GGS writes it
    x o . / . x . / . . o                                                   who moves follows where the discs are counted
    f5 d6 c3                                                                moves from the start of the game
    44455554221 -1                                                          columns run together, and the score that they have

A board may stand on several lines, with the names of columns and rows around it and bars between the cells. The rules themselves
read their own notation alone (`Game.parse`); all else is brought into it here, by the first of WAYS in which it is written.
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
ROWS = "123456789"
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


def state_of(game: Game, position: str | Iterable[Any]) -> StateArray:
    """The state of a position: of a text as `read_position` reads it, or of the state's words; ValueError where it is none of this
    game."""
    return read_position(game, position).state if isinstance(position, str) else game.position(position)


def read_position(game: Game, text: str) -> ReadLine:
    """Reads a position, moves, or a position and moves from there; ValueError, which says what is wrong, where it is none."""
    try:
        return _play(game, "", game.parse(text))
    except ValueError as error:
        refusal = error
    for read in WAYS:
        if line := read(game, text):
            return line
    if not text.strip(BETWEEN):
        raise refusal  # not the start of the game
    try:
        return _play(game, text)
    except ValueError as error:
        if begins_with_move(game, text):
            raise
        raise ValueError(f"{refusal}; read as moves, {error}") from None


def begins_with_move(game: Game, text: str) -> bool:
    """Whether the first word of a text is a move."""
    return next(split_moves(game, text), None) in game.actions_by_name


def _play(game: Game, moves: str, start: StateArray | None = None) -> ReadLine:
    """The line of moves from a position, or from the game's start."""
    return ReadLine(start, *play_moves(game, split_moves(game, moves), game.start if start is None else start))


# ---- other ways than the game's own: each gives None for what is not written so, and an error for what is, but cannot be


def _read_with_colon(game: Game, text: str) -> ReadLine | None:
    """A position in any way, a colon, and moves."""
    position, *moves = COLON.split(text, maxsplit=1)
    return _play(game, moves[0], read_position(game, position).state) if moves else None


def _read_board(game: Game, text: str) -> ReadLine | None:
    """A board as people draw it, and moves."""
    if not isinstance(game, BoardGame) or type(game).parse is not BoardGame.parse or len(text) > LONGEST_BOARD:
        return None
    signs, notation = _signs_of(game), game.layout.notation
    if not notation.counts:
        text = "\n".join(_without_names(line, signs) for line in FRAME.sub(" ", text).split("\n"))
    if not (match := signs.board.match(text)):
        return None
    cells = [group if notation.counts else "".join(signs.ours[sign] for sign in "".join(group.split())) for group in match.groups()]
    rest = text[match.end() :].lstrip(BETWEEN)
    named = [(sign, name) for sign, mover in zip(notation.movers, signs.movers, strict=True) if (name := mover.match(rest))]
    if named:
        rest = rest[named[0][1].end() :].lstrip(BETWEEN)
    if rest and not begins_with_move(game, rest):
        return None
    return _play(game, rest, _set_up(game, " ".join(cells), named[0][0] if named else notation.movers))


def _read_scored(game: Game, text: str) -> ReadLine | None:
    """Moves in digits that are run together, and their score."""
    match = SCORED.fullmatch(text.strip())
    return _play(game, match[1])._replace(score=match[2]) if match and len([*split_moves(game, match[1])]) > 1 else None


WAYS = (_read_with_colon, _read_board, _read_scored)


# ---- boards


class _Signs(NamedTuple):
    """How others write the boards of a game.

    Args:
        board: all of it at the front of a text, each group of the game's notation whole, in rows, or in cells.
        ours: our sign of each of theirs.
        movers: how each player is named after a board.
        columns: the names that stand above or below it.
    """

    board: re.Pattern[str]
    ours: dict[str, str]
    movers: tuple[re.Pattern[str], ...]
    columns: tuple[str, ...]


@lru_cache(maxsize=64)
def _signs_of(game: BoardGame) -> _Signs:
    notation, width, own = game.layout.notation, game.board[1], {symbol.char for symbol in game.layout.symbols}
    ours = dict.fromkeys(EMPTY, "-")
    for sign, aliases, name in zip(notation.movers, ALIASES, game.player_names, strict=False):
        ours |= dict.fromkeys((*aliases, *(f(word) for word in (sign, name[0]) for f in (str.lower, str.upper))), sign)
    ours |= {sign.upper(): sign for sign in own if notation.any_case} | {sign: sign for sign in own}
    movers = list[re.Pattern[str]]()
    for sign, name in zip(notation.movers, game.player_names, strict=False):
        words = "|".join(map(re.escape, (name, *(alias for alias, means in ours.items() if means == sign))))
        movers.append(re.compile(rf"(?:{words}){AFTER_MOVER}", re.IGNORECASE))
    cell, between = f"[{re.escape(''.join(ours))}]", r"[\s,+]+" if notation.counts else r"\s+"
    groups = [r"\d+" if notation.counts else _any_width(cell, len(group), width) for group in notation.groups]
    names = (LETTERS[:width], ROWS[:width])
    return _Signs(
        board=re.compile(rf"\s*{between.join(f'({group})' for group in groups)}(?!\S)"),
        ours=ours,
        movers=tuple(movers),
        columns=tuple(name for name in names if not own & {*name}),  # what is a piece names no column
    )


def _any_width(cell: str, size: int, width: int) -> str:
    """A group of cells that stand whole, in rows, or one by one."""
    parts = (part for part in dict.fromkeys((size, width, 1)) if size % part == 0)
    return "|".join(rf"{cell}{{{part}}}(?:\s+{cell}{{{part}}}){{{size // part - 1}}}" for part in parts)


def _without_names(line: str, signs: _Signs) -> str:
    """A line of a board without the names of columns, or of its row at the front or on both sides."""
    row, *cells = line.split() or [""]
    if "".join([row, *cells]).lower() in signs.columns:
        return ""
    if row not in [*ROWS] or row in signs.ours:
        return line
    cells = cells[:-1] if cells and cells[-1] == row else cells
    return " ".join(cells) if all(sign in signs.ours for sign in "".join(cells)) else line


def _set_up(game: Game, cells: str, movers: Iterable[str]) -> StateArray:
    """The state of a board: of one that does not say who moves, that which can be, if there is one alone."""
    states, refusal = list[StateArray](), ValueError()
    for position in [f"{cells} {mover}" for mover in movers] or [cells]:
        try:
            states.append(game.parse(position))
        except ValueError as error:
            refusal = error
    if not states:
        raise refusal
    return states[0] if len(states) == 1 else game.parse(cells)  # which says that nobody is to move
