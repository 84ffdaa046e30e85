"""`as_policy`: functions, torch modules and Stable-Baselines3 models play as what they answer says, and errors are sentences."""

import functools
import importlib.util
import pickle
import sys

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from gymnasium.wrappers import FilterObservation, FlattenObservation

import ludus
from ludus.agents import FunctionPolicy, as_policy
from ludus.agents.policy import drawn
from ludus.agents.wrapped import softmax
from ludus.arena import evaluate

from .conftest import VARIANTS
from .test_policies import keys, positions


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Small networks are quicker on one thread, above all where others use the cores."""
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)


every_variant = pytest.mark.parametrize("spec", VARIANTS)
TICTACTOE, QUARTO = ludus.make_game("tictactoe"), ludus.make_game("quarto")


def weights(game, seed=0):
    return np.random.default_rng(seed).normal(size=(int(np.prod(game.shape)), game.actions))


def linear(game, observations, masks):
    """Scores that tell every plane and action apart."""
    return observations.reshape(len(observations), -1).astype(float) @ weights(game)


def scores(observations, masks):
    return linear(TICTACTOE, observations, masks)


# ---- functions


@every_variant
def test_what_is_asked_about_is_what_environments_show(spec):
    game = ludus.make_game(spec)
    name, settings = ludus.envs.specs.split(spec)
    env = pettingzoo.make("aec", f"ludus/{name}-v0", **settings)
    asked = []

    def random(observations, masks):
        asked.append((observations[0], masks[0]))
        return np.random.default_rng(len(asked)).random(masks.shape)

    policy = as_policy(random, game)
    env.reset(seed=0)
    for _ in env.agent_iter():
        observation, _, terminated, truncated, info = env.last()
        assert not info["illegal"]
        over = terminated or truncated
        env.step(None if over else policy(env))
        if not over:
            assert np.array_equal(asked[-1][0], observation["observation"])
            assert np.array_equal(asked[-1][1], observation["action_mask"])
            assert asked[-1][0].dtype == asked[-1][1].dtype == np.int8


@every_variant
@pytest.mark.parametrize("sample", [False, True])
def test_a_function_of_observations_and_masks_chooses_by_its_logits(spec, sample):
    game = ludus.make_game(spec)
    policy = as_policy(functools.partial(linear, game), game, sample=sample)
    states, some_keys = positions(game, 300), keys(300)
    masks = game.masks(states)
    actions, chances = policy.act(states, some_keys), policy.probabilities(states)
    logits = np.where(masks, linear(game, game.observations(states, game.players(states)), masks), -np.inf)
    expected = np.exp(logits - logits.max(1, keepdims=True))
    expected = expected / expected.sum(1, keepdims=True) if sample else np.eye(game.actions)[logits.argmax(1)]
    assert np.allclose(chances, expected)
    assert masks[np.arange(300), actions].all()
    assert sample or actions.tolist() == logits.argmax(1).tolist()


@pytest.mark.parametrize("sample", [False, True])
def test_an_action_depends_on_its_state_and_key_alone(sample):
    policy = as_policy(scores, "tictactoe", sample=sample)
    states, some_keys = positions(TICTACTOE, 100), keys(100)
    together = policy.act(states, some_keys).tolist()
    assert [int(policy.act(states[i : i + 1], some_keys[i : i + 1])[0]) for i in range(100)] == together
    assert policy.act(states[::-1], some_keys[::-1]).tolist() == together[::-1]
    assert (policy.act(states, keys(100, seed=1)).tolist() == together) is not sample


def test_equal_scores_give_the_first_legal_action():
    policy = as_policy(lambda observations, masks: np.zeros(masks.shape), "tictactoe")
    states = positions(TICTACTOE, 50)
    assert policy.act(states, keys(50)).tolist() == TICTACTOE.masks(states).argmax(1).tolist()


def test_sampling_draws_as_often_as_the_probabilities_say():
    policy = as_policy(lambda observations, masks: np.tile(np.log(np.arange(1.0, 10)), (len(masks), 1)), "tictactoe", sample=True)
    state = TICTACTOE.parse("X---O---- X")
    chances = policy.probabilities(state[None])[0]
    assert chances == pytest.approx(np.array([0, 2, 3, 4, 0, 6, 7, 8, 9]) / 39)
    counts = np.bincount(policy.act(np.repeat(state[None], 39_000, 0), keys(39_000)), minlength=9)
    chosen = chances > 0
    assert counts[~chosen].sum() == 0
    assert ((counts - 39_000 * chances)[chosen] ** 2 / (39_000 * chances)[chosen]).sum() < 24.3  # 99.9 % of χ² with 7


def test_the_least_and_the_greatest_key_draw_actions_that_have_a_chance():
    least, greatest = np.zeros(1, np.uint64), np.full(1, 2**64 - 1, np.uint64)
    for seed in range(200):
        chances = softmax(np.where([[0, 1, 1, 0, 1, 0]], np.random.default_rng(seed).normal(size=(1, 6)), -np.inf))
        assert (drawn(chances, least)[0], drawn(chances, greatest)[0]) == (1, 4)


def test_a_function_may_answer_with_actions():
    policy = as_policy(lambda observations, masks: masks.argmax(1), "tictactoe")
    states = positions(TICTACTOE, 50)
    assert policy.act(states, keys(50)).tolist() == TICTACTOE.masks(states).argmax(1).tolist()
    assert np.array_equal(policy.probabilities(states), np.eye(9)[TICTACTOE.masks(states).argmax(1)])


def test_a_function_may_look_at_observations_alone_or_at_states_and_keys():
    def alone(observations):
        return scores(observations, None)

    def seen(states, keys):
        return TICTACTOE.masks(states).argmax(1)

    states = positions(TICTACTOE, 50)
    assert np.array_equal(as_policy(alone, "tictactoe").act(states, keys(50)), as_policy(scores, "tictactoe").act(states, keys(50)))
    policy = as_policy(seen, "tictactoe")
    assert isinstance(policy, FunctionPolicy)
    assert policy.act(states, keys(50)).tolist() == TICTACTOE.masks(states).argmax(1).tolist()


def test_without_masks_the_answer_is_taken_as_it_is():
    policy = as_policy(lambda observations, masks: np.tile(np.arange(9.0), (len(masks), 1)), "tictactoe", masked=False)
    assert policy.act(TICTACTOE.parse("X-------O X")[None], keys(1)).tolist() == [8]
    score = evaluate(policy, "tictactoe", games=20)
    assert score.losses == score.faults.sum() == 20


def test_many_positions_are_asked_about_in_parts():
    sizes = []

    def noted(observations, masks):
        sizes.append(len(masks))
        return scores(observations, masks)

    states = np.repeat(positions(TICTACTOE, 1000), 20, axis=0)
    some_keys = keys(20_000)
    together = as_policy(noted, "tictactoe").act(states, some_keys)
    assert sizes == [8192, 8192, 3616]
    assert np.array_equal(together[::20], as_policy(scores, "tictactoe").act(states[::20], some_keys[::20]))
    assert as_policy(noted, "tictactoe").act(states[:0], some_keys[:0]).shape == (0,)
    assert len(sizes) == 3


def test_a_policy_is_called_by_its_name():
    class Net:
        def __call__(self, observations, masks):
            return masks

    assert as_policy(scores, "tictactoe").spec == str(as_policy(scores, "tictactoe")) == "scores"
    assert as_policy(Net(), "tictactoe").spec == "Net"
    assert as_policy(Net(), "tictactoe", name="epoch 7").spec == "epoch 7"


def test_specs_and_policies_are_what_make_policy_makes_of_them():
    policy = as_policy(" greedy", "tictactoe")
    assert policy == ludus.make_policy("greedy", "tictactoe")
    assert as_policy(policy, "tictactoe", name="mine") is policy
    assert ludus.as_policy is as_policy
    with pytest.raises(ValueError, match="greedy chooses actions itself"):
        as_policy("greedy", "tictactoe", sample=True)
    with pytest.raises(ValueError, match="made for tictactoe"):
        as_policy(policy, "quarto")


def test_a_wrapped_function_travels_to_other_processes():
    policy = pickle.loads(pickle.dumps(as_policy(scores, "tictactoe", sample=True)))
    states = positions(TICTACTOE, 50)
    assert np.array_equal(policy.act(states, keys(50)), as_policy(scores, "tictactoe", sample=True).act(states, keys(50)))


ROWS = "for 3 positions of tictactoe"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (np.zeros((3, 8)), ["(3, 8)", "(3, 9)", ROWS]),
        (np.zeros((9, 3)), ["(9, 3)", "(3, 9)"]),
        (np.zeros(3), ["(3,)", "float64", "3 whole numbers"]),
        (np.zeros(9, int), ["(9,)", "3 whole numbers"]),
        (np.zeros((3, 9), complex), ["complex128"]),
        (4, ["()", "(3, 9)"]),
        (None, ["object", "(3, 9)"]),
        ((np.zeros((3, 9)), np.zeros(3)), ["object", "(3, 9)"]),
        (np.full((3, 9), np.nan), ["'--------- X'", "nan"]),
        (np.full((3, 9), -np.inf), ["'--------- X'", "-inf"]),
        (np.full((3, 9), np.inf), ["'--------- X'", "inf"]),
    ],
)
def test_an_answer_that_is_none_is_told_with_what_was_wanted(answer, words):
    policy = as_policy(lambda observations, masks: answer, "tictactoe", name="my function")
    with pytest.raises(ValueError, match="my function gave") as error:
        policy.act(np.repeat(TICTACTOE.start[None], 3, axis=0), keys(3))
    assert all(word in str(error.value) for word in words)


def test_nan_for_illegal_actions_is_no_matter():
    policy = as_policy(lambda observations, masks: np.where(masks, 1.0, np.nan), "tictactoe")
    assert policy.act(TICTACTOE.parse("X---O---- X")[None], keys(1)).tolist() == [1]


@pytest.mark.parametrize("action", [-1, 9])
def test_an_action_that_there_is_not_has_no_probability(action):
    policy = as_policy(lambda observations, masks: np.full(len(masks), action), "tictactoe")
    with pytest.raises(ValueError, match=rf"chose action {action}; tictactoe has actions 0 to 8"):
        policy.probabilities(TICTACTOE.start[None])


@pytest.mark.parametrize("thing", [7, None, ["random"], dict])
def test_what_does_not_play_is_told_so(thing):
    with pytest.raises(ValueError, match="is no policy; a policy is a spec"):
        as_policy(thing, "tictactoe")


MODULE = """
def net(observation, mask):
    return mask * 2

