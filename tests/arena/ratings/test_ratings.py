"""Ratings and intervals: against published numbers, closed forms, another library, and simulated players of known strength."""

import itertools
import math
from dataclasses import replace

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from benchmarks.checks import ratings as simulating
from benchmarks.checks.ratings import chances, score, simulated
from ludus.arena.ratings.davidson import Davidson
from ludus.arena.ratings.intervals import wilson
from ludus.arena.ratings.ratings import ELO, rate

# ---- Wilson's interval


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_newcombes_numbers(count, total, low, high):
    """R. G. Newcombe, Statistics in Medicine 17 (1998), 857-872, table I, method 3."""
    assert wilson(count, total) == pytest.approx((low, high), abs=5e-5)
    assert wilson(total - count, total) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_wilson_of_nothing_and_of_what_cannot_be():
    assert wilson(0, 0) == (0, 1)
    with pytest.raises(ValueError, match="it must be"):
        wilson(6, 5)


# ---- intervals cover the truth


def test_intervals_cover_the_truth_in_94_to_98_percent_of_2000_tournaments():
    rows = simulating.STUDIES[0].rows()
    assert list(rows) == list(simulating.SETTINGS)
    for counts in rows.values():
        *policies, first, draws = counts.values()
        for count in (*policies, first, draws):
            assert 0.94 <= count / simulating.TOURNAMENTS <= 0.98, counts


def test_a_difference_is_known_better_than_two_ratings():
    rated = rate(simulated(np.random.default_rng(0), chances((-300, -200, 250, 250), 40, 0.8), 200))
    (x, low, high), (y, *own), (z, *other) = rated.difference("p0", "p1"), rated.elo["p0"], rated.elo["p1"]
    assert low < x == y - z < high
    assert rated.difference("p1", "p0") == pytest.approx((-x, -high, -low))
    assert high - low < np.ptp(own) + np.ptp(other)
    with pytest.raises(ValueError, match="no rating of 'p9'; there are those of p"):
        rated.difference("p0", "p9")


# ---- other people's numbers, another library, brute force

BASEBALL = """Milwaukee Detroit 4 3, Milwaukee Toronto 4 2, Milwaukee NewYork 4 3, Milwaukee Boston 6 1, Milwaukee Cleveland 4 2,
Milwaukee Baltimore 6 0, Detroit Milwaukee 3 3, Detroit Toronto 4 2, Detroit NewYork 4 3, Detroit Boston 6 0, Detroit Cleveland 6 1,
Detroit Baltimore 4 3, Toronto Milwaukee 2 5, Toronto Detroit 4 3, Toronto NewYork 2 4, Toronto Boston 4 3, Toronto Cleveland 4 2,
Toronto Baltimore 6 0, NewYork Milwaukee 3 3, NewYork Detroit 5 1, NewYork Toronto 2 5, NewYork Boston 4 3, NewYork Cleveland 4 2,
NewYork Baltimore 6 1, Boston Milwaukee 5 1, Boston Detroit 2 5, Boston Toronto 3 3, Boston NewYork 4 2, Boston Cleveland 5 2,
Boston Baltimore 6 0, Cleveland Milwaukee 2 5, Cleveland Detroit 3 3, Cleveland Toronto 3 4, Cleveland NewYork 4 3,
Cleveland Boston 4 2, Cleveland Baltimore 2 4, Baltimore Milwaukee 2 5, Baltimore Detroit 1 5, Baltimore Toronto 1 6,
Baltimore NewYork 2 4, Baltimore Boston 1 6, Baltimore Cleveland 3 4"""


@pytest.mark.parametrize(
    ("at_home", "expected"),
    [(False, [1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945]), (True, [1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271])],
)
def test_the_model_fits_the_american_league_of_1987_as_published(at_home, expected):
    """A. Agresti, Categorical Data Analysis (2002), tables 10.10 and 10.11; the digits are those of R's BradleyTerry2."""
    games = [line.split() for line in BASEBALL.replace("\n", " ").split(",")]
    teams = ["Baltimore", "Boston", "Cleveland", "Detroit", "Milwaukee", "NewYork", "Toronto"]
    seats = np.array([[teams.index(home), teams.index(away)] for home, away, *_ in games])
    counts = np.array([[[int(home), 0, int(away)] for *_, home, away in games]], float)
    free = np.array([False] + [True] * len(expected) + [at_home, False])
    start = np.array([0.0] * (len(teams) + 1) + [-np.inf])
    found = Davidson(seats, len(teams), free).fit(counts, start)[0]
    assert found[1:-2] == pytest.approx(expected, abs=5e-5)
    assert found[-2] == pytest.approx(0.3023 if at_home else 0, abs=5e-5)


