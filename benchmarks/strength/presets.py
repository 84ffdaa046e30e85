"""The strength of presets that reproduce players of earlier projects, and the nodes that one searches. Shown in docs/classics.md.

python -m benchmarks.strength.presets            # trains and plays what is missing or out of date
python -m benchmarks.strength.presets quixo      # of one game
"""

from __future__ import annotations

import argparse
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import ludus
from ludus.arena import evaluate, tournament
from ludus.baselines import train

from ..provenance import MATCHES, Part, Study, counting, counts, match_sources, repeated, table

SEEDS = (1, 2, 3)
GAMES = 2000
"""Games against random, half of them in each seat, from the usual start."""
SEARCHED = 200
"""The same for policies that search."""


class Trained(NamedTuple):
    """A preset that is trained with each seed.

    Args:
        trainer, game, preset: as `ludus train` takes them.
        sources: what it depends on, besides the sources of matches.
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
"""The results that the original players reported."""

FRONTIERS = {"quarto.frontiers": "frontiers", "quarto.frontiers.delayed": "frontiers:highest=false"}
QUARTO = ("hard", "easy", "random")
TABLED = 100
"""Games of each cell of Quarto's table."""
TIES = 40
"""The number of ways to break ties between moves that `hard` finds equal: each plays one game against itself."""


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each seed of what is trained, and for each policy that plays as it is."""
    found = dict[str, Part]()
    for name, one in TRAINED.items():
        for seed in SEEDS:
            measure = partial(trained, one.trainer, one.game, one.preset, seed)
            found[f"{name} {seed}"] = repeated(measure, (*match_sources(one.game, "random"), *one.sources))
    for name, (game, spec) in PLAYED.items():
        found[name] = repeated(partial(played, game, spec), match_sources(game, spec, "random"))
    for name, spec in FRONTIERS.items():
        sources = match_sources("quarto", spec, "random")
        found |= {f"{name} {seed}": repeated(partial(score_of, "quarto", spec, seed), sources) for seed in SEEDS}
    found["quarto.table"] = repeated(quarto_table, match_sources("quarto", *QUARTO))
    return {**found, "quarto.ties": repeated(tie_breaks, match_sources("quarto", "hard"))}


def trained(trainer: str, game: str, preset: str, seed: int) -> dict[str, Any]:
    """The score of a preset trained with a seed."""
    run = train(trainer, game, seed=seed, preset=preset)
    return {"score": counts(evaluate(run.policy(), game, "random", GAMES, seed=seed, opening_plies=0))}


def score_of(game: str, spec: str, seed: int) -> dict[str, Any]:
    """The score of a policy."""
    return {"score": counts(evaluate(spec, game, "random", GAMES, seed=seed, opening_plies=0))}


def played(game: str, spec: str) -> dict[str, Any]:
    """The score of a minimax player, and the nodes it visits."""
    policy = counting(spec, game)
    score = counts(evaluate(policy, game, "random", SEARCHED, seed=1, opening_plies=0))
    return {"score": score, "nodes": sum(policy.visited)}


def quarto_table() -> list[list[list[int]]]:
    """The scores of Quarto's players against each other and themselves, from the usual start."""
    pairs = tournament("quarto", QUARTO, TABLED, self_play=True, opening_plies=0, seed=1).scores.values()
    scores = {score.pairing[1:]: score for one in pairs for score in (one.turned, one)}
    return [[counts(scores[a, b]) for b in QUARTO] for a in QUARTO]


def tie_breaks() -> list[int]:
    """Results for the first player of games of `hard` against itself, with ties between moves always broken in one way.

    Like a player who takes the first of equal moves, such a player always plays the same game against itself.
    """
    hard, found = ludus.make_policy("hard", "quarto"), list[int]()
    for key in range(TIES):
        state = hard.game.start
        while (outcome := hard.game.outcome(state)) is None:
            state = hard.game.play(state, int(hard.act(state[None], np.array([key], np.uint64))[0]))
        found.append(outcome[0])
    return [found.count(result) for result in (1, 0, -1)]


def shown(found: dict[str, Any]) -> dict[str, str]:
    """Shares of games won: median, minimum and maximum of the seeds of trained presets, and those of policies that search."""
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


STUDY = Study(__file__, parts, shown, MATCHES)

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
