"""The tabular and evolved players of earlier projects, as presets, and those of our defaults. Shown in docs/classics.md.

python -m benchmarks.strength.tabular_originals              # trains what is missing or out of date
python -m benchmarks.strength.tabular_originals qlearning    # of one trainer
"""

from __future__ import annotations

import argparse
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ludus.arena import evaluate, grade_exact
from ludus.arena.ratings.score import Score
from ludus.baselines import train

from ..provenance import GRADING, MATCHES, Part, Study, match_sources, oracle_sources, table
from .training import OF_TRAINERS, source_of

SEEDS = tuple(range(1, 11))
DUEL_SEEDS = (1, 2, 3)
"""The seeds of learners that meet each other after ten million games, which take longer."""
LINES = [
    ("qlearning", "tictactoe", "original"),
    ("qlearning", "tictactoe", "two_learners"),
    ("qlearning", "tictactoe", None),
    ("montecarlo", "tictactoe", "original"),
    ("montecarlo", "tictactoe", "two_learners"),
    ("montecarlo", "tictactoe", "values"),
    ("montecarlo", "tictactoe", None),
    ("evolved_table", "nim", "original"),
    ("evolved_table", "nim", None),
    ("evolved_mixture", "nim", "original"),
    ("evolved_mixture", "nim", None),
    ("evolved_preference", "nim", "longer"),
    ("evolved_preference", "nim", None),
]
"""What is trained with each seed: trainer, game, and preset; None for our defaults."""
REPORTED = {
    ("qlearning", "original"): "98 % first, 96 % second",
    ("qlearning", "two_learners"): "none of its own was published",
    ("montecarlo", "original"): "none was published",
    ("montecarlo", "two_learners"): "none was published",
    ("montecarlo", "values"): "above 97 %",
    ("evolved_table", "original"): "none was published",
    ("evolved_mixture", "original"): "none was published",
    ("evolved_preference", "longer"): "none was published",
}
"""The results that the originals reported, by trainer and preset."""
PLAYED = 2000
"""Games played to measure the length of games."""
DUELLISTS = ("qlearning", "montecarlo")
PAIRS = [("qlearning", "montecarlo"), ("qlearning", "random"), ("montecarlo", "random")]
EPISODES, GAMES = 10_000_000, 100_000
"""Training games of both, and games between them, as in the original project."""


def measured(trainer: str, game: str, preset: str | None, seeds: tuple[int, ...] = SEEDS) -> list[dict[str, float]]:
    """Exact win and loss rates against random play after training with each seed, as first and as second player.

    For an evolved preference also the mean number of plies of games against random play and against itself.
    """
    rows = list[dict[str, float]]()
    for seed in seeds:
        policy = train(trainer, game, seed=seed, preset=preset).policy()
        found = grade_exact(policy, game)
        (first, second), (first_lost, second_lost) = found.win_rate_vs_random, found.loss_rate_vs_random
        rows.append({"first": first, "second": second, "first_lost": first_lost, "second_lost": second_lost})
        if trainer == "evolved_preference":
            for name, against in {"random": "random", "itself": policy}.items():
                rows[-1][f"plies_{name}"] = mean_plies(evaluate(policy, game, against, PLAYED, seed=seed, opening_plies=0))
    return rows


def mean_plies(score: Score) -> float:
    """The mean number of plies of a score's games."""
    games = score.plies.sum(axis=(0, 1))
    return float(games @ np.arange(len(games)) / games.sum())


def duels(seed: int, preset: str | None) -> dict[str, list[list[list[int]]]]:
    """The results of games of the two learners against each other and against random play.

    Games begin with two random plies, because the tables are deterministic and would otherwise play one game in each seat.

    Returns:
        For each pair, games by the first one's seat, by its result, and by how many plies they had.
    """
    settings = {"games": EPISODES} if preset else {}
    players = {name: train(name, "tictactoe", seed=seed, preset=preset, **settings).policy() for name in DUELLISTS}
    players["random"] = "random"
    return {
        f"{one} {other}": evaluate(players[one], "tictactoe", players[other], GAMES, seed=seed, opening_plies=2).plies.tolist()
        for one, other in PAIRS
    }


def duels_again(seed: int, preset: str | None, kept: object) -> tuple[object, object]:
    """All of it, then and now."""
    return kept, duels(seed, preset)


def again(line: tuple[str, str, str | None], kept: list[dict[str, float]]) -> tuple[object, object]:
    """The result of the first seed, as stored and now."""
    return kept[:1], measured(*line, seeds=SEEDS[:1])


def name_of(line: tuple[str, str, str | None]) -> str:
    """The name of a line's part."""
    return "-".join(filter(None, (line[0], line[2])))