def test_without_draws_and_first_move_the_model_is_choix_bradley_terry():
    rng = np.random.default_rng(3)
    seats = np.array(list(itertools.combinations(range(6), 2)))
    wins = rng.integers(1, 30, (len(seats), 2))
    counts = np.stack([wins[:, 0], np.zeros(len(seats), int), wins[:, 1]], 1)[None]
    free = np.array([False] + [True] * 5 + [False, False])
    found = Davidson(seats, 6, free).fit(counts.astype(float), np.array([0.0] * 7 + [-np.inf]))[0, :6]
    games = [pair for (a, b), (won, lost) in zip(seats, wins, strict=True) for pair in [(a, b)] * won + [(b, a)] * lost]
    theirs = choix.opt_pairwise(6, games, alpha=0)
    assert found - found.mean() == pytest.approx(theirs - theirs.mean(), abs=1e-4)


def test_the_estimate_has_the_greatest_likelihood_times_jeffreys_prior():
    """Found by a general optimiser, from the formulas as they stand in books."""
    rng = np.random.default_rng(5)
    scores = [*simulated(rng, chances((-300, 0, 400), 60, 0.7), 4), score("p0", "p0", rng.multinomial(3, np.full(9, 1 / 9)))]

    def against(parameters):
        elo, first, drawn = [0, *parameters[:2]], parameters[2], parameters[3]
        likelihood, information = 0.0, np.zeros((4, 4))
        for one in scores:
            a, b = int(one.pairing.a[1]), int(one.pairing.b[1])
            for seat, results in enumerate((one.evidence.openings.sum(1), one.evidence.openings.sum(0))):
                sign = 1 - 2 * seat
                odds = np.exp([(elo[a] - elo[b] + sign * first) / 2, drawn, -(elo[a] - elo[b] + sign * first) / 2])
                chances = odds / odds.sum()
                ahead = np.array([(a == 1) - (b == 1), (a == 2) - (b == 2), sign, 0])
                slopes = np.array([ahead / 2, [0, 0, 0, 1], -ahead / 2])
                likelihood += results @ np.log(chances)
                information += results.sum() * slopes.T @ (np.diag(chances) - np.outer(chances, chances)) @ slopes
        return -likelihood - np.linalg.slogdet(information)[1] / 2

    best = minimize(against, np.zeros(4), method="BFGS", options={"gtol": 1e-7}).x
    rated = rate(scores, resamples=0)
    strengths = ELO * (np.array([0, *best[:2]]) - best[:2].sum() / 3)
    assert [rated.elo[f"p{i}"].elo for i in range(3)] == pytest.approx(strengths, abs=0.01)
    assert rated.first_move.elo == pytest.approx(ELO * best[2], abs=0.01)
    assert rated.draws.part == pytest.approx(math.exp(best[3]) / (math.exp(best[3]) + 2 * math.cosh(best[2] / 2)), abs=1e-5)


# ---- closed forms


def test_with_many_games_elo_is_400_log10_of_wins_by_losses_whatever_is_drawn():
    rated = rate([score("a", "b", [3 * 10**7, 0, 0, 0, 5 * 10**7, 0, 0, 0, 10**7])])
    assert rated.difference("a", "b").elo == pytest.approx(400 * math.log10(3), abs=1e-3)
    assert rated.first_move.elo == pytest.approx(0, abs=1e-3)
    # between equals there are as many draws by the geometric mean of wins and losses
    assert rated.draws.part == pytest.approx(5 / (5 + 2 * math.sqrt(3)), abs=1e-5)


@pytest.mark.parametrize(("won", "drawn", "lost"), [(7, 2, 1), (1, 2, 7), (1, 98, 1)])
def test_the_share_of_draws_between_equals_counts_the_advantage_of_the_first_move(won, drawn, lost):
    first = np.array([won, drawn, lost]) / (won + drawn + lost)  # how often seat 0 wins, draws and loses
    rated = rate([score("a", "b", np.rint(10**6 * np.outer(first, first[::-1])))])
    assert rated.draws.part == pytest.approx(first[1], abs=2e-4)
    assert rated.draws.low < first[1] < rated.draws.high < rated.draws.low + 0.01
    assert rated.first_move.elo == pytest.approx(400 * math.log10(won / lost), abs=1)
    assert rated.difference("a", "b").elo == pytest.approx(0, abs=0.5)


def test_what_is_equal_is_rated_equal():
    rated = rate([score(a, b, [[4, 1, 2], [1, 3, 1], [2, 1, 4]]) for a, b in itertools.combinations("abcd", 2)])
    for elo, low, high in [*rated.elo.values(), rated.first_move]:
        assert elo == pytest.approx(0, abs=1e-6)
        assert -low == pytest.approx(high, rel=0.15)


