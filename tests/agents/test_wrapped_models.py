"""`as_policy`: torch modules and Stable-Baselines3 models play as what they answer says, and errors are sentences."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.wrappers import FilterObservation, FlattenObservation

import ludus
from ludus.agents import as_policy

from ..helpers.games import keys, positions

TICTACTOE = ludus.make_game("tictactoe")


# ---- torch modules


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


def small_net(torch, game, **settings):
    torch.manual_seed(0)
    inside = [
        torch.nn.Linear(int(np.prod(game.shape)), 24, **settings),
        torch.nn.Tanh(),
        torch.nn.Linear(24, game.num_actions, **settings),
    ]
    return torch.nn.Sequential(torch.nn.Flatten(), *inside)


def test_a_module_is_asked_in_its_own_numbers_with_masks_where_it_takes_them(torch):
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inside = small_net(torch, TICTACTOE, dtype=torch.bfloat16)

        def forward(self, observation, mask):
            assert observation.dtype == mask.dtype == torch.bfloat16
            return self.inside(observation) + torch.log(mask)

    net, states = Net(), positions(TICTACTOE, 100)
    with_mask = as_policy(net, "tictactoe", masked=False)
    assert with_mask.spec == "Net"
    assert np.array_equal(with_mask.act(states, keys(100)), as_policy(net.inside, "tictactoe").act(states, keys(100)))


WRAPPERS = {
    "torch.compile": lambda torch, net: passing(torch, net, "_orig_mod"),  # the real one takes eight seconds to be imported
    "DataParallel": lambda torch, net: torch.nn.DataParallel(net),
    "one in another": lambda torch, net: passing(torch, torch.nn.DataParallel(net), "_orig_mod"),
    "script": lambda torch, net: torch.jit.script(net),
    "passes all on": lambda torch, net: passing(torch, net, "net"),
}


def passing(torch, net, name):
    """A module that passes on what it is given to the one inside, which has this name."""

    class Passing(torch.nn.Module):
        def __init__(self):
            super().__init__()
            setattr(self, name, net)

        def forward(self, *args, **kwargs):
            return getattr(self, name)(*args, **kwargs)

    return Passing()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_wrapped_module_is_called_with_as_many_arguments_as_the_one_inside(torch, wrapper):
    class Alone(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inside = small_net(torch, TICTACTOE)

        def forward(self, planes):
            return self.inside(planes)

    class Masked(Alone):
        def forward(self, planes, legal):
            return self.inside(planes) - 5 * legal

    states = positions(TICTACTOE, 40)
    for kind in (Alone, Masked):
        net = kind()
        wanted = as_policy(net, "tictactoe", masked=False).act(states, keys(40))
        policy = as_policy(WRAPPERS[wrapper](torch, net), "tictactoe", masked=False)
        assert np.array_equal(policy.act(states, keys(40)), wanted)


def test_on_a_device_a_copy_of_the_module_plays(torch):
    net, states = small_net(torch, TICTACTOE), positions(TICTACTOE, 50)
    here, there = as_policy(net, "tictactoe"), as_policy(net, "tictactoe", device="cpu")
    before = here.act(states, keys(50))
    assert np.array_equal(there.act(states, keys(50)), before)
    with torch.no_grad():
        net[-1].bias[:] = torch.arange(9)
        net[-1].weight.zero_()
    assert not np.array_equal(here.act(states, keys(50)), before)
    assert np.array_equal(there.act(states, keys(50)), before)
    assert as_policy(net, "tictactoe", device=torch.device("meta")).scorer.module[1].weight.device.type == "meta"
    with pytest.raises(ValueError, match=r"device is 'abacus', and torch cannot put Sequential there: .*; 'cpu' is always there"):
        as_policy(net, "tictactoe", device="abacus")


def test_a_module_is_asked_in_evaluation_mode_and_left_as_it_was(torch):
    net = torch.nn.Sequential(torch.nn.Dropout(0.9), torch.nn.BatchNorm2d(3), small_net(torch, TICTACTOE))
    net[1].eval()  # a part that is frozen while the rest is trained
    modes = [part.training for part in net.modules()]
    policy, states = as_policy(net, "tictactoe"), positions(TICTACTOE, 100)
    before = {name: value.clone() for name, value in net.state_dict().items()}
    assert np.array_equal(policy.act(states, keys(100)), policy.act(states, keys(100)))
    assert [part.training for part in net.modules()] == modes
    assert all(torch.equal(value, before[name]) for name, value in net.state_dict().items())
    assert all(weight.grad is None for weight in net.parameters())
    with pytest.raises(ValueError, match=r"Linear fails on observations \(\d+, 3, 3, 3\) and masks .* of tictactoe: mat1 and mat2"):
        as_policy(torch.nn.Linear(5, 9), "tictactoe").act(states, keys(100))
    assert [part.training for part in net.modules()] == modes


# ---- Stable-Baselines3

MODELS = ["sb3_contrib:MaskablePPO", "stable_baselines3:PPO", "stable_baselines3:A2C", "stable_baselines3:DQN", "sb3_contrib:QRDQN"]
VIEWS = {
    "dict": lambda env: env,
    "part": lambda env: FilterObservation(env, ["observation"]),
    "row": FlattenObservation,
    "planes": lambda env: gym.wrappers.TransformObservation(
        env, lambda seen: seen["observation"], env.observation_space["observation"]
    ),
}
OFF_POLICY = {"buffer_size": 1000, "learning_starts": 10}
SETTINGS = {"PPO": {"n_steps": 32, "batch_size": 32}, "A2C": {"n_steps": 32}, "ARS": {}, "DQN": OFF_POLICY, "QRDQN": OFF_POLICY}


def model_of(name, view="dict"):
    module, _, attribute = name.partition(":")
    cls = getattr(pytest.importorskip(module), attribute)
    env = VIEWS[view](gym.make("ludus/TicTacToe-v0", opponent="random"))
    space = env.observation_space
    networks = "MultiInputPolicy" if isinstance(space, gym.spaces.Dict) else "MlpPolicy"
    return cls(networks, env, seed=0, device="cpu", **SETTINGS[attribute.removeprefix("Maskable")])


def seen_by(model, game, states):
    """What the model's environment would show it in these states, one by one."""
    shown = {"observation": game.observations(states, game.players(states)), "action_mask": game.masks(states)}
    space = model.observation_space
    if isinstance(space, gym.spaces.Dict):
        return {key: shown[key] for key in space.spaces}
    if space.shape == game.shape:
        return shown["observation"]
    both = gym.make("ludus/TicTacToe-v0").observation_space
    rows = [gym.spaces.flatten(both, {key: part[i] for key, part in shown.items()}) for i in range(len(states))]
    return np.array(rows)


