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
        outcome = game.outcome(state)
        mover = game.player(state)
        if outcome is not None:
            known[key] = outcome[mover]
        else:
            best = -1
            for action in game.legal_actions(state):
                after = game.play(state, action)
                value = solved(game, after, known)
                best = max(best, value if game.player(after) == mover else -value)
                if best == 1:
                    break
            known[key] = best
    return known[key]


def against_random(game: Game, state: np.ndarray, player: int) -> Fraction:
    """The expected result of a player who plays as well as can be against an opponent who moves at random."""
    outcome = game.outcome(state)
    if outcome is not None:
        return Fraction(outcome[player])
    values = [against_random(game, game.play(state, action), player) for action in game.legal_actions(state)]
    return max(values) if game.player(state) == player else sum(values) / len(values)
