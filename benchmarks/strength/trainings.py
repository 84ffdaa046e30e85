"""The players of the projects that Ludus grew from, as presets, and those of our defaults. Shown in docs/classics.md.

What learns Quixo is a line of trained.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import median
from typing import Any

import numpy as np

from ludus.arena import evaluate, grade_exact, tournament
from ludus.baselines import train
from ludus.core.words import percent

from .. import RESULTS
from ..common import counts, play, table
from ..runner import Rows, Study
from ..seeds import HEADS, seeds_of, summarise
from .trained import TrainedLine, train_line

# ---- tables and evolved players: exact rates against random play after training

SEEDS = seeds_of(10)
"""The seeds of each line and of the duels: all of these trainings take a minute of one core or less."""
UNPUBLISHED = "none was published"
LINES = {
    ("qlearning", "tictactoe", "original"): "98 % first, 96 % second",
    ("qlearning", "tictactoe", "two_learners"): "none of its own was published",
    ("qlearning", "tictactoe", None): "",
    ("montecarlo", "tictactoe", "original"): UNPUBLISHED,
    ("montecarlo", "tictactoe", "two_learners"): UNPUBLISHED,
    ("montecarlo", "tictactoe", "values"): "above 97 %",
    ("montecarlo", "tictactoe", None): "",
    ("evolved_table", "nim", "original"): UNPUBLISHED,
    ("evolved_table", "nim", None): "",
    ("evolved_mixture", "nim", "original"): UNPUBLISHED,
    ("evolved_mixture", "nim", None): "",
    ("evolved_preference", "nim", "longer"): UNPUBLISHED,
    ("evolved_preference", "nim", None): "",
}
"""What is trained with each seed: trainer, game, and preset, None for our defaults; and the result that the original reported."""
PLAYED = 2000
"""Games in which a player of Quarto meets random play."""
DUELLISTS = ("qlearning", "montecarlo")
PAIRS = [("qlearning", "montecarlo"), ("qlearning", "random"), ("montecarlo", "random")]
FLOOR = ("random", "random")
"""Who meets whom; random play meets itself, too."""
EPISODES, GAMES = 10_000_000, 100_000
"""Training games of both, and games between them, as in the original project."""
DUELS = {"original": "the project's", None: "ours"}
"""Whose settings the learners have that meet, by preset."""


def tabular_cells() -> dict[str, Any]:
    """A cell for random play of each game, for each line and seed, and for each seed of games between the learners."""
    random = {f"random {game}": partial(exact_rates, "random", game) for game in ("tictactoe", "nim")}
    trained = {
        f"{trainer} {preset} {seed}": partial(learn, trainer, game, preset, seed)
        for trainer, game, preset in LINES
        for seed in SEEDS
    }
    return random | trained | {f"duels {preset} {seed}": partial(duel, seed, preset) for preset in DUELS for seed in SEEDS}


def learn(trainer: str, game: str, preset: str | None, seed: int) -> dict[str, float]:
    """Exact rates after training."""
    return exact_rates(train(trainer, game, seed=seed, preset=preset).policy(), game)


def exact_rates(policy: Any, game: str) -> dict[str, float]:
    """Exact win and loss rates against random play, as first and as second player."""
    exact = grade_exact(policy, game)
    (first, second), (first_lost, second_lost) = exact.win_rate_vs_random, exact.loss_rate_vs_random
    return {"first": first, "second": second, "first_lost": first_lost, "second_lost": second_lost}


def duel(seed: int, preset: str | None) -> dict[str, Any]:
    """The games of the two learners against each other and against random play, and of random play against itself: for each pair
    those by the first one's seat, by its result, and by how many plies they had; and the seconds of processors that both trainings
    took.

    Games begin with two random plies, because the tables are deterministic and would otherwise play one game in each seat.
    """
    settings: dict[str, Any] = {"games": EPISODES} if preset else {}
    players, seconds = dict[str, Any](random="random"), 0.0
    for name in DUELLISTS:
        run, row = train_line(TrainedLine(name, "tictactoe", preset or "", settings), seed)
        players[name], seconds = run.policy(), seconds + row["seconds"]
    met = {
        f"{one} {other}": evaluate(players[one], "tictactoe", players[other], GAMES, seed=seed, opening_plies=2).plies.tolist()
        for one, other in (*PAIRS, FLOOR)
    }
    return {"seconds": round(seconds, 1), **met}


def show_tabular(rows: Rows) -> dict[str, str]:
    """For each original the cells of its row on the page, and those of ours; and how learners met."""
    figures = dict[str, str]()
    for line, reported in LINES.items():
        trainer, _, preset = line
        text = cell(line, [rows[f"{trainer} {preset} {seed}"] for seed in SEEDS])
        figures |= {f"{trainer}-{preset}": f"{reported} | {text}"} if preset else {f"{trainer}.ours": text}
    met = {preset: [rows[f"duels {preset} {seed}"] for seed in SEEDS] for preset in DUELS}
    command = "`python examples/training/qlearning_against_montecarlo.py{}`"
    figures["duel"] = f"pictures only | {won_in_all(met['original'])} | {command.format(f' --episodes {EPISODES} --games {GAMES}')}"
    figures["duel.ours"] = f"{won_in_all(met[None])} | {command.format(f' --preset default --games {GAMES}')}"
    figures |= {"runs": runs_table(rows)}
    return figures | {"seeds": str(len(SEEDS))}


def runs_table(rows: Rows) -> str:
    """For each line the points that its runs make a game against random play, over both seats, and those of random play."""
    lines = list[list[str]]()
    for trainer, game, preset in LINES:
        made = [points_of(rows[f"{trainer} {preset} {seed}"]) for seed in SEEDS]
        cells = summarise([made], floor=0.5).cells(percent)
        title = f"`{trainer}`" + (f", preset `{preset}`" if preset else "")
        lines.append([title, f"`{game}`", *cells, percent(points_of(rows[f"random {game}"]))])
    return table(["trainer", "game", *HEADS, "random play"], lines, align="llr")


def points_of(row: dict[str, float]) -> float:
    """The points a game of exact rates, over both seats: a win counts 1, a draw a half."""
    return (2 + row["first"] - row["first_lost"] + row["second"] - row["second_lost"]) / 4


def won_in_all(met: Sequence[dict[str, Any]]) -> str:
    """The shares of their games that each learner won, medians of the seeds."""
    by_seat = np.array([np.sum(games[" ".join(DUELLISTS)], axis=2) for games in met]) / (GAMES // 2)  # won, drawn, lost (N, 2, 3)
    won, _, lost = np.median(by_seat.mean(axis=1), axis=0)
    return f"Q-learning won {percent(won)}, Monte-Carlo {percent(lost)}"


def cell(line: tuple[str, str, str | None], rows: Sequence[dict[str, float]]) -> str:
    """Two cells: what a line wins, and does not lose, as first and as second, medians of its seeds; and its command."""
    trainer, game, preset = line
    won = [f"{100 * median(row[seat] for row in rows):.1f}" for seat in ("first", "second")]
    kept = [f"{100 * median(1 - row[f'{seat}_lost'] for row in rows):.1f}" for seat in ("first", "second")]
    text = f"won {won[0]} % first, {won[1]} % second"
    if game == "tictactoe":
        text += f"; not lost {kept[0]} % and {kept[1]} %"
    return f"{text} | `ludus train {trainer} {game}" + (f" --preset {preset}`" if preset else "`")


# ---- the players of Quixo and of Quarto

SEARCHED = 200
"""Games of a player that searches, against random from the usual start."""
PLAYERS = {
    "quixo.alphabeta": "minimax:depth=5,opening=2",
    "quixo.alphabeta.full": "minimax:depth=5",
    "quixo.alphabeta.plain": "minimax:depth=5,evaluation=plain",
}
FRONTIERS = {"quarto.frontiers": "frontiers", "quarto.frontiers.delayed": "frontiers:highest=false"}
MATCHES = (1, 2, 3)
"""The seeds of the matches of those players, which learn nothing."""
PLAYERS_REPORTED = {
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
QUARTO = ("hard", "easy", "random")
TABLED = 100
"""Games of each cell of Quarto's table."""


