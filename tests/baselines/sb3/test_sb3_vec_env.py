"""The VecEnv over compiled boards plays the games of the Gymnasium view, and Stable-Baselines3 learns from it what happened."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3 import DQN, PPO
from stable_baselines3.common.callbacks import BaseCallback

import ludus
from ludus.baselines.sb3 import BoardFeatures, BoardsVecEnv
from ludus.baselines.sb3.nets import CELL_FILTERS

from ...helpers.games import EACH
from ...helpers.views import pick

BOARDS = 16


def begun(game="tictactoe", boards=BOARDS, seed=0, **settings):
    """A VecEnv after its reset."""
    envs = BoardsVecEnv(game, boards, **settings)
    envs.seed(seed)
    envs.reset()
    return envs


# ---- what a step brings


@pytest.mark.parametrize("spec", EACH)
def test_it_plays_the_games_of_the_gymnasium_view(spec):
    name, settings = ludus.core.specs.parse(spec)
    identity = f"ludus/{ludus.games.registry.id_name(name)}-v0"
    peer = gymnasium.make_vec(identity, num_envs=BOARDS, autoreset_mode="SameStep", **settings)
    envs, rng, illegal = BoardsVecEnv(spec, BOARDS), np.random.default_rng(0), []
    envs.seed(7)
    seen, (shown, _) = envs.reset(), peer.reset(seed=7)
    for _ in range(60):
        assert all(np.array_equal(seen[key], shown[key]) for key in shown)
        assert np.array_equal(get_action_masks(envs), shown["action_mask"])
        actions = pick(seen["action_mask"], rng, illegal=0.05)
        seen, rewards, ended, infos = envs.step(actions)
        shown, wanted, terminated, truncated, info = peer.step(actions)
        assert np.array_equal(rewards, wanted)
        assert np.array_equal(ended, terminated | truncated)
        for i, one in enumerate(infos):
            assert bool(one) == ended[i]
            if one:
                assert (one["truncated"], one["illegal"]) == (truncated[i], info["illegal"][i])
                assert one["episode"]["r"] == rewards[i]
                last = one["terminal_observation"]
                assert all(np.array_equal(last[key], info["final_obs"][key][i]) for key in last)
                illegal.append(one["illegal"])
    assert any(illegal) or spec == "connect_four"  # where hardly any is
    assert envs.statistics()["illegal"] == pytest.approx(np.mean(illegal))


def test_the_losers_reward_reaches_the_rollout_buffer():
    class Lost(BaseCallback):
        games = 0

        def _on_step(self):
            self.games += sum(info["episode"]["r"] == -1 for info in self.locals["infos"] if info)
            return True

    class Kept(BaseCallback):
        def _on_step(self):
            return True

        def _on_rollout_end(self):
            self.rewards = self.model.rollout_buffer.rewards.copy()
            self.returns = self.model.rollout_buffer.returns.copy()

    lost, kept = Lost(), Kept()
    envs = BoardsVecEnv("nim", BOARDS, opponent="nim_sum", seat=0)
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=32, batch_size=256, n_epochs=1, gae_lambda=1.0, gamma=1.0, seed=0)
    model.learn(32 * BOARDS, callback=[lost, kept])
    assert (kept.rewards == -1).sum() == lost.games > 50  # who begins has lost, unless the other errs
    assert kept.returns[kept.rewards == -1].tolist() == pytest.approx([-1.0] * lost.games)
    assert not (kept.rewards == 1).any()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_cut_short_is_reported_as_such_and_is_a_draw(seat):
    envs = BoardsVecEnv("quixo:max_plies=6", 4, opponent="random", seat=seat)
    model = MaskablePPO("MultiInputPolicy", envs, n_steps=3, batch_size=12, n_epochs=1, gamma=0.5, seed=0)

    class Kept(BaseCallback):
        def _on_step(self):
            return True

        def _on_rollout_end(self):
            assert all(info["truncated"] for info in self.locals["infos"])
            assert self.locals["dones"].all()
            assert not self.model.rollout_buffer.rewards.any()

    model.learn(12, callback=Kept())


def test_games_begin_with_as_many_random_plies_as_are_drawn():
    boards = begun(boards=1000, seat=0, opening_plies=3).boards
    assert (boards.players == 0).all()  # after 0 plies, after 2, and after 1 or 3, which the opponent answers
    assert np.bincount(boards.plies) / 1000 == pytest.approx([1 / 4, 0, 1 / 2, 0, 1 / 4], abs=0.06)


# ---- as Stable-Baselines3 sees it


@pytest.mark.parametrize("algorithm", [MaskablePPO, PPO, DQN])
def test_algorithms_learn_on_it_as_they_are(algorithm):
    settings = {} if algorithm is DQN else {"n_steps": 8, "batch_size": 64}
    model = algorithm("MultiInputPolicy", BoardsVecEnv("quarto", 8, opponent="easy"), seed=0, **settings)
    model.learn(128)
    assert model.num_timesteps == 128
    assert len(model.ep_info_buffer) > 0


def test_lines_are_read_alike_wherever_they_lie_and_given_to_their_own_cells():
    envs = begun("tictactoe", 1)
    features = BoardFeatures(envs.observation_space, (), lines=5)
    assert features.features_dim == 27 + 9 * CELL_FILTERS + 5

    def lines_of(planes):
        found = features({"observation": planes})[:, 27:]
        return found[:, : 9 * CELL_FILTERS].reshape(-1, 3, 3, CELL_FILTERS), found[:, 9 * CELL_FILTERS :]

    planes = torch.randint(2, (50, 3, 3, 3), generator=torch.Generator().manual_seed(0)).float()
    cells, most = lines_of(planes)
    for turned in (lambda board, axes: board.rot90(1, axes), lambda board, axes: board.flip(axes[0])):
        cells_turned, most_turned = lines_of(turned(planes, (2, 3)))
        assert torch.allclose(cells_turned, turned(cells, (1, 2)), atol=1e-6)
        assert torch.allclose(most_turned, most, atol=1e-6)
    marked = planes[:1].clone()
    marked[0, 0, 0, 0] = 1 - marked[0, 0, 0, 0]
    changed = (lines_of(marked)[0] != cells[:1]).any(dim=3)[0]
    assert changed.any()
    assert not changed[1, 2]  # on no line with the corner
    assert not changed[2, 1]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"opponent": None}, "opponent is None; a VecEnv rewards one seat"),
        ({"seat": 2}, "seat is 2; the learner sits at 0"),
        ({"opening_plies": "2"}, "opening_plies is '2'; it must be a whole number, 0 or more"),
        ({"render_mode": "human"}, "render_mode is 'human'; it must be one of rgb_array"),
    ],
)
def test_what_cannot_be_is_reported(settings, said):
    with pytest.raises(ValueError, match=said):
        BoardsVecEnv(**settings)
