"""An exact grade says what keeps it from being exact: randomness or a memory of the policy's own."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import ludus
from ludus.agents.policy import Policy
from ludus.arena import grade_exact

rng = np.random.default_rng(0)


def unseeded(observations, masks):
    """Random logits, by a generator of its own."""
    return rng.random(masks.shape)


@dataclass(frozen=True)
class Drifting(Policy):
    """Gives probabilities that change at each call."""

    name: ClassVar[str] = "drifting"

    def act(self, states, keys):
        return self.probabilities(states).argmax(1)

    def probabilities(self, states):
        chances = rng.random((len(states), self.game.num_actions)) * self.game.masks(states)
        return chances / chances.sum(1, keepdims=True)


UNSTEADY = [unseeded, Drifting(ludus.make_game("tictactoe"))]


@pytest.mark.parametrize("policy", UNSTEADY, ids=lambda policy: type(policy).__name__ + getattr(policy, "__name__", ""))
def test_a_grade_of_answers_that_change_is_not_called_exact(policy):
    graded = grade_exact(policy, "tictactoe")
    assert graded.document()["exact"] is False
    assert "exactly" not in str(graded)
    assert "from one sample of its answers" in str(graded)
    assert "gives other answers when it is asked again with the same keys" in str(graded)


@pytest.mark.parametrize("policy", ["greedy", "minimax:depth=2"])
def test_a_grade_of_answers_that_stay_is_exact(policy):
    graded = grade_exact(policy, "tictactoe")
    assert graded.document()["exact"] is True
    assert "in tictactoe, exactly" in str(graded)


def test_an_exact_grade_says_that_it_leaves_out_a_memory():
    graded = grade_exact("mcts:simulations=10,reuse=true", "tictactoe")
    assert (graded.exact, graded.without_memory, graded.document()["without_memory"]) == (True, True, True)
    assert "exactly, without its memory" in str(graded)
    assert "In matches mcts:simulations=10,reuse=true remembers something between moves" in str(graded)
    assert grade_exact("mcts:simulations=10", "tictactoe").document()["without_memory"] is False
