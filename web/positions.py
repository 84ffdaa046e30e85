"""A position as the page shows it: its drawing, its legal moves, and where each of them is clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..envs import Game, make_game
from ..envs.drawing.clicks import Box
from ..envs.drawing.pieces import describe
from ..envs.drawing.svg import CELL, FOOT, MARGIN
from ..envs.games.game import StateArray
from ..envs.games.nim import Nim
from ..envs.games.quarto import Quarto
from ..envs.games.squares import cell_name


def reached(spec: str, start: str | None, moves: Sequence[str]) -> tuple[Game, StateArray, list[int]]:
    """A game, every state of a line of moves (N + 1, W), and the actions between them.

    Raises:
        ValueError: there is no such game or position, or a move is not legal.
    """
    game = make_game(spec)
    actions = [game.action(move) for move in moves]
    states = game.line(actions, None if start is None else game.position(start))
    if game.max_plies and len(moves) > game.max_plies:
        raise ValueError(f"the game is over before {moves[game.max_plies]!r}")
    return game, states, actions


def is_over(game: Game, state: StateArray, plies: int) -> bool:
    """Whether a game has ended, by its rules or by its limit on plies."""
    return game.outcome(state) is not None or bool(game.max_plies and plies >= game.max_plies)


def shown(spec: str, start: str | None, moves: Sequence[str]) -> dict[str, Any]:
    """All that the page shows of the last position of a line.

    Raises:
        ValueError: as `reached`.
    """
    game, states, actions = reached(spec, start, moves)
    state, over = states[-1], is_over(game, states[-1], len(actions))
    outcome = (game.outcome(state) or (0, 0)) if over else None
    return {
        "game": game.spec,
        "title": game.title,
        "players": game.player_names,
        "moves": [game.move_name(action) for action in actions],
        "movers": [game.player(before) for before in states[:-1]],
        "position": game.text(state),
        "status": game.status(state)
        if game.outcome(state) or not over
        else f"A draw: the game is limited to {game.max_plies} plies.",
        "svg": game.svg(state, actions[-1] if actions else None),
        "parts": parts(game),
        "player": None if over else game.player(state),
        "outcome": outcome,
        "legal": [] if over else [_move(game, state, action) for action in game.legal_actions(state)],
    }


def parts(game: Game) -> list[Box]:
    """The parts of a game's drawing that a narrow page puts below one another; none where it is shown as it is."""
    side, rest = 4 * CELL + 2 * MARGIN, 230
    return [Box(0, 0, side, side), Box(side - 10, 0, rest, side + FOOT)] if isinstance(game, Quarto) else []


def _move(game: Game, state: StateArray, action: int) -> dict[str, Any]:
    """A legal move, and the places to click for it, one after the other: each with its box on the drawing, its name for those who
    do not see it, and whether nothing lies there."""
    move = game.move_name(action)
    boxes, names = game.clicks(state, action), named_places(game, state, move)
    names += [(move, False)] * (len(boxes) - len(names))
    return {
        "move": move,
        "places": [{"box": box, "name": name, "empty": empty} for box, (name, empty) in zip(boxes, names, strict=False)],
    }


def named_places(game: Game, state: StateArray, move: str) -> list[tuple[str, bool]]:
    """What a screen reader calls the places of a move, with what lies there, and whether nothing does.

    Moves name cells as `c4` or `a1>a5`, Quarto's pieces as `give 7`, and Nim's takes as `2-3`; others are called as they are.
    """
    if isinstance(game, Nim):
        heap, _, take = move.partition("-")
        return [(f"{move}, take {take} of heap {heap}", False)]
    if isinstance(game, Quarto) and move.startswith("give "):
        return [(f"{move}, {describe(int(move.removeprefix('give ')))}", False)]
    height, width = game.board
    content = dict(zip("-XO", ("empty", *game.player_names), strict=True))
    cells = {cell_name(i, width): content.get(mark) for i, mark in enumerate(game.text(state)[: height * width])}
    places = move.split(">")
    return [(f"{place}, {cells[place]}", cells[place] == "empty") if cells.get(place) else (place, False) for place in places]
