"""Slow searches over any game, in plain recursion over the game's own functions, with nothing cut and nothing remembered."""

from fractions import Fraction

import numpy as np

from ludus.envs import Game


def minimax(game: Game, state: np.ndarray, depth: int, worth) -> float:
    """The value for the player to move: `worth` of positions at the horizon, 10⁹ less the plies for a won game."""
    outcome = game.outcome(state)
    mover = game.player(state)
    if outcome is not None:
        return outcome[mover] * 10**9
    if depth == 0:
        return worth(state)
    values = []
    for action in game.legal_actions(state):
        after = game.play(state, action)
        value = minimax(game, after, depth - 1, worth)
        value -= (value > 5 * 10**8) - (value < -5 * 10**8)
        values.append(value if game.player(after) == mover else -value)
    return max(values)


def solved(game: Game, state: np.ndarray, known: dict | None = None) -> int:
    """The value of a position for its mover with perfect play to the end of the game."""
    known = {} if known is None else known
    key = state.tobytes()
    if key not in known:
        if outcome := game.outcome(state):
            known[key] = outcome[game.player(state)]
        else:
            known[key] = -1
            for action in game.legal_actions(state):
                known[key] = max(known[key], solved_after(game, state, action, known))
                if known[key] == 1:
                    break
    return known[key]


def solved_after(game: Game, state: np.ndarray, action: int, known: dict) -> int:
    """The value of what an action leads to for who takes it."""
    after = game.play(state, action)
    return solved(game, after, known) * (1 if game.player(after) == game.player(state) else -1)


def solved_with_distance(game: Game, state: np.ndarray, known: dict) -> tuple[int, int]:
    """The value for the player to move of a game that takes turns, and the plies to the end, -1 of a draw."""
    key = state.tobytes()
    if key not in known:
        if outcome := game.outcome(state):
            known[key] = outcome[game.player(state)], 0 if any(outcome) else -1
        else:
            replies = [solved_with_distance(game, game.play(state, action), known) for action in game.legal_actions(state)]
            value = max(-reply for reply, _ in replies)
            plies = [distance + 1 for reply, distance in replies if -reply == value]
            known[key] = value, -1 if value == 0 else min(plies) if value > 0 else max(plies)
    return known[key]


def against_random(game: Game, state: np.ndarray, player: int) -> Fraction:
    """The expected result of a player who plays as well as can be against an opponent who moves at random."""
    outcome = game.outcome(state)
    if outcome is not None:
        return Fraction(outcome[player])
    values = [against_random(game, game.play(state, action), player) for action in game.legal_actions(state)]
    return max(values) if game.player(state) == player else sum(values) / len(values)
