"""A policy that plays by the line of moves alone, and raises an error where the line does not lead to the position."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ludus.agents import SequencePolicy

SPEC = "python:tests.helpers.outside.following:Following"


@dataclass(frozen=True)
class Following(SequencePolicy):
    """Chooses by the sum of all moves, each times its number in the line."""

    name: ClassVar[str] = "following"

    def act_on(self, states, keys, lines):
        return np.array([self.choice(*row) for row in zip(states, lines.starts, lines.moves, strict=True)])

    def choice(self, state, start, moves):
        moves = moves[moves >= 0].tolist()
        if (self.game.play_line(moves, start)[-1] != state).any():
            raise ValueError(f"{moves} from {self.game.text(start)!r} does not lead to {self.game.text(state)!r}")
        return follow(self.game, state, moves)


def follow(game, state, moves):
    """The action of `Following`."""
    legal = game.legal_actions(state)
    return legal[sum(number * move for number, move in enumerate(moves, 1)) % len(legal)]
