"""What mctx, the library of the Gumbel paper's authors, finds in Nim with two heaps of 20; test_gumbel.py compares.

python tests/naive/by_mctx.py     (pip install mctx; the numbers in the test are of mctx 0.0.71 and jax 0.10.2)
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import mctx
import numpy as np

HEAP, LIMIT, SIMULATIONS = 20, 3, 60


def network(first: int, second: int, mover: int) -> tuple[np.ndarray, float]:
    """Priors and a value for the player to move, from some fixed rule."""
    random = np.random.default_rng([first, second, mover])
    return random.integers(1, 64, 2 * LIMIT) / 64, random.integers(-64, 65) / 64


def tables() -> tuple[jnp.ndarray, jnp.ndarray]:
    """Logits (2, H, H, A) and values (2, H, H) of every position with so many in the heaps."""
    logits, values = np.zeros((2, HEAP + 1, HEAP + 1, 2 * LIMIT)), np.zeros((2, HEAP + 1, HEAP + 1))
    for place in np.ndindex(values.shape):
        priors, values[place] = network(place[1], place[2], place[0])
        logits[place] = np.log(priors / priors.sum())
    return jnp.asarray(logits), jnp.asarray(values)


def main() -> None:
    """Prints actions, visits and policies for three draws of noise."""
    logits, values = tables()
    noise = np.random.default_rng(0).gumbel(size=(3, 2 * LIMIT))

    def step(params, key, action, state):
        """The position after an action, whose value turns its sign."""
        left = state.at[jnp.arange(3), 1 + action // LIMIT].add(-(action % LIMIT + 1))
        left = left.at[:, 0].set(1 - left[:, 0])
        there = left[:, 0], left[:, 1], left[:, 2]
        output = mctx.RecurrentFnOutput(reward=jnp.zeros(3), discount=-jnp.ones(3), prior_logits=logits[there], value=values[there])
        return output, left

    start = jnp.asarray([[0, HEAP, HEAP]] * 3)
    root = mctx.RootFnOutput(
        prior_logits=logits[0, HEAP, HEAP] + jnp.zeros((3, 1)), value=jnp.full(3, values[0, HEAP, HEAP]), embedding=start
    )
    jax.random.gumbel = lambda *_, **__: jnp.asarray(noise)  # the same noise as in the test
    found = mctx.gumbel_muzero_policy(None, jax.random.key(0), root, step, SIMULATIONS, max_num_considered_actions=4)
    print(np.asarray(found.action).tolist())
    print(np.asarray(found.search_tree.summary().visit_counts).astype(int).tolist())
    print(np.asarray(found.action_weights).round(6).tolist())


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    main()
