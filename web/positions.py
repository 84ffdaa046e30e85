"""A position as the page shows it: its drawing, its legal moves, and where to click for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.numbers import short_repr
from ..envs import Game, make_game
from ..games.drawing.grid import cell_name
from ..games.game import StateArray


def read_line(spec: str, start: str | None, moves: Sequence[str]) -> tuple[Game, StateArray, list[int]]:
    """Reads a line of moves: the game, every state (N + 1, W), and the actions between them.

    Raises:
        ValueError: there is no such game or position, or a move is not legal.
    """
    game = make_game(spec)
    actions = [game.action(move) for move in moves]
    states = game.play_line(actions, None if start is None else game.position(start))
    if game.max_plies and len(moves) > game.max_plies:
        raise ValueError(f"the game is over before {short_repr(moves[game.max_plies])}")
    return game, states, actions


def position_view(spec: str, start: str | None, moves: Sequence[str]) -> dict[str, Any]:
    """All that the page shows of the last position of a line.

    Raises:
        ValueError: see `read_line`.
    """
    game, states, actions = read_line(spec, start, moves)
    state, outcome = states[-1], game.outcome(states[-1], len(actions))
    cut_short = outcome is not None and game.outcome(state) is None
    return {
        "game": game.spec,
        "title": game.title,
        "players": game.player_names,
        "moves": [game.move_name(action) for action in actions],
        "movers": [game.player(before) for before in states[:-1]],
        "position": game.text(state),
        "status": f"A draw: the game is limited to {game.max_plies} moves." if cut_short else game.status(state),
        "caption": game.status(state),
        "winning": [cell_name(cell, game.board[1]) for cell in game.winning_cells(state)],
        "sites": [content._asdict() for content in game.contents(state)],
        "scores": game.scores(state),
        "svg": game.svg(state, actions[-1] if actions else None),
        "panels": game.panels,
        "player": game.player(state) if outcome is None else None,
        "outcome": outcome,
        "legal": [
            {"move": game.move_name(action), "places": [place._asdict() for place in game.places(state, action)]}
            for action in (game.legal_actions(state) if outcome is None else [])
        ],
    }
