"""AgileRL's tutorial of DQN with lessons and self-play: a population that learns against a ladder of opponents.

Its own trainer takes the boards and their masks as they are. The ladder is the tutorial's curriculum: random, then greedy, then a
league of snapshots of the best agent, each reached when the one before is mastered. Results are the rewards, without shaping.
The trainer also learns from the steps that only begin the next game. That does no harm: no value is taken from a finished game.

AgileRL 2.58 wants PettingZoo before 1.27, and has an extra of its own: `pip install '.[agilerl]'`.
python examples/neighbours/agilerl_dqn.py --steps 20000
"""

import argparse

import gymnasium as gym
import numpy as np
import torch
from agilerl.algorithms import DQN
from agilerl.components.replay_buffer import ReplayBuffer
from agilerl.hpo.mutation import Mutations
from agilerl.hpo.tournament import TournamentSelection
from agilerl.training.train_off_policy import train_off_policy
from gymnasium.wrappers import vector

import ludus
from ludus.arena import evaluate
from ludus.opponents import Ladder, League

BOARDS, AGENTS, ROUNDS = 16, 2, 5


def network(agent) -> torch.nn.Module:
    """An agent's network as one that takes planes (B, C, H, W)."""
    return torch.nn.Sequential(torch.nn.Flatten(), agent.actor)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--steps", type=int, default=20_000, help="of each agent")
    steps = arguments.parse_args().steps // ROUNDS
    torch.manual_seed(0)
    np.random.seed(0)  # noqa: NPY002  AgileRL draws from it
    torch.set_num_threads(1)

    league = League("tictactoe")
    ladder = Ladder("tictactoe", ["random", "greedy", league], mastered=0.8)
    boards = gym.make_vec("ludus/TicTacToe-v0", num_envs=BOARDS, opponent=ladder)
    envs = vector.FlattenObservation(vector.FilterObservation(boards, ["observation"]))

    settings = {"batch_size": 64, "lr": 1e-3, "learn_step": 8, "gamma": 0.95, "tau": 0.01, "double": True}
    layers = {"encoder_config": {"hidden_size": [128]}, "head_config": {"hidden_size": [64]}}
    agents = DQN.population(AGENTS, envs.single_observation_space, envs.single_action_space, net_config=layers, **settings)
    league.add(network(agents[0]))
    memory = ReplayBuffer(max_size=10_000)
    tournament = TournamentSelection(2, elitism=True, population_size=AGENTS)
    mutations = Mutations(no_mutation=0.6, architecture=0, new_layer_prob=0, parameters=0.2, activation=0, rl_hp=0.2)
    for turn in range(1, ROUNDS + 1):
        agents, fitness = train_off_policy(
            envs,
            "tictactoe",
            "DQN",
            agents,
            memory,
            max_steps=turn * steps,
            evo_steps=steps,
            eval_loop=2,
            eps_start=1 / turn,
            selection_strategy=tournament,
            mutation=mutations,
            verbose=False,
        )
        best = agents[int(np.argmax(fitness))]
        league.add(network(best))
        print(f"{turn * steps} steps; points against", ", ".join(f"{name} {share:.2f}" for name, share in ladder.points.items()))
    policy = ludus.as_policy(network(best), "tictactoe", name="AgileRL")
    print(repr(evaluate(policy, "tictactoe", "random", games=1000, opening_plies=0)))