def factory(game):
    return net

class Model:
    def __init__(self):
        self.observation_space = self.action_space = None
    def predict(self):
        pass

model = Model()
"""


def test_a_spec_may_name_what_looks_at_observations(tmp_path, monkeypatch):
    (tmp_path / "my_nets.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("net", "factory"):
        policy = ludus.make_policy(f"python:my_nets:{name}", "tictactoe")
        assert policy.spec == f"python:my_nets:{name}"
        assert policy.act(TICTACTOE.parse("X---O---- X")[None], keys(1)).tolist() == [1]
    with pytest.raises(ValueError, match=r"Model was trained on observations None.*tictactoe has observation \(3, 3, 3\)"):
        ludus.make_policy("python:my_nets:model", "tictactoe")
    sys.modules.pop("my_nets")


# ---- torch modules


@pytest.fixture
def torch():
    return pytest.importorskip("torch")


def small_net(torch, game, **settings):
    torch.manual_seed(0)
    inside = [
        torch.nn.Linear(int(np.prod(game.shape)), 24, **settings),
        torch.nn.Tanh(),
        torch.nn.Linear(24, game.actions, **settings),
    ]
    return torch.nn.Sequential(torch.nn.Flatten(), *inside)


@pytest.mark.parametrize("spec", ["tictactoe", "quarto", "othello:size=6"])
def test_a_module_plays_the_same_whatever_the_batch(torch, spec):
    game = ludus.make_game(spec)
    policy = as_policy(small_net(torch, game), game)
    states, some_keys = positions(game, 1000), keys(1000)
    together = policy.act(states, some_keys)
    assert game.masks(states)[np.arange(1000), together].all()
    for size, count in ((1, 200), (7, 1000), (100, 1000)):
        parts = [policy.act(states[i : min(i + size, count)], some_keys[i : min(i + size, count)]) for i in range(0, count, size)]
        assert np.array_equal(np.concatenate(parts), together[:count])
    assert len(set(together.tolist())) > 3


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
    with pytest.raises(RuntimeError):
        as_policy(torch.nn.Linear(5, 9), "tictactoe").act(states, keys(100))
    assert [part.training for part in net.modules()] == modes


def test_a_module_plays_as_it_is_trained(torch):
    net, states = small_net(torch, TICTACTOE), positions(TICTACTOE, 200)
    policy = as_policy(net, "tictactoe")
    before = policy.act(states, keys(200))
    with torch.no_grad():
        net[-1].weight.neg_()
    assert not np.array_equal(policy.act(states, keys(200)), before)


def test_a_module_of_another_shape_is_told_so(torch):
    policy = as_policy(torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(27, 8)), "tictactoe")
    with pytest.raises(ValueError, match=r"Sequential gave an array of shape \(16, 8\).*logits of shape \(16, 9\)"):
        policy.act(TICTACTOE.start[None], keys(1))


def test_a_function_may_answer_with_a_tensor_that_has_gradients(torch):
    net, states = small_net(torch, TICTACTOE), positions(TICTACTOE, 50)

    def asked(observations, masks):
        return net(torch.as_tensor(observations).float())

    assert np.array_equal(as_policy(asked, "tictactoe").act(states, keys(50)), as_policy(net, "tictactoe").act(states, keys(50)))


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


def model_of(name, view="dict", game="TicTacToe", **settings):
    module, _, attribute = name.partition(":")
    cls = getattr(pytest.importorskip(module), attribute)
    env = VIEWS[view](gym.make(f"ludus/{game}-v0", opponent="random", **settings))
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


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("view", VIEWS)
def test_without_masks_a_model_chooses_what_it_predicts(name, view):
    model = model_of(name, view)
    policy, states = as_policy(model, "tictactoe", masked=False), positions(TICTACTOE, 300)
    predicted, _ = model.predict(seen_by(model, TICTACTOE, states), deterministic=True)
    assert np.array_equal(policy.act(states, keys(300)), predicted)
    masked = as_policy(model, "tictactoe").act(states, keys(300))
    legal = TICTACTOE.masks(states)[np.arange(300), predicted].astype(bool)
    assert np.array_equal(masked[legal], predicted[legal])
    assert TICTACTOE.masks(states)[np.arange(300), masked].all()
    assert not legal.all()


@pytest.mark.parametrize(("spec", "id_name", "settings"), [("tictactoe", "TicTacToe", {}), ("quixo:size=3", "Quixo", {"size": 3})])
def test_a_maskable_model_chooses_what_it_predicts_with_masks(spec, id_name, settings):
    game = ludus.make_game(spec)
    model = model_of("sb3_contrib:MaskablePPO", game=id_name, **settings)
    model.learn(64)
    policy, states = as_policy(model, game), positions(game, 1000)
    predicted, _ = model.predict(seen_by(model, game, states), deterministic=True, action_masks=game.masks(states))
    assert np.array_equal(policy.act(states, keys(1000)), predicted)
    one_by_one = [int(policy.act(state[None], keys(1))[0]) for state in states[:100]]
    assert one_by_one == predicted[:100].tolist()


def test_a_sampled_maskable_model_draws_by_its_own_distribution(torch):
    model = model_of("sb3_contrib:MaskablePPO")
    with torch.no_grad():
        model.policy.action_net.weight.mul_(100)
    policy, states = as_policy(model, "tictactoe", sample=True), positions(TICTACTOE, 200)
    seen = model.policy.obs_to_tensor(seen_by(model, TICTACTOE, states))[0]
    told = model.policy.get_distribution(seen, action_masks=TICTACTOE.masks(states)).distribution.probs
    assert np.allclose(policy.probabilities(states), told.detach().numpy(), atol=1e-6)
    assert np.array_equal(policy.act(states, keys(200)), policy.act(states, keys(200)))
    assert not np.array_equal(policy.act(states, keys(200)), policy.act(states, keys(200, seed=1)))


@pytest.mark.parametrize("name", [MODELS[0], MODELS[3]])
def test_a_model_plays_while_it_learns(name):
    model = model_of(name)
    for _ in range(2):
        model.learn(64, reset_num_timesteps=False)
        modes = [part.training for part in model.policy.modules()]
        score = evaluate(model, "tictactoe", games=40)
        assert [part.training for part in model.policy.modules()] == modes
        assert (score.pairing.a, score.games, score.faults.sum()) == (name.partition(":")[2], 40, 0)
    assert str(evaluate(model, "tictactoe", games=40)) == str(score)


def test_a_model_travels_without_its_environments(torch):
    model = model_of("stable_baselines3:DQN", "row")  # neither the environment nor a buffer of it can be pickled
    policy, states = as_policy(model, "tictactoe"), positions(TICTACTOE, 100)
    packed = pickle.dumps(policy)
    assert len(packed) < 200_000
    assert np.array_equal(pickle.loads(packed).act(states, keys(100)), policy.act(states, keys(100)))


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


def test_a_model_without_torch_plays_what_it_predicts():
    class Model:
        observation_space = gym.spaces.Box(0, 1, (27,), np.int8)
        action_space = gym.spaces.Discrete(9)

        def predict(self, observation, deterministic=False):
            return observation.reshape(-1, 3, 9)[:, 2].argmax(1) * deterministic + 4, None

    assert as_policy(Model(), "tictactoe").act(positions(TICTACTOE, 3), keys(3)).tolist() == [4, 4, 4]


@pytest.mark.parametrize(
    ("name", "game", "settings", "words"),
    [
        (MODELS[0], "quarto", {}, ["MaskablePPO", "(3, 3, 3)", "Discrete(9)", "quarto has observation (12, 4, 4)", "32 actions"]),
        (MODELS[3], "othello", {}, ["DQN", "(3, 3, 3)", "(3, 8, 8)", "65 actions"]),
    ],
)
def test_a_model_of_another_game_is_told_so_with_both_shapes(name, game, settings, words):
    with pytest.raises(ValueError, match="Was it trained on another game or variant") as error:
        as_policy(model_of(name), game)
    assert all(word in str(error.value) for word in words)


def test_a_model_of_another_variant_or_with_a_memory_is_told_so():
    with pytest.raises(ValueError, match=r"\(3, 6, 6\).*othello:size=4 has observation \(3, 4, 4\)"):
        as_policy(model_of(MODELS[0], game="Othello", size=6), "othello:size=4")
    contrib = pytest.importorskip("sb3_contrib")
    recurrent = contrib.RecurrentPPO("MlpLstmPolicy", FlattenObservation(gym.make("ludus/TicTacToe-v0")), device="cpu")
    with pytest.raises(ValueError, match="RecurrentPPO remembers earlier positions"):
        as_policy(recurrent, "tictactoe")
