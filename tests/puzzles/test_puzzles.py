"""One-player problems: published instances, the worth of answers, bad input, and the environments over them."""

import copy
import pickle
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

from ludus.puzzles import make_puzzle, puzzle_names
from ludus.puzzles.puzzle import id_of
from ludus.puzzles.setcover import course_lists

from ..naive import puzzles as naive

VARIANTS = [
    "setcover:items=30",
    "setcover:items=20,instance=course",
    "setcover:items=40,power=0.5,density=0.05,sets=200",
    "bitstring:bits=60",
    "bitstring:bits=60,order=5,hidden=3",
    "portfolio",
    "portfolio:stocks=20,held=3,smallest=0.05,least_return=1",
]
every_puzzle = pytest.mark.parametrize("spec", VARIANTS)
SMALL = {"setcover": {"items": 20}, "bitstring": {"bits": 20, "order": 2}, "portfolio": {"stocks": 40, "held": 5}}
every_environment = pytest.mark.parametrize("name", puzzle_names())
HEAD = "ticker,risk,return\n"
TABLE = HEAD + "A,0.5,12\nB,0.1,1\n"


def draw_answers(puzzle, count, seed=0):
    return puzzle.draw_answers(np.random.default_rng(seed), count)


@pytest.fixture
def stocks(tmp_path):
    """A function that writes a table of stocks and makes a puzzle of it."""

    def make(content, **settings):
        file = tmp_path / "few.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return make_puzzle("portfolio", path=file, **{"held": 1, **settings})

    return make


# ---- instances


def test_the_courses_instances_have_the_published_numbers_of_lists():
    # with Python's generator seeded with 42, N = 5, 10, 20, 100
    assert [len(course_lists(items, 42)) for items in (5, 10, 20, 100)] == [25, 50, 34, 427]


def test_a_set_costs_its_size_to_a_power_and_in_the_course_its_size():
    for spec, power in (("setcover:items=20,instance=course", 1), ("setcover:items=20", 0), ("setcover:items=20,power=0.5", 0.5)):
        puzzle = make_puzzle(spec)
        assert puzzle.costs == pytest.approx(puzzle.member.sum(axis=1) ** power)


@pytest.mark.parametrize("seed", [0, 1, 99])
def test_the_made_up_stocks_have_the_published_moments(seed):
    # of 400 stocks, as pandas describes them: mean, standard deviation, minimum, quartiles, maximum
    risk, earned = make_puzzle("portfolio", seed=seed).table[1:]
    assert [*np.round([risk.mean(), risk.std(ddof=1)], 3)] == [0.461, 0.206]
    assert np.quantile(risk, [0, 0.25, 0.5, 0.75, 1]) == pytest.approx([0, 0.323, 0.421, 0.607, 0.959])
    assert [*np.round([earned.mean(), earned.std(ddof=1)], 3)] == [0.754, 1.365]
    assert np.quantile(earned, [0.25, 0.5, 0.75, 1]) == pytest.approx([0.127, 0.317, 0.817, 16.48])


@every_puzzle
def test_a_puzzle_follows_from_its_spec_and_copies_and_pickles_by_it(spec):
    puzzle = make_puzzle(spec)
    answer = draw_answers(puzzle, 1)[0]
    for other in (make_puzzle(puzzle.spec), copy.deepcopy(puzzle), pickle.loads(pickle.dumps(puzzle))):
        assert other == puzzle
        assert other.worth(answer) == puzzle.worth(answer)


@pytest.mark.parametrize("content", [TABLE, f"\ufeff{TABLE}\n", "Return, Ticker ,name,RISK\r\n12,A,Ada,0.5\r\n1,B,Bob,0.1\r\n"])
def test_a_table_of_stocks_may_have_other_columns_another_order_and_a_mark_of_its_encoding(stocks, content):
    puzzle = stocks(content, smallest=0.1)
    assert puzzle.table.tickers == ("A", "B")
    assert [puzzle.table.risk.tolist(), puzzle.table.earned.tolist()] == [[0.5, 0.1], [12, 1]]
    assert puzzle.worth([0.9, 0.1]) == pytest.approx(10.9)
    assert puzzle.to_json(np.array([0.9, 0.1])) == {"A": 0.9, "B": 0.1}
    assert make_puzzle(puzzle.spec) == puzzle