@pytest.mark.parametrize(("name", "view"), [*((name, "dict") for name in MODELS), *((MODELS[0], view) for view in [*VIEWS][1:])])
def test_a_model_chooses_what_it_predicts_with_masks_or_without(name, view):
    model = model_of(name, view)
    states = positions(TICTACTOE, 300)
    seen, masks = seen_by(model, TICTACTOE, states), TICTACTOE.masks(states)
    predicted, _ = model.predict(seen, deterministic=True)
    assert np.array_equal(as_policy(model, "tictactoe", masked=False).act(states, keys(300)), predicted)
    masked = as_policy(model, "tictactoe").act(states, keys(300))
    legal = masks[np.arange(300), predicted].astype(bool)
    assert np.array_equal(masked[legal], predicted[legal])
    assert masks[np.arange(300), masked].all()
    assert not legal.all()
    if name == MODELS[0]:
        assert np.array_equal(masked, model.predict(seen, deterministic=True, action_masks=masks)[0])


def test_a_sampled_maskable_model_draws_by_its_own_distribution(torch):
    model = model_of("sb3_contrib:MaskablePPO")
    with torch.no_grad():
        model.policy.action_net.weight.mul_(100)
    policy, states = as_policy(model, "tictactoe", sample=True), positions(TICTACTOE, 200)
    seen = model.policy.obs_to_tensor(seen_by(model, TICTACTOE, states))[0]
    reported = model.policy.get_distribution(seen, action_masks=TICTACTOE.masks(states)).distribution.probs
    assert np.allclose(policy.probabilities(states), reported.detach().numpy(), atol=1e-6)
    assert np.array_equal(policy.act(states, keys(200)), policy.act(states, keys(200)))
    assert not np.array_equal(policy.act(states, keys(200)), policy.act(states, keys(200, seed=1)))


def test_a_model_trained_on_normalized_observations_is_asked_with_such():
    common = pytest.importorskip("stable_baselines3.common.vec_env")
    from stable_baselines3 import PPO

    venv = common.VecNormalize(common.DummyVecEnv([lambda: VIEWS["planes"](gym.make("ludus/TicTacToe-v0"))]))
    model = PPO("MlpPolicy", venv, n_steps=32, batch_size=32, seed=0, device="cpu")
    model.learn(128)
    policy, states = as_policy(model, "tictactoe", masked=False), positions(TICTACTOE, 200)
    observations = TICTACTOE.observations(states, TICTACTOE.players(states))
    assert np.array_equal(policy.act(states, keys(200)), model.predict(venv.normalize_obs(observations), deterministic=True)[0])
    assert not np.allclose(venv.normalize_obs(observations), observations)


def test_a_model_without_scores_plays_what_it_predicts():
    model = model_of("sb3_contrib:ARS", "row")
    policy, states = as_policy(model, "tictactoe"), positions(TICTACTOE, 100)
    assert np.array_equal(policy.act(states, keys(100)), model.predict(seen_by(model, TICTACTOE, states), deterministic=True)[0])
    with pytest.raises(ValueError, match="ARS gives neither logits nor Q-values"):
        as_policy(model, "tictactoe", sample=True)


@pytest.mark.parametrize(
    ("name", "game", "says"),
    [
        (MODELS[0], "quarto", r"MaskablePPO .*\(3, 3, 3\).*Discrete\(9\).* quarto has observation \(12, 4, 4\).* 32 actions"),
        (MODELS[3], "othello", r"DQN .*\(3, 3, 3\).*\(3, 8, 8\).* 65 actions"),
    ],
)
def test_a_model_of_another_game_is_reported_with_both_shapes(name, game, says):
    with pytest.raises(ValueError, match=f"{says}.*another game or variant.* give a function of observations and masks"):
        as_policy(model_of(name), game)
