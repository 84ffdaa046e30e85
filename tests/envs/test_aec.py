"""The AEC environment: PettingZoo's own tests, both seats' views and rewards, snapshots, and misuse as PettingZoo answers it.

That games go as the rules have them is in test_naive.py; what all views have in common, in test_shared.py.
"""

import importlib
import os
import pickle
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.classic.tictactoe import tictactoe

import ludus
from ludus.envs.aec import AECGame
from ludus.games.registry import BUILT_IN

from ..helpers.system.processes import ROOT, run
from ..helpers.values import same
from ..helpers.views import SEATS, Aec, every_game, is_over, legal_action, make_aec, play

with warnings.catch_warnings():  # PettingZoo's tests import its games in the way that it warns of
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, render_test, seed_test


# ---- PettingZoo's own tests


@every_game
def test_pettingzoos_tests_pass(spec, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation")  # which are dictionaries
        api_test(make_aec(spec), num_cycles=100)
    seed_test(lambda: make_aec(spec), num_cycles=100)
    states = importlib.import_module("pettingzoo.test.state_test")
    env = make_aec(spec)
    states.test_state_space(env)
    states.test_state(env, num_cycles=10)
    drawn = {"svg": lambda drawing: drawing.startswith("<svg"), "ansi": lambda text: "\n" in text}
    render_test(lambda **keywords: make_aec(spec, **keywords), custom_tests=drawn)


# ---- both seats


@every_game
def test_the_state_is_player_0s_planes_and_who_moves(spec):
    board, rng = Aec(spec), np.random.default_rng(0)
    board.reset(seed=0)
    while not is_over(board):
        state = board.env.state()
        assert board.env.state_space.contains(state)
        assert same(state[:-1], board.env.observe(SEATS[0])["observation"])
        assert (state[-1] == SEATS.index(board.env.agent_selection)).all()
        play(board, 1, rng)


@every_game
@pytest.mark.parametrize("illegal", [False, True])
def test_last_reports_each_agent_its_result_once(spec, illegal):
    for seed in range(5):
        board, rng = Aec(spec), np.random.default_rng(seed)
        board.reset(seed=seed)
        total, reported, faults = dict.fromkeys(SEATS, 0), dict.fromkeys(SEATS, 0), []
        for agent in board.env.agent_iter():
            observation, reward, terminated, truncated, info = board.env.last()
            total[agent] += reward
            reported[agent] += reward != 0
            assert info["illegal"] is bool(faults)
            action = None if terminated or truncated else legal_action(board, rng)
            if illegal and action is not None and not observation["action_mask"].all():
                action = int(observation["action_mask"].argmin())
                faults.append(SEATS.index(agent))
            board.env.step(action)
        winner = {0: (-1, 1), 1: (1, -1)}
        result = winner[faults[0]] if faults else board.env.game.outcome(board.env.rules_state) or (0, 0)
        assert tuple(total.values()) == result
        assert tuple(reported.values()) == tuple(map(abs, result))
        assert not board.env.agents


@every_game
@pytest.mark.parametrize("illegal", [False, True])
def test_after_the_end_the_other_agent_comes_first_then_the_one_that_moved_last(spec, illegal):
    board, rng = Aec(spec), np.random.default_rng(1)
    env = board.env
    for reset_between in (False, True, False):
        board.reset(seed=2)
        while not is_over(board):
            mover, mask = env.agent_selection, board.mask()
            board.step(int(mask.argmin()) if illegal and not mask.all() else legal_action(board, rng))
        other = SEATS[mover == SEATS[0]]
        assert (env.agent_selection, env.agents) == (other, SEATS)
        env.step(None)
        assert (env.agent_selection, env.agents) == (mover, [mover])
        if not reset_between:  # a reset forgets who was left
            env.step(None)
            assert env.agents == []


@every_game
def test_what_happens_after_a_snapshot_changes_nothing_in_it(spec):
    board, rng = Aec(spec), np.random.default_rng(4)
    env = board.env
    board.reset(seed=4)
    play(board, 1, rng)
    early = env.snapshot()
    play(board, 500, rng)
    late = env.snapshot()
    kept = [(snapshot, pickle.dumps(snapshot)) for snapshot in (early, late)]
    for _ in range(2):
        for snapshot, dumped in kept:
            env.restore(snapshot)
            assert env.agents == SEATS
            taken = env.snapshot()
            rewards = dict(env.rewards)
            env.infos[SEATS[0]]["note"] = "of the caller"
            env.infos[SEATS[1]]["action_mask"][:] = 7
            for agent in env.agent_iter():
                _, _, terminated, truncated, _ = env.last()
                env.step(None if terminated or truncated else legal_action(board, rng))
                assert agent in SEATS
            assert env.agents == []
            assert all(same(vars(one), vars(pickle.loads(dumped))) for one in (snapshot, taken))
            env.restore(snapshot)
            assert (env.agents, env.rewards) == (SEATS, rewards)
            assert "note" not in env.infos[SEATS[0]]
            assert same(env.infos[SEATS[1]]["action_mask"], env.observe(SEATS[1])["action_mask"])


# ---- misuse

BEFORE_RESET = {
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe(env.possible_agents[0]),
    **{name: lambda env, name=name: getattr(env, name)() for name in ("render", "state", "last", "agent_iter")},
    **{name: lambda env, name=name: getattr(env, name) for name in ("agents", "rewards", "num_agents", "nonsense")},
}
WON = (0, 3, 1, 4, 2)


def loop_without_a_step(env):
    for _ in env.agent_iter():
        pass


def error_of(blunder, env):
    try:
        blunder(env)
    except Exception as error:
        return type(error)
    return None


MISUSE = [
    # what was played (None: not reset), then the mistake, and the class of its error where all agree on it
    *((None, blunder, None) for blunder in BEFORE_RESET.values()),
    *(((4,), lambda env, action=action: env.step(action), AssertionError) for action in (9, -1, 1.5, None, [0])),
    ((), loop_without_a_step, AssertionError),
    (WON, lambda env: env.step(5), ValueError),
]


@pytest.mark.parametrize(("played", "blunder", "expected"), MISUSE)
def test_a_mistake_raises_the_class_of_error_of_pettingzoos_tictactoe_and_changes_nothing(played, blunder, expected):
    ours, theirs = make_aec("tictactoe"), tictactoe.env()
    for env in (ours, theirs):
        if played is not None:
            env.reset(seed=0)
        for action in played or ():
            env.step(action)
    before = None if played is None else (ours.position, ours.last())
    assert error_of(blunder, ours) is error_of(blunder, theirs) is not None
    assert expected in (None, error_of(blunder, ours))
    if played is None:
        ours.reset(seed=0)
    else:
        assert same((ours.position, ours.last()), before)
    ours.step(None if played == WON else 0)


# ---- the ways to an environment: `pettingzoo.make`, where PettingZoo has it, and the module of a game

MODULES = {name: f"{name}_v{version}" for name, (_, _, version) in BUILT_IN.items()}
needs_make = pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="pettingzoo.make came with PettingZoo 1.27")


