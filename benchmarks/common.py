"""What studies share: tables and quantities as text, matches and what they took, and several ways measured in turn."""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludus.arena import evaluate
from ludus.arena.matches.openings import openings
from ludus.arena.ratings.intervals import wilson
from ludus.arena.ratings.score import Score
from ludus.core.words import percent
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING

TITLES = {
    "nim": "Nim",
    "tictactoe": "tic-tac-toe",
    "quarto": "Quarto",
    "quixo:size=4": "Quixo 4×4",
    "quixo": "Quixo",
    "othello:size=6": "Othello 6×6",
    "othello": "Othello",
}
"""The games as tables name them."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], align: str = "lr") -> str:
    """A table in Markdown.

    Args:
        heads: the titles of the columns.
        rows: the cells.
        align: l (left, for words) or r (right, for numbers) for each column; the last letter applies to all further columns.
    """
    rule = "|" + "".join("---|" if side == "l" else "---:|" for side in align.ljust(len(heads), align[-1]))
    first, *rest = ("|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|" for cells in (heads, *rows))
    return "\n".join([first, rule, *rest])


def quantity(value: float | None, unit: str, digits: int = 3) -> str:
    """A number with a readable unit; empty for None."""
    if value is None:
        return ""
    if unit == "×":
        return f"{value:.1f}"
    if unit == "s" and value < 0.1:
        return f"{1000 * value:.2g} ms"
    if value >= 1e6:
        return f"{value / 1e6:.1f} M {unit}"
    return f"{value:,.0f} {unit}" if value >= 100 else f"{value:.{digits}g} {unit}"


def readable(seconds: float) -> str:
    """Seconds in a readable unit."""
    for unit, size in ("h", 3600), ("min", 60), ("s", 1):
        if seconds >= 2 * size or (unit == "s" and seconds >= 0.5):
            return f"{seconds / size:.3g} {unit}"
    return f"{1000 * seconds:.3g} ms"


def counts(score: Score) -> list[int]:
    """Wins, draws and losses."""
    return [score.wins, score.draws, score.losses]


def play(policy: Any, game: str, against: Any, games: int = 200, *, seed: int = 0, **how: Any) -> dict[str, Any]:
    """The row of a match as `evaluate` plays it: its score, its seconds and those of a move of the policy, and the nodes of a game
    where it counts them. A few games before, which compile, do not count."""
    evaluate(policy, game, against, 4, seed=seed, **how)
    began = time.perf_counter()
    score = evaluate(policy, game, against, games, seed=seed, **how)
    row = {"score": counts(score), "seconds": time.perf_counter() - began, "seconds_a_move": score.seconds_a_move[0]}
    nodes = score.nodes_a_game[0]
    return row if nodes is None else {**row, "nodes": nodes}


def share(score: Sequence[int]) -> float:
    """The share of points of a score."""
    wins, draws, _ = score
    return (wins + draws / 2) / sum(score)


def points(score: Sequence[int]) -> tuple[str, str]:
    """The share of points of a score, and the lower end of its 95 % interval."""
    wins, draws, losses = score
    games, made = wins + draws + losses, wins + draws / 2
    return percent(made / games), percent(wilson(made, games)[0])


def together(rows: Sequence[dict[str, Any]]) -> list[str]:
    """The cells of several matches as one: wins, draws, losses; the share of points; its lower end; seconds."""
    score = [sum(column) for column in zip(*(row["score"] for row in rows), strict=True)]
    return [", ".join(map(str, score)), *points(score), f"{sum(row['seconds'] for row in rows):,.0f}"]


def positions_after(game: Game, plies: int, count: int) -> StateArray:
    """Unfinished positions after this many random plies (N, W): as many as asked, or the most of eight times as many games."""
    _, states = openings(game, 0, np.arange(8 * count), plies)
    return states[game.outcomes(states) == ONGOING][:count]


def run(*command: str | Path, **how: Any) -> str:
    """What a program prints, as `subprocess.run` runs it; its errors go where ours go."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **how).stdout


def children_seconds() -> float:
    """The processor seconds of all processes that this one started and that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ---- several ways to do the same, measured in turn, so that all meet the same load


class Rate(NamedTuple):
    """How much was done in a second of the clock, and of this process's processors."""

    clock: float
    processor: float


def rate(work: Callable[[], float]) -> Rate:
    """The rate of a call that returns how much it has done."""
    clock, processor = time.perf_counter(), time.process_time()
    done = work()
    return Rate(done / (time.perf_counter() - clock), done / (time.process_time() - processor))


def take_in_turn(ways: Mapping[str, Callable[[], Rate]], runs: int) -> list[dict[str, Any]]:
    """Measures several ways to do the same in turn, ours first, so many times; each measures itself.

    Returns a row for each way: `whose` it is and its median `rate`; and for all but ours how many `times` as fast ours is in the
    median of the runs, the `least` and the `most` of them, and the median `by_processor` time.
    """
    rounds = [{whose: measure() for whose, measure in ways.items()} for _ in range(runs)]
    ours, *others = ways
    rows: list[dict[str, Any]] = [
        {"whose": whose, "rate": statistics.median(each[whose].clock for each in rounds)} for whose in (ours, *others)
    ]
    for row in rows[1:]:
        pairs = [(each[ours], each[row["whose"]]) for each in rounds]
        times = [mine.clock / theirs.clock for mine, theirs in pairs]
        by_processor = statistics.median(mine.processor / theirs.processor for mine, theirs in pairs)
        row |= {"times": statistics.median(times), "least": min(times), "most": max(times), "by_processor": by_processor}
    return rows
