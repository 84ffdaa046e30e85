"""What is measured of a policy: what it loses to perfect play, and, twice with fresh seeds, all cheap measures of strength.

python -m benchmarks.study.measuring GAME    # measures what the oracle of a game costs, and prints the three numbers as JSON
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ludus.agents import make_policy
from ludus.agents.policy import Policy
from ludus.arena import exploit, grade_exact
from ludus.arena.grading.decisions import Decisions, Judged, decisions_of, judge
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.planning import make_plan
from ludus.arena.planning.schedule import play_plan
from ludus.games.game import Game, StateArray
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical
from ludus.oracles.statespace.graph import TooLargeError
from ludus.search.alphabeta.negamax import PROVEN, AlphaBeta
from ludus.search.evaluations import evaluation_of

from .. import ROOT
from ..common import table
from .design import GAMES, LADDERS, Cell, StudiedGame, panel
from .perfect import SAMPLE, lost_to_perfect_play
from .policies import title
from .training import opponent_of, train_cell

TEST, RETEST = 101, 202
"""The seeds of the two measurements of everything that is drawn."""
FROZEN = 0
"""The seed by which policies without probabilities are frozen."""
GAMES_EACH = (1_000, 200)
"""Games against random play, and against the club player: of a policy that does not search, and of one that does."""
COUNTS = (50, 200, 1_000)
"""After so many games the measures are taken."""
RATED = (1_000, 500)
"""Games against all opponents together, at least, in each of the two measurements."""
GRADED = 300_000
"""Positions of a seat of which an exact grade is made at most: more come up only against policies that draw their moves."""
EXPLOITED_SEEDS = (1, 2)
"""The seeds whose policies are exploited."""
EXPLOITED = 1_000
"""Positions that an exploiter may ask about, in both seats together."""
DISTANCES = (1, 2, 4, 8, 16)
"""The least number of plies that the win takes in won positions of a group."""
FREQUENCIES = (0, 1, 4, 32)
"""The least number of times that positions of a group came up in a policy's games against itself."""
Results = NDArray[np.int64]
"""A policy's results in games: 1, 0 or -1 each."""


def measure_cell(cell: Cell) -> dict[str, Any]:
    """The row of a cell: its training, and all that is measured of its policies.

    Raises:
        NothingLearnt: the trainer has learnt nothing.
    """
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
        figures["by_ply"] = [loss.by_ply for loss in losses]
    if studied.graded and not searches:
        figures["exact"] = exact_figures(policy)
    twice = [measure_once(studied, policy, searches, seed) for seed in (TEST, RETEST)]
    figures["tests"] = [test for test, _, _ in twice]
    if cell.is_classic or (not cell.size and cell.level == max_level(cell)):
        _, decisions, judged = twice[0]
        figures["by_distance"] = errors_by_distance(policy, decisions, judged)
        if studied.whole:  # of Quarto's positions the canonical ones take minutes
            figures["by_frequency"] = errors_by_frequency(policy, decisions, judged, self_play(policy, GAMES_EACH[searches]))
    figures["panel"] = [play_panel(cell, policy, RATED[searches], seed) for seed in (TEST, RETEST)]
    if studied.graded and not searches and (cell.is_classic or (cell.seed in EXPLOITED_SEEDS and not cell.size)):
        figures["exploited"] = [
            seat.exploitability for seat in exploit(policy, policy.game, positions=EXPLOITED, seed=FROZEN).seats
        ]
    return {**figures, "seconds": round(time.process_time() - began, 2)}


def max_level(cell: Cell) -> int:
    """The largest level of a cell's trainer."""
    return next(len(ladder.budgets) for ladder in LADDERS if ladder.trainer == cell.trainer)


def exact_figures(policy: Policy) -> dict[str, Any]:
    """What an exact grade over all positions says; empty where there are too many."""
    with suppress(TooLargeError):
        grade = grade_exact(policy, policy.game, seed=FROZEN, largest=GRADED)
        return {
            "exploitability": grade.exploitability,
            "wins": float(np.mean(grade.win_rate_vs_random)),
            "value_lost": grade.value_lost,
            "value_lost_per_game": grade.value_lost_per_game,
        }
    return {}


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


def self_play(policy: Policy, count: int) -> Decisions:
    """A policy's decisions in games against itself, which begin with random plies."""
    plan, cast = make_plan([policy.game], [policy], count, self_play=True, seed=TEST)
    parts = [games for _, games in play_plan(plan, cast, [{plan.pairings[0]: np.arange(count)}], stored=False)]
    return Decisions.concatenate(
        policy.game, [decisions_of(policy.game, games, first) for games in parts for first in (True, False)]
    )


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
    """What is proven of positions within so many plies, for the player to move (B,): 1, -1, or 0 for all that is not."""
    values, outcomes = np.zeros(len(states), np.int64), game.outcomes(states)
    over = outcomes != ONGOING
    values[over] = outcomes[over] * np.where(game.players(states[over]) == 0, 1, -1)
    if horizon and not over.all():
        different, which = np.unique(states[~over], axis=0, return_inverse=True)
        search = AlphaBeta(game, evaluation_of(game, "plain"), horizon, table=False)
        found = search.search(different, np.zeros(len(different), np.uint64)).values
        values[~over] = np.where(abs(found) > PROVEN, np.sign(found), 0)[which.reshape(-1)]
    return values


