"""Set covering: an episode that always takes the most useful set, then solvers that prove the optimum, and their cost."""

import gymnasium as gym
import numpy as np

import ludus  # noqa: F401  registers the environments
from ludus.puzzles import make_solver

env = gym.make("ludus/SetCover-v0", items=20, instance="course")
puzzle = env.unwrapped.puzzle
observation, info = env.reset(seed=0)
over, paid = False, 0.0
while not over:
    gains = puzzle.member @ observation["observation"] / puzzle.costs
    observation, reward, over, _, info = env.step(np.argmax(gains * info["action_mask"]))
    paid -= reward
print(f"{puzzle}: the greedy episode pays {paid:g}")

for solver in ("astar:heuristic=none", "astar:heuristic=largest", "astar:heuristic=shares", "exact"):
    result = make_solver(solver, puzzle).solve()
    proof = "the best there is" if result.proven else "without proof"
    print(f"{solver}: {-result.worth:g}, {proof}, {result.counts['nodes']:g} nodes; {puzzle.describe(result.answer)}")
