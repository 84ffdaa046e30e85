"""Solved examples for prompts: positions in which the move matters, each with a move that plays perfectly.

They are the same for everybody: positions of random games with a fixed seed, solved by the oracle. None is of the positions for
testing (arena/data/exact/collecting.py), and none looks like the position that is asked about.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...arena.data.exact.collecting import Sampling, collect
from ...arena.data.exact.solving import STRATA
from ...games.game import Game, StateArray
from ...oracles import make_oracle
from ...oracles.statespace.canonical import canonical_observations
from ..disguises import undisguise

MOST_EXAMPLES = 4
SOLVED = 24
"""Positions that are solved to choose from."""


class SolvedExample(NamedTuple):
    """A position (W,) with its class, which symmetric positions share, and an action that keeps its value."""

    state: StateArray
    looks: bytes
    action: int


def examples(game: Game, state: StateArray, count: int) -> tuple[SolvedExample, ...]:
    """The first examples of a game that do not look like a position (W,).

    Raises:
        ValueError: there are not so many, or the game has no position in the oracle's reach.
    """
    game = undisguise(game)
    known, (looks,) = _all_examples(game), _looks(game, state[None])
    if len(known) <= count:  # one of them may look like the position
        raise ValueError(
            f"{game.spec} has {max(0, len(known) - 1)} solved examples for prompts, and {count} are asked for; ask for fewer"
        )
    return tuple(example for example in known if example.looks != looks)[:count]


@lru_cache(64)
def _all_examples(game: Game) -> tuple[SolvedExample, ...]:
    solved = collect(make_oracle(game), Sampling(SOLVED, pool=1, scores=False))
    chosen = list[SolvedExample]()
    for row, (state, looks) in enumerate(zip(solved.states, _looks(game, solved.states), strict=True)):
        if STRATA[solved.strata[row]].keeping == "all" or solved.test[row]:
            continue
        best = (solved.move_values[row] == solved.values[row]) & (solved.move_distances[row] == solved.distances[row])
        chosen.append(SolvedExample(state, looks, int(np.argmax(best))))
    return tuple(chosen[: MOST_EXAMPLES + 1])


def _looks(game: Game, states: StateArray) -> list[bytes]:
    """What the player to move sees, the same for all symmetric positions."""
    return [form.tobytes() for form in canonical_observations(game, states)]
