"""A portfolio from a genetic algorithm, with each improvement, compared with the optimum."""

import gymnasium as gym

import ludus  # noqa: F401  registers the environments
from ludus.puzzles import make_puzzle, make_solver

puzzle = make_puzzle("portfolio:seed=1")  # path=stocks.csv for your own stocks
breeder = make_solver("genetic:calls=3000,crossover=one_point", puzzle)
result = breeder.solve(seed=0)
first = result.when(puzzle.least)
generation = -(-(first.calls - breeder.population) // breeder.offspring)
print(f"the constraints are satisfied from generation {generation} on, after {first.seconds:.2f} s")
for step in result.steps[:: max(1, len(result.steps) // 8)]:
    print(f"{step.calls:5} calls: " + (f"return {step.worth:.3f}" if step.worth >= puzzle.least else f"lacks {-step.worth:.3f}"))
print(f"bred:  {puzzle.describe(result.answer)}")

best = make_solver("exact", puzzle).solve()
print(f"best:  {puzzle.describe(best.answer)}")
print(f"{1 - result.worth / best.worth:.1%} below the optimum")

env = gym.make("ludus/Portfolio-v0", puzzle=puzzle)
env.reset(seed=0)
print(f"bought in the environment: reward {env.step(best.answer)[1]:.3f}")
