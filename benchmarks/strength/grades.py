"""Grades against perfect play: of moves by ply, of the shipped networks, of simple players.

Shown in docs/grading.md and docs/alphazero.md. `ludus grade GAME --policy POLICY` prints the same of one policy.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ludus
from ludus.arena import grade, grade_exact
from ludus.arena.ratings.intervals import wilson
from ludus.core.words import percent
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle

from .. import RESULTS, ROOT
from ..common import table
from ..runner import Rows, Study

# ---- 100,000 moves of a policy in games against random play, by ply

MOVES, STEP = 100_000, 4
"""How many moves of each game are graded, and how many plies share a row of its table."""
GRADED = {"quarto": "quarto", "othello": "othello:size=6"}
COMMAND = "ludus grade {} --policy minimax:depth=2 --moves {} --seed 0"


MOVES_HEADS = [
    *("moves", "graded", "keep the value (95 %)", "random moves there"),
    *("value lost a move (95 %)", "by random moves there"),
]


def ply_cells() -> dict[str, Any]:
    """A cell for each game."""
    return {name: partial(grade_moves, game) for name, game in GRADED.items()}


def grade_moves(game: str) -> dict[str, Any]:
    """What the grade took, and its moves by ply: how many were made and graded, how many of those kept the value, and the value
    that they lost together; and the last three of random moves, one in the position of each move where a grade takes a search."""
    began = time.perf_counter(), time.process_time()
    result = grade("minimax:depth=2", game, most=MOVES, seed=0)
    seconds = {"seconds": time.perf_counter() - began[0], "processor_seconds": time.process_time() - began[1]}
    assert result.score is not None  # its games were played
    own = result.moves, result.graded, result.graded - result.blunders.sum(axis=1), result.total_value_lost
    floor = result.random_graded, result.random_optimal_moves, result.random_total_value_lost
    return {**seconds, "games": result.score.games, "by_ply": np.column_stack([*own, *floor]).astype(int).tolist()}


def show_plies(rows: Rows) -> dict[str, str]:
    """A table by plies for each game, and numbers of the whole."""
    figures = dict[str, str]()
    for name, row in rows.items():
        plies = row["by_ply"]
        (made, graded, *_), first = np.sum(plies, axis=0), next(ply for ply, (_, graded, *_) in enumerate(plies) if graded)
        groups = {start: plies[start : start + STEP] for start in range(first, len(plies), STEP)}
        lines = [[f"{start} to {start + len(group) - 1}", *cells_of(group)] for start, group in groups.items()]
        lines.append(["all", *cells_of(plies)])
        figures |= {
            f"{name}.table": table(["plies", *MOVES_HEADS], lines, align="r"),
            f"{name}.command": f"`{COMMAND.format(GRADED[name], MOVES)}`",
            f"{name}.graded": f"{graded:,} of {made:,}",
            f"{name}.games": f"{row['games']:,}",
            f"{name}.seconds": f"{row['seconds']:.0f} s, {row['processor_seconds']:.0f} s of processors",
        }
    return figures


def cells_of(plies: Sequence[Sequence[int]]) -> list[str]:
    """The cells of a table, for MOVES_HEADS, of the moves of several plies."""
    made, graded, kept, lost, random, random_kept, random_lost = np.sum(plies, axis=0).tolist()
    low, high = (100 * bound for bound in wilson(kept, graded))
    least, most = (2 * bound for bound in wilson(lost / 2, graded))
    own = f"{100 * kept / graded:.1f} % ({low:.1f} to {high:.1f})", f"{lost / graded:.3f} ({least:.3f} to {most:.3f})"
    floor = (percent(random_kept / random), f"{random_lost / random:.3f}") if random else ("", "")
    return [f"{made:,}", f"{100 * graded / made:.0f} %", own[0], floor[0], own[1], floor[1]]


# ---- the shipped networks, alone and with search

ALONE = "alphazero:simulations=1,considered=1,solver=false,ahead=0,temperature=0"
"""The network's favourite action."""
EXACT = [
    ("nim", ALONE, "network alone"),
    ("nim", "alphazero:simulations=16", "16 simulations"),
    ("tictactoe", ALONE, "network alone"),
    ("tictactoe", "alphazero:simulations=50", "50 simulations"),
]
"""Each game, the policy, and what it is."""
SHIPPED = "tictactoe", "nim", "quarto", "quixo:size=4", "quixo", "othello:size=6", "othello", "connect_four"


def network_cells() -> dict[str, Any]:
    """A cell for each exact grade."""
    return {f"{game}, {title}": partial(exact_figures, game, policy) for game, policy, title in EXACT}


def exact_figures(game: str, policy: str) -> dict[str, Any]:
    """The exact grade of a policy."""
    document = grade_exact(policy, game, seed=0).document()
    losses = ("value_lost", "random_value_lost", "value_lost_per_game", "exploitability")
    return {name: document[name] for name in (*losses, "positions", "optimal_position_rate")}


def shipped(game: str) -> dict[str, Any]:
    """What stands beside the network that is shipped for a game: its settings, its seconds, its strength without search."""
    file = re.sub("[^a-z0-9]+", "-", game)
    return json.loads((ROOT / "games" / game.partition(":")[0] / f"{file}.json").read_bytes())


