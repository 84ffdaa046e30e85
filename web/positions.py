"""A position as the page shows it: its drawing, its legal moves, and where each of them is clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..agents import make_policy
from ..agents.oracles import make_oracle
from ..agents.oracles.oracle import Solution
from ..envs import Game, make_game
from ..envs.games.game import StateArray
from ..envs.kernels.keys import derive_key


def reached(spec: str, start: str | None, moves: Sequence[str]) -> tuple[Game, list[StateArray], list[int]]:
    """A game, every state of a line of moves, and the actions between them.

    Raises:
        ValueError: there is no such game or position, or a move is not legal.
    """
    game = make_game(spec)
    states, actions = [game.start if start is None else game.position(start)], list[int]()
    for move in moves:
        if is_over(game, states[-1], len(actions)):
            raise ValueError(f"the game is over before {move!r}")
        action = game.action(move)
        if action not in game.legal_actions(states[-1]):
            raise ValueError(f"{move!r} is not legal in {game.text(states[-1])!r}")
        actions.append(action)
        states.append(game.play(states[-1], action))
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
        "player": None if over else game.player(state),
        "outcome": outcome,
        "legal": [] if over else [_move(game, state, action) for action in game.legal_actions(state)],
    }


def _move(game: Game, state: StateArray, action: int) -> dict[str, Any]:
    return {"move": game.move_name(action), "boxes": [tuple(box) for box in game.clicks(state, action)]}


def answered(spec: str, start: str | None, moves: Sequence[str], policy: str, seed: int) -> str:
    """The move that a policy plays in the last position of a line; with equal seeds, the same one.

    Raises:
        ValueError: the game is over, or there is no such policy, or its answer is not legal.
    """
    game, states, actions = reached(spec, start, moves)
    if is_over(game, states[-1], len(actions)):
        raise ValueError("the game is over; there is nothing to answer")
    key = game.kernel(derive_key)(seed, len(actions))
    action = int(make_policy(policy, game).act(states[-1][None], np.array([key], np.uint64))[0])
    if action not in game.legal_actions(states[-1]):
        raise ValueError(f"{policy} answered {game.move_name(action)}, which is not legal here")
    return game.move_name(action)


def opinion(spec: str, start: str | None, moves: Sequence[str], policy: str) -> dict[str, Any]:
    """What a policy would play in the last position of a line.

    Returns:
        `move`; and `chances`, how likely it plays each move, None where it does not say.

    Raises:
        ValueError: as `answered`.
    """
    move = answered(spec, start, moves, policy, 0)
    game, states, _ = reached(spec, start, moves)
    try:
        chances = make_policy(policy, game).probabilities(states[-1][None])[0]
    except NotImplementedError:
        return {"move": move, "chances": None}
    return {"move": move, "chances": {game.move_name(a): round(float(chances[a]), 4) for a in game.legal_actions(states[-1])}}


def judged(spec: str, start: str | None, moves: Sequence[str]) -> dict[str, Any]:
    """What perfect play says about the last position of a line, and about each of its moves, for the player to move.

    Returns:
        `value`, `distance` and `score` of the position, None where they are not known; `moves`: the same after each move.

    Raises:
        ValueError: as `reached`.
    """
    game, states, actions = reached(spec, start, moves)
    state = states[-1]
    if is_over(game, state, len(actions)):
        return {"value": None, "moves": {}}
    oracle = make_oracle(game)
    if not oracle.reaches(state):
        return {"value": None, "moves": {}, "reach": oracle.reach}
    after = oracle.after(state)
    found = {game.move_name(action): _told(solution) for action, solution in after.items()}
    return {**_told(oracle.solve(state)), "moves": found}


def _told(solution: Solution) -> dict[str, int | None]:
    return {"value": solution.value, "distance": solution.distance, "score": solution.score}