def parts(_: argparse.Namespace) -> dict[str, Part]:
    """A part for each line, and for each seed of games between the learners."""
    found = {name_of(line): Part(partial(measured, *line), partial(again, line), sources(*line[:2])) for line in LINES}
    learners = tuple(place for trainer in DUELLISTS for place in sources(trainer, "tictactoe"))
    for preset in ("original", None):
        for seed in DUEL_SEEDS:
            found[f"duels {preset} {seed}"] = Part(partial(duels, seed, preset), partial(duels_again, seed, preset), learners)
    return found


def sources(trainer: str, game: str) -> tuple[str, ...]:
    """What the grade of a trainer's policy depends on."""
    return (*match_sources(game, "random"), *oracle_sources(game), *GRADING, source_of(trainer), *OF_TRAINERS[trainer])


def shown(found: dict[str, Any]) -> dict[str, str]:
    """For each original the cells of its row in the first table of docs/classics.md, and how learners met; nothing until all is
    measured."""
    if len(found) < len(LINES) + 2 * len(DUEL_SEEDS):
        return {}
    cells = {line: cell(line, found[name_of(line)]) for line in LINES}
    games = {trainer: game for trainer, game, _ in LINES}
    rows = dict[str, str]()
    for (trainer, preset), reported in REPORTED.items():
        game = games[trainer]
        rows[f"{trainer}-{preset}"] = " | ".join([reported, cells[trainer, game, preset], cells[trainer, game, None]])
    met, ours = ([found[f"duels {preset} {seed}"] for seed in DUEL_SEEDS] for preset in ("original", None))
    command = "`python examples/training/qlearning_against_montecarlo.py{}`"
    rows["duel"] = " | ".join(
        [
            "pictures only",
            f"{won_in_all(met)}<br>{command.format(f' --episodes {EPISODES} --games {GAMES}')}",
            f"{won_in_all(ours)}<br>{command.format(f' --preset default --games {GAMES}')}",
        ]
    )
    return rows | {"duels": duels_table(met), "duels.lengths": lengths_table(met)}


def duels_table(met: list[dict[str, list[list[list[int]]]]]) -> str:
    """The results of each pair by seat: medians of the seeds, in percent."""
    rows = list[list[str]]()
    for one, other in PAIRS:
        shares = np.array([np.array(games[f"{one} {other}"]).sum(axis=2) for games in met]) / (GAMES // 2)
        for seat, results in zip(("first", "second"), np.moveaxis(shares, 0, -1), strict=True):
            rows.append([f"{one} against {other}", seat, *(spread(result.tolist()) for result in results)])
    return table(["", "as", "won %", "drawn %", "lost %"], rows)


def lengths_table(met: list[dict[str, list[list[list[int]]]]]) -> str:
    """The lengths of games of each pair, by result: means of the seeds, in percent of all games."""
    rows = list[list[str]]()
    for one, other in PAIRS:
        shares = np.mean([np.array(games[f"{one} {other}"]).sum(axis=0) for games in met], axis=0) / GAMES
        for result, plies in zip(("won", "drawn", "lost"), shares, strict=True):
            rows.append([f"{one} against {other}", result, *(f"{100 * share:.1f}" for share in plies[5:])])
    return table(["", "", *(f"ply {ply}" for ply in range(5, 10))], rows)


def won_in_all(met: list[dict[str, list[list[list[int]]]]]) -> str:
    """The shares of their games that each learner won: the median and range of the seeds."""
    one, other = DUELLISTS
    shares = [np.array(games[f"{one} {other}"]).sum(axis=(0, 2)) / GAMES for games in met]
    return f"Q-learning won {spread([won for won, _, _ in shares])} %, Monte-Carlo {spread([lost for _, _, lost in shares])} %"


def cell(line: tuple[str, str, str | None], rows: list[dict[str, float]]) -> str:
    """A cell: what a line wins, and does not lose, as first and as second, and its command."""
    won = [spread([row[seat] for row in rows]) for seat in ("first", "second")]
    kept = [spread([1 - row[f"{seat}_lost"] for row in rows]) for seat in ("first", "second")]
    trainer, game, preset = line
    command = f"ludus train {trainer} {game}" + (f" --preset {preset}" if preset else "")
    drawn = f"; not lost {kept[0]} % and {kept[1]} %" if game == "tictactoe" else ""
    lasted = ""
    if trainer == "evolved_preference":
        against = [f"{spread([row[f'plies_{name}'] for row in rows], 1)} against {name}" for name in ("random", "itself")]
        lasted = f"; plies a game: {', '.join(against)}"
    return f"won {won[0]} % first, {won[1]} % second{drawn}{lasted}<br>`{command}`"


def spread(shares: list[float], scale: int = 100) -> str:
    """The median of shares in percent (or on another scale), and the range if there is one."""
    low, middle, high = (f"{scale * share:.1f}" for share in (min(shares), median(shares), max(shares)))
    return middle if low == high else f"{middle} ({low} to {high})"


STUDY = Study(__file__, parts, shown, (*MATCHES, "baselines/tabular", "baselines/genetics"), 1, ("numpy", "llvmlite", "deap"))

if __name__ == "__main__":
    raise SystemExit(STUDY.run())
