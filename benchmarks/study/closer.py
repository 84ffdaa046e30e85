"""A closer look at a trained policy that does not search: by many more games against random and against perfect play."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.agents.policy import FunctionPolicy, Policy, draw_actions
from ludus.arena import evaluate
from ludus.arena.grading.decisions import judge
from ludus.arena.grading.sampled import grade_from
from ludus.games.game import Game
from ludus.oracles import make_oracle
from ludus.oracles.values import values_of

from .grid import Cell, Grading
from .played import played, rounded
from .runs import SEED, policy_of, run_of

GAMES = 5000
"""Against each, half in each seat."""
SIDE = 1.96
"""Standard errors on each side of a mean that make its 95 % interval."""


def looked_at(cell: Cell, how: Grading) -> dict[str, Any]:
    """What many games show of the policy of a cell that does not search."""
    run_of(cell)
    return closer(policy_of(cell, cell.policies[0], how))


def closer(policy: Policy, games: int = GAMES) -> dict[str, Any]:
    """The value that a policy loses a move against random play, and a game against perfect play, with intervals."""
    began, game = time.process_time(), policy.game
    score, decisions = played(policy, "random", games)
    sampled = grade_from(game, str(policy), decisions, judge(game, decisions, seed=SEED))
    thrown, error = thrown_in(policy, games)
    found = {
        "win_rate_vs_random": score.win_rate,
        "value_lost": sampled.value_lost,
        "value_thrown": thrown,
        "graded": int(sampled.graded.sum()),
        "value_lost_interval": [*map(rounded, sampled.value_lost_interval)],
        "value_thrown_interval": [rounded(thrown - SIDE * error), rounded(thrown + SIDE * error)],
    }
    return {name: rounded(value) for name, value in found.items()} | {"seconds": round(time.process_time() - began, 2)}


def thrown_in(policy: Policy, games: int) -> tuple[float, float]:
    """How much of the start's value a policy loses in games against perfect play, over both seats; and the standard error."""
    game, scores = policy.game, np.array([1, 0, -1])
    counts = evaluate(policy, game, perfect_play(game), games, seed=SEED, opening_plies=0).by_seat
    results = counts @ scores / (games / 2)
    variances = counts @ scores**2 / (games / 2) - results**2
    (worth,) = values_of(game, game.start[None], make_oracle(game))
    return float(np.mean([worth, -worth] - results)), float(np.sqrt(variances.sum() / (games / 2)) / 2)


def again(cell: Cell, how: Grading, kept: dict[str, Any]) -> tuple[Any, Any]:
    """All but the time, as stored and now."""
    return tuple({name: one[name] for name in one if name != "seconds"} for one in (kept, looked_at(cell, how)))  # pyright: ignore[reportReturnType]


def perfect_play(game: Game) -> Policy:
    """Takes each action that keeps the value with the same probability, as the opponent of an exact grade does."""
    oracle = make_oracle(game)

    def act(states: NDArray[np.uint64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        rows, actions = np.nonzero(game.masks(states))
        after = game.plays(states[rows], actions)
        signs = np.where(game.players(after) == game.players(states)[rows], 1, -1)
        keeps = np.zeros((len(states), game.num_actions))
        keeps[rows, actions] = signs * values_of(game, after, oracle) == values_of(game, states, oracle)[rows]
        return draw_actions(keeps / keeps.sum(axis=1, keepdims=True), keys)

    return FunctionPolicy(game, function=act, title="perfect play")