# ---- where a policy errs: by how far the win is away, and by how often positions come up in its own games


def errors_by_distance(policy: Policy, decisions: Decisions, judged: Judged) -> list[list[int]]:
    """For won positions by the plies that the win takes, where the oracle knows them: rows of the least number of plies, how many
    moves were judged, and in how many the win was lost; none if it knows none."""
    won = judged.before == 1
    distances = make_oracle(policy.game).distances(decisions.states[judged.rows[won]])
    known = distances >= 0
    return count_errors(DISTANCES, distances[known], judged.value_lost[won][known] > 0) if known.any() else []


def errors_by_frequency(policy: Policy, decisions: Decisions, judged: Judged, own: Decisions) -> list[list[int]]:
    """For positions by how often they come up in the policy's games against itself, up to symmetry: rows of the least number of
    times, how many different ones it met against random play in which there was value to lose, and in how many it lost some."""
    game, undecided = policy.game, judged.before >= 0
    times = Counter(map(bytes, canonical(game, own.states)[0]))
    met = canonical(game, decisions.states[judged.rows[undecided]])[0]
    wrong = dict.fromkeys(map(bytes, met), False)
    for position, lost in zip(map(bytes, met), judged.value_lost[undecided].tolist(), strict=True):
        wrong[position] |= lost > 0
    return count_errors(FREQUENCIES, [times[position] for position in wrong], [*wrong.values()])


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
    """The results of a policy in so many games, an even number, against each of its opponents; no two games have the same keys.

    Raises:
        RuntimeError: a game ended by a fault.
    """
    names, results = Pairing(policy.game.spec, policy.spec, "several opponents"), list[Results]()
    for number, opponent in enumerate(opponents):
        numbers = np.arange(each * number, each * (number + 1))
        played = play_job(Job(names, (policy, opponent), numbers, seed, raising=(True, True)))
        if played.reasons:
            raise RuntimeError(f"games ended by faults: {'; '.join({*played.reasons.values()})}")
        results.append(np.where(numbers % 2 == 0, 1, -1) * played.results.astype(np.int64))  # it has seat 0 in every other game
    return results


# ---- what an oracle costs: processor seconds until its first answer, its tables made anew, and the moves that it judges a second

MINUTES = 10
"""Of an oracle's processor time."""
TIMED, LEAST_SECONDS = 100, 1.0
"""An oracle judges the moves of so many games, and of as many again until it has taken so many seconds."""


def time_oracle(game: str) -> dict[str, float]:
    """What the oracle of a game costs in a process of its own, whose cache has compiled kernels and no tables.

    What ships with Ludus, such as the book of Quarto, is there.
    """
    command = [sys.executable, "-m", __name__, game]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "LUDUS_CACHE": cache}
        answers = list[str]()
        for _ in range(2):  # the first process compiles the kernels
            shutil.rmtree(Path(cache) / "tables", ignore_errors=True)
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, env=environment)
            answers.append(done.stdout)
    return json.loads(answers[-1])


def time_here(game: str) -> dict[str, float]:
    """What the oracle of a game costs in this process: processor seconds until its `first` answer, the `moves` of random play that
    it judges a second, and the moves of each of its `games` that it judges."""
    random, seed, judged, games, spent = make_policy("random", GAMES[game].spec), TEST, 0, 0, 0.0
    _, decisions = play(random, "random", TIMED, seed, opening_plies=0)
    began = time.process_time()
    oracle = make_oracle(random.game)
    oracle.values(decisions.states[oracle.reached(decisions.states)][:1])
    first = time.process_time() - began
    while spent < LEAST_SECONDS:
        began = time.process_time()
        judged += len(judge(random.game, decisions, most=GAMES[game].judged, seed=TEST).rows)
        spent += time.process_time() - began
        games, seed = games + TIMED, seed + 1
        _, decisions = play(random, "random", TIMED, seed, opening_plies=0)
    return {"first": first, "moves": judged / spent, "games": judged / games}


def show_oracles(games: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    """What ten minutes of an oracle buy."""
    lines = list[list[str]]()
    for game, cost in games.items():
        moves = cost["moves"] * max(0.0, 60 * MINUTES - cost["first"])
        numbers = (cost["moves"], moves, moves / cost["games"], moves / cost["games"] / COUNTS[-1])
        lines.append([title(game), f"{cost['first']:.1f} s", *(f"{float(f'{number:.2g}'):,.0f}" for number in numbers)])
    heads = [
        *("game", "until the first answer", "moves a second", f"moves in {MINUTES} minutes", "that is, games"),
        f"policies, each in {COUNTS[-1]:,} games",
    ]
    return {"oracles": table(heads, lines)}


if __name__ == "__main__":
    print(json.dumps(time_here(sys.argv[1])))
