"""What is measured of a policy: what it loses to perfect play, and, twice with fresh seeds, all cheap measures of strength."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.agents import make_policy
from ludus.agents.policy import Policy
from ludus.arena.grading.decisions import Decisions, Judged, decisions_of, judge
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import play_plan
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle
from ludus.search.alphabeta.negamax import PROVEN, AlphaBeta
from ludus.search.evaluations import evaluation_of

from .design import GAMES, LADDERS, Cell, StudiedGame, panel
from .perfect import SAMPLE, lost_to_perfect_play
from .training import opponent_of, train_cell

TEST, RETEST = 101, 202
"""The seeds of the two measurements of everything that is drawn."""
FROZEN = 0
"""The seed by which policies without probabilities are frozen."""
GAMES_EACH = (1_000, 200)
"""Games against random play, and against the club player: of a policy that does not search, and of one that does."""
COUNTS = (50, 200, 1_000)
"""After this many games the measures are taken."""
RATED = (1_000, 500)
"""Games against all opponents together, at least, in each of the two measurements."""
DISTANCES = (1, 2, 4, 8, 16)
"""The least number of plies that the win takes in won positions of a group."""
Results = NDArray[np.int64]
"""A policy's results in games: 1, 0 or -1 each."""


def measure_cell(cell: Cell) -> dict[str, Any]:
    """The row of a cell: its training, and all that is measured of its policies; NothingLearnt where the trainer has learnt
    nothing."""
    studied = GAMES[cell.game]
    if cell.is_classic:
        head, policies = {}, {"": make_policy(cell.trainer, studied.spec)}
    else:
        training, policies = train_cell(cell)
        names = ("trainer", "size", "level", "budget", "seed")
        head = {name: getattr(cell, name) for name in names} | {"training": training}
    measured = {name: measure_policy(cell, name, policy) for name, policy in policies.items()}
    return {"game": cell.game, "cell": cell.name, **head, "policies": measured}


def measure_policy(cell: Cell, name: str, policy: Policy) -> dict[str, Any]:
    """All that is measured of a policy of a cell.

    Args:
        cell: the cell.
        name: the policy's name in the cell; a number for one that searches.
        policy: the policy.
    """
    studied, searches, began = GAMES[cell.game], name.isdigit(), time.process_time()
    figures: dict[str, Any] = {}
    if studied.whole:
        losses = lost_to_perfect_play(policy, studied.asked[searches], SAMPLE[searches], FROZEN)
        figures["perfect"] = [[loss.lost, loss.error, loss.asked, loss.sampled] for loss in losses]
    twice = [measure_once(studied, policy, searches, seed) for seed in (TEST, RETEST)]
    figures["tests"] = [test for test, _, _ in twice]
    if cell.is_classic or (not cell.size and cell.level == max_level(cell)):
        _, decisions, judged = twice[0]
        figures["by_distance"] = errors_by_distance(policy, decisions, judged)
    figures["panel"] = [play_panel(cell, policy, RATED[searches], seed) for seed in (TEST, RETEST)]
    return {**figures, "seconds": round(time.process_time() - began, 2)}


def max_level(cell: Cell) -> int:
    """The largest level of a cell's trainer."""
    return next(len(ladder.budgets) for ladder in LADDERS if ladder.trainer == cell.trainer)


# ---- the cheap measures


def measure_once(studied: StudiedGame, policy: Policy, searches: bool, seed: int) -> tuple[dict[str, Any], Decisions, Judged]:
    """The cheap measures of one seed after each of COUNTS games, and the policy's decisions against random play, judged.

    `random` has rows of the number of games, wins and draws in them, the moves that were judged, and the mean value that they lost
    by the oracle and by the weak oracle; `club` rows of the number of games, wins and draws against the club player.
    """
    games = GAMES_EACH[searches]
    played, decisions = play(policy, "random", games, seed, opening_plies=0)
    judged = judge(policy.game, decisions, most=studied.judged, seed=seed)
    exact, weak = judged.value_lost, weak_losses(policy.game, decisions, judged.rows, studied.horizon)
    numbers = decisions.games[judged.rows]
    against_random = list[list[float | None]]()
    for count in (count for count in COUNTS if count <= games):
        some = numbers < count
        lost = [float(values[some].mean()) if some.any() else None for values in (exact, weak)]
        against_random.append([count, *wins_and_draws(played[:count]), int(some.sum()), *lost])
    club, _ = play(policy, studied.club, games, seed)
    against_club = [[count, *wins_and_draws(club[:count])] for count in COUNTS if count <= games]
    return {"random": against_random, "club": against_club}, decisions, judged


