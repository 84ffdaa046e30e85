"""What is measured of a policy: its results and errors in games, its exact grade, and a closer look by many more games."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.agents import make_policy
from ludus.agents.policy import FunctionPolicy, Policy, draw_actions
from ludus.arena import evaluate, grade_exact
from ludus.arena.grading.decisions import Decisions, Judged, decisions_of, judge
from ludus.arena.grading.sampled import Grade, grade_from
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import play_plan
from ludus.arena.ratings.score import Score
from ludus.games.game import Game
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical
from ludus.oracles.statespace.graph import TooLargeError
from ludus.oracles.values import values_of

from .grid import Cell, Grading
from .runs import SEED, policy_of, run_of, turned
from .start import first_error, forced_loss

DISTANCES = (1, 2, 4, 8, 16)
"""The least number of plies that the win takes in won positions of a group."""
FREQUENCIES = (0, 1, 4, 32)
"""The least number of times that positions of a group came up in a policy's games against itself."""


def measure(cell: Cell, how: Grading, errors: bool) -> dict[str, Any]:
    """Trains a cell's run, and grades its policies; `errors`: and says where they err."""
    trained = run_of(cell)
    policies = {name: grade_policy(policy_of(cell, name, how), how, name, errors) for name in cell.policies}
    return {**trained, "policies": policies}


def measure_classic(game: str, spec: str, how: Grading) -> dict[str, Any]:
    """Grades a classic policy."""
    return {"policies": {"": grade_policy(turned(make_policy(spec, game), how), how._replace(largest=how.classic))}}


def grade_policy(policy: Policy, how: Grading, name: str = "", errors: bool = False) -> dict[str, Any]:
    """All that is measured of a policy, but its rating.

    Args:
        policy: the policy.
        how: how it is graded.
        name: its name among the policies of its run; a number if it is a network with search.
        errors: whether to say in which positions it errs.
    """
    began = time.process_time()
    score, decisions = play(policy, "random", how.games)
    judged = judge(policy.game, decisions, most=how.most, seed=SEED)
    sampled = grade_from(policy.game, str(policy), decisions, judged)
    figures: dict[str, Any] = {"win_rate_vs_random": score.win_rate, "value_lost": sampled.value_lost}
    if how.turned:
        figures |= {"start_lost_at": first_error(policy), "forced_at": forced_loss(policy)}
    if how.exact and not (how.turned and name.isdigit()):
        with suppress(TooLargeError):
            figures |= exact_figures(policy, how.largest)
    if "exploitability" not in figures:
        figures["value_lost_interval"] = [*sampled.value_lost_interval]
    if errors:
        figures["by_distance"] = by_distance(policy, decisions, judged)
        figures["by_frequency"] = by_frequency(policy, decisions, judged, play(policy, None, how.games)[1])
    return timed(figures, began)


def exact_figures(policy: Policy, largest: int) -> dict[str, Any]:
    """What an exact grade says of a policy.

    Raises:
        TooLargeError: more than so many positions may come up against it in a seat.
    """
    exact = grade_exact(policy, policy.game, largest=largest, seed=SEED).document()
    wins = float(np.mean(exact["win_rate_vs_random"]))
    return {"win_rate_vs_random": wins, **{name: exact[name] for name in ("exploitability", "value_lost_per_game", "value_lost")}}


def timed(figures: Mapping[str, Any], began: float) -> dict[str, Any]:
    """Figures with six digits, and the processor seconds that they took."""
    return {name: rounded(value) for name, value in figures.items()} | {"seconds": round(time.process_time() - began, 2)}


def rounded(value: Any) -> Any:
    """A number with six digits; others as they are."""
    return [*map(rounded, value)] if isinstance(value, list) else round(value, 6) if isinstance(value, float) else value


# ---- games


def play(policy: Policy, against: str | None, count: int) -> tuple[Score, Decisions]:
    """Games of a policy against another from the start, or, with random plies first, against itself; and its decisions in them."""
    game = policy.game
    if against:
        plan, cast = make_plan([game], [policy], count, against=[against], seed=SEED, settings=MatchSettings(opening_plies=0))
    else:
        plan, cast = make_plan([game], [policy], count, self_play=True, seed=SEED)
    score, parts = Score.empty(plan.pairings[0]), list[Decisions]()
    for pairing, games in play_plan(plan, cast, lambda _: np.arange(count), stored=False):
        score += Score.of(pairing, games)
        parts += [decisions_of(game, games, first) for first in ((True,) if against else (True, False))]
    return score, Decisions.concatenate(game, parts)


