"""A policy that takes the first legal action, and leaves no position twice in a game if it can."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ludus.agents.memory import Remembering, WithMemory

SPEC = "python:tests.helpers.outside.careful:Careful"
CIRCLE = "OXOXXOOOX X", ["b1>c1", "a1>c1", "b1>c1"]
"""A line of 3×3 Quixo after which the first legal action of O, a1>c1, leaves the position that it left before."""


@dataclass(frozen=True)
class Careful(Remembering):
    """The earlier an action, the better it is; all are better than a draw."""

    name: ClassVar[str] = "careful"

    def act(self, states, keys):
        return self.game.masks(states).argmax(axis=1)

    def preferences(self, states, keys):
        return np.where(self.game.masks(states) != 0, np.arange(self.game.num_actions, 0, -1), -np.inf)

    def begin(self, games):
        return WithMemory(self)
