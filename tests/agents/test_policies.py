"""Policies: how they are named and made, and that a key is all the randomness they have."""

import sys
from dataclasses import fields

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers

import ludus
from ludus.agents import Policy, policies_for
from ludus.core import specs

from ..helpers.games import EACH, keys, positions
from ..helpers.values import fits

PAIRS = [(spec, name) for spec in EACH for name in policies_for(ludus.make_game(spec))]
PAIRS += [(spec, "frontiers:highest=false") for spec in ("quarto", "quarto:squares=true")]
every_game = pytest.mark.parametrize("spec", EACH)
SILENT = {"frontiers", "hard", "mcts", "minimax", "greedy", "perfect"}
"""Policies that do not say how likely they take each action."""
SEARCHING = {"expectimax", "perfect"}
"""Those that do say it, and search for each draw."""
SLOW = {"perfect"}
"""Those that search long in most positions: they are asked about fewer."""
TIGHTEST = {"depth": 1, "simulations": 1, "nodes": 1, "budget": 1, "seconds": 1e-6}
"""Settings that limit a search, and the least that they may be."""
every_policy = pytest.mark.parametrize(("spec", "name"), PAIRS)


# ---- what every policy keeps to


@every_policy
def test_actions_are_legal_and_one_a_state(spec, name):
    game = ludus.make_game(spec)
    policy = ludus.make_policy(name, game)
    count = 20 if name in SLOW else 80
    states, some_keys = positions(game, count), keys(count)
    actions = policy.act(states, some_keys)
    assert (states == positions(game, count)).all()
    assert (some_keys == keys(count)).all()
    assert actions.shape == (count,)
    assert actions.dtype == np.int64
    assert game.masks(states)[np.arange(count), actions].all()
    assert policy.act(states[:0], keys(0)).shape == (0,)


@every_policy
def test_actions_are_legal_however_tight_a_limit(spec, name):
    game = ludus.make_game(spec)
    states = positions(game, 8, seed=4)
    for limit in TIGHTEST.keys() & {setting.name for setting in fields(ludus.make_policy(name, game))}:
        policy = ludus.make_policy(f"{name}{',' if ':' in name else ':'}{limit}={TIGHTEST[limit]}", game)
        actions = policy.begin(len(states)).act(states, keys(8), np.arange(8))
        assert (game.masks(states)[np.arange(8), actions] == 1).all(), policy
        assert (policy.analyse(states, keys(8)).actions >= 0).all(), policy


@every_policy
def test_an_action_depends_on_its_state_and_key_alone(spec, name):
    game = ludus.make_game(spec)
    policy = ludus.make_policy(name, game)
    count = 8 if name in SLOW else 24
    states, some_keys = positions(game, count, seed=1), keys(count, seed=1)
    together = policy.act(states, some_keys)
    alone = [int(policy.act(states[i : i + 1], some_keys[i : i + 1])[0]) for i in range(count)]
    assert together.tolist() == alone
    order = np.random.default_rng(2).permutation(count)
    assert policy.act(states[order], some_keys[order]).tolist() == together[order].tolist()
    assert policy.act(states[::3], some_keys[::3]).tolist() == together[::3].tolist()
    another = ludus.make_policy(name, game)
    assert another.act(np.repeat(states, 2, axis=0), np.repeat(some_keys, 2)).tolist() == np.repeat(together, 2).tolist()


@pytest.mark.parametrize(
    ("name", "most"), [("random", 40), ("greedy", 50), ("minimax:depth=1,evaluation=patterns", 80), ("mcts:simulations=1", 105)]
)
def test_an_answer_for_one_position_takes_few_calls_of_python(name, most):
    policy = ludus.make_policy(name, game := ludus.make_game("othello"))
    calls, state, key = list[str](), game.start[None].copy(), keys(1)
    policy.act(state, key)  # what it prepares once
    sys.setprofile(lambda frame, event, argument: calls.append(event))
    try:
        policy.act(state, key)
    finally:
        sys.setprofile(None)
    assert calls.count("call") + calls.count("c_call") <= most


@every_policy
def test_probabilities_are_what_the_keys_make_of_them(spec, name):
    game = ludus.make_game(spec)
    policy = ludus.make_policy(name, game)
    draws = 200 if name in SEARCHING else 1000
    for state in positions(game, 3, seed=3):
        try:
            expected = policy.probabilities(state[None])
        except NotImplementedError:
            assert name.split(":")[0] in SILENT
            return
        assert expected.shape == (1, game.num_actions)
        assert expected.sum() == pytest.approx(1)
        actions = policy.act(np.repeat(state[None], draws, axis=0), keys(draws))
        counts = np.bincount(actions, minlength=game.num_actions)
        chosen = expected[0] > 0
        assert counts[~chosen].sum() == 0
        assert name != "random" or (expected[0] == game.masks(state[None])[0] / chosen.sum()).all()
        assert chosen.sum() == 1 or fits(counts[chosen], expected[0][chosen], deviations=5)


