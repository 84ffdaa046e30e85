"""Self-play that learns: PPO in one file, in CleanRL's manner, where one network plays both sides of every board.

With `opponent=None` each step is the mover's: its observation, its action, its reward. The next value is then often the other
player's, and what is good for that one is bad for the mover, so it counts with a minus sign. Who moves next stands in
`info["player"]`. It does not simply alternate: in Quarto a player places a piece and then gives one.
PPO is Schulman et al., arXiv 1707.06347; generalised advantages are Schulman et al., arXiv 1506.02438.

python examples/self_play.py --game tictactoe --updates 30
"""

import argparse

import gymnasium as gym
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import ludus
from ludus.arena import evaluate
from ludus.games.registry import id_name

# Much entropy: who meets only itself would soon play a few lines alone, and learn nothing of those that others choose.
BOARDS, STEPS, EPOCHS, MINIBATCHES = 128, 32, 4, 4
DISCOUNT, GAE_LAMBDA, CLIP, ENTROPY, VALUE, RATE = 0.99, 0.95, 0.2, 0.2, 0.5, 4e-3


class Agent(nn.Module):
    """The logits of legal actions, and the value of the position for the player who is to move."""

    def __init__(self, envs: gym.vector.VectorEnv):
        super().__init__()
        inputs = int(np.prod(envs.single_observation_space["observation"].shape))
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.actor, self.critic = nn.Linear(128, envs.single_action_space.n), nn.Linear(128, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, planes, masks):
        """Logits (B, A) for `ludus.as_policy`."""
        return self.actor(self.body(planes)).masked_fill(masks == 0, -1e8)

    def look(self, planes, masks):
        """The chances of the actions, and the values (B,)."""
        return Categorical(logits=self(planes, masks)), self.critic(self.body(planes)).squeeze(-1)


def inputs(observation, info):
    return observation["observation"].float(), observation["action_mask"], info["player"]


def advantages(rewards, values, dones, players, last_values, last_players):
    """Generalised advantages (T, N), each for the player who moved at that step."""
    found, ahead, after, next_players = torch.zeros_like(rewards), torch.zeros_like(last_values), last_values, last_players
    for t in reversed(range(len(rewards))):
        sign = torch.where(next_players == players[t], 1.0, -1.0) * (1.0 - dones[t])
        surprise = rewards[t] + DISCOUNT * sign * after - values[t]
        found[t] = ahead = surprise + DISCOUNT * GAE_LAMBDA * sign * ahead
        after, next_players = values[t], players[t]
    return found


def loss(agent, planes, masks, actions, old, gains, returns):
    chances, values = agent.look(planes, masks)
    ratio = (chances.log_prob(actions) - old).exp()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    gained = torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
    return VALUE * (values - returns).pow(2).mean() - gained - ENTROPY * chances.entropy().mean()


def train(game: str, updates: int, seed: int) -> Agent:
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    how = {"opponent": None, "autoreset_mode": "SameStep", "arrays": "torch"}
    envs = gym.make_vec(f"ludus/{id_name(game)}-v0", num_envs=BOARDS, **how)
    agent = Agent(envs)
    optimizer = torch.optim.Adam(agent.parameters(), RATE, eps=1e-5)
    planes, masks, players = inputs(*envs.reset(seed=seed))
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = RATE * (1 - update / updates)
        steps = []
        for _ in range(STEPS):
            with torch.no_grad():
                chances, values = agent.look(planes, masks)
            actions = chances.sample()
            observation, rewards, terminated, truncated, info = envs.step(actions)
            done = (terminated | truncated).float()  # the next position is that of a new game
            reward = rewards.float()  # of the player who acted
            steps.append((planes, masks, players, actions, chances.log_prob(actions), values, reward, done))
            planes, masks, players = inputs(observation, info)
        seen, allowed, movers, taken, old, values, rewards, dones = (torch.stack(column) for column in zip(*steps, strict=True))
        with torch.no_grad():
            gains = advantages(rewards, values, dones, movers, agent.look(planes, masks)[1], players)
        batch = [column.flatten(0, 1) for column in (seen, allowed, taken, old, gains, gains + values)]
        for _ in range(EPOCHS):
            for rows in torch.randperm(BOARDS * STEPS).chunk(MINIBATCHES):
                optimizer.zero_grad()
                loss(agent, *(column[rows] for column in batch)).backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
    return agent


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--game", default="tictactoe")
    arguments.add_argument("--updates", type=int, default=30, help=f"each of {BOARDS * STEPS:,} moves")
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    policy = ludus.as_policy(train(chosen.game, chosen.updates, chosen.seed), chosen.game, name="self-play")
    print(evaluate(policy, chosen.game, "random", games=1000, opening_plies=0))