def player_cells() -> dict[str, Any]:
    """A cell for each player that searches, for each seed of those that play much, and for Quarto's table."""
    return {
        **{name: partial(play, spec, "quixo", "random", SEARCHED, seed=1, opening_plies=0) for name, spec in PLAYERS.items()},
        **{
            f"{name} {seed}": partial(play, spec, "quarto", "random", PLAYED, seed=seed, opening_plies=0)
            for name, spec in FRONTIERS.items()
            for seed in MATCHES
        },
        "quarto.table": quarto_table,
    }


def quarto_table() -> list[list[list[int]]]:
    """The scores of Quarto's players against each other and themselves, from the usual start."""
    pairs = tournament("quarto", QUARTO, TABLED, self_play=True, opening_plies=0, seed=1).scores.values()
    scores = {score.pairing[1:]: score for pair in pairs for score in (pair.turned, pair)}
    return [[counts(scores[a, b]) for b in QUARTO] for a in QUARTO]


def show_players(rows: Rows) -> dict[str, str]:
    """Shares of games won: median, minimum and maximum of the matches, and those of players that search."""
    figures = {"games": f"{PLAYED:,}", "searched": str(SEARCHED)}
    figures |= {f"{name}.reported": reported for name, reported in PLAYERS_REPORTED.items()}
    for name in FRONTIERS:
        wins = [100 * rows[f"{name} {seed}"]["score"][0] / PLAYED for seed in MATCHES]
        figures |= {f"{name}.{what.__name__}": f"{what(wins):.1f} %" for what in (median, min, max)}
    for name in PLAYERS:
        figures[f"{name}.wins"] = f"{100 * rows[name]['score'][0] / SEARCHED:g} %"
        figures[f"{name}.nodes"] = f"{rows[name]['nodes']:,.0f}"
    lines = [
        [name, *(" / ".join(f"{100 * count / TABLED:.0f}" for count in score) for score in row)]
        for name, row in zip(QUARTO, rows["quarto.table"], strict=True)
    ]
    figures["quarto.table"] = table(["won / drawn / lost of 100", *QUARTO], lines)
    return figures


STUDIES = (
    Study(RESULTS / "tabular_originals.json", tabular_cells, show_tabular, 1, ("numpy", "llvmlite", "deap")),
    Study(RESULTS / "presets.json", player_cells, show_players),
)