def test_the_first_move_is_told_from_strength():
    rated = rate([score("a", "b", [[0, 0, 40], [0, 0, 0], [0, 0, 0]])])
    assert rated.difference("a", "b").elo == pytest.approx(0, abs=1e-6)
    assert rated.first_move.low > 500
    alone = rate([score("a", "a", [[10, 0, 50], [0, 0, 0], [10, 0, 10]])], resamples=0)
    assert alone.elo["a"].elo == 0
    assert alone.first_move.elo == pytest.approx(400 * math.log10((60.5 + 60) / (20 + 20.5)), abs=0.5)


# ---- what leaves no trace, what is held, what is apart


def test_order_parts_and_sides_of_scores_leave_no_trace():
    scores = simulated(np.random.default_rng(2), chances((-150, 0, 50, 100), 40, 0.8), 30)
    rated = rate(scores, resamples=100)
    assert rate([one.turned for one in reversed(scores)], resamples=100) == rated
    openings = [(one, one.evidence.openings) for one in scores]
    parts = [(one, half) for one, counts in openings for half in (counts // 2, counts - counts // 2)]
    halves = [replace(one, evidence=replace(one.evidence, openings=half)) for one, half in parts]
    assert rate(halves, resamples=100) == rated
    assert rate(scores, resamples=100, seed=1).elo["p0"].low != rated.elo["p0"].low


def test_fixed_ratings_are_held_and_others_are_found_around_them():
    scores = simulated(np.random.default_rng(4), chances((0, 300, 150), 0, 0.5), 400)
    rated = rate(scores, fixed={"p0": 1000, "p1": 1300, "elsewhere": 5})
    assert [*rated.elo["p0"], *rated.elo["p1"]] == pytest.approx([1000] * 3 + [1300] * 3)
    assert rated.elo["p2"].low < 1150 < rated.elo["p2"].high < rated.elo["p2"].low + 60
    assert "elsewhere" not in rated.elo


def test_groups_that_never_met_are_rated_apart():
    even = [1, 0, 1, 0, 0, 0, 1, 0, 1]
    met = [score("a", "b", even), score("c", "d", [9, 0, 1, 0, 0, 0, 1, 0, 1]), score("d", "e", [0] * 9), score("x", "x", even)]
    rated = rate(met)
    assert rated.groups == (("a", "b"), ("c", "d"), ("x",))
    assert rated.elo["a"].elo == pytest.approx(0, abs=1e-6)
    assert rated.elo["c"].elo == pytest.approx(-rated.elo["d"].elo)
    assert rated.elo["x"] == pytest.approx((0, 0, 0))
    with pytest.raises(ValueError, match="a and c are not connected by games"):
        rated.difference("a", "c")
    joined = rate([*met, score("b", "c", even), score("a", "x", even)])
    assert joined.groups == (("a", "b", "c", "d", "x"),)


def test_what_cannot_be_rated_is_said():
    with pytest.raises(ValueError, match="each game is rated separately; these scores are of nim, quixo"):
        rate([score("a", "b", [1] * 9, game) for game in ("nim", "quixo")])


# ---- all won, all lost, all drawn


def test_the_more_a_winner_loses_the_better_its_lead_is_known():
    lead = [rate([score("a", "b", [50 - lost, 0, 0, 0, 0, 0, 0, 0, lost])]).difference("a", "b") for lost in (0, 1, 5)]
    assert lead[0].elo > lead[1].elo > lead[2].elo
    widths = [one.high - one.low for one in lead]
    assert widths[0] > 1.25 * widths[1] > 1.5 * widths[2]
    # with five openings lost the large-sample formula begins to hold
    assert widths[2] == pytest.approx(2 * 1.96 * ELO * math.sqrt(1 / 45 + 1 / 5), rel=0.1)


@given(st.lists(st.lists(st.sampled_from([0, 0, 0, 0, 0, 1, 2, 50, 10**5]), min_size=9, max_size=9), min_size=6, max_size=6))
@settings(max_examples=100)
def test_every_table_of_results_has_finite_ratings(tables):
    scores = [score(a, b, table) for (a, b), table in zip(itertools.combinations("abcd", 2), tables, strict=True)]
    rated = rate(scores, resamples=50)
    for number, low, high in [*rated.elo.values(), rated.first_move] if rated.elo else []:
        assert -math.inf < low <= number <= high < math.inf
    for group in rated.groups:
        assert sum(rated.elo[name].elo for name in group) == pytest.approx(0, abs=1e-6)
