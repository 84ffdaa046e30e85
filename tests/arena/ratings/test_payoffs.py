"""Nash averaging, α-Rank and cyclic parts: as OpenSpiel's functions, and in tables whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from ludus.arena import evaluate, tournament
from ludus.arena.matches.games import Pairing
from ludus.arena.ratings.payoffs import PayoffTable, describe_circles
from ludus.arena.report.data import report_of
from ludus.arena.report.page import page

CIRCLE = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def table_of(payoffs):
    return PayoffTable(tuple(map(str, range(len(payoffs)))), np.asarray(payoffs, np.float64))


def random_table(rng, kind):
    """Any results, coarse ones, a line of strengths, or two copies of a policy."""
    count = int(rng.integers(2, 13))
    strengths = rng.normal(size=count)
    table = {
        "any": rng.uniform(-1, 1, (count, count)),
        "coarse": rng.integers(-2, 3, (count, count)) / 2,
        "line": np.tanh(strengths[:, None] - strengths),
        "copies": rng.uniform(-1, 1, (count, count)),
    }[kind]
    table = (table - table.T) / 2
    numbers = np.maximum(np.arange(count), 1) - 1 if kind == "copies" else np.arange(count)
    return table_of(table[np.ix_(numbers, numbers)])


@pytest.mark.parametrize("kind", ["any", "coarse", "line", "copies"])
def test_equilibria_and_alpha_rank_are_those_of_openspiel(kind):
    nash_averaging = pytest.importorskip("open_spiel.python.algorithms.nash_averaging")
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    rng = np.random.default_rng(1)
    for _ in range(10):
        table = random_table(rng, kind)
        expected = nash_averaging._max_entropy_symmetric_nash(table.payoffs, eps=0)[:, 0]
        worth = np.array([*table.nash().values()])
        assert np.abs(worth[:, 0] - expected).max() < 1e-4
        assert np.abs(worth[:, 1] - table.payoffs @ expected).max() < 1e-4
        for intensity in (0.1, 2.0):
            ranks = alpharank.compute([table.payoffs], alpha=intensity)[2]
            assert np.allclose([*table.alpha_rank(intensity).values()], ranks, atol=1e-10)


def test_results_that_are_certain_overflow_nothing():
    table = table_of([[0, 1, 1], [-1, 0, 1], [-1, -1, 0]])
    assert table.alpha_rank() == {"0": 1.0, "1": pytest.approx(0, abs=1e-80), "2": pytest.approx(0, abs=1e-80)}
    assert [worth.weight for worth in table.nash().values()] == pytest.approx([1, 0, 0])


def test_what_is_cyclic_is_told_from_what_is_transitive():
    line = np.subtract.outer([0.5, 0.1, -0.2], [0.5, 0.1, -0.2])
    assert (table_of(CIRCLE).cyclic_part(), table_of(CIRCLE).cyclic_triples()) == (1, 1)
    assert (table_of(line).cyclic_part(), table_of(line).cyclic_triples()) == (pytest.approx(0), 0)
    assert table_of(np.zeros((3, 3))).cyclic_part() == 0
    both = table_of(0.3 * CIRCLE + line)
    assert both.cyclic_part() == pytest.approx((0.3 * CIRCLE**2).sum() * 0.3 / (both.payoffs**2).sum())


def test_a_table_of_scores_has_the_mean_results_and_wants_them_all():
    scores = [evaluate(a, "tictactoe", b, games=20, seed=1) for a, b in (("greedy", "random"), ("perfect", "random"))]
    points = scores[0].points
    table = PayoffTable.of(scores[:1])
    assert (table.payoffs[0, 1], table.payoffs[1, 0]) == pytest.approx((2 * points - 1, 1 - 2 * points))
    with pytest.raises(ValueError, match="have not played each other"):
        PayoffTable.of(scores)


def test_a_sentence_says_where_elo_misleads():
    table = PayoffTable(("rock", "scissors", "paper"), CIRCLE)
    pairs = [Pairing("nim", a, b) for a, b in (("rock", "scissors"), ("scissors", "paper"), ("rock", "paper"))]
    certain = describe_circles(table, dict.fromkeys(pairs, 0.01))
    said = "Elo misleads here: rock beats scissors, scissors beats paper, and paper beats rock, each with p below 0.05; 100 %"
    assert certain.startswith(said)
    assert describe_circles(table, dict.fromkeys(pairs, 0.5)).startswith("1 circle of three policies, none of them certain")
    doubtful = {pairs[0]: 0.01, pairs[1]: 0.01, pairs[2]: 0.5}
    assert describe_circles(table, doubtful).startswith("1 circle of three policies, none of them certain")
    assert describe_circles(table_of(np.sign(np.subtract.outer([3, 2, 1], [3, 2, 1]))), {}) == ""


def test_a_tournament_has_these_measures_in_documents_frames_and_on_its_page():
    contest = tournament("tictactoe", ["random", "greedy", "minimax:depth=2"], 40, seed=1)
    measures = contest.document()["payoffs"]["tictactoe"]["policies"]
    assert measures["minimax:depth=2"]["nash_weight"] == pytest.approx(1)
    rows = {row["policy"]: row for row in contest.to_frame().to_dict("records")}
    assert rows["random"]["alpha_rank"] == measures["random"]["alpha_rank"] < 0.01
    assert "α-Rank" in page(report_of(contest, graded=0))
    few = tournament("tictactoe", ["random", "greedy"], 2, against=["minimax:depth=1"], seed=1)
    assert few.document()["payoffs"] == {"tictactoe": None}
