"""Baselines for AlphaZero's test positions, and the best win rates against random in tic-tac-toe. Shown in docs/alphazero.md.

python -m benchmarks.strength.exams
"""

from __future__ import annotations

import argparse
from functools import cache, partial
from typing import Any

import numpy as np

import ludus
from ludus.agents.oracles import make_oracle

from ..provenance import RULES, Part, Study, oracle_sources, repeated

WHO = ("random", "best", "unbeaten")
KNOWN = ("arena/grading/values.py", "baselines/alphazero/selfplay/known.py", "baselines/alphazero/selfplay/exact.py")
GAMES = ("nim", "tictactoe", "quixo:size=4", "othello:size=6", "quixo", "quarto")


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for the test positions of each game, and one for the highest win rates in tic-tac-toe."""
    positions = {game: repeated(partial(baseline, game), (*oracle_sources(game), *KNOWN)) for game in GAMES}
    return {**positions, "tictactoe, most wins": repeated(most_wins, oracle_sources("tictactoe"))}


def baseline(game: str) -> dict[str, float]:
    """The number of test positions, how often a random action keeps the value, and the mean error of the value 0."""
    from ludus.baselines.alphazero.selfplay.known import known_positions

    rules = ludus.make_game(game)
    known = known_positions(rules)
    masks = rules.masks(known.states).astype(bool)
    share = float((known.keeping.sum(axis=1) / masks.sum(axis=1)).mean())
    return {"positions": len(known.states), "random_keeps": share, "drawn_error": float(np.abs(known.values).mean())}


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
            figures[f"{name}.drawn"] = f"{one['drawn_error']:.2f}"
    if most := found.get("tictactoe, most wins"):
        for who in WHO:
            seats = [100 * most[f"{who}, seat {seat}"] for seat in (0, 1)]
            figures |= {f"{who}.first": f"{seats[0]:.2f} %", f"{who}.second": f"{seats[1]:.2f} %"}
            figures[f"{who}.both"] = f"{sum(seats) / 2:.1f} %"
    return figures


STUDY = Study(__file__, parts, shown, (*RULES, "agents/oracles", *KNOWN), 0)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
