"""What single settings of a training are worth: one is changed at a time. Shown in docs/alphazero.md and docs/training.md."""

from __future__ import annotations

from functools import partial
from statistics import median
from typing import Any

from ludus.arena import evaluate, grade_exact
from ludus.arena.report.words import percent
from ludus.baselines import train

from .. import RESULTS
from ..common import counts, share, table
from ..runner import Rows, Study
from ..seeds import HEADS, seeds_of, summarise
from .grades import exams
from .trained import TrainedLine, train_line

# ---- AlphaZero: short trainings of networks, searches and runs that are smaller than those that are shipped

SMALL: dict[str, Any] = {"blocks": 2, "channels": 16, "simulations": 16, "positions": 20_480}
STUDIED = ("quarto", "othello:size=6")
"""The games in which the oracle knows enough of the exam."""
LONGEST = 24
"""The most random plies of a game that begins near its end."""
PLAIN: dict[str, Any] = {
    "lines": False,
    "first_simulations": None,
    "long_openings": 0,
    "long_share": 0.0,
    "exact_share": 0.0,
    "lesson_share": 0.0,
    "ending_weight": 0.0,
}
"""All changes off, whatever the preset has."""
NETWORK_CHANGES: dict[str, dict[str, Any]] = {
    "none of these": {},
    f"half of the games begin with up to {LONGEST} random plies": {"long_openings": LONGEST, "long_share": 0.5},
    "blocks see lines": {"lines": True},
    "simulations grow from 4": {"first_simulations": 4},
    "an extra head says what each cell will hold at the end": {"ending_weight": 4.0},
    "the oracle gives the targets of half of the positions": {"exact_share": 0.5},
    "as many lessons as positions, where the oracle knows them": {"long_openings": LONGEST, "lesson_share": 0.5},
}
"""The settings that differ from those of all, by what the change is called."""


def train_network(game: str, settings: dict[str, Any], seed: int) -> dict[str, Any]:
    """The strength without search of what was learnt, and the seconds of processor that learning took."""
    from benchmarks.making.networks import without_search

    run, row = train_line(TrainedLine("alphazero", game, budget=SMALL | PLAIN | settings), seed)
    policy: Any = run.policy()
    return {"seconds": row["seconds"], **without_search(policy.game, policy.net)}


FLOOR = "random play"
TEN = seeds_of(60)
"""The seeds of each setting: all of these trainings take a minute of one core or less."""


def alphazero_cells() -> dict[str, Any]:
    """A cell for each training."""
    return {
        f"{game}, {change}, seed {seed}": partial(train_network, game, settings, seed)
        for game in STUDIED
        for change, settings in NETWORK_CHANGES.items()
        for seed in TEN
    }


def show_alphazero(rows: Rows) -> dict[str, str]:
    """A row for each game and change, and before them the floor of the game."""
    lines, floors = list[list[str]](), exams()
    for game in STUDIED:
        floor = floors[game]
        keeps, error = f"{100 * floor['random_keeps']:.0f} %", f"{floor['drawn_error']:.2f}"
        lines.append([f"`{game}`", "random moves, and always the value 0", "", keeps, keeps, keeps, error, ""])
        for change in NETWORK_CHANGES:
            runs = [rows[f"{game}, {change}, seed {seed}"] for seed in TEN]
            kept = summarise([[run["exam"]["optimal"] for run in runs]], floor=floor["random_keeps"])
            keeps = kept.cells(lambda share: f"{100 * share:.0f} %")
            errors = summarise([[run["exam"]["value error"] for run in runs]], worst=max).cells(lambda error: f"{error:.2f}")
            wins = summarise([[run["against random"]["wins"] for run in runs]]).cells(lambda wins: f"{wins:.0f}")
            lines.append([f"`{game}`", change, f"{median(run['seconds'] for run in runs):.0f}", *keeps, errors[1], wins[1]])
    heads = [
        *("game", "what is changed", "seconds", *(f"network alone keeps the value: {head}" for head in HEADS)),
        *("mean error of its value", "wins of 200 against random, alone"),
    ]
    return {"table": table(heads, lines, align="llr"), "positions": f"{SMALL['positions']:,}"}


# ---- n-tuples for Othello on 8×8, learnt by TD(λ) at one ply

GAMES, OPPONENT = 400, "minimax:depth=3"
OLD: dict[str, Any] = {
    "rate": 0.1,
    "rate_end": 0.0,
    "trace": 0.8,
    "sparring": 0.0,
    "stages": 1,
    "coherence": False,
    "shapes": ("1x4", "d4"),
}
"""The settings before; what is not named in a variant of the present ones is as the preset has it."""
VARIANTS: dict[str, dict[str, Any]] = {
    "as it was": OLD,
    "with sparring in half of the games": OLD | {"sparring": 0.5},
    "with 20 random plies at first, at most": OLD | {"opening": 20},
    "with shapes of edges and corners": OLD | {"shapes": None},
    "with 8 stages": OLD | {"stages": 8},
    "with coherence": OLD | {"coherence": True, "rate": 1.0, "rate_end": 1.0},
    "the preset": {},
    "the preset without sparring": {"sparring": 0.0},
    "the preset with one stage": {"stages": 1},
    "the preset without coherence": {"coherence": False, "rate": 0.5, "rate_end": 0.0},
    "the preset with short lines": {"shapes": ("1x4", "d4")},
    "the preset with λ = 0.5": {"trace": 0.5},
}
LEARNT = 20_000
"""The games from which each variant learns."""


