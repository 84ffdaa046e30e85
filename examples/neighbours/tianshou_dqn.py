"""Tianshou's DQN on the AEC environment: a learner for each seat, over one network, masks taken from the observation.

Tianshou keeps one line of steps for both seats, with both rewards. What counts for a seat comes a step later than its own:
the loser's -1, and the next board on which it is to move. `n_step_return_horizon=2` reaches both, where players take turns
strictly; with 1 the -1 is lost, and with any odd number the value of what comes next is the opponent's.

Tianshou 2.0 wants pandas before 3, and has an extra of its own: `pip install '.[tianshou]'`.
python examples/neighbours/tianshou_dqn.py --steps 20000
"""

import argparse
import logging

import numpy as np
import pettingzoo
import torch
from tianshou.algorithm import DQN, MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams

import ludus
from ludus.arena import evaluate


class Values(torch.nn.Sequential):
    """The network with the interface that Tianshou expects."""

    def forward(self, obs, state=None, info=None):
        return super().forward(torch.as_tensor(obs).float()), state


def learner(net, action_space) -> DQN:
    policy = DiscreteQLearningPolicy(model=Values(*net), action_space=action_space, eps_training=0.2)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), n_step_return_horizon=2, target_update_freq=200)


def board() -> PettingZooEnv:
    return PettingZooEnv(pettingzoo.make("aec", "ludus/tictactoe-v0"))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--steps", type=int, default=20_000)
    steps = arguments.parse_args().steps
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002  Tianshou explores by it
    torch.set_num_threads(1)
    logging.getLogger("tianshou").setLevel(logging.ERROR)  # it warns at each game that rewards are two
    env = board()
    net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(27, 128), torch.nn.ReLU(), torch.nn.Linear(128, 9))
    both = MultiAgentOffPolicyAlgorithm(algorithms=[learner(net, env.action_space) for _ in env.agents], env=env)
    collector = Collector(both, DummyVectorEnv([board] * 8), VectorReplayBuffer(20_000, 8))
    collector.reset()
    plan = {"max_epochs": 1, "epoch_num_steps": steps, "collection_step_num_env_steps": 80, "batch_size": 128}
    plan |= {"update_step_num_gradient_steps_per_sample": 0.1, "verbose": False, "show_progress": False}
    both.run_training(OffPolicyTrainerParams(training_collector=collector, **plan))
    print(repr(evaluate(ludus.as_policy(net, "tictactoe", name="Tianshou"), "tictactoe", "random", games=1000, opening_plies=0)))
