"""The AEC environment: PettingZoo's own tests on every variant, then what is seen, how games are rewarded, and copies."""

import copy
import importlib
import itertools
import os
import pickle
import subprocess
import sys
import types
import warnings

import numpy as np
import pytest

from ..helpers.aec import SEATS, every_variant, is_over, legal_action, make, play, seen
from ..helpers.values import same

with warnings.catch_warnings():  # PettingZoo's tests import its games in the way that it warns of
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test


# ---- PettingZoo's own tests


@every_variant
def test_api_test_warns_of_nothing_but_dict_observations(spec):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(spec), num_cycles=100)
    assert {str(warning.message) for warning in caught} == {
        "Observation is not a NumPy array",
        "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    }


@every_variant
def test_seed_test_passes(spec):
    seed_test(lambda: make(spec), num_cycles=100)


@every_variant
def test_state_test_passes_as_far_as_it_is_for_aec(spec):
    parts = importlib.import_module("pettingzoo.test.state_test")
    env = make(spec)
    parts.test_state_space(env)
    parts.test_state(env, num_cycles=10)


@every_variant
def test_render_test_passes(spec, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    render_test(
        lambda **keywords: make(spec, **keywords),
        custom_tests={"svg": lambda drawing: drawing.startswith("<svg"), "ansi": lambda text: "\n" in text},
    )


def test_a_window_needs_no_screen():
    code = (
        "import ludus; env = ludus.tictactoe_v0.env(render_mode='human'); "
        "env.reset(seed=0); env.step(4); assert env.render() is None; env.close(); env.close()"
    )
    screen = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
    environment = {name: value for name, value in os.environ.items() if name not in screen}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr


@every_variant
def test_performance_benchmark_runs(spec, monkeypatch):
    clock = itertools.count(0, 0.1)
    benchmark = importlib.import_module("pettingzoo.test.performance_benchmark")
    monkeypatch.setattr(benchmark, "time", types.SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(make(spec))


# ---- what is seen


@every_variant
def test_each_seat_sees_the_rules_planes_and_only_the_mover_has_a_mask(spec):
    env, rng = make(spec), np.random.default_rng(0)
    env.reset(seed=0)
    while True:
        states = env.rules_state[None]
        mover = SEATS[env.game.player(states[0])]
        for i, seat in enumerate(SEATS):
            seen_there = env.observe(seat)
            assert env.observation_space(seat).contains(seen_there)
            assert same(seen_there["observation"], env.game.observations(states, [i])[0])
            mask = env.game.masks(states)[0] if seat == mover else np.zeros(env.game.num_actions, np.int8)
            assert same(seen_there["action_mask"], mask)
            assert same(env.infos[seat]["action_mask"], mask)
            assert env.infos[seat]["action_mask"] is not seen_there["action_mask"]
        if is_over(env):
            break
        assert env.agent_selection == mover
        assert same(env.last()[0], env.observe(mover))
        assert same(env.action_mask(), env.observe(mover)["action_mask"])
        play(env, 1, rng)
    assert not env.observe(SEATS[0])["action_mask"].any()
    assert not env.observe(SEATS[1])["action_mask"].any()


@every_variant
def test_observations_are_never_all_zero_and_their_last_plane_is_constant(spec):
    env, rng = make(spec), np.random.default_rng(1)
    env.reset(seed=1)
    while not is_over(env):
        assert all((env.observe(seat)["observation"][-1] == 1).all() for seat in SEATS)
        play(env, 1, rng)
    assert all((env.observe(seat)["observation"][-1] == 1).all() for seat in SEATS)


@every_variant
def test_what_was_observed_can_be_kept_and_changed(spec):
    env, rng = make(spec), np.random.default_rng(2)
    env.reset(seed=2)
    kept = []
    while not is_over(env):
        observation = env.last()[0]
        kept.append((observation, copy.deepcopy(observation)))
        play(env, 1, rng)
    assert all(same(observation, as_it_was) for observation, as_it_was in kept)

    env.reset(seed=2)
    before = seen(env)
    observation = env.observe(env.agent_selection)
    observation["observation"][:], observation["action_mask"][:] = 0, 0
    env.state()[:] = 0
    env.rules_state[:] = 0
    assert same(seen(env), before)


@every_variant
def test_the_state_is_player_0s_view_and_whose_turn_it_is(spec):
    env, rng = make(spec), np.random.default_rng(3)
    env.reset(seed=3)
    for _ in range(20):
        state = env.state()
        assert env.state_space.contains(state)
        assert same(state[:-1], env.observe("player_0")["observation"])
        assert (state[-1] == env.game.player(env.rules_state)).all()
        play(env, 1, rng)


def test_in_quarto_a_player_places_and_then_gives():
    env = make("quarto")
    env.reset(seed=0)
    movers = []
    for move in ("give 3", "a1", "give 5", "c2", "give 0", "b3"):
        movers.append(env.agent_selection)
        env.step(env.game.action(move))
    assert movers == ["player_0", "player_1", "player_1", "player_0", "player_0", "player_1"]


def test_the_environment_is_called_by_its_name_and_version():
    assert str(make("quixo:size=4")) == make("quixo").metadata["name"] == "quixo_v0"


# ---- rewards


@every_variant
def test_each_agent_is_told_its_result_once_by_last(spec):
    for seed in range(5):
        env, rng = make(spec), np.random.default_rng(seed)
        env.reset(seed=seed)
        total, told = dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0)
        for agent in env.agent_iter():
            _, reward, terminated, truncated, info = env.last()
            total[agent] += reward
            told[agent] += reward != 0
            assert info["illegal"] is False
            env.step(None if terminated or truncated else legal_action(env, rng))
        result = env.game.outcome(env.rules_state) or (0, 0)
        assert tuple(total.values()) == result
        assert tuple(told.values()) == tuple(map(abs, result))
        assert not env.agents


@every_variant
def test_an_illegal_action_loses_for_its_player_and_wins_for_the_other(spec):
    env, rng = make(spec), np.random.default_rng(4)
    env.reset(seed=4)
    while env.action_mask().all():
        play(env, 1, rng)
    mover, position = env.agent_selection, env.position
    other = SEATS[1 - SEATS.index(mover)]
    env.step(int(np.flatnonzero(env.action_mask() == 0)[0]))
    assert env.rewards == {mover: -1, other: 1}
    assert env.terminations == {mover: True, other: True}
    assert env.truncations == {mover: False, other: False}
    assert env.infos[mover]["illegal"] is True
    assert env.infos[other]["illegal"] is True
    assert not env.observe(mover)["action_mask"].any()
    assert env.position == position
    told = {}
    for agent in env.agent_iter():
        told[agent] = env.last()[1]
        env.step(None)
    assert told == {mover: -1, other: 1}


def test_quixo_is_truncated_as_a_draw_after_max_plies():
    env = make("quixo:max_plies=3")
    env.reset(seed=0)
    for _ in range(3):
        assert not is_over(env)
        env.step(legal_action(env, np.random.default_rng(0)))
    assert env.truncations == dict.fromkeys(SEATS, True)
    assert env.terminations == dict.fromkeys(SEATS, False)
    assert env.rewards == dict.fromkeys(SEATS, 0)


def test_a_game_won_at_the_last_ply_allowed_is_won():
    env = make("quixo:size=3,max_plies=1")
    env.reset(options={"position": "XX-OO---- X"})
    env.step(env.game.action("c1>a1"))
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.terminations == dict.fromkeys(SEATS, True)
    assert env.truncations == dict.fromkeys(SEATS, False)


# ---- copies


def through_pickle(env):
    return pickle.loads(pickle.dumps(env))


def into_another(env):
    other = make(env.game.spec)
    other.reset(seed=99)
    play(other, 3, np.random.default_rng(9))
    other.restore(env.snapshot())
    return other


in_each_way = pytest.mark.parametrize("way", [copy.deepcopy, through_pickle, into_another], ids=lambda way: way.__name__)


def to_the_end(env, actions):
    """Takes actions, then lets both agents hear the end; all that was seen on the way."""
    trace = []
    for action in actions:
        env.step(action)
        trace.append(seen(env))
    while env.agents and is_over(env):
        env.step(None)
        trace.append(seen(env))
    return trace


@every_variant
@in_each_way
def test_a_copy_goes_on_as_the_original_and_neither_touches_the_other(spec, way):
    rng = np.random.default_rng(6)
    for plies in (0, 1, *rng.integers(2, 12, 3)):
        env = make(spec)
        env.reset(seed=int(plies))
        play(env, plies, rng)
        twin = way(env)
        assert same(seen(twin), seen(env))
        scratch = way(env)
        rest = play(scratch, 500, rng)

        before = seen(twin)
        trace = to_the_end(env, rest)
        assert same(seen(twin), before)
        at_the_end = seen(env)
        assert same(to_the_end(twin, rest), trace)
        assert same(seen(env), at_the_end)

        env.reset()
        twin.reset()
        assert same(seen(twin), seen(env))


@every_variant
@in_each_way
def test_a_copy_of_a_finished_game_is_finished_too(spec, way):
    env = make(spec)
    env.reset(seed=7)
    play(env, 500, np.random.default_rng(7))
    for _ in range(3):
        twin = way(env)
        assert same(seen(twin), seen(env))
        assert same(to_the_end(twin, []), to_the_end(way(env), []))
        if env.agents:
            env.step(None)
    assert env.agents == twin.agents == []


@in_each_way
def test_a_copy_of_an_environment_before_its_first_reset_is_before_its_own(way):
    env = make("othello:size=6")
    twin = way(env)
    env.reset(seed=8)
    with pytest.raises(AssertionError, match="reset"):
        twin.step(0)
    with pytest.raises(AttributeError):
        _ = twin.agents
    twin.reset(seed=8)
    assert same(seen(twin), seen(env))


@every_variant
def test_restore_goes_back_as_often_as_one_likes(spec):
    env, rng = make(spec), np.random.default_rng(8)
    env.reset(seed=8)
    play(env, 1, rng)
    snapshot, before = env.snapshot(), seen(env)
    for _ in range(3):
        play(env, 500, rng)
        env.restore(snapshot)
        assert same(seen(env), before)
    env.reset(seed=1)
    env.restore(pickle.loads(pickle.dumps(snapshot)))
    assert same(seen(env), before)


def test_a_copy_keeps_its_render_mode_and_last_move():
    env = make("tictactoe", render_mode="ansi")
    env.reset(seed=0)
    env.step(4)
    assert "[X]" in env.render()
    assert copy.deepcopy(env).render() == through_pickle(env).render() == env.render()