def train_ntuples(settings: dict[str, Any], seed: int) -> dict[str, Any]:
    """The score at one ply of what was learnt with these settings, and the seconds of processor that learning took."""
    run, row = train_line(TrainedLine("td_ntuple", "othello", "othello", {"games": LEARNT, **settings}), seed)
    return {"score": counts(evaluate(run.policy(), "othello", OPPONENT, GAMES, seed=seed)), "seconds": row["seconds"]}


def ntuple_cells() -> dict[str, Any]:
    """A cell for each training and seed, and one for random play."""
    trained = {
        f"{name}, seed {seed}": partial(train_ntuples, settings, seed) for name, settings in VARIANTS.items() for seed in TEN
    }
    return {**trained, FLOOR: lambda: counts(evaluate("random", "othello", OPPONENT, GAMES, seed=1))}


def show_ntuples(rows: Rows) -> dict[str, str]:
    """A row for each variant, and the floor."""
    lines, floor = list[list[str]](), share(rows[FLOOR])
    for name in VARIANTS:
        runs = [rows[f"{name}, seed {seed}"] for seed in TEN]
        made = [share(run["score"]) for run in runs]
        cells = summarise([made], floor=floor).cells(percent)
        lines.append([name, f"{median(run['seconds'] for run in runs):.0f}", *cells])
    lines.append([f"{FLOOR}, the floor", "", *[percent(floor)] * len(HEADS)])
    return {"table": table(["`td_ntuple`", "seconds", *HEADS], lines, align="lr"), "games": f"{LEARNT:,}"}


# ---- what makes NEAT lose value in tic-tac-toe

BASE: dict[str, Any] = {
    "sight": "lines",
    "opponents": ("random",),
    "every_line": False,
    "fame": 0,
    "games": 200,
    "final_games": 1000,
    "opening_plies": 0,
    "generations": 60,
}
"""The settings that each row changes, written out, so that a new preset leaves them as they are."""
CHANGES: list[dict[str, Any]] = [{}, {"games": 400}, {"opening_plies": 2}, {"opponents": None, "every_line": True}]


def neat_cells() -> dict[str, Any]:
    """A cell for each change and seed, and one for random play."""
    runs = {f"{write_options(change)}, seed {seed}": partial(train_neat, change, seed) for change in CHANGES for seed in TEN}
    return {**runs, FLOOR: partial(grade_tictactoe, "random")}


def write_options(change: dict[str, Any]) -> str:
    """Settings as options of the command line."""
    words = {name: "+".join(value) if isinstance(value, tuple) else str(value).lower() for name, value in change.items()}
    return " ".join(f"--{name.replace('_', '-')} {word}" for name, word in words.items()) or "nothing"


def change_name(change: dict[str, Any]) -> str:
    """How the table names a change."""
    return f"`{write_options(change)}`" if change else "nothing"


def train_neat(change: dict[str, Any], seed: int) -> dict[str, Any]:
    """The exact grade of what is learnt with a changed setting."""
    return grade_tictactoe(train("neat", "tictactoe", seed=seed, **{**BASE, **change}).policy())


def grade_tictactoe(policy: Any) -> dict[str, Any]:
    """The figures of the exact grade of a policy."""
    exact = grade_exact(policy, "tictactoe")
    return {"beatable": exact.beatable, "value_lost": exact.value_lost, "value_lost_per_game": exact.value_lost_per_game}


def show_neat(rows: Rows) -> dict[str, str]:
    """A row for each change, and the floor."""
    lines, floor = list[list[str]](), rows[FLOOR]["value_lost_per_game"]
    for change in CHANGES:
        runs = [rows[f"{write_options(change)}, seed {seed}"] for seed in TEN]
        lost = [run["value_lost_per_game"] for run in runs]
        cells = summarise([lost], worst=max, floor=floor).cells(lambda value: f"{value:.4f}")
        lines.append([change_name(change), f"{sum(run['beatable'] for run in runs)} of {len(runs)}", *cells])
    lines.append([f"{FLOOR}, the floor", "", *[f"{floor:.4f}"] * len(HEADS)])
    return {"table": table(["changed", "runs that can be beaten", *HEADS], lines)}


STUDIES = (
    Study(RESULTS / "settings_alphazero.json", alphazero_cells, show_alphazero, libraries=("numpy", "llvmlite", "torch")),
    Study(RESULTS / "settings_ntuples.json", ntuple_cells, show_ntuples),
    Study(RESULTS / "settings_neat.json", neat_cells, show_neat),
)
