"""Misuse of the AEC environment: errors are those of PettingZoo's own games, and its wrappers fit."""

import numpy as np
import pytest
from pettingzoo.classic.tictactoe import tictactoe
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from ..helpers.aec import SEATS, make, seen
from ..helpers.values import same

BEFORE_RESET = {
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe(env.possible_agents[0]),
    "render": lambda env: env.render(),
    "state": lambda env: env.state(),
    "last": lambda env: env.last(),
    "agent_iter": lambda env: env.agent_iter(),
    **{
        name: lambda env, name=name: getattr(env, name)
        for name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents", "nonsense")
    },
}
OUT_OF_RANGE = [9, -1, 2**70, 0.0, 1.5, float("nan"), np.nan, np.float32(1), None, "a", "3", [0], np.array([0]), (), {}]


def loop_without_a_step(env):
    for _ in env.agent_iter():
        pass


def error_of(blunder, env):
    try:
        blunder(env)
    except Exception as error:
        return type(error)
    return None


@pytest.fixture
def theirs():
    return tictactoe.env()


@pytest.mark.parametrize("blunder", BEFORE_RESET.values(), ids=BEFORE_RESET.keys())
def test_before_reset_the_error_is_the_one_of_pettingzoos_tictactoe(blunder, theirs):
    ours = make("tictactoe")
    assert error_of(blunder, ours) is error_of(blunder, theirs) is not None
    ours.reset(seed=0)
    ours.step(0)
    assert ours.position == "X-------- O"


@pytest.mark.parametrize("action", OUT_OF_RANGE, ids=repr)
def test_out_of_range_the_error_is_the_one_of_pettingzoos_tictactoe(action, theirs):
    ours = make("tictactoe")
    for env in (ours, theirs):
        env.reset(seed=0)
        env.step(4)
    before = seen(ours)
    assert error_of(lambda env: env.step(action), ours) is error_of(lambda env: env.step(action), theirs) is AssertionError
    assert same(seen(ours), before)
    ours.step(0)
    assert ours.position == "O---X---- X"


@pytest.mark.parametrize("action", [True, False, np.True_], ids=repr)
def test_a_bool_is_no_action(action):
    env = make("tictactoe")
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="whole number from 0 to 8"):
        env.step(action)


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.array])
def test_numpys_whole_numbers_are_actions(kind):
    env = make("othello")
    env.reset(seed=0)
    action = int(np.flatnonzero(env.action_mask())[0])
    env.step(kind(action))
    assert same(env.rules_state, env.game.play(env.game.start, action))


def test_an_action_of_an_agent_that_is_done_is_refused_as_by_pettingzoos_tictactoe(theirs):
    ours = make("tictactoe")
    for env in (ours, theirs):
        env.reset(seed=0)
        for action in (0, 3, 1, 4, 2):
            env.step(action)
        assert error_of(lambda env: env.step(5), env) is ValueError
        env.step(None)
        env.step(None)
        assert env.agents == []


def test_a_step_after_all_agents_are_done_is_only_logged(theirs):
    ours = make("tictactoe")
    logged = []
    for env in (ours, theirs):
        env.reset(seed=0)
        for action in (0, 3, 1, 4, 2, None, None):
            env.step(action)
        EnvLogger.flush()
        env.step(0)
        logged.append(set(EnvLogger.mqueue))
    assert logged[0] == logged[1] != set()
    assert ours.position == "XXXOO---- O"


def test_a_loop_that_never_steps_is_refused_as_by_pettingzoos_tictactoe(theirs):
    ours = make("tictactoe")
    for env in (ours, theirs):
        env.reset(seed=0)
        assert error_of(loop_without_a_step, env) is AssertionError
    ours.reset(seed=0)
    for turn, _ in enumerate(ours.agent_iter(max_iter=3)):
        ours.step(turn)
    assert ours.position == "XOX------ O"


def test_pettingzoos_wrappers_wrap_it():
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(make("quixo")))
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    total = dict.fromkeys(SEATS, 0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        mask = observation["action_mask"]
        env.step(None if terminated or truncated else int(rng.choice(np.flatnonzero(mask))))
    assert sorted(total.values()) == [-1, 1]
