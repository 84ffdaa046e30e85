"""What trained players come to whose presets are those of the players that this suite grew from, and the search of one; no times.

python -m benchmarks.strength.presets            # trains and plays what is missing or out of date
python -m benchmarks.strength.presets quixo      # of one game
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, fields
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.agents.policies.minimax import Minimax
from ludus.agents.search.alphabeta.search import Searched
from ludus.arena import evaluate, tournament
from ludus.baselines import train
from ludus.envs.games.game import StateArray

from ..provenance import CLASSICS, MATCHES, Part, Study, table

SEEDS = (1, 2, 3)
GAMES = 2000
"""Against random, half of them from each seat, from the usual start."""
SEARCHED = 200
"""The same, for policies that search."""


class Trained(NamedTuple):
    """A preset that is trained, with each of the seeds.

    Args:
        trainer, game, preset: as `ludus train` takes them.
        sources: what it depends on, beside what matches do.
    """

    trainer: str
    game: str
    preset: str
    sources: tuple[str, ...]


TABULAR = tuple(f"baselines/tabular/{name}.py" for name in ("bounded", "bounded_walk", "positions", "tabular", "walk"))
TRAINED = {"quixo.qlearning": Trained("qlearning", "quixo", "quixo_original", ("baselines/tabular/qlearning.py", *TABULAR))}
PLAYED = {
    "quixo.alphabeta": ("quixo", "minimax:depth=5,opening=8"),
    "quixo.alphabeta.full": ("quixo", "minimax:depth=5"),
    "quixo.alphabeta.plain": ("quixo", "minimax:depth=5,evaluation=plain"),
}
REPORTED = {
    "quixo.qlearning": "about 55 % of games won against random",
    "quixo.alphabeta": "100 % won against random",
    "quixo.alphabeta.plain": "90 % won against random, 1.5 s a game",
    "quixo.neat": "70 % won against random",
    "quixo.alphazero": "50 % won against random, after too little training",
    "quarto.frontiers": "94.9 % won against random, the best trial 97.5 % of 200 games; 15.5 s a game",
    "quarto.frontiers.delayed": "92.4 % won against random, 8.4 s a game",
    "quarto.table": "nine pairs, each against each",
}
"""What the players themselves came to."""

FRONTIERS = {"quarto.frontiers": "frontiers", "quarto.frontiers.delayed": "frontiers:highest=false"}
QUARTO = ("hard", "easy", "random")
TABLED = 100
"""Games of each cell of Quarto's table."""
TIES = 40
"""So many ways to settle what hard finds equal: each plays one game against itself."""


@dataclass(frozen=True)
class Counting(Minimax):
    """Minimax that counts the nodes it visits."""

    visited: list[int] = field(default_factory=list, repr=False)

    def search(self, states: StateArray, keys: NDArray[np.uint64]) -> Searched:
        found = super().search(states, keys)
        self.visited.append(int(found.nodes.sum()))
        return found


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each seed of what is trained, and for each policy that plays as it is."""
    found = dict[str, Part]()
    for name, one in TRAINED.items():
        for seed in SEEDS:
            measure = partial(trained, one.trainer, one.game, one.preset, seed)
            found[f"{name} {seed}"] = Part(measure, partial(again, measure), (*MATCHES, "agents/policies/random.py", *one.sources))
    for name, (game, spec) in PLAYED.items():
        measure = partial(played, game, spec)
        found[name] = Part(measure, partial(again, measure), (*MATCHES, *CLASSICS))
    for name, spec in FRONTIERS.items():
        for seed in SEEDS:
            measure = partial(fared, "quarto", spec, seed)
            found[f"{name} {seed}"] = Part(measure, partial(again, measure), (*MATCHES, *CLASSICS))
    for name, measure in {"quarto.table": quarto_table, "quarto.ties": ties_settled}.items():
        found[name] = Part(measure, partial(again, measure), (*MATCHES, *CLASSICS))
    return found


def trained(trainer: str, game: str, preset: str, seed: int) -> dict[str, Any]:
    """How a preset fares that was trained with a seed."""
    run = train(trainer, game, seed=seed, preset=preset)
    return {"score": counts(evaluate(run.policy(), game, "random", GAMES, seed=seed, opening_plies=0))}


def fared(game: str, spec: str, seed: int) -> dict[str, Any]:
    """How a policy fares."""
    return {"score": counts(evaluate(spec, game, "random", GAMES, seed=seed, opening_plies=0))}


def played(game: str, spec: str) -> dict[str, Any]:
    """How a minimax player fares, and how many nodes it visits."""
    policy = ludus.make_policy(spec, game)
    counting = Counting(**{one.name: getattr(policy, one.name) for one in fields(policy)})
    score = counts(evaluate(counting, game, "random", SEARCHED, seed=1, opening_plies=0))
    return {"score": score, "nodes": sum(counting.visited)}


def quarto_table() -> list[list[list[int]]]:
    """How each of Quarto's players fares against each, itself too, from the usual start."""
    pairs = tournament("quarto", QUARTO, TABLED, self_play=True, opening_plies=0, seed=1).scores.values()
    scores = {score.pairing[1:]: score for one in pairs for score in (one.turned, one)}
    return [[counts(scores[a, b]) for b in QUARTO] for a in QUARTO]


def ties_settled() -> list[int]:
    """How games of hard against itself end for the first player, if it settles what it finds equal in one way throughout.

    Such a player plays the same game against itself every time, as one does who takes the first of equal moves.
    """
    hard, found = ludus.make_policy("hard", "quarto"), list[int]()
    for key in range(TIES):
        state = hard.game.start
        while (outcome := hard.game.outcome(state)) is None:
            state = hard.game.play(state, int(hard.act(state[None], np.array([key], np.uint64))[0]))
        found.append(outcome[0])
    return [found.count(result) for result in (1, 0, -1)]


def again(measure: Any, kept: dict[str, Any]) -> tuple[Any, Any]:
    """All of it, then and now."""
    return kept, measure()


def counts(score: Any) -> list[int]:
    """Wins, draws and losses."""
    return [score.wins, score.draws, score.losses]


def shown(found: dict[str, Any]) -> dict[str, str]:
    """Of what is trained the share of games won, the median of the seeds, the least and the most; and of what searches."""
    figures = {"games": f"{GAMES:,}", "searched": str(SEARCHED)}
    figures |= {f"{name}.reported": reported for name, reported in REPORTED.items()}
    for name in (*TRAINED, *FRONTIERS):
        if wins := [100 * one["score"][0] / GAMES for part, one in found.items() if part.rpartition(" ")[0] == name]:
            figures |= {f"{name}.{what.__name__}": f"{what(wins):.1f} %" for what in (median, min, max)}
    for name in PLAYED:
        if name in found:
            figures[f"{name}.wins"] = f"{100 * found[name]['score'][0] / SEARCHED:g} %"
            figures[f"{name}.nodes"] = f"{found[name]['nodes'] / SEARCHED:,.0f}"
    if cells := found.get("quarto.table"):
        rows = [
            [name, *(" / ".join(f"{100 * count / TABLED:.0f}" for count in cell) for cell in row)]
            for name, row in zip(QUARTO, cells, strict=True)
        ]
        figures["quarto.table"] = table(["won / drawn / lost of 100", *QUARTO], rows)
    if ties := found.get("quarto.ties"):
        figures |= {"quarto.ties": str(TIES), "quarto.ties.drawn": str(ties[1])}
    return figures


STUDY = Study(__file__, parts, shown, (*MATCHES, *CLASSICS))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