# ---- names


@every_policy
def test_a_policys_spec_makes_it_again(spec, name):
    policy = ludus.make_policy(name, spec)
    assert isinstance(policy, Policy)
    assert str(policy) == policy.spec == name
    assert ludus.make_policy(policy.spec, policy.game) == policy
    assert ludus.make_policy(policy, spec) is policy


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("randm", "did you mean 'random'"),
        ("mcts:sims=3", "'sims'; did you mean 'simulations'"),
        ("minimax:max_depth=3", "did you mean 'depth'"),
        ("zzz", "'zzz'.*random.*python:module:function"),
        ("", "''.*random"),
        ("random:depth=3", "'random' has no setting 'depth'; it has no settings"),
        ("random:depth", "'depth'.*name:key=value"),
        ("random:game=nim", "game.*not from its spec"),
        ("nim_sum:a=1,a=2", "twice"),
        # settings, of which test_settings.py tries all bounds that are declared
        ("minimax:depth=0", "depth is 0; it must be a whole number from 1 to 120"),
        ("mcts:seconds=-1", "seconds is -1.0; it must be a number, more than 0"),
        ("minimax:seconds=nan", "it must be a number"),
        ("minimax:evaluation=best", "there are: classic, plain"),
        ("expectimax:evaluation=x", "there are: classic, plain"),
        ("minimax:mobility=1", "mobility does not count in the classic evaluation of quarto"),
        ("minimax:opening=4", "opening counts moves by what lies on the board, which quarto does not tell; leave it out"),
        ("minimax:probcut=1", "probcut needs evaluation=patterns, whose errors are known, not classic; leave it out"),
        ("minimax:book=true", "there is a book of openings for othello with size 8, not for quarto; leave it out"),
        ("alphazero:temperature=1,formula=puct", "as puct draws no noise"),
    ],
)
def test_a_spec_that_cannot_be_is_answered_with_what_can(spec, says):
    with pytest.raises(ValueError, match=says):
        ludus.make_policy(spec, "nim" if spec.startswith("nim") else "quarto")


# ---- python:module:function

MODULE = '''
import numpy as np
from dataclasses import dataclass
from ludus.agents import Policy

def first(states, keys):
    """The lowest empty cell of tic-tac-toe."""
    taken = states[:, 0] | states[:, 0] >> np.uint64(9)
    return [next(cell for cell in range(9) if not int(bits) >> cell & 1) for bits in taken]

@dataclass(frozen=True)
class Last(Policy):
    """The highest legal action of any game."""
    name = "last"
    def act(self, states, keys):
        masks = self.game.masks(states)
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

def factory(game):
    return Last(game)

def closure(game):
    def act(states, keys):
        return game.masks(states).argmax(axis=1)
    return act

wrong = 7
'''


@pytest.fixture
def module(tmp_path, monkeypatch):
    name = f"my_policies_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    sys.modules.pop(name, None)


@pytest.mark.parametrize(("function", "action"), [("first", 0), ("Last", 8), ("factory", 8), ("closure", 0)])
def test_a_python_function_is_a_policy_in_each_of_its_forms(module, function, action):
    spec = f"python:{module}:{function}"
    policy = ludus.make_policy(spec, "tictactoe")
    game = ludus.make_game("tictactoe")
    assert isinstance(policy, Policy)
    assert policy.act(np.repeat(game.start[None], 3, axis=0), keys(3)).tolist() == [action] * 3
    env = gym.make("ludus/TicTacToe-v0", opponent=spec, seat=1)
    env.reset(seed=0)
    assert env.unwrapped.position == game.text(game.play(game.start, action))


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        *((spec, "python:module:function") for spec in ("python:", "python:{module}", "python:{module}:", "python::first")),
        ("python:no_such_module_here:act", "no_such_module_here.*could not be imported"),
        ("python:{module}:frist", "{module}.*'frist'"),
        ("python:{module}:wrong", "7.*must be a function"),
    ],
)
def test_a_python_spec_that_names_no_function_is_reported(module, spec, says):
    with pytest.raises(ValueError, match=says.format(module=module)):
        ludus.make_policy(spec.format(module=module), "tictactoe")


# ---- a policy in the loop


@every_game
def test_a_policy_plays_both_seats_of_the_plain_aec_loop_through_wrappers(spec):
    game = ludus.make_game(spec)
    bare = pettingzoo.make("aec", f"ludus/{game.name}-v0", **specs.changed_settings(game))
    env = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(bare))
    policy = ludus.make_policy("random", game)
    env.reset(seed=0)
    for _ in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        assert not info["illegal"]
        if not (terminated or truncated):
            action = policy(env)
            assert type(action) is int
            assert action == policy(env) == policy(bare)
            assert action == policy.act(bare.rules_state[None], np.array([bare.key()]))[0]
        env.step(None if terminated or truncated else action)
