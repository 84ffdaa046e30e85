"""PPO with action masks in one file, in CleanRL's manner, on `gym.make_vec`: all boards step in one compiled call.

The opponent answers inside `step`, so that rewards are the learner's, its losses among them. With `SameStep` a board
whose game has ended shows the next game at once: every step counts, and `done` alone cuts what is learnt from.
PPO is Schulman et al., arXiv 1707.06347; masked logits are Huang and Ontañón's, arXiv 2006.14171.

python examples/neighbours/ppo_single_file.py --game tictactoe --steps 1000000
"""

import argparse
import time
from dataclasses import dataclass, fields

import gymnasium as gym
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import ludus
from ludus.arena import evaluate
from ludus.games.registry import id_name


@dataclass
class Settings:
    game: str = "tictactoe"  # name of the game
    opponent: str = "random"  # a policy's spec
    steps: int = 1_000_000  # of the learner, on all boards together
    boards: int = 256
    rollout: int = 32  # steps on each board between updates
    epochs: int = 4
    minibatches: int = 8
    learning_rate: float = 1e-3  # falls to zero
    discount: float = 0.99  # a win is worth more the sooner it comes
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01  # weight of the entropy bonus
    value: float = 0.5  # weight of the value loss
    seed: int = 1
    threads: int = 1  # torch's
    games: int = 1000  # of the evaluation


class Agent(nn.Module):
    """Masked logits of actions, and the value of the board."""

    def __init__(self, envs: gym.vector.VectorEnv):
        super().__init__()
        planes = envs.single_observation_space["observation"].shape
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(int(np.prod(planes)), 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor = nn.Linear(128, envs.single_action_space.n)
        self.critic = nn.Linear(128, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, planes, masks):
        """Logits (B, A) for `ludus.as_policy`."""
        return self.actor(self.body(planes)).masked_fill(masks == 0, -1e8)

    def everything(self, planes, masks):
        hidden = self.body(planes)
        logits = self.actor(hidden).masked_fill(masks == 0, -1e8)
        return Categorical(logits=logits), self.critic(hidden).squeeze(-1)


def inputs(observation: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
    return observation["observation"].float(), observation["action_mask"]


def advantages(rewards, values, dones, last, s: Settings) -> torch.Tensor:
    """Generalised advantage estimates (T, N); `dones` belong to the same steps as the rewards."""
    found, ahead = torch.zeros_like(rewards), torch.zeros_like(last)
    for t in reversed(range(len(rewards))):
        goes_on = 1.0 - dones[t]
        surprise = rewards[t] + s.discount * last * goes_on - values[t]
        found[t] = ahead = surprise + s.discount * s.gae_lambda * goes_on * ahead
        last = values[t]
    return found


def train(s: Settings) -> Agent:
    torch.manual_seed(s.seed)
    torch.set_num_threads(s.threads)
    how = {"opponent": s.opponent, "autoreset_mode": "SameStep", "arrays": "torch"}
    envs = gym.make_vec(f"ludus/{id_name(s.game)}-v0", num_envs=s.boards, **how)
    agent = Agent(envs)
    optimizer = torch.optim.Adam(agent.parameters(), s.learning_rate, eps=1e-5)
    planes, masks = inputs(envs.reset(seed=s.seed)[0])
    updates, began = max(s.steps // (s.boards * s.rollout), 1), time.perf_counter()
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = s.learning_rate * (1 - update / updates)
        kept = []
        for _ in range(s.rollout):
            with torch.no_grad():
                chances, values = agent.everything(planes, masks)
                actions = chances.sample()
            observation, rewards, terminated, truncated, _ = envs.step(actions)
            done = (terminated | truncated).float()  # a truncated game is a draw: nothing comes after it
            kept.append((planes, masks, actions, chances.log_prob(actions), values, rewards.float(), done))
            planes, masks = inputs(observation)
        seen, allowed, taken, old, values, rewards, dones = (torch.stack(column) for column in zip(*kept, strict=True))
        with torch.no_grad():
            gains = advantages(rewards, values, dones, agent.everything(planes, masks)[1], s)
        batch = [column.flatten(0, 1) for column in (seen, allowed, taken, old, gains, gains + values)]
        for _ in range(s.epochs):
            for rows in torch.randperm(s.boards * s.rollout).chunk(s.minibatches):
                optimizer.zero_grad()
                loss(agent, *(column[rows] for column in batch), s).backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
        if update % max(updates // 10, 1) == 0:
            frames = (update + 1) * s.boards * s.rollout
            speed = frames / (time.perf_counter() - began)
            print(f"{frames:>9} steps, {speed:>7.0f} steps/s, mean result of a game {rewards.sum() / dones.sum().clamp(1):+.2f}")
    return agent


def loss(agent, planes, masks, actions, old, gains, returns, s: Settings) -> torch.Tensor:
    chances, values = agent.everything(planes, masks)
    ratio = (chances.log_prob(actions) - old).exp()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    gained = torch.min(ratio * gains, ratio.clamp(1 - s.clip, 1 + s.clip) * gains).mean()
    return s.value * (values - returns).pow(2).mean() - gained - s.entropy * chances.entropy().mean()


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    for field in fields(Settings):
        arguments.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    settings = Settings(**vars(arguments.parse_args()))
    policy = ludus.as_policy(train(settings), settings.game, name="PPO")
    print(repr(evaluate(policy, settings.game, settings.opponent, settings.games, opening_plies=0)))
