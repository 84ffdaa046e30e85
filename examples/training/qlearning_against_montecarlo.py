"""Q-learning against Monte-Carlo control, and each against random play: tables, and a plot of how the games ended.

What was learnt leaves little to chance, so games begin with two random plies; from the start alone, two such policies would play
the same few games over and over.

python qlearning_against_montecarlo.py tictactoe --preset original
python qlearning_against_montecarlo.py --episodes 10000000 --games 100000     as long as the original did
"""

import argparse
from pathlib import Path

from ludus.arena import evaluate, grade_exact
from ludus.baselines import train
from ludus.baselines.runs.plots import plot_outcomes

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("game", nargs="?", default="tictactoe", help="a game with few positions")
parser.add_argument("--preset", default="original", help="the settings of both: original, two_learners, or default")
parser.add_argument("--episodes", type=int, help="training games of both (default: those of the preset)")
parser.add_argument("--games", type=int, default=2000, help="games per pair, half of them in each seat")
parser.add_argument("--seed", type=int, default=1)
chosen = parser.parse_args()

preset = None if chosen.preset == "default" else chosen.preset
settings = {} if chosen.episodes is None else {"games": chosen.episodes}
learners = {name: train(name, chosen.game, seed=chosen.seed, preset=preset, **settings) for name in ("qlearning", "montecarlo")}
for name, run in learners.items():
    exact = grade_exact(run.policy(), chosen.game)
    first, second = exact.win_rate_vs_random
    print(
        f"{name}: {run.trainer.total:,} games in {run.seconds:.1f} s; it can{'' if exact.beatable else 'not'} be beaten,", end=" "
    )
    print(f"and wins {first:.2%} of its games against random as first, {second:.2%} as second")

pairs = [("qlearning", "montecarlo"), ("qlearning", "random"), ("montecarlo", "random")]
policies = {name: run.policy() for name, run in learners.items()} | {"random": "random"}
scores = [evaluate(policies[a], chosen.game, policies[b], chosen.games, seed=chosen.seed) for a, b in pairs]
print(*scores, sep="\n")

if picture := plot_outcomes(scores):
    place = Path("outcomes.png")
    place.write_bytes(picture)
    print(f"How the games ended: {place}")
