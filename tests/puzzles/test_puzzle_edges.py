"""The edges of one-player problems: streams that must not meet, settings and files that cannot be, sizes, and starts that count."""

import gymnasium as gym
import numpy as np
import pytest

from ludus.puzzles import make_puzzle, make_solver

TABLE = b"ticker,risk,return\nA,0.5,12\nB,0.1,1\n"


def written(folder, content):
    file = folder / "few.csv"
    file.write_bytes(content)
    return file


# ---- instances


@pytest.mark.parametrize("seed", [0, 7, 42])
def test_a_solver_with_the_instances_seed_does_not_draw_the_instance(seed):
    hidden = make_puzzle("bitstring:order=10", hidden=seed)
    first = hidden.drawn(np.random.default_rng(seed), 1)[0]
    assert 0.4 < (first == hidden.perfect).mean() < 0.6
    assert make_solver("annealing:calls=20", hidden).solve(seed).worth < 1
    cover, share = make_puzzle("setcover:sets=100,items=100", seed=seed), 0.1
    cover, share = make_puzzle("setcover:sets=100,items=100", seed=seed), 0.1
    same = np.random.default_rng(seed).random((100, 100)) < share
    assert (cover.member & same).sum() < 2 * share * same.sum()
    table, draw = make_puzzle("portfolio", seed=seed).table, np.random.default_rng(seed)
    assert (table.risk == draw.permutation(np.sort(table.risk))).mean() < 0.1


def test_a_spec_can_name_a_table_that_was_given_as_a_path(tmp_path):
    file = written(tmp_path, TABLE)
    puzzle = make_puzzle("portfolio", path=file, held=1)
    assert make_puzzle(puzzle.spec) == puzzle


def test_a_black_box_of_many_short_slices_is_worth_what_the_rule_says():
    puzzle = make_puzzle("bitstring:order=500")
    assert puzzle.worth(np.ones(1000)) == 1.0
    assert puzzle.worth(np.arange(1000) < 2) == pytest.approx(0.002)  # two slices lead with one bit each


# ---- settings, files and actions that cannot be


@pytest.mark.parametrize(("spec", "told"), [
    ("bitstring:bits=1000000000000", "it must be a whole number from 1 to 10,000"),
    ("portfolio:stocks=4000000000000", "it must be a whole number from 8 to 100,000"),
    (3, "3 is no puzzle; give one, or its spec"),
])  # fmt: skip
def test_puzzles_beyond_all_measure_are_refused_with_a_sentence(spec, told):
    with pytest.raises(ValueError, match=told):
        make_puzzle(spec)


def test_what_is_no_solver_and_no_path_is_refused_with_a_sentence():
    with pytest.raises(ValueError, match="3 is no solver; give one, or its spec"):
        make_solver(3, "setcover")
    with pytest.raises(ValueError, match="path is 3; it must be the name of a CSV file"):
        make_puzzle("portfolio", path=3)
    with pytest.raises(ValueError, match="0 is no puzzle"):
        gym.make("ludus/Portfolio-v0", puzzle=0)


@pytest.mark.parametrize("content", [
    b"\xef\xbb\xbf" + TABLE,
    b"Return, Ticker ,name,RISK\r\n12,A,Ada,0.5\r\n1,B,Bob,0.1\r\n",
    TABLE + b"\n",
])  # fmt: skip
def test_a_table_may_have_a_mark_of_its_encoding_other_columns_and_another_order(tmp_path, content):
    table = make_puzzle("portfolio", path=written(tmp_path, content), held=1).table
    assert table.tickers == ("A", "B")
    assert [table.risk.tolist(), table.earned.tolist()] == [[0.5, 0.1], [12, 1]]


@pytest.mark.parametrize(("content", "told"), [
    (b"ticker,risk,return\nA,0.5,12\nT1,0,3,12\n", r"line 3 of .*few\.csv has more cells or fewer"),
    (b"ticker,risk,return\nA,0.5,12\nB,0.1\n", r"line 3 of .*few\.csv has more cells or fewer"),
    (b"ticker,risk,return\nA,low,12\n", r"line 2 of .*few\.csv has a risk or a return that is no number"),
    (b"ticker,risk,return\nA,1,1\nB,-1,1\n", r"line 3 of .*few\.csv has a risk that is negative"),
    (b"ticker,risk,return,risk\nA,1,1,2\n", "each once"),
    ("ticker,risk,return\nMüller,1,1\n".encode("latin-1"), r"few\.csv is no CSV file in UTF-8"),
    (b"ticker,risk,return\n" + b"A" * 200_000 + b",1,1\n", r"few\.csv is no CSV file in UTF-8 \(field larger"),
])  # fmt: skip
def test_the_sentence_about_a_table_names_the_file_and_the_line(tmp_path, content, told):
    with pytest.raises(ValueError, match=told):
        make_puzzle("portfolio", path=written(tmp_path, content), held=1)


def test_a_file_of_stocks_and_settings_of_a_made_up_table_are_refused_together(tmp_path):
    file = written(tmp_path, TABLE)
    for settings in ({"stocks": 8}, {"seed": 1}):
        with pytest.raises(ValueError, match="are for a made-up table"):
            make_puzzle("portfolio", path=file, held=1, **settings)
    with pytest.raises(ValueError, match=r"held is 30; it must be at most the number of stocks, 2 in .*few\.csv"):
        make_puzzle("portfolio", path=file)


@pytest.mark.parametrize("calls", [1.5, True, "many"])
def test_a_black_box_is_asked_a_whole_number_of_times(calls):
    with pytest.raises(ValueError, match=r"calls is .*; it must be a whole number"):
        gym.make("ludus/BitString-v0", calls=calls)


@pytest.mark.parametrize("weight", [5.0, 1e308])
def test_a_weight_outside_the_action_space_is_refused(weight):
    env = gym.make("ludus/Portfolio-v0").unwrapped
    env.reset()
    with pytest.raises(ValueError, match=r"the weight of stock 0 is .*; it must be from 0 to 1"):
        env.step(np.full(400, weight))


# ---- solvers


def test_children_that_hold_nothing_hold_all_alike():
    puzzle = make_puzzle("portfolio:stocks=8,held=2,smallest=0.1")
    assert puzzle.mended(np.zeros((1, 8))).sum() == pytest.approx(1)
    found = make_solver("genetic:calls=1000", "portfolio:stocks=8,held=2,smallest=0.5,least_return=0").solve()
    assert found.worth > 0


@pytest.mark.parametrize("order", [20, 25])
def test_probing_asks_again_about_bits_that_lag_too_far_behind_to_tell(order):
    found = [make_solver("probe", f"bitstring:order={order},hidden=1").solve(seed) for seed in range(5)]
    assert [one.worth for one in found] == [1.0] * 5


def test_annealing_begins_no_hotter_than_its_steps_and_so_finds_better_covers():
    puzzle = make_puzzle("setcover:items=1000,sets=4000,density=0.002,power=1.5")
    start = puzzle.worths(puzzle.mended(np.zeros((1, puzzle.length), np.bool_)))[0]
    assert make_solver("annealing:calls=1000", puzzle).solve().worth > 0.99 * start  # a cost of 1 % less


def test_selecting_by_ones_goes_astray_where_ones_are_not_what_is_right():
    plain, hidden = (make_solver("local:by=ones,calls=3000", f"bitstring:bits=100{more}").solve() for more in ("", ",hidden=1"))
    assert plain.worth == 1.0
    assert hidden.worth < 0.8
