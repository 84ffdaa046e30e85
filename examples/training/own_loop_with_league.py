"""Your own training loop against a league of snapshots: policy gradients, a linear network, tic-tac-toe.

Each game is played against random or against one of the last snapshots of the learner; stronger opponents are drawn more often.
Run it as `python examples/training/own_loop_with_league.py 200`, the number being that of updates.
"""

import argparse

import gymnasium as gym
import torch

import ludus  # noqa: F401  (registers the environments)
from ludus.arena import evaluate
from ludus.opponents import League, Mixture

BOARDS, STEPS, DISCOUNT = 128, 16, 0.9
arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("updates", nargs="?", type=int, default=200)
updates = arguments.parse_args().updates

torch.manual_seed(0)
torch.set_num_threads(1)  # fastest for small networks
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(27, 128), torch.nn.ReLU(), torch.nn.Linear(128, 9))
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)

league = League("tictactoe", size=5, draw="prioritised")
league.add(net, sample=True)  # a copy that does not change while the network learns
opponents = Mixture("tictactoe", ["random", league])
envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=BOARDS, opponent=opponents, autoreset_mode="SameStep", arrays="torch")
observation, _ = envs.reset(seed=0)

for update in range(1, updates + 1):
    chances, rewards, ended = [], [], []
    for _ in range(STEPS):
        logits = net(observation["observation"].float())
        logits = logits.masked_fill(observation["action_mask"] == 0, -1e9)
        draw = torch.distributions.Categorical(logits=logits)
        actions = draw.sample()
        observation, reward, terminated, truncated, _ = envs.step(actions)
        chances.append(draw.log_prob(actions))
        rewards.append(reward)
        ended.append(terminated | truncated)

    loss, value = torch.zeros(()), torch.zeros(BOARDS)
    for chance, reward, over in zip(reversed(chances), reversed(rewards), reversed(ended), strict=True):
        value = torch.where(over, reward, DISCOUNT * value)
        loss = loss - (chance * value).mean() / STEPS
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    if update % 40 == 0:
        league.add(net, sample=True)
        print(f"{update} updates; points against", ", ".join(f"{name} {share:.2f}" for name, share in opponents.points.items()))

print(evaluate(net, "tictactoe", against="random", games=200, opening_plies=0))
