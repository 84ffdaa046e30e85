"""How likely a policy is to take each action: by the probabilities that it gives, or, if it gives none, frozen.

A frozen policy is queried with each position once, with a key that depends on the position and a seed, and takes that action
whenever the position comes up: it is one of the deterministic policies of which the policy is a mixture.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...core.errors import policy_errors
from ...games.game import Game, StateArray, Symmetries
from ...games.kernels import queries
from ...games.kernels.arrays import Keys, States
from ...games.kernels.keys import mixed
from ...games.kernels.rules import load
from ...oracles.statespace.graph import Chooser
from ...search.transposition import hash_of
from ..engines.here import fault_of, whole_actions

TOLERANCE = 1e-6
"""How far from 1 probabilities may add up to."""
REPEATED = 256
"""About so many positions are asked about again."""
CHECKED = 64
"""So many positions of each batch are checked for symmetry."""


class AsymmetricError(ValueError):
    """A policy that is said to play alike in symmetric positions does not."""


def given_chances(policy: Policy, symmetries: Symmetries | None = None) -> Chooser:
    """The probabilities that a policy gives.

    Args:
        policy: the policy.
        symmetries: those under which it is said to play alike; a few positions of each batch are checked.

    The chooser raises NotImplementedError if the policy gives none, ValueError if they are invalid, and AsymmetricError if they
    are not alike in symmetric positions.
    """

    def choose(states: StateArray) -> NDArray[np.float64]:
        with queried(policy):
            chances = np.array(policy.probabilities(states), np.float64)
        legal = policy.game.masks(states) != 0
        shaped = chances.shape == legal.shape
        if not shaped or not (chances >= 0).all() or (chances[~legal] > 0).any() or (abs(chances.sum(1) - 1) > TOLERANCE).any():
            raise ValueError(
                f"the policy {policy} gives invalid probabilities: there must be one number per action, 0 or more, 0 for illegal "
                "actions, and they must add up to 1"
            )
        if symmetries is not None:
            _check_alike(policy, states[:CHECKED], chances[:CHECKED], symmetries)
        return chances / chances.sum(1, keepdims=True)

    return choose


def _check_alike(policy: Policy, states: StateArray, chances: NDArray[np.float64], symmetries: Symmetries) -> None:
    """Checks that the probabilities in images of positions are those of the images of the actions."""
    which = np.arange(len(states)) % len(symmetries.cells)
    images = np.empty_like(states)
    policy.game.kernel(queries.permuted)(np.ascontiguousarray(states), policy.game.start, which, *symmetries, images)
    with queried(policy):
        turned = np.take_along_axis(policy.probabilities(images), symmetries.actions[which].astype(np.int64), axis=1)
    if abs(turned - chances).max(initial=0) > TOLERANCE:
        raise AsymmetricError(f"the policy {policy} does not play alike in symmetric positions")


def frozen_chances(policy: Policy, seed: int) -> Chooser:
    """One action for each position, by a key that depends on the position and the seed.

    The chooser raises ValueError if the action is not legal.
    """
    game = policy.game

    def choose(states: StateArray) -> NDArray[np.float64]:
        with queried(policy):
            actions = whole_actions(policy.act(states, keys_for(game, states, seed)), len(states))
        chances = np.zeros((len(states), game.num_actions))
        legal = game.masks(states) != 0
        rows, inside = np.arange(len(states)), (actions >= 0) & (actions < game.num_actions)
        wrong = ~inside | ~legal[rows, np.where(inside, actions, 0)]
        if wrong.any():
            row = int(wrong.argmax())
            answer, position = game.move_name(int(actions[row])), game.text(states[row])
            raise ValueError(f"the policy {policy} answers {position!r} with {answer}, which is not legal there")
        chances[rows, actions] = 1
        return chances

    return choose


class AskedAgain:
    """A chooser whose policy is asked again, finally, about some positions of each batch, in another order and in other batches.

    Args:
        ask: asks the policy.
    """

    def __init__(self, ask: Chooser) -> None:
        self._ask = ask
        self._states, self._chances = list[StateArray](), list[NDArray[np.float64]]()

    def __call__(self, states: StateArray) -> NDArray[np.float64]:
        chances = self._ask(states)
        some = slice(None, None, len(states) // REPEATED + 1)
        self._states.append(states[some].copy())
        self._chances.append(chances[some].copy())
        return chances

    def is_steady(self) -> bool:
        """Whether the policy answers as before."""
        if not self._states:
            return True
        states, chances = np.concatenate(self._states)[::-1], np.concatenate(self._chances)[::-1]
        some = slice(None, None, len(states) // REPEATED + 1)
        return bool(abs(self._ask(states[some].copy()) - chances[some]).max(initial=0) <= TOLERANCE)


@contextmanager
def queried(policy: Policy) -> Generator[None]:
    """While a policy is queried: everything that it raises, except NotImplementedError, becomes a ValueError."""
    try:
        yield
    except NotImplementedError:
        raise
    except policy_errors() as error:
        raise ValueError(f"the policy {policy} cannot be graded, since it failed: {fault_of(error).reason}") from error


def keys_for(game: Game, states: StateArray, seed: int) -> NDArray[np.uint64]:
    """Keys that depend on the positions and a seed (B,)."""
    keys = np.empty(len(states), np.uint64)
    game.kernel(keys_of)(np.ascontiguousarray(states), seed, keys)
    return keys


def keys_of(states: States, seed: np.uint64, keys: Keys) -> None:
    """A key for each position."""
    for i in range(states.shape[0]):
        keys[i] = mixed(hash_of(load(states[i])) + mixed(seed))
