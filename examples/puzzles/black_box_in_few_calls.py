"""A black box over bit strings: random queries in the environment's loop, then solvers with better queries."""

import gymnasium as gym

import ludus  # noqa: F401  registers the environments
from ludus.puzzles import make_solver

env = gym.make("ludus/BitString-v0", bits=200, order=2, hidden=7, calls=500)
env.action_space.seed(0)
_, info = env.reset(seed=0)
over = False
while not over:
    _, _, perfect, truncated, info = env.step(env.action_space.sample())
    over = perfect or truncated
print(f"random: {info['best']:.4f} at best, after {info['calls']} calls")

for solver in ("local:calls=3000", "annealing:calls=3000", "probe"):
    result = make_solver(solver, env.unwrapped.puzzle).solve(seed=1)
    print(f"{solver}: {result.worth:.4f} after {result.calls} calls")
