"""TorchRL on thousands of boards: one batched environment over `gym.make_vec(…, arrays="torch")`, and PPO.

Observations, masks and rewards are tensors in the memory of the boards: nothing is copied between Ludus and TorchRL. TorchRL resets
boards by itself, so the boards leave that to it: `autoreset_mode="Disabled"`, and a mask says which begin a new game.

python examples/neighbours/torchrl_boards.py --iterations 100
"""

import argparse

import gymnasium as gym
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, set_composite_lp_aggregate
from torchrl.data import Binary, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss, ValueEstimators

import ludus
from ludus.arena import evaluate

BOARDS, PLIES, EPOCHS, MINIBATCH = 256, 16, 4, 512
ENDS = ("done", "terminated", "truncated")


class Boards(EnvBase):
    """Many boards as one environment of TorchRL, its batch being the boards.

    Args:
        name: the id of the game in Gymnasium.
        boards: how many.
        settings: those of `gym.make_vec`, such as the opponent.
    """

    def __init__(self, name: str, boards: int, **settings):
        super().__init__(batch_size=(boards,))
        self.envs = gym.make_vec(name, num_envs=boards, autoreset_mode="Disabled", arrays="torch", **settings)
        planes, actions = self.envs.single_observation_space["observation"].shape, self.envs.single_action_space.n
        seen = Unbounded((boards, *planes), dtype=torch.int8)
        legal = Binary(actions, (boards, actions), dtype=torch.bool)
        self.observation_spec = Composite(observation=seen, action_mask=legal, shape=(boards,))
        self.action_spec = Categorical(actions, (boards,))
        self.reward_spec = Unbounded((boards, 1))
        self.done_spec = Composite({end: Binary(1, (boards, 1), dtype=torch.bool) for end in ENDS}, shape=(boards,))

    def _reset(self, tensordict: TensorDict | None = None, **_) -> TensorDict:
        whole = tensordict is None or "_reset" not in tensordict
        options = None if whole else {"reset_mask": tensordict["_reset"].flatten().numpy()}
        observation, _ = self.envs.reset(seed=self.seed if whole else None, options=options)
        self.seed = None  # the next games continue the numbers of these
        return self._with_ends(observation)

    def _step(self, tensordict: TensorDict) -> TensorDict:
        observation, reward, terminated, truncated, _ = self.envs.step(tensordict["action"])
        shown = self._with_ends(observation, terminated, truncated)
        return shown.set("reward", reward.float().unsqueeze(-1))

    def _set_seed(self, seed: int | None) -> None:
        self.seed = seed

    seed: int | None = None

    def _with_ends(self, observation, terminated=None, truncated=None) -> TensorDict:
        terminated = torch.zeros(self.batch_size, dtype=torch.bool) if terminated is None else terminated
        truncated = torch.zeros_like(terminated) if truncated is None else truncated
        ends = zip(ENDS, (terminated | truncated, terminated, truncated), strict=True)
        shown = {"observation": observation["observation"], "action_mask": observation["action_mask"].bool()}
        return TensorDict({**shown, **{name: end.unsqueeze(-1) for name, end in ends}}, self.batch_size)


def network(outputs: int) -> torch.nn.Sequential:
    layers = torch.nn.Linear(27, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, outputs)
    return torch.nn.Sequential(Floats(), torch.nn.Flatten(-3), *layers)


class Floats(torch.nn.Module):
    """Planes as floats: the observations are int8."""

    def forward(self, planes):
        return planes.float()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--iterations", type=int, default=100, help=f"of {BOARDS * PLIES} steps each")
    iterations = arguments.parse_args().iterations
    torch.manual_seed(0)
    torch.set_num_threads(1)
    set_composite_lp_aggregate(False).set()

    env = Boards("ludus/TicTacToe-v0", BOARDS, opponent="random")
    env.set_seed(0)
    net = network(9)
    policy = ProbabilisticActor(
        TensorDictModule(net, ["observation"], ["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = TensorDictModule(network(1), ["observation"], ["state_value"])
    loss = ClipPPOLoss(policy, critic, entropy_coeff=0.01)
    loss.make_value_estimator(ValueEstimators.GAE, gamma=0.99, lmbda=0.95)
    optimizer = torch.optim.Adam(loss.parameters(), 2e-3)

    start = env.reset()
    for _ in range(iterations):
        with torch.no_grad():
            played = env.rollout(PLIES, policy, auto_reset=False, break_when_any_done=False, tensordict=start)
            start = env.step_mdp(played[:, -1])
            start = env.maybe_reset(start)
            loss.value_estimator(played)
        rows = played.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.randperm(len(rows)).split(MINIBATCH):
                parts = loss(rows[part])
                optimizer.zero_grad()
                (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
                optimizer.step()
    print(repr(evaluate(ludus.as_policy(net, "tictactoe", name="TorchRL"), "tictactoe", "random", games=1000, opening_plies=0)))
