"""PettingZoo's tutorial recipe for MaskablePPO on an AEC environment, and its problems.

Its wrapper shows the board of the next player, with the reward of the last mover. So no loss is ever reported, and the value
of what comes next is the opponent's. And a model that learnt with masks plays illegal actions where it is asked without them.

python examples/neighbours/sb3_tutorial_wrapper.py --steps 20000
"""

import argparse

import gymnasium as gym
import pettingzoo
import torch
from pettingzoo.utils import BaseWrapper
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.monitor import Monitor

import ludus
from ludus.arena import evaluate


class TutorialWrapper(BaseWrapper, gym.Env):
    """An AEC environment in which one learner plays both seats, as in the tutorial."""

    def __init__(self, env: pettingzoo.AECEnv):
        super().__init__(env)
        self.observation_space = env.observation_space(env.possible_agents[0])["observation"]
        self.action_space = env.action_space(env.possible_agents[0])

    def reset(self, seed=None, options=None):
        super().reset(seed, options)
        return self.observe(self.agent_selection), {}

    def step(self, action):
        mover = self.agent_selection
        super().step(action)
        ended = self.terminations[mover], self.truncations[mover]
        return self.observe(self.agent_selection), self.rewards[mover], *ended, self.infos[mover]

    def observe(self, agent):
        return super().observe(agent)["observation"]

    def action_mask(self):
        return self.env.observe(self.agent_selection)["action_mask"]


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--steps", type=int, default=20_000)
    torch.set_num_threads(1)
    theirs = ActionMasker(TutorialWrapper(pettingzoo.make("aec", "ludus/tictactoe-v0")), TutorialWrapper.action_mask)
    ours = gym.make("ludus/TicTacToe-v0", opponent="random")
    for name, env, policy in (("tutorial", theirs, "MlpPolicy"), ("one seat", ours, "MultiInputPolicy")):
        monitor = Monitor(env)
        model = MaskablePPO(policy, monitor, n_steps=512, seed=0, device="cpu").learn(arguments.parse_args().steps)
        print(f"{name}: {monitor.get_episode_rewards().count(-1)} of {len(monitor.get_episode_rewards())} games ended in a -1")
        for masked in (True, False):
            score = evaluate(ludus.as_policy(model, "tictactoe", masked=masked, name=name), "tictactoe", "random", opening_plies=0)
            print(f"  masked={masked}: {score!r}; illegal actions: {score.faults.sum()}")
