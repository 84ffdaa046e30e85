"""The pictures of the games: a position, a game that moves, and an observation plane by plane, all of one recorded game."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from animation import animation

from ludus.arena.matches.record import parse
from ludus.envs import Game, make_game
from ludus.games.drawing.svg import CELL, FAINT, FIELD, FIELD_LINE, INK, Pen
from ludus.games.game import StateArray

RECORDS = Path(__file__).parent / "records"
SHOWN = {"nim": 6, "tictactoe": 5, "quarto": 17, "quixo": 14, "othello": 34, "connect_four": 20}
"""After how many plies of its record each game is shown."""
ACROSS, SPACE, LINE = 4, 18, 22
"""How many planes stand in a row, the space between them, and the height of a line of text, in pixels."""


@cache
def played(name: str) -> tuple[Game, StateArray, tuple[int, ...]]:
    """A game, and the states (N + 1, W) and actions (N,) of its record."""
    game = make_game(name)
    (record,) = parse((RECORDS / f"{name}.txt").read_text(encoding="utf-8"))
    return game, record.states(game), record.actions


def position(name: str) -> StateArray:
    """The state that the page of a game shows."""
    return played(name)[1][SHOWN[name]]


def still(name: str) -> str:
    """The position of the page, with the last move marked."""
    game, states, actions = played(name)
    return game.svg(states[SHOWN[name]], actions[SHOWN[name] - 1]) + "\n"


def moving(name: str) -> str:
    """The whole game."""
    game, states, actions = played(name)
    drawings = [game.svg(states[0]), *map(game.svg, states[1:], actions)]
    return animation(drawings, seconds=1.0 if len(drawings) < 40 else 0.7)


def planes(name: str) -> str:
    """The planes of the position of the page, as the player to move sees them: a filled cell is 1."""
    game, state = played(name)[0], position(name)
    seen = game.observations(state[None], [game.player(state)])[0]
    num_planes, height, width = seen.shape
    side = min(CELL / 2, 240 / width)
    across = min(ACROSS, num_planes)
    rows = -(-num_planes // across)
    step_x, step_y = width * side + SPACE, height * side + SPACE + LINE
    pen = Pen(across * step_x + SPACE, rows * step_y + SPACE)
    for number in range(num_planes):
        row, column = divmod(number, across)
        _plane(pen, seen[number], number, (SPACE + column * step_x, SPACE + row * step_y), side)
    return pen.finish() + "\n"


def _plane(pen: Pen, cells: np.ndarray, number: int, corner: tuple[float, float], side: float) -> None:
    """Draws one plane with its number above."""
    left, top = corner
    pen.text(left, top + LINE - 8, f"plane {number}", 13, FAINT, "start")
    for (row, column), value in np.ndenumerate(cells):
        fill = INK if value else FIELD
        pen.rectangle(left + column * side, top + LINE + row * side, side, side, fill, stroke=FIELD_LINE)
