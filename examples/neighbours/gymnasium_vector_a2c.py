"""Gymnasium's tutorial on vector environments (A2C with generalised advantages), on thousands of compiled boards.

Three things differ from it: the boards come with masks, which the logits take; planes are flattened for its two small networks; and
`SameStep` shows the next game at once, where the tutorial's default also learns from a step that only begins the next game.

python examples/neighbours/gymnasium_vector_a2c.py --updates 300
"""

import argparse

import gymnasium as gym
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import ludus
from ludus.arena import evaluate

BOARDS, STEPS, DISCOUNT, GAE_LAMBDA, ENTROPY = 256, 16, 0.99, 0.95, 0.01


def network(outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Flatten(), nn.Linear(27, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, outputs))


class A2C(nn.Module):
    """An actor and a critic, each with its optimizer."""

    def __init__(self, actions: int):
        super().__init__()
        self.actor, self.critic = network(actions), network(1)
        self.optimizers = [torch.optim.Adam(net.parameters(), rate) for net, rate in ((self.actor, 1e-3), (self.critic, 3e-3))]

    def forward(self, observation: dict[str, np.ndarray]) -> tuple[Categorical, torch.Tensor]:
        """The chances of the legal actions, and the value of each board."""
        planes, mask = torch.as_tensor(observation["observation"]).float(), torch.as_tensor(observation["action_mask"])
        return Categorical(logits=self.actor(planes).masked_fill(mask == 0, -1e8)), self.critic(planes).squeeze(-1)

    def update(self, rewards, values, last, log_probs, entropies, goes_on) -> None:
        """Learns from the steps of one rollout, each a tensor (boards,)."""
        gains, ahead, after = [], torch.zeros(BOARDS), last
        for reward, value, ongoing in zip(reversed(rewards), reversed(values), reversed(goes_on), strict=True):
            ahead = reward + DISCOUNT * after * ongoing - value + DISCOUNT * GAE_LAMBDA * ongoing * ahead
            gains.append(ahead)
            after = value
        gains = torch.stack(gains[::-1])
        actor_loss = -(gains.detach() * torch.stack(log_probs)).mean() - ENTROPY * torch.stack(entropies).mean()
        for optimizer, loss in zip(self.optimizers, (actor_loss, gains.pow(2).mean()), strict=True):
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--updates", type=int, default=300)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=BOARDS, opponent="random", autoreset_mode="SameStep")
    agent = A2C(envs.single_action_space.n)
    observation, info = envs.reset(seed=42)
    for _ in range(arguments.parse_args().updates):
        steps = []
        for _ in range(STEPS):
            chances, values = agent(observation)
            actions = chances.sample()
            observation, reward, terminated, truncated, info = envs.step(actions.numpy())
            ongoing = torch.as_tensor(~(terminated | truncated)).float()
            steps.append((torch.as_tensor(reward).float(), values, chances.log_prob(actions), chances.entropy(), ongoing))
        rewards, values, log_probs, entropies, goes_on = zip(*steps, strict=True)
        agent.update(rewards, values, agent(observation)[1].detach(), log_probs, entropies, goes_on)
    print(repr(evaluate(ludus.as_policy(agent.actor, "tictactoe", name="A2C"), "tictactoe", "random", games=1000, opening_plies=0)))
