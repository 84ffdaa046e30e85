"""What a search asks about positions that it does not search further: the evaluation, and the hint that orders actions.

Kernels declare the two functions and are linked with those of an `Evaluation`. The classic ones stand in this folder, one
file a game. To plug in your own, write two functions like these and pass `Evaluation(my_evaluate, my_hint, (1,))` to `AlphaBeta`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...envs.game import Game
from ...envs.native import Function
from .declared import evaluate, hint, no_hint, zero
from .othello import UNIT, corners_and_discs, corners_first
from .quixo import line_counts


@dataclass(frozen=True)
class Evaluation:
    """An evaluation and a hint, as functions that are compiled into the search.

    Args:
        evaluate: as `evaluate` above.
        hint: as `hint` above.
        weights: numbers that `evaluate` is given at each call.
    """

    evaluate: Function
    hint: Function
    weights: tuple[int, ...] = ()

    @property
    def plugs(self) -> dict[Function, Function]:
        """What a search kernel is linked with."""
        return {evaluate: self.evaluate, hint: self.hint}

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The weights as kernels take them; there is always one."""
        return np.array(self.weights or (0,), np.int64)


MOST_MOBILITY = 90
PLAIN = Evaluation(zero, no_hint)
CLASSIC = {
    "quixo": Evaluation(line_counts, no_hint),
    "othello": Evaluation(corners_and_discs, corners_first, (5 * UNIT, 2 * UNIT, 0)),
}


def evaluation_of(game: Game, name: str, mobility: float = 0) -> Evaluation:
    """A game's evaluation by its name.

    Args:
        game: the game.
        name: `classic`, the game's own (lines in Quixo, 5 × corners + 2 × discs in Othello, nothing in the others); or
            `plain`, by which nothing but finished games counts.
        mobility: the weight of mobility in Othello's, beside 5 and 2.

    Raises:
        ValueError: no such evaluation, or mobility in another game.
    """
    if name not in ("classic", "plain"):
        raise ValueError(f"there is no evaluation {name!r}; there are: classic, plain")
    chosen = CLASSIC.get(game.name, PLAIN) if name == "classic" else PLAIN
    if not abs(mobility) <= MOST_MOBILITY:
        raise ValueError(f"mobility is a weight from -{MOST_MOBILITY} to {MOST_MOBILITY}, beside 5 and 2, not {mobility}")
    if not mobility:
        return chosen
    if chosen is not CLASSIC["othello"]:
        raise ValueError(f"mobility counts in Othello's classic evaluation only, not in the {name} one of {game.spec}")
    return replace(chosen, weights=(*chosen.weights[:2], round(mobility * UNIT)))