@pytest.mark.parametrize("seed", [0, 7, 42])
def test_a_solver_with_the_instances_seed_does_not_draw_the_instance(seed):
    hidden = make_puzzle("bitstring:order=10", hidden=seed)
    assert 0.4 < (draw_answers(hidden, 1, seed)[0] == hidden.perfect).mean() < 0.6
    cover, same = make_puzzle("setcover:sets=100,items=100", seed=seed), np.random.default_rng(seed).random((100, 100)) < 0.1
    assert (cover.member & same).sum() < 0.2 * same.sum()
    table, draw = make_puzzle("portfolio", seed=seed).table, np.random.default_rng(seed)
    assert (table.risk == draw.permutation(np.sort(table.risk))).mean() < 0.1


# ---- what answers are worth


@pytest.mark.parametrize(("order", "one_short"), [(1, 0.999), (2, 0.4501), (5, 0.7801), (10, 0.8901)])
def test_strings_are_worth_what_is_published(order, one_short):
    puzzle = make_puzzle("bitstring", order=order)
    ones, one_slice = np.ones(1000, bool), np.arange(1000) % order == 0
    assert puzzle.worth(ones) == 1.0
    assert puzzle.worth(np.arange(1000) != 137) == pytest.approx(one_short, abs=1e-12)
    assert puzzle.worth(one_slice) == pytest.approx(1 / order)


@given(st.sampled_from([1, 2, 3, 4, 6]), st.lists(st.booleans(), min_size=12, max_size=12))
def test_a_string_is_worth_what_the_words_of_the_rule_say(order, bits):
    assert make_puzzle("bitstring", bits=12, order=order).worth(bits) == pytest.approx(naive.value(bits, order), abs=1e-12)


def test_a_portfolio_is_worth_its_return_if_it_keeps_the_rules_else_minus_what_it_lacks():
    puzzle = make_puzzle("portfolio:stocks=8,held=2,smallest=0.1,least_return=10,most_risk=0.6")
    table, top = puzzle.table, int(puzzle.table.earned.argmax())
    weights = np.where(np.arange(8) == top, 0.9, 0.0)
    weights[(top + 1) % 8] = 0.1
    earned, risk = weights @ table.earned, weights @ table.risk
    assert earned >= 10
    assert puzzle.worth(weights) == pytest.approx(earned if risk <= 0.6 else -(risk - 0.6) / 0.6)
    assert puzzle.worth(np.arange(8) == top) == pytest.approx(-0.5 - max(0, table.risk[top] - 0.6) / 0.6)  # one of two held


def test_a_mended_cover_has_no_set_that_it_can_do_without():
    puzzle = make_puzzle("setcover:items=60,density=0.08")
    for answer in puzzle.mend(np.random.default_rng(0).random((20, puzzle.length)) < 0.2):
        assert puzzle.worth(answer) > -np.inf
        for taken in np.flatnonzero(answer):
            assert puzzle.worth(answer & (np.arange(puzzle.length) != taken)) == -np.inf


# ---- bad input


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("setcover:items=50,sets=3", r"item \d+ of setcover:items=50,sets=3 is in no set"),
        ("setcover:instance=course,sets=3", "draws its sets itself"),
        ("setcover:items=10000000", "more than 100,000,000"),
        ("setcover:itms=3", "did you mean 'items'"),
        ("bitstring:order=7", "an order of 7 does not divide 1000 bits"),
        ("portfolio:held=500", "held is 500; it must be at most the number of stocks, 400"),
        ("portfolio:smallest=0.05", "30 stocks of weight 0.05 are more than 1"),
        ("portfolio:stocks=10", "a multiple of 4"),
        ("knapsack", "there is no puzzle 'knapsack'; there are: setcover, bitstring, portfolio"),
        (3, "3 is not a puzzle; give one, or its spec"),
    ],
)
def test_invalid_puzzles_are_refused(spec, words):
    with pytest.raises(ValueError, match=words):
        make_puzzle(spec)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1,2\n", "no CSV file with the columns ticker, risk, return"),
        ("", "fewer than two"),
        (HEAD + "A,0.5,12\nT1,0,3,12\n", "a line has more cells than the first"),
        (HEAD + "A,low,12\n", "could not convert string to float: 'low'"),
        (HEAD + "A,nan,1\nB,1,1\n", "not finite"),
        (HEAD + "A,1,1\nB,-1,1\n", r"few\.csv has a risk below 0"),
        (HEAD + "A,1,1\nA,1,1\n", "twice"),
        ((HEAD + "Müller,1,1\n").encode("latin-1"), r"few\.csv is no CSV file with"),
        (HEAD + "A" * 200_000 + ",1,1\n", r"few\.csv is no CSV file .*\(field larger"),
    ],
)
def test_an_invalid_table_of_stocks_is_refused_with_its_file(stocks, content, words):
    with pytest.raises(ValueError, match=words):
        stocks(content)