@needs_make
@pytest.mark.parametrize("game", MODULES)
def test_the_module_of_a_game_makes_what_pettingzoo_makes(game):
    settings = {"render_mode": "ansi", **({"size": 4} if game in ("quixo", "othello") else {})}
    ours = getattr(ludus, MODULES[game]).raw_env(**settings)
    theirs = pettingzoo.make("aec", f"ludus/{MODULES[game].replace('_v', '-v')}", **settings)
    assert type(ours) is type(theirs) is AECGame
    assert str(ours) == str(theirs) == MODULES[game]
    assert (ours.game, ours.render_mode) == (theirs.game, theirs.render_mode)


IMPORTS = """
import ludus.quixo_v0 as module
from ludus import quixo_v0
from ludus.quixo_v0 import env
import hex, ludus.hex_v0
print(module.env(), quixo_v0.raw_env(size=4).game, env(), ludus.hex_v0.env())
"""


def test_modules_are_imported_as_pettingzoos_are_those_of_games_from_outside_too(tmp_path):
    path = f"{ROOT / '.types'}{os.pathsep}{ROOT / 'examples'}"
    assert run("-W", "error", "-c", IMPORTS, cwd=tmp_path, PYTHONPATH=path) == "quixo_v0 quixo:size=4 quixo_v0 hex_v0\n"


def test_a_module_names_its_game_alone():
    assert {*MODULES.values()} <= {*dir(ludus)}
    with pytest.raises(AttributeError):
        ludus.quarto_v1  # noqa: B018
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("ludus.quarto_v1")
    with pytest.raises(ValueError, match="Quarto has no setting 'size'"):
        ludus.quarto_v0.env(size=4)


def test_the_functions_of_a_module_travel_to_other_processes():
    assert str(pickle.loads(pickle.dumps(ludus.othello_v0.env))(size=6).game) == "othello:size=6"