def show_networks(rows: Rows) -> dict[str, str]:
    """The tables of exact grades and of all networks alone, and figures for sentences."""
    lines = list[list[str]]()
    for game, _, title in EXACT:
        row = rows[f"{game}, {title}"]
        numbers = [f"{row[name]:.4f}" for name in ("value_lost", "random_value_lost", "value_lost_per_game", "exploitability")]
        kept = f"{100 * row['optimal_position_rate']:.2f} % of {sum(row['positions']):,}"
        lines.append([f"`{game}`", f"{shipped(game)['seconds']:,.0f} s", title, kept, *numbers])
    heads = [
        *("game", "trained", "policy", "positions played without error"),
        *("value lost a move, random opponent", "by random moves there", "a game, perfect opponent", "exploitability"),
    ]
    return {"table": table(heads, lines, align="lrlr"), **without_search()}


def without_search() -> dict[str, str]:
    """A table of how strong the shipped networks are alone, and the share of moves of each that keep the value."""
    lines, figures, floors = list[list[str]](), dict[str, str](), exams()
    for game in SHIPPED:
        made, floor = shipped(game), percent(floors[game]["random_keeps"])
        alone = made["without search"]
        kept, error = percent(alone["exam"]["optimal"]), f"{alone['exam']['value error']:.2f}"
        seconds = made["seconds"] + made.get("from", {}).get("seconds", 0)
        trained = [learnt_from(made), from_oracle(made["settings"]), f"{seconds:,.0f} s"]
        results = f"{kept} of {alone['exam']['positions']}", floor, error, str(alone["against random"]["wins"])
        lines.append([f"`{game}`", *trained, *results])
        figures[f"{game}.kept"] = kept
    heads = [
        *("game", "positions of self-play", "targets from the oracle, at most", "trained"),
        *("keeps the value in", "random moves there", "mean error of its value", "wins of 200 against random"),
    ]
    return {"alone": table(heads, lines, align="lr"), **figures}


def learnt_from(made: Mapping[str, Any]) -> str:
    """How much a training has played, with the run that it started from: positions of AlphaZero, games of n-tuples."""
    settings, before = made["settings"], made.get("from", {}).get("done", 0)
    return f"{settings['positions'] + before:,}" if "positions" in settings else f"{settings['games'] + before:,} games, n-tuples"


def from_oracle(settings: Mapping[str, Any]) -> str:
    """The largest share of what a training learns from that has the oracle's targets: it does not know all positions."""
    lessons = settings.get("lesson_share", 0)
    return f"{100 * (lessons + (1 - lessons) * settings.get('exact_share', 0)):.0f} %"


# ---- simple players on AlphaZero's test positions, and the best win rates against random in tic-tac-toe

WHO = ("random", "best", "unbeaten")
EXAMS = ("nim", "tictactoe", "quixo:size=4", "othello:size=6", "othello", "quixo", "quarto", "connect_four")
MOST_WINS = "tictactoe, most wins"


def exam_cells() -> dict[str, Any]:
    """A cell for the test positions of each game, and one for the highest win rates in tic-tac-toe."""
    return {**{game: partial(examine, game) for game in EXAMS}, MOST_WINS: most_wins}


def examine(name: str) -> dict[str, float]:
    """The number of test positions, how often two simple players keep the value, and the mean error of the value 0.

    One player is random; the other wins if one action does, loses by none if it can, and is random among the others.
    """
    from ludus.baselines.alphazero.selfplay.exact import known_positions

    game = ludus.make_game(name)
    known = known_positions(game)
    masks = game.masks(known.states).astype(bool)
    return {
        "positions": len(known.states),
        "random_keeps": share_kept(masks, known.keeping),
        "one_ply_keeps": share_kept(best_one_ply_ahead(game, known.states, masks), known.keeping),
        "drawn_error": float(np.abs(known.values).mean()),
    }


def share_kept(chosen: NDArray[np.bool_], keeping: NDArray[np.bool_]) -> float:
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


def show_exams(rows: Rows) -> dict[str, str]:
    """Single numbers: of a game's test positions, and the win rates of each player in tic-tac-toe."""
    most, figures = rows[MOST_WINS], dict[str, str]()
    for game in EXAMS:
        name, row = game.replace(":size=", "-"), rows[game]
        figures |= {f"{name}.positions": str(row["positions"]), f"{name}.drawn": f"{row['drawn_error']:.2f}"}
        figures |= {f"{name}.{who}": f"{100 * row[f'{who}_keeps']:.0f} %" for who in ("random", "one_ply")}
    for who in WHO:
        first, second = (100 * most[f"{who}, seat {seat}"] for seat in (0, 1))
        figures |= {f"{who}.first": f"{first:.2f} %", f"{who}.second": f"{second:.2f} %"}
        figures[f"{who}.both"] = f"{(first + second) / 2:.1f} %"
    return figures


def exams() -> Rows:
    """What simple players do in the test positions of each game: the floor of what networks do there."""
    return next(study for study in STUDIES if study.name == "exams").rows()


TORCH = ("numpy", "llvmlite", "torch")


STUDIES = (
    Study(RESULTS / "grades.json", ply_cells, show_plies, 0),
    Study(RESULTS / "networks.json", network_cells, show_networks, 0, TORCH),
    Study(RESULTS / "exams.json", exam_cells, show_exams, 0),
)
