"""Baselines for AlphaZero's test positions, and the best win rates against random in tic-tac-toe. Shown in docs/alphazero.md.

python -m benchmarks.strength.exams
"""

from __future__ import annotations

import argparse
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle

from ..provenance import RULES, Part, Study, oracle_sources, repeated

WHO = ("random", "best", "unbeaten")
KNOWN = ("oracles/values.py", "baselines/alphazero/selfplay/exact.py", "baselines/alphazero/selfplay/exact.py")
GAMES = ("nim", "tictactoe", "quixo:size=4", "othello:size=6", "quixo", "quarto")


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for the test positions of each game, and one for the highest win rates in tic-tac-toe."""
    positions = {game: repeated(partial(baseline, game), (*oracle_sources(game), *KNOWN)) for game in GAMES}
    return {**positions, "tictactoe, most wins": repeated(most_wins, oracle_sources("tictactoe"))}


def baseline(game: str) -> dict[str, float]:
    """The number of test positions, how often two simple players keep the value, and the mean error of the value 0.

    One player is random; the other wins if one action does, loses by none if it can, and is random among the others.
    """
    from ludus.baselines.alphazero.selfplay.exact import known_positions

    rules = ludus.make_game(game)
    known = known_positions(rules)
    masks = rules.masks(known.states).astype(bool)
    return {
        "positions": len(known.states),
        "random_keeps": kept_by(masks, known.keeping),
        "one_ply_keeps": kept_by(best_one_ply_ahead(rules, known.states, masks), known.keeping),
        "drawn_error": float(np.abs(known.values).mean()),
    }


def kept_by(chosen: NDArray[np.bool_], keeping: NDArray[np.bool_]) -> float:
    """How often an action drawn from those chosen (N, A) keeps the value."""
    return float(((chosen & keeping).sum(axis=1) / chosen.sum(axis=1)).mean())


def best_one_ply_ahead(game: Game, states: StateArray, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The actions (N, A) that win at once; where there is none, those that do not lose at once; else all that are legal."""
    results = np.full(masks.shape, -2)
    rows, actions = np.nonzero(masks)
    outcomes = game.outcomes(game.plays(states[rows], actions))
    results[rows, actions] = np.where(outcomes == ONGOING, 0, (1 - 2 * game.players(states[rows])) * outcomes)
    return results == results.max(axis=1, keepdims=True)


def most_wins() -> dict[str, float]:
    """Win probabilities against a random player in each seat: of a random policy, the best, and the best that never loses."""
    game = ludus.make_game("tictactoe")
    oracle = make_oracle(game)

    @cache
    def wins(position: str, seat: int, who: str) -> float:
        state = game.parse(position)
        outcome = game.outcome(state)
        if outcome is not None:
            return float(outcome[seat] == 1)
        chooses = who != "random" and game.player(state) == seat
        solution = oracle.solve(state)
        actions = solution.best if chooses and who == "unbeaten" else game.legal_actions(state)
        after = [wins(game.text(game.play(state, action)), seat, who) for action in actions]
        return max(after) if chooses else sum(after) / len(after)

    start = game.text(game.start)
    return {f"{who}, seat {seat}": wins(start, seat, who) for who in WHO for seat in (0, 1)}


def shown(found: dict[str, Any]) -> dict[str, str]:
    """Single numbers."""
    figures = dict[str, str]()
    for game in GAMES:
        if one := found.get(game):
            name = game.replace(":size=", "-")
            figures[f"{name}.positions"] = str(one["positions"])
            figures[f"{name}.random"] = f"{100 * one['random_keeps']:.0f} %"
            figures[f"{name}.one_ply"] = f"{100 * one['one_ply_keeps']:.0f} %"
            figures[f"{name}.drawn"] = f"{one['drawn_error']:.2f}"
    if most := found.get("tictactoe, most wins"):
        for who in WHO:
            seats = [100 * most[f"{who}, seat {seat}"] for seat in (0, 1)]
            figures |= {f"{who}.first": f"{seats[0]:.2f} %", f"{who}.second": f"{seats[1]:.2f} %"}
            figures[f"{who}.both"] = f"{sum(seats) / 2:.1f} %"
    return figures


STUDY = Study(__file__, parts, shown, (*RULES, "oracles", *KNOWN), 0)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
