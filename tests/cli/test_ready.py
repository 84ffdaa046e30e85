"""All kernels that policies and oracles need are compiled before any time is measured."""

from contextlib import suppress

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest

from ludus import make_policy
from ludus.agents import policies_for
from ludus.arena import evaluate, tournament
from ludus.arena.matches import players
from ludus.cli.commands.arena import LIGHT
from ludus.cli.warming import kernels_for
from ludus.core.announcing import listen
from ludus.core.native import load
from ludus.core.native.compiler.signature import signature_of
from ludus.envs import Game, game_names, make_game
from ludus.envs import check as checking
from ludus.envs.check import check_game
from ludus.games import linking
from ludus.oracles import make_oracle

GAMES = [*game_names(), "quixo:size=3", "othello:size=4", "quarto:squares=true", "nim:heaps=2+3,limit=2,misere=true"]
FRESH = {}
"""The kernels of the test that loads all of them anew; what points to them may live longer than the test."""


@pytest.fixture
def asked(monkeypatch):
    """Every kernel that games are asked for, with its plugs."""
    found = set()
    kernel_of = Game.kernel

    def kernel(self, kernel, plugs=None):
        found.add((kernel, frozenset((plugs or {}).items())))
        return kernel_of(self, kernel, plugs)

    monkeypatch.setattr(Game, "kernel", kernel)
    return found


def named(kernels):
    own = make_game("connect_four").own_kernels  # all that any game needs itself
    return {(kernel, frozenset((plugs or {}).items())) for kernel, plugs in [*kernels, *own]}


def names(kernels):
    return sorted(kernel.__name__ for kernel, _ in kernels)


def some_positions(game, count=4):
    """Positions of one random game, from the start to near its end."""
    rng, line = np.random.default_rng(0), [game.start]
    while game.outcome(line[-1]) is None and len(line) < 100:
        line.append(game.play(line[-1], int(rng.choice(game.legal_actions(line[-1])))))
    return np.array([line[i] for i in np.linspace(0, len(line) - 2, count).astype(int)])


def check(policy, states, asked):
    """Checks that a policy uses only kernels that it names."""
    playing, rows = policy.begin(len(states)), np.arange(len(states))
    asked.clear()
    playing.act(states, rows.astype(np.uint64), rows)
    with suppress(NotImplementedError):
        policy.probabilities(states)
    assert asked
    assert names(asked - named(policy.kernels)) == [], policy


@pytest.mark.parametrize("spec", GAMES)
def test_policies_and_oracles_name_every_kernel_that_their_answers_take(spec, asked):
    game = make_game(spec)
    states = some_positions(game)
    for name in policies_for(game):
        check(make_policy(LIGHT.get(name, name), game), states, asked)
    oracle = make_oracle(game)
    asked.clear()
    for state in states[1:]:
        oracle.solve(state)
        oracle.choose(state, 1)
        oracle.value(state)
    oracle.values(states[2:])
    assert names(asked - named(oracle.kernels)) == []


@pytest.mark.parametrize("spec", game_names())
def test_nothing_is_asked_for_that_is_not_compiled_ahead(spec, asked, tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "PYTHON_GAMES", 1)  # these ask for no kernel
    check_game(make_game(spec), games=1)
    tournament(spec, ["random", "greedy"], 2).report(tmp_path / "page.html")
    title = type(make_game(spec)).__name__
    for opponent in ("random", None):
        envs = gym.make_vec(f"ludus/{title}-v0", num_envs=2, opponent=opponent, autoreset_mode="SameStep")
        envs.reset(seed=0)
        for _ in range(100):
            envs.step(envs.unwrapped.sample_actions())
        env = gym.make(f"ludus/{title}-v0", opponent=opponent)
        _, info = env.reset(seed=0)
        env.step(np.flatnonzero(info["action_mask"])[0])
    env = pettingzoo.make("aec", f"ludus/{spec}-v0")
    env.reset(seed=0)
    env.step(make_policy("random", spec)(env))
    assert names(asked - named(kernels_for(spec))) == []
    assert all(signature_of(one.kernel) for one in kernels_for(spec))  # which says of each that it can be compiled by itself


def test_nothing_is_compiled_while_the_time_of_a_policy_is_taken(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    monkeypatch.setattr(load, "_loaded", FRESH)
    linking.kernel_of.cache_clear()
    running, compiled, heard = False, [], []

    def clock():
        nonlocal running
        running = not running
        return 0.0

    monkeypatch.setattr(players, "perf_counter", clock)
    with listen(lambda news: (compiled if news.over else heard).append((news.kernel, running))):
        evaluate("nim_sum", "nim", "random", games=2)
    assert ("nim_sum_actions", False) in heard
    assert [kernel for kernel, timed in compiled + heard if timed] == []