EIGHT = "portfolio:stocks=8,held=2"


@pytest.mark.parametrize(
    ("spec", "answer", "words"),
    [
        (EIGHT, [0.5] * 8, "the sum of the weights is 4; it must be 1"),
        (EIGHT, [1.5, -0.5, *[0] * 6], "the weight of stock 1 is -0.5; weights must be numbers, 0 or more"),
        (EIGHT, [np.nan, 1, *[0] * 6], "the weight of stock 0 is nan"),
        (EIGHT, [1.0], r"has the shape \(1,\); it must be \(8,\)"),
        (EIGHT, ["a"] * 8, "parts that are not numbers"),
        *(("bitstring:bits=9", np.full(9, bit), "an answer to bitstring:bits=9 has") for bit in (0.5, np.nan, 2)),
        ("bitstring:bits=9", np.ones(8), "an answer to bitstring:bits=9 has"),
    ],
)
def test_invalid_answers_are_refused(spec, answer, words):
    with pytest.raises(ValueError, match=words):
        make_puzzle(spec).worth(answer)


# ---- environments


@every_environment
def test_environments_pass_gymnasiums_check(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make(id_of(name), render_mode="ansi", **SMALL[name]).unwrapped)


@every_environment
def test_an_environments_rewards_make_what_its_answer_is_worth(name):
    env = gym.make(id_of(name), **SMALL[name])
    inner = env.unwrapped
    env.reset(seed=1)
    env.action_space.seed(1)
    total, over = 0.0, False
    while not over:
        sample = env.action_space.sample()
        action = inner.action_masks().argmax() if name == "setcover" else sample
        _, reward, terminated, truncated, info = env.step(action)
        total += reward
        over = terminated or truncated or name == "bitstring"
    answer = {"setcover": lambda: inner.taken, "bitstring": lambda: action, "portfolio": lambda: info["weights"]}[name]()
    assert inner.puzzle.worth(answer) == pytest.approx(total)


def test_a_set_that_covers_nothing_new_ends_the_episode_and_costs_more_than_any_cover():
    env = gym.make("ludus/SetCover-v0", items=20)
    _, info = env.reset()
    first = info["action_mask"].argmax()
    _, _, terminated, _, info = env.step(first)
    assert not terminated
    assert not info["action_mask"][first]
    _, reward, terminated, truncated, info = env.step(first)
    assert (terminated, truncated, info["illegal"]) == (True, False, True)
    assert reward == -env.unwrapped.puzzle.costs.sum()


def test_a_black_box_counts_its_calls_ends_with_the_perfect_string_and_truncates_after_the_last_call():
    env = gym.make("ludus/BitString-v0", bits=20, calls=3)
    env.reset()
    assert env.step(np.zeros(20, np.int8))[1:4] == (0.0, False, False)
    *_, info = env.step(np.ones(20, np.int8))
    assert info == {"calls": 2, "best": 1.0}
    env.reset()
    ended = [env.step(np.zeros(20, np.int8))[2:4] for _ in range(3)]
    assert ended == [(False, False), (False, False), (False, True)]


@every_environment
def test_an_environment_is_for_its_own_puzzle_and_wants_a_reset(name):
    env = gym.make(id_of(name), **SMALL[name])
    with pytest.raises(gym.error.ResetNeeded):
        env.unwrapped.step(env.action_space.sample())
    other = "portfolio" if name != "portfolio" else "bitstring"
    with pytest.raises(ValueError, match=f"this environment is for {name}, not for {other}"):
        gym.make(id_of(name), puzzle=other)
    with pytest.raises(ValueError, match="seed is -1"):
        env.reset(seed=-1)
