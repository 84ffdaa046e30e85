"""The study: cells that can be continued and repeated, ratings of all policies, and statistics that find what is there."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray

from benchmarks.study import games, graded, grid, measures, pool, rows, runs, start, statistics, tables
from ludus.agents import make_policy
from ludus.arena import grade_exact
from ludus.cli.bench.study import Study
from ludus.envs import make_game
from ludus.oracles import make_oracle

SMALL = grid.Grid(
    "tictactoe",
    "tic-tac-toe",
    (
        grid.Ladder("qlearning", "games", (50, 5000), {"rows=256": {"rows": "256", "exploring_starts": "0"}}),
        grid.Ladder("alphazero", "positions", (64,), {"0x2": {"blocks": "0", "channels": "2"}}, {"boards": "16"}, (4,)),
    ),
    ("random", "perfect"),
    grid.Grading(games=20),
    seeds=(1,),
)
NAMES = ["qlearning rows=256 games=50 seed=1", "alphazero 0x2 positions=64 seed=1", "qlearning rows=256 games=5000 seed=1"]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """The study of a small grid, in a folder of its own."""
    return study_in(tmp_path, monkeypatch, SMALL)


def study_in(folder: Path, monkeypatch: pytest.MonkeyPatch, some: Any) -> Study:
    """The study of a grid, with all its files in a folder."""
    monkeypatch.setattr(runs, "ROOT", folder)
    return games.study_of(folder / "small.json", some)


def test_a_grid_is_measured_cell_by_cell_continued_and_repeated(small: Study, tmp_path: Path):
    assert [cell.name for cell in SMALL.cells] == NAMES  # small budgets first
    small.run(["games=50 seed"])
    assert small.missing() == ["random", "perfect", *NAMES[1:], "pool"]
    assert small.figures() == {}
    small.run([])
    measured = small.rows()
    assert (small.missing(), set(measured["pool"]["elo"])) == (
        [],
        {"random", "perfect", NAMES[0], NAMES[2], f"{NAMES[1]} network", f"{NAMES[1]} 4"},
    )
    assert max(measured["pool"]["elo"], key=measured["pool"]["elo"].get) == "perfect"

    shutil.rmtree(tmp_path / "runs")  # trains them anew
    for cell in SMALL.cells[::2]:
        again = json.loads(json.dumps(graded.measure(cell, SMALL.grading, errors=cell.budget == 5000)))
        assert without_seconds(again) == without_seconds(measured[cell.name])

    known = rows.rows_of(SMALL, measured)
    assert [row.level for row in known] == [-1, -1, 0, 0, 0, 1]
    less, more = (next(row for row in known if row.name == name) for name in (NAMES[0], NAMES[2]))
    assert more.values["value_lost_per_game"] < less.values["value_lost_per_game"]
    assert rows.errors_by([more], "by_frequency") == more.by_frequency


def without_seconds(row: Any) -> Any:
    """A row without its times."""
    return {name: without_seconds(value) for name, value in row.items() if name != "seconds"} if isinstance(row, dict) else row


def test_policies_without_search_get_a_closer_look_and_strong_ones_an_exact_grade(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """3×3 Quixo in the place of 4×4."""
    how = grid.Grading(games=20, turned=True, largest=10)
    few = replace(SMALL, game="quixo:size=3", grading=how, classics=("random",))
    study, name = study_in(tmp_path, monkeypatch, few), NAMES[2]
    study.run(["qlearning rows=256 games=50 ", f"{name}, closer"])
    study.run([name])
    assert study.rows()[f"{name}, exact"] == {}  # too weak
    monkeypatch.setattr(graded, "STRONG", study.rows()[f"{name}, closer"]["win_rate_vs_random"])
    study.run([f"{name}, exact", "--anew"])
    measured = study.rows()
    assert f"{NAMES[0]}, exact" not in study.cells()  # it has a smaller budget
    look, exact = measured[f"{name}, closer"], measured[f"{name}, exact"]
    for error in ("value_lost", "value_lost_per_game"):
        low, high = look[f"{error}_interval"]
        assert low - 0.01 < exact[error] < high + 0.01
    weak, strong = (row for row in rows.rows_of(few, measured) if row.trainer == "qlearning")
    assert strong.exact
    assert not weak.exact
    assert strong.values["value_lost_per_game"] == exact["value_lost_per_game"]
    assert weak.values["value_lost_per_game"] == measured[f"{NAMES[0]}, closer"]["value_lost_per_game"]
    assert weak.thrown_interval == (*measured[f"{NAMES[0]}, closer"]["value_lost_per_game_interval"],)
    assert tables.sampled([weak, strong])["closer"] == "1"


def test_what_a_cell_says_of_a_policy_is_its_exact_grade_and_adds_up():
    figures = graded.grade_policy(make_policy("greedy", "tictactoe"), grid.Grading(games=40), errors=True)
    exact = grade_exact("greedy", "tictactoe")
    for name in ("exploitability", "value_lost_per_game", "value_lost"):
        assert figures[name] == pytest.approx(getattr(exact, name), abs=1e-6)
    perfect = graded.grade_policy(make_policy("perfect", "tictactoe"), grid.Grading(exact=False, games=40), errors=True)
    for name in ("by_distance", "by_frequency"):
        errors, perfects = (graded.read_rows(each[name]) for each in (figures, perfect))
        assert (
            sum(error for *_, error in errors) > 0 == sum(error for *_, error in perfects) < sum(count for _, count, _ in perfects)
        )
    assert (perfect["value_lost"], "exploitability" in perfect) == (0, False)


@pytest.mark.parametrize("game", ["tictactoe", "quixo:size=3"])
def test_a_closer_look_finds_the_exact_values_within_its_intervals(game: str):
    policy = make_policy("greedy", game)
    found, exact = graded.closer(policy, 2000), grade_exact(policy, game)
    for name in ("value_lost", "value_lost_per_game"):
        low, high = found[f"{name}_interval"]
        assert high - low < 0.1
        assert low <= getattr(exact, name) <= high


def names(some: Any) -> set[str]:
    """The names of all cells of a grid."""
    return {cell.name for cell in some.cells}


def test_who_plays_whom_does_not_change_when_a_grid_grows(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pool, "SHARE", 0.5)
    wide = replace(SMALL, seeds=(1, 2, 3))
    few, many = ({(a.name, b.name) for a, b in pool.pairs(one, pool.entrants(one, names(one)))} for one in (SMALL, wide))
    assert few < many
    trained = [pair for pair in many if not {*pair} & {*SMALL.classics}]
    assert 0.3 < len(trained) / (9 * 8 / 2) < 0.7
    assert not [pair for pair in trained if any(name.endswith(" 4") for name in pair)]  # those that search play the classics alone
    for some, left in (
        (replace(wide, against_search=("random",)), ["perfect"]),
        (replace(wide, most_simulations=3), ["random", "perfect"]),
    ):
        played = {(a.name, b.name) for a, b in pool.pairs(some, pool.entrants(some, names(some)))}
        assert many - played == {(a, b) for a, b in many if a in left and b.endswith(" 4")}


@pytest.mark.parametrize("spec", ["random", "mcts:simulations=64", "perfect"])
def test_how_early_a_won_start_may_be_lost_is_what_a_plain_search_finds(spec: str):
    game = make_game("quixo:size=3")
    policy, oracle = make_policy(spec, game), make_oracle(game)
    policy = policy if policy.symmetric else runs.Oriented(game, inner=policy, seed=0)
    assert oracle.values(game.start[None]) == 1
    here, known, ply, found = {game.start.tobytes()}, set[bytes](), 0, None
    while here and found is None:
        after = set[bytes]()
        for state in (np.frombuffer(one, np.uint64) for one in here):
            own = game.player(state) == 0
            chances = policy.probabilities(state[None])[0]
            for action in np.flatnonzero(chances) if own else game.legal_actions(state):
                follower = game.play(state, int(action))
                if own and oracle.values(follower[None]) != -1:
                    found = ply
                if game.outcome(follower) is None:
                    after.add(follower.tobytes())
        known |= here
        here, ply = after - known, ply + 1
    assert start.first_error(policy) == found
    assert (found is None) == (spec == "perfect")


@pytest.mark.parametrize("spec", ["minimax:depth=1", "perfect"])
def test_a_policy_that_can_be_forced_into_a_lost_position_is_exploitable_as_much_as_possible(spec: str):
    game = make_game("quixo:size=3")  # which the first player wins
    policy = make_policy(spec, game)
    policy = policy if policy.symmetric else runs.Oriented(game, inner=policy, seed=0)
    assert (start.forced_loss(policy) is not None) == (grade_exact(policy, game).exploitability == 1)


# ---- statistics


def test_rank_correlations_are_those_of_scipy_and_pairs_are_counted_one_by_one():
    random = np.random.default_rng(0)
    x, y = random.integers(0, 6, (2, 40)).astype(float)
    assert statistics.spearman(x, y) == pytest.approx(scipy.stats.spearmanr(x, y)[0])
    signs = [np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i in range(40) for j in range(i)]
    assert statistics.discordant(x, y) == signs.count(-1) / (signs.count(-1) + signs.count(1))
    assert np.isnan(statistics.spearman(x, np.ones(40)))


def test_a_power_law_is_found_within_its_bounds():
    random = np.random.default_rng(1)
    some = [
        rows.Row(
            f"{budget} {size} {seed}",
            "t",
            "",
            str(size),
            0,
            budget,
            seed,
            size,
            1.0,
            {"value_lost_per_game": error, "elo": 1.0},
            [],
            [],
        )
        for budget in (100, 1000, 10_000)
        for size in (10, 100)
        for seed in range(4)
        for error in [2 * budget**-0.5 * size**-0.25 * np.exp(random.normal(0, 0.05))]
    ]
    fit = measures.fitted([*some, some[0]._replace(values={"value_lost_per_game": 0.0})])["value_lost_per_game"]
    assert (fit["points"], fit["zeros"]) == (24, 1)
    for what, truth in (("budget", -0.5), ("parameters", -0.25)):
        slope, low, high = fit["slopes"][what]
        assert low < slope < high
        assert abs(slope - truth) < 0.05
    assert "simulations" not in fit["slopes"]
    assert fit["explained"] > 0.98


def test_bounds_widen_when_rows_of_a_run_go_together():
    values = np.repeat(np.random.default_rng(0).normal(size=20), 5)

    def mean(rows: NDArray[np.int64]) -> float:
        return float(values[rows].mean())

    ((low, high),) = statistics.bounds(np.repeat(np.arange(20), 5).tolist(), mean)
    ((least, most),) = statistics.bounds([*range(100)], mean)
    assert high - low > 1.5 * (most - least) > 0
