"""Numbers out of range: all functions that take a whole number, a seed or seconds refuse others with a sentence."""

import math

import gymnasium as gym
import numpy as np
import pytest

import ludus
from ludus.arena import evaluate, grade, grade_exact, tournament
from ludus.arena.ratings.ratings import rate
from ludus.baselines import Execution, train
from ludus.search.watch import Watch

from ..helpers.sentences import aec, says

HUGE = 10**5000
NO_WHOLE = [5.0, math.nan, math.inf, -math.inf, True, np.True_, "5", "5.0", None, [5], np.array([5]), np.float32(5), b"5", 5j, HUGE]
"""Values that are not whole numbers, or larger than any allowed one."""


def named(value):
    return repr(value)[:12] if value is not HUGE else "huge"


def vector():
    return gym.make_vec("ludus/Nim-v0", num_envs=2)


def single():
    return gym.make("ludus/Nim-v0")


SEEDS = {
    "AEC": lambda seed: aec("nim").reset(seed=seed),
    "vector": lambda seed: vector().reset(seed=seed),
    "puzzle": lambda seed: gym.make("ludus/SetCover-v0").reset(seed=seed),
    "tournament": lambda seed: tournament("nim", ["random", "greedy"], 2, seed=seed),
    "rate": lambda seed: rate([], seed=seed),
    "grade": lambda seed: grade("random", "nim", games=2, seed=seed),
    "exact grade": lambda seed: grade_exact("random", "tictactoe", seed=seed),
    "train": lambda seed: train("qlearning", "nim", seed=seed, games=1),
}
NONE_IS_ONE = {"AEC", "one seat", "vector", "a board of a vector", "puzzle", "train"}


@pytest.mark.parametrize("seed", [*NO_WHOLE, -1, 2**64, 2**70, np.int64(-1)], ids=named)
@pytest.mark.parametrize("take", SEEDS)
def test_what_is_no_seed_is_refused_everywhere(take, seed):
    if seed is None and take in NONE_IS_ONE:
        return
    if isinstance(seed, (list, np.ndarray)) and take == "vector":
        return  # these are the seeds of the boards
    with pytest.raises(ValueError, match="seed") as error:
        SEEDS[take](seed)
    says(error, "whole number from 0 to 2^64 - 1")
    assert len(str(error.value)) < 250


WHOLES = {  # a call, and the minimum of its whole number
    "num_envs": (lambda n: gym.make_vec("ludus/Nim-v0", num_envs=n), 1),
    "games of a tournament": (lambda n: tournament("nim", ["random", "greedy"], n), 2),
    "games": (lambda n: evaluate("random", "nim", "greedy", games=n), 2),
    "workers": (lambda n: evaluate("random", "nim", "greedy", games=2, workers=n), 1),
    "largest": (lambda n: grade_exact("random", "tictactoe", largest=n), 1),
    "depth": (lambda n: ludus.make_game("nim").perft(n), 0),
    "threads": (ludus.set_threads, 1),
    "nodes": (lambda n: Watch(nodes=n), 1),
    "max_plies": (lambda n: ludus.make_game("quixo", max_plies=n), 0),
    "a trainer's setting": (lambda n: train("qlearning", "nim", games=n), 1),
}
NONE_IS_TAKEN = {"opening_plies", "most", "threads", "nodes", "games", "games of a tournament"}
TEXT_IS_READ = {"max_plies", "a trainer's setting"}


@pytest.mark.parametrize("number", [*NO_WHOLE, -1, 2**63, 2**64], ids=named)
@pytest.mark.parametrize("take", WHOLES)
def test_what_is_no_whole_number_is_refused_everywhere(take, number):
    call, least = WHOLES[take]
    if (number is None and take in NONE_IS_TAKEN) or (isinstance(number, str) and take in TEXT_IS_READ):
        return
    try:
        with pytest.raises(ValueError, match=r"\w") as error:
            call(number)
    finally:
        ludus.set_threads(None)
    says(error)
    assert str(least) in str(error.value) or "whole number" in str(error.value)
    assert len(str(error.value)) < 250


SECONDS = {
    "seconds": lambda seconds: Watch(seconds=seconds),
    "move_time": lambda seconds: evaluate("random", "nim", "greedy", games=2, move_time=seconds),
    "checkpoint_seconds": lambda seconds: train("qlearning", "nim", games=1, execution=Execution(checkpoint_seconds=seconds)),
}


@pytest.mark.parametrize("seconds", [math.nan, math.inf, -1, -0.5, True, "1", [1], np.array([1.0]), 10**10, HUGE, 1j], ids=named)
@pytest.mark.parametrize("take", SECONDS)
def test_what_are_no_seconds_is_refused_everywhere(take, seconds):
    with pytest.raises(ValueError, match=take) as error:
        SECONDS[take](seconds)
    says(error, "a number, ")


@pytest.mark.parametrize("options", [5, "position", [("position", "1")], {1}, np.array(3), True], ids=repr)
def test_options_that_are_no_dictionary_are_refused(options):
    for env in (aec("nim"), single(), vector()):
        env.reset(seed=0)
        with pytest.raises(ValueError, match="options") as error:
            env.reset(options=options)
        says(error, "dictionary", "position")
        env.reset(seed=0)


@pytest.mark.parametrize("snapshot", [b"x", None, {}, "x"], ids=repr)
def test_what_is_no_snapshot_is_refused_and_changes_nothing(snapshot):
    env = aec("nim")
    env.step(0)
    before = env.position
    with pytest.raises(TypeError, match="snapshot") as error:
        env.restore(snapshot)
    says(error, "snapshot()")
    assert env.position == before