def by_distance(policy: Policy, decisions: Decisions, judged: Judged) -> str:
    """For won positions by the plies that the win takes, where the oracle knows them: how many moves were graded there, and in how
    many the win was lost; empty if it knows none."""
    won = judged.before == 1
    distances = make_oracle(policy.game).distances(decisions.states[judged.rows[won]])
    known = distances >= 0
    return count_errors(DISTANCES, distances[known], judged.value_lost[won][known] > 0) if known.any() else ""


def by_frequency(policy: Policy, decisions: Decisions, judged: Judged, own: Decisions) -> str:
    """For positions by how often they come up in the policy's games against itself, up to symmetry: how many different ones it met
    against random play in which there was value to lose, and in how many it lost some."""
    game, undecided = policy.game, judged.before >= 0
    times = Counter(map(bytes, canonical(game, own.states)[0]))
    met = canonical(game, decisions.states[judged.rows[undecided]])[0]
    wrong = dict.fromkeys(map(bytes, met), False)
    for position, lost in zip(map(bytes, met), judged.value_lost[undecided].tolist(), strict=True):
        wrong[position] |= lost > 0
    return count_errors(FREQUENCIES, [times[position] for position in wrong], [*wrong.values()])


def count_errors(least: Sequence[int], numbers: ArrayLike, errors: ArrayLike) -> str:
    """For each group of numbers, by its least, how many there are and how many are errors: rows of whole numbers in one line."""
    groups = np.searchsorted(least, numbers, side="right") - 1
    counts = (np.bincount(groups, part, len(least)).astype(int).tolist() for part in (None, errors))
    return ", ".join(" ".join(map(str, row)) for row in zip(least, *counts, strict=True))


def read_rows(text: str) -> list[list[int]]:
    """The rows in a line."""
    return [[int(number) for number in row.split()] for row in text.split(", ")] if text else []


# ---- a closer look at policies that do not search

GAMES = 5000
"""Against each, half in each seat."""
SIDE = 1.96
"""Standard errors on each side of a mean that make its 95 % interval."""


def look_closer(cell: Cell, how: Grading) -> dict[str, Any]:
    """What many games show of the policy of a cell that does not search."""
    run_of(cell)
    return closer(policy_of(cell, cell.policies[0], how))


def closer(policy: Policy, games: int = GAMES) -> dict[str, Any]:
    """The value that a policy loses a move against random play, and a game against perfect play, with intervals."""
    began, game = time.process_time(), policy.game
    score, decisions = play(policy, "random", games)
    sampled: Grade = grade_from(game, str(policy), decisions, judge(game, decisions, seed=SEED))
    thrown, error = thrown_in(policy, games)
    figures = {
        "win_rate_vs_random": score.win_rate,
        "value_lost": sampled.value_lost,
        "value_lost_per_game": thrown,
        "value_lost_interval": [*sampled.value_lost_interval],
        "value_lost_per_game_interval": [thrown - SIDE * error, thrown + SIDE * error],
    }
    return timed(figures, began)


def thrown_in(policy: Policy, games: int) -> tuple[float, float]:
    """How much of the start's value a policy loses in games against perfect play, over both seats; and the standard error."""
    game, scores = policy.game, np.array([1, 0, -1])
    counts = evaluate(policy, game, perfect_play(game), games, seed=SEED, opening_plies=0).by_seat
    results = counts @ scores / (games / 2)
    variances = counts @ scores**2 / (games / 2) - results**2
    (worth,) = values_of(game, game.start[None], make_oracle(game))
    return float(np.mean([worth, -worth] - results)), float(np.sqrt(variances.sum() / (games / 2)) / 2)


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


# ---- exact grades of strong policies in a game of many positions: few of these can come up against them

STRONG = 0.95
"""The share of games that a policy must win against random play."""
LARGEST = 4_000_000
"""Positions that may come up against it in a seat, symmetric ones counted once."""


def grade_strong(cell: Cell, how: Grading, rows: Mapping[str, Any]) -> dict[str, Any]:
    """The exact grade of the policy without search of a cell, if by a closer look it is strong, and if it has none yet.

    Empty otherwise, and where too many positions may come up.
    """
    known = "exploitability" in rows[cell.name]["policies"][cell.policies[0]]
    if known or rows[cell.closer]["win_rate_vs_random"] < STRONG:
        return {}
    run_of(cell)
    began = time.process_time()
    with suppress(TooLargeError):
        return timed(exact_figures(policy_of(cell, cell.policies[0], how), LARGEST), began)
    return {}
