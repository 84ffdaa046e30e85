"""The cost of AlphaZero on this machine: how fast one core plays and learns, and the hours of a whole run.

python examples/training/alphazero_cost.py othello --positions 60_000_000 --simulations 64
"""

import argparse
import time

import numpy as np
import torch

import ludus
from ludus.baselines.alphazero.alphazero import AlphaZero
from ludus.baselines.alphazero.networks.evaluator import Evaluator
from ludus.baselines.alphazero.selfplay.games import GameGroup, SelfPlay
from ludus.baselines.alphazero.settings import AlphaZeroSettings
from ludus.baselines.runs.networks import torch_threads, weights_of

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("game", nargs="?", default="quixo")
parser.add_argument("--positions", type=int, default=1_500_000, help="positions of a whole run (default: 1,500,000)")
parser.add_argument("--simulations", type=int, default=32, help="simulations per position (default: 32)")
parser.add_argument("--blocks", type=int, default=4, help="blocks of the network (default: 4)")
parser.add_argument("--channels", type=int, default=32, help="channels of the network (default: 32)")
parser.add_argument("--boards", type=int, default=256, help="boards in a batch (default: 256)")
parser.add_argument("--rounds", type=int, default=5, help="number of measurements (default: 5)")
chosen = parser.parse_args()

ludus.set_threads(1)
game = ludus.make_game(chosen.game)
settings = AlphaZeroSettings(blocks=chosen.blocks, channels=chosen.channels, simulations=chosen.simulations)
trainer, play = AlphaZero(game, settings, seed=0), SelfPlay(game, settings)
evaluate = Evaluator(game, settings.shape, weights_of(trainer.learner.net))
draws, planes = np.random.default_rng(0), torch.zeros(chosen.boards, *game.shape, device=evaluate.device)


def network():
    """Evaluations of the network."""
    for _ in range(20):
        with torch.inference_mode():
            evaluate.network(planes)
    return 20 * chosen.boards


def games():
    """Simulations in self-play."""
    global group
    group, _, played = play.play(group, evaluate, 1, (0,))
    return played.simulations


def lessons():
    """Samples learnt from."""
    trainer.learner.step(group.waiting[draws.integers(len(group.waiting), size=settings.batch)], draws)
    return settings.batch


def rate(work):
    """Units of work per second of processor time."""
    begin = time.process_time()
    return work() / (time.process_time() - begin)


with torch_threads(1):
    group, _, _ = play.play(GameGroup.new(game, chosen.boards), evaluate, 4, (0,))
    rounds = [[rate(work) for work in (network, games, lessons)] for _ in range(chosen.rounds + 1)][1:]
evaluations, simulations, learnt = np.median(rounds, axis=0)
hours = chosen.positions * (settings.simulations / simulations + settings.passes / learnt) / 3600
print(f"{game}, {chosen.blocks} blocks of {chosen.channels} channels, {chosen.simulations} simulations a position; on one core:")
print(f"  the network alone    {evaluations:9,.0f} evaluations/s, {chosen.boards} at a time")
print(f"  games against itself {simulations:9,.0f} simulations/s, {simulations / evaluations:.0%} of that")
print(f"  learning             {learnt:9,.0f} positions/s, each {settings.passes:g} times")
print(f"{chosen.positions:,} positions take {hours:,.1f} hours of a core")
