"""The statistics of the study of measures of strength: they agree with SciPy, and find what was put in."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from benchmarks.study import agreement, design, learning, mistakes, policies, resampling, standing
from benchmarks.study.mistakes import (
    count_same_signs,
    count_slopes,
    find_slope,
    lost_by_ply,
    rates_of,
)
from benchmarks.study.policies import MeasuredPolicy
from benchmarks.study.resampling import Interval
from ludus.arena.ratings.payoffs import PayoffTable


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(1)


def test_correlations_are_those_of_scipy_with_ties(random: np.random.Generator):
    x, y = random.integers(6, size=(2, 40)).astype(float)
    signs = [resampling.signs_of(values) for values in (x, y)]
    assert resampling.kendall(*signs)[0] == pytest.approx(stats.kendalltau(x, y).statistic)
    assert resampling.spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)


def test_a_policy_that_is_drawn_twice_counts_as_two(random: np.random.Generator):
    x, y = random.integers(6, size=(2, 12)).astype(float)
    counts = random.integers(3, size=(1, 12)).astype(np.float32)
    again = np.repeat(np.arange(12), counts[0].astype(int))
    tau = resampling.kendall(resampling.signs_of(x), resampling.signs_of(y), counts)
    assert tau[0] == pytest.approx(stats.kendalltau(x[again], y[again]).statistic)


def test_interquartile_means_are_those_of_scipy(random: np.random.Generator):
    for count in (1, 3, 5, 10):
        values = random.random((4, count))
        assert resampling.iqm(values) == pytest.approx(stats.trim_mean(values, 0.25, axis=1))


def test_resamples_draw_trainers_and_seeds_within_them(random: np.random.Generator, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "RESAMPLES", 2_000)
    trainers, seeds = ["a"] * 4 + ["b"] * 3, [1, 1, 2, 2, 1, 2, 3]
    whole = resampling.draw_counts(trainers, seeds, random)
    assert (whole[:, 0] == whole[:, 1]).all()  # policies of a seed come together
    assert {*whole[:, :4].sum(1) / 4} == {0, 1, 2}  # trainers that are drawn never, once or twice
    assert (whole[:, :4].sum(1) / 4 + whole[:, 4:].sum(1) / 3 == 2).all()
    assert whole.mean(0) == pytest.approx(np.ones(7), abs=0.1)
    other = resampling.draw_counts(["a", "b"], [1, 1], np.random.default_rng(2))  # another game: the same trainers are drawn
    assert (whole[:, :4].sum(1) / 4 == other[:, 0]).all()
    apart = resampling.draw_counts(trainers, seeds, random, clusters=False)
    assert (apart[:, :4].sum(1) == 4).all()
    assert apart[:, 4:].sum(1) == pytest.approx(np.full(2_000, 3))


def test_an_order_turned_over_agrees_by_minus_one(random: np.random.Generator, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "RESAMPLES", 100)
    good, trainers = random.random(20), ["a"] * 10 + ["b"] * 10
    counts = resampling.draw_counts(trainers, [*range(10)] * 2, random)
    turned = agreement.agree(-good, -good, good, trainers, counts, counts)
    parts = turned.parts
    assert (turned.tau.value, parts.discordant, parts.spearman, parts.within, parts.between) == pytest.approx((-1, 1, -1, -1, -1))
    same = agreement.agree(good, good, good, trainers, counts, counts)
    assert (same.tau.value, same.parts.reliability, same.parts.corrected) == pytest.approx((1, 1, 1))
    gain = agreement.find_gains([{"same": same, "turned": turned}] * 2, "turned")["same"]
    assert (*gain.tau.of_trainers, *gain.tau.of_seeds) == pytest.approx((2,) * 6)
    assert gain.p == gain.holm < 0.02
    assert resampling.p_value(np.full(100, np.nan)) == 1
    tied = agreement.agree(np.zeros(20), np.zeros(20), good, trainers, counts, counts)
    assert np.isnan(resampling.mean_of_resampled([tied.tau, same.tau]).value)  # there is no order in one of the games
    assert agreement.find_gains([{"same": same, "tied": tied}, {"same": same, "tied": same}], "same") == {}


def test_attenuation_by_noise_is_corrected(random: np.random.Generator, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "RESAMPLES", 10)
    good, trainers = random.normal(size=400), ["a"] * 400
    noisy, again = good + random.normal(size=(2, 400))
    once = np.ones((10, 400), np.float32)
    parts = agreement.agree(noisy, again, good, trainers, once, once).parts
    assert parts.spearman < 0.8
    assert parts.corrected == pytest.approx(1, abs=0.06)


def policy(trainer: str, seed: int, lost: float, value_lost: float | None = None, **known: Any) -> MeasuredPolicy:
    """A policy of which little is known: its error, and the value that it loses a move in test and retest."""
    games = 1_000
    measures = policies.Measures(1 - lost, value_lost, value_lost, 0 if value_lost is None else 2, 1 - lost)
    against = np.array([[games - round(games * lost / 2), 0, round(games * lost / 2)]] * 3)
    return MeasuredPolicy(
        cell=design.Cell("tictactoe", trainer, "games", 100, seed, level=1),
        name="",
        lost=lost,
        tests=({games: measures}, {games: measures}),
        panel=np.array([against, against]),
        **{"exact": {}, "exploited": None, "by_ply": [], "by_distance": [], "by_frequency": [], **known},
    )


def test_a_policy_of_which_no_move_is_judged_is_left_out(panel: standing.Panel, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "RESAMPLES", 50)
    judged = [policy(trainer, seed, seed / 5, value_lost=seed / 10) for trainer in "ab" for seed in range(5)]
    unknown = policy("a", 5, 1.0)
    measures, without = (agreement.compare_measures(some, panel, 1_000, [0]) for some in ([unknown, *judged], judged))
    for name, (tau, parts) in measures.items():
        assert (parts.policies, tau.value) == (10, pytest.approx(without[name].tau.value, nan_ok=True))
    assert (measures["value_lost"].tau.value, measures["value_lost"].parts.discordant) == (pytest.approx(1), 0)
    assert np.isnan(unknown._replace(lost=None).truth)


def test_intervals_of_seeds_alone_do_not_know_how_trainers_differ(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "RESAMPLES", 2_000)
    good = np.arange(20.0)
    turned = np.where(good < 10, good, 29 - good)  # the second trainer's are in the wrong order
    some = [policy("ab"[number // 10], number % 10, 0.5) for number in range(20)]
    draws = agreement.draw_policies(some, [0])
    (tau, low, high), (_, low_alone, high_alone) = resampling.tau_of(turned, good, *draws).intervals
    assert tau == pytest.approx(stats.kendalltau(turned, good).statistic)
    assert low < -0.9 < 0 < low_alone < tau < high_alone < 0.9 < high


def test_what_best_responses_gain_is_compared_with_the_error(panel: standing.Panel, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(resampling, "RESAMPLES", 50)
    some = [
        policy("a", seed, seed / 10, exploited=1 - seed / 10, exact={"exploitability": seed / 10})._replace(
            panel=np.array([games_of(panel, elo, 1_000)] * 2)
        )
        for seed, elo in enumerate((500, 400, 300, 200, 0, 100))
    ]
    some += [policy("a", 7, 1.0, exploited=1.0), policy("a", 8, 1.0, exact={"exploitability": 1.0})]  # of these one is not known
    monkeypatch.setattr(agreement, "policies_of_game", lambda game: some)
    monkeypatch.setattr(agreement, "read_panel", lambda game: panel)
    row = agreement.find_exploits("tictactoe")
    assert row["compared"] == 6
    means = [row[name].mean for name in ("tau_found", "tau_exact", "tau_elo", "gain")]
    assert means == pytest.approx([-1, 1, 13 / 15, -28 / 15])  # Elo has a pair of 15 wrong
    figures = agreement.show_exploits({"tictactoe": row | {"share": None}})
    assert [figures[f"exploits.tau_{name}"] for name in ("found", "exact", "elo")] == ["−1.00", "1.00", "0.87"]
    assert "| exploitability of 0.02 or more |" in figures["exploits"]
    assert figures["exploits"].splitlines()[-1].startswith("| tic-tac-toe | 6 | 5 | |")


def test_the_error_before_training_is_an_interquartile_mean_too(monkeypatch: pytest.MonkeyPatch):
    some = [
        policy("a", seed, float(level == 0 and seed == 1))._replace(
            cell=design.Cell("tictactoe", "a", "games", 100 * level, seed, level=level)
        )
        for seed in range(1, 5)
        for level in range(3)
    ]
    monkeypatch.setattr(learning, "policies_of_game", lambda game: some)
    monkeypatch.setattr(learning, "ratings", lambda game: {(each.cell.name, ""): standing.Elo(10, 1, 8, 12) for each in some})
    monkeypatch.setattr(learning, "fit_laws", lambda budgets, errors: [])
    (row,) = learning.find_learning("tictactoe").values()
    assert [row[name] for name in ("budgets", "seeds", "untrained", "learnt")] == [(100, 200), 4, 0, False]


def test_value_that_a_sample_shows_is_lost_in_no_ply_that_is_known():
    exact = policy("a", 1, 0.5, by_ply=[[0.25, 0, 0.25], [0, 0.5]])
    sampled = policy("a", 2, 0.5, by_ply=[[0.125], [0]])  # the rest of 1, over both seats, is lost later
    assert lost_by_ply([exact]) == pytest.approx([0.25, 0.75, 1])
    assert lost_by_ply([exact, sampled]) == pytest.approx([0.1875, 0.4375, 0.5625])
    assert lost_by_ply([policy("a", 1, 0.0, by_ply=[[0], [0]])]) == []


def test_the_signs_of_slopes_are_compared_over_games():
    slopes = (0.02, 0.01, 0.03), (-0.1, -0.2, 0.1), (0.0, 0.0, 0.0)
    up, down, none = ({"by_distance": {"slope": slope}, "far_slope": None} for slope in slopes)
    tictactoe = {"a": up, "b": up, "c": {"by_distance": None, "far_slope": None}, "d": none, "e": none}
    assert count_same_signs({"tictactoe": tictactoe, "nim": {"a": up, "b": down, "e": up}}) == "1 of 2"  # none has no sign
    known = [Interval(*slope) for slope in (slopes[0], slopes[0], (-0.1, -0.2, -0.05), *slopes[1:])]
    assert count_slopes([*known, None]) == (2, 1, 5)


@pytest.fixture
def panel() -> standing.Panel:
    """A panel of three: random play, one 200 points above it, and one 400 above; nothing is drawn."""
    x = np.array([0.0, 200.0, 400.0]) / standing.ELO
    wins = 1 / (1 + np.exp(x - x[:, None]))
    table = PayoffTable(("random", "good", "better"), 2 * wins - 1)
    return standing.Panel(table, np.array([0.0, 0.0, 1.0]), np.array([0.0, *x, 0.0, -np.inf]))


def games_of(panel: standing.Panel, elo: float, games: int) -> standing.Counts:
    """Wins, draws and losses of a policy of this rating, as they are expected."""
    wins = np.rint(games / (1 + np.exp(panel.start[1:4] - elo / standing.ELO)))
    return np.column_stack([wins, np.zeros(3), games - wins]).astype(np.int64)


def test_a_policy_is_rated_against_the_panel(panel: standing.Panel, random: np.random.Generator):
    counts = games_of(panel, 300, 10_000)
    found = panel.rate(counts, random)
    assert found.elo == pytest.approx(300, abs=1)
    assert panel.elo(counts) == pytest.approx(found.elo)
    assert found.low < 300 < found.high
    assert found.high - found.low == pytest.approx(2 * 1.96 * found.error, rel=0.1)
    few = panel.rate(games_of(panel, 300, 100), random)
    assert few.error == pytest.approx(10 * found.error, rel=0.15)
    assert panel.elo(np.array([[50, 0, 0]] * 3)) < 2_000  # all won: finite
    assert panel.rate(np.array([[50, 0, 0]] * 3), random).error > 50  # and not certain


def test_worth_and_share_are_those_of_the_table_of_payoffs(panel: standing.Panel):
    counts = games_of(panel, 600, 10_000)
    assert panel.nash_value(counts) == pytest.approx(standing.payoffs_of(counts)[2])
    assert panel.alpha_rank(counts) > 0.99
    assert panel.alpha_rank(games_of(panel, -200, 10_000)) < 0.01


def test_a_part_of_the_games_is_drawn_evenly_over_opponents(random: np.random.Generator):
    counts = np.array([[30, 10, 10], [0, 0, 50], [50, 0, 0]])
    for games in (50, 100, 150):
        drawn = standing.draw_games(counts, games, random)
        assert drawn.sum() == games
        assert (drawn <= counts).all()
        assert max(Counter(drawn.sum(1).tolist())) - min(drawn.sum(1)) <= 1
    assert (drawn == counts).all()


@pytest.mark.parametrize(
    ("law", "errors"),
    [
        ("power law", lambda budgets: 0.8 * (budgets / 100) ** -0.7),
        ("exponential", lambda budgets: 0.8 * np.exp(-budgets / 4_000)),
        ("floor and power law", lambda budgets: 0.05 + 0.8 * (budgets / 100) ** -1.2),
    ],
)
def test_the_law_of_the_errors_is_found(law: str, errors, random: np.random.Generator):
    budgets = 100 * 4.0 ** np.arange(6)
    noise = 10 ** random.normal(0, 0.03, (6, 4))
    assert learning.fit_laws(budgets, errors(budgets)[:, None] * noise)[0].law == law


def test_an_error_of_zero_is_no_more_than_a_bound():
    budgets = 100 * 4.0 ** np.arange(6)
    errors = np.repeat(0.8 * (budgets[:, None] / 100) ** -1.5, 3, axis=1)
    errors[errors < learning.CENSORED] = 0
    assert (errors == 0).any()
    power = next(fit for fit in learning.fit_laws(budgets, errors) if fit.law == "power law")
    assert power.parameters[1] == pytest.approx(1.5, abs=0.05)


def test_slopes_of_mistakes_are_weighted_and_leave_small_groups_out():
    counts = np.array([[[400, 0], [400, 40], [400, 80], [4, 0]]] * 3)
    assert rates_of(counts.sum(0)) == pytest.approx([0, 0.1, 0.2, np.nan], nan_ok=True)
    assert find_slope(counts) == pytest.approx((0.1, 0.1, 0.1))
    assert find_slope(counts[:, :2] * 0) is None


def test_slopes_are_found_without_wins_in_one_ply_too_and_beside_random_play(monkeypatch: pytest.MonkeyPatch):
    rows = [[1, 400, 0], [2, 400, 80], [4, 400, 40], [8, 400, 0], [16, 400, 0]]
    last = design.Cell("tictactoe", "qlearning", "games", 100, 1, level=6)
    some = [policy("a", seed, 0.5, by_distance=rows)._replace(cell=last._replace(seed=seed)) for seed in (1, 2)]
    chance = policy("a", 0, 1.0, by_distance=rows)._replace(cell=design.Cell("tictactoe", "random"))
    monkeypatch.setattr(mistakes, "policies_of_game", lambda game: [*some, chance])
    found = mistakes.find_mistakes("tictactoe")
    assert [*found] == ["qlearning", "random"]
    assert found["qlearning"]["far_slope"].mean == pytest.approx(-0.07)
    assert mistakes.show_mistakes({"tictactoe": found})["distance"].splitlines()[2:] == [
        "| tic-tac-toe | 0.0 % | 20.0 % | 10.0 % | 0.0 % | 0.0 % | 0 · 1 of 1 | 0 · 1 of 1 |",
        "| random play | 0.0 % | 20.0 % | 10.0 % | 0.0 % | 0.0 % | | |",
    ]
