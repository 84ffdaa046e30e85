"""TorchRL's tutorial of multi-agent PPO, on the AEC environment: both seats are one group and share a network.

Each ply is a step of both seats, with an observation, a value and a reward for each: the loser's -1 arrives. The seat that is not
to move chooses an action too, which TorchRL drops; its advantage is set to zero, so that nothing is learnt from that choice. Seats
are a dimension of the batch, so a plain network serves where the tutorial has a MultiAgentMLP with shared parameters.

python examples/neighbours/torchrl_multiagent_ppo.py --iterations 20
"""

import argparse

import pettingzoo
import torch
from pettingzoo.utils import BaseWrapper
from tensordict.nn import TensorDictModule, set_composite_lp_aggregate
from torchrl.collectors import Collector
from torchrl.data.replay_buffers import LazyTensorStorage, ReplayBuffer, SamplerWithoutReplacement
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss, ValueEstimators

import ludus
from ludus.arena import evaluate

PLIES, MINIBATCH, EPOCHS = 1000, 200, 8
SEEN, LOGITS, VALUE = ("agents", "observation", "observation"), ("agents", "logits"), ("agents", "state_value")


class MaskInObservation(BaseWrapper):
    """Leaves the mask out of `infos`: TorchRL takes it from one place alone."""

    @property
    def infos(self):
        return {seat: {"illegal": info["illegal"]} for seat, info in self.env.infos.items()}


class Floats(torch.nn.Module):
    """Planes as floats: the observations are int8."""

    def forward(self, planes):
        return planes.float()


def network(outputs: int) -> torch.nn.Sequential:
    layers = [torch.nn.Linear(27, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, outputs)]
    return torch.nn.Sequential(Floats(), torch.nn.Flatten(-3), *layers)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--iterations", type=int, default=20, help=f"of {PLIES} plies each")
    iterations = arguments.parse_args().iterations
    torch.manual_seed(0)
    torch.set_num_threads(1)
    set_composite_lp_aggregate(False).set()

    board = MaskInObservation(pettingzoo.make("aec", "ludus/tictactoe-v0"))
    env = PettingZooWrapper(board, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=0)
    net = network(9)
    keys = {"in_keys": {"logits": LOGITS, "mask": ("agents", "action_mask")}, "out_keys": [env.action_key]}
    policy = ProbabilisticActor(
        TensorDictModule(net, [SEEN], [LOGITS]), **keys, distribution_class=MaskedCategorical, return_log_prob=True
    )
    loss = ClipPPOLoss(policy, TensorDictModule(network(1), [SEEN], [VALUE]), entropy_coeff=0.01, normalize_advantage=False)
    ends = {key: ("agents", key) for key in ("done", "terminated")}
    loss.set_keys(reward=env.reward_key, action=env.action_key, value=VALUE, **ends)
    loss.make_value_estimator(ValueEstimators.GAE, gamma=0.99, lmbda=0.9)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)
    memory = ReplayBuffer(storage=LazyTensorStorage(PLIES), sampler=SamplerWithoutReplacement(), batch_size=MINIBATCH)

    for played in Collector(env, policy, frames_per_batch=PLIES, total_frames=iterations * PLIES):
        with torch.no_grad():
            loss.value_estimator(played, params=loss.critic_network_params, target_params=loss.target_critic_network_params)
        played["advantage"] *= played["agents", "mask"].unsqueeze(-1)
        memory.extend(played)
        for _ in range(EPOCHS * PLIES // MINIBATCH):
            parts = loss(memory.sample())
            optimizer.zero_grad()
            (parts["loss_objective"] + parts["loss_critic"] + parts["loss_entropy"]).backward()
            torch.nn.utils.clip_grad_norm_(loss.parameters(), 1.0)
            optimizer.step()
    print(repr(evaluate(ludus.as_policy(net, "tictactoe", name="TorchRL"), "tictactoe", "random", games=1000, opening_plies=0)))
