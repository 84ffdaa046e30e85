"""Where games of the AEC environment start: positions, options, and the seeds that keys follow from."""

import numpy as np
import pytest

from ..helpers.aec import every_variant, make, play
from ..helpers.values import same


@every_variant
def test_a_game_starts_from_a_position_as_text_or_state(spec):
    env, rng = make(spec), np.random.default_rng(5)
    env.reset(seed=5)
    play(env, 2, rng)
    position, state, mover = env.position, env.rules_state, env.agent_selection
    env.reset(seed=6, options={"position": state})
    assert same(env.rules_state, state)
    assert env.agent_selection == mover
    text_says_mover = env.game.name != "nim"
    env.reset(seed=6, options={"position": position})
    assert env.position == position
    assert env.agent_selection == (mover if text_says_mover else "player_0")
    env.reset(seed=6)
    assert same(env.rules_state, env.game.start)


@pytest.mark.parametrize("options", [None, {}, {"options": 1}, {"position": None}, {"seat": 7, "wrapper": None, 3: 4}])
def test_options_that_are_not_ours_pass(options):
    env = make("tictactoe")
    env.reset(seed=0, options=options)
    assert env.position == "--------- X"


def keys_of_games(env, seed, games=3):
    keys = []
    for game in range(games):
        env.reset(seed=None if game else seed)
        keys.append(int(env.key()))
        env.step(0)
        keys.append(int(env.key()))
    return keys


def test_keys_follow_from_the_seed_the_game_and_the_ply():
    keys = keys_of_games(make("othello"), 7)
    assert keys == keys_of_games(make("othello"), 7)
    assert len(set(keys) | set(keys_of_games(make("othello"), 8))) == 12


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int8(5), np.int64(5), np.uint64(2**63), np.array(5)])
def test_any_whole_number_of_64_bits_is_a_seed(seed):
    one, other = make("nim"), make("nim")
    one.reset(seed=seed)
    other.reset(seed=int(seed))
    assert one.key() == other.key()


def test_environments_without_a_seed_differ():
    keys = set()
    for _ in range(20):
        env = make("nim")
        env.reset()
        keys.add(int(env.key()))
    assert len(keys) == 20