def play(policy: Policy, against: str, count: int, seed: int, opening_plies: int | None = None) -> tuple[Results, Decisions]:
    """Games of a policy against another: its results in their order, and its decisions in them."""
    settings = MatchSettings(opening_plies=opening_plies)
    plan, cast = make_plan([policy.game], [policy], count, against=[against], seed=seed, settings=settings)
    results, parts = np.zeros(count, np.int64), list[Decisions]()
    for _, games in play_plan(plan, cast, [{plan.pairings[0]: np.arange(count)}], stored=False):
        results[games.numbers] = np.where(games.numbers % 2 == 0, 1, -1) * games.results  # it has seat 0 in every other game
        parts.append(decisions_of(policy.game, games))
    return results, Decisions.concatenate(policy.game, parts)


def wins_and_draws(results: Results) -> tuple[int, int]:
    """How many of some games are won, and how many drawn."""
    return int((results == 1).sum()), int((results == 0).sum())


def weak_losses(game: Game, decisions: Decisions, rows: NDArray[np.int64], horizon: int) -> NDArray[np.int64]:
    """The value that moves lose as an oracle sees it that looks a few plies ahead and takes what it cannot prove as drawn (K,).

    Args:
        game: the game.
        decisions: the decisions.
        rows: which of them are judged (K,).
        horizon: the plies that it sees from the position before the move.
    """
    states, actions = decisions.states[rows], decisions.actions[rows]
    before, after = proven_values(game, states, horizon), game.plays(states, actions)
    signs = np.where(game.players(after) == game.players(states), 1, -1)
    return np.maximum(before - signs * proven_values(game, after, horizon - 1), 0)


def proven_values(game: Game, states: StateArray, horizon: int) -> NDArray[np.int64]:
    """What is proven of positions within this many plies, for the player to move (B,): 1, -1, or 0 for all that is not."""
    values, outcomes = np.zeros(len(states), np.int64), game.outcomes(states)
    over = outcomes != ONGOING
    values[over] = outcomes[over] * np.where(game.players(states[over]) == 0, 1, -1)
    if horizon and not over.all():
        different, which = np.unique(states[~over], axis=0, return_inverse=True)
        search = AlphaBeta(game, evaluation_of(game, "plain"), horizon, table=False)
        found = search.search(different, np.zeros(len(different), np.uint64)).values
        values[~over] = np.where(abs(found) > PROVEN, np.sign(found), 0)[which.reshape(-1)]
    return values


# ---- where a policy errs: by how far the win is away


def errors_by_distance(policy: Policy, decisions: Decisions, judged: Judged) -> list[list[int]]:
    """For won positions by the plies that the win takes, where the oracle knows them: rows of the least number of plies, how many
    moves were judged, and in how many the win was lost; none if it knows none."""
    won = judged.before == 1
    distances = make_oracle(policy.game).distances(decisions.states[judged.rows[won]])
    known = distances >= 0
    return count_errors(DISTANCES, distances[known], judged.value_lost[won][known] > 0) if known.any() else []


def count_errors(least: Sequence[int], numbers: ArrayLike, errors: ArrayLike) -> list[list[int]]:
    """For each group of numbers: its least, how many there are, and how many are errors."""
    groups = np.searchsorted(least, numbers, side="right") - 1
    counts = (np.bincount(groups, part, len(least)).astype(int).tolist() for part in (None, errors))
    return [[*row] for row in zip(least, *counts, strict=True)]


# ---- games for the rating


def play_panel(cell: Cell, policy: Policy, least: int, seed: int) -> list[list[int]]:
    """The policy's wins, draws and losses against each of the panel, in its order; none against itself."""
    opponents = panel(cell.game)
    others = [opponent_of(opponent) for opponent in opponents if opponent != cell]
    each = 2 * -(-least // (2 * len(others)))
    results = play_opponents(policy, others, each, seed)
    rows = iter([[int((some == result).sum()) for result in (1, 0, -1)] for some in results])
    return [[0, 0, 0] if opponent == cell else next(rows) for opponent in opponents]


def play_opponents(policy: Policy, opponents: Sequence[Policy], each: int, seed: int) -> list[Results]:
    """The results of a policy in this many games, an even number, against each of its opponents; no two games have the same keys.
    RuntimeError where one ended by a fault."""
    names, results = Pairing(policy.game.spec, policy.spec, "several opponents"), list[Results]()
    for number, opponent in enumerate(opponents):
        numbers = np.arange(each * number, each * (number + 1))
        played = play_job(Job(names, (policy, opponent), numbers, seed, raising=(True, True)))
        if played.reasons:
            raise RuntimeError(f"games ended by faults: {'; '.join({*played.reasons.values()})}")
        results.append(np.where(numbers % 2 == 0, 1, -1) * played.results.astype(np.int64))  # it has seat 0 in every other game
    return results
