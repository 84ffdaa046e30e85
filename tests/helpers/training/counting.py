"""A trainer for tests of what all trainers share: it counts, and learns to prefer the actions that its keys name often."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ludus.agents.policy import FunctionPolicy, Policy
from ludus.baselines.runs.trainer import Settings, Trainer
from ludus.core.files.named_arrays import Arrays
from ludus.games.game import Game


@dataclass(frozen=True)
class CountingSettings(Settings):
    """What can be set.

    Args:
        parts: how many parts there are.
        seconds: how long each takes.
        marks: numbers that do nothing,
            described on two lines.
    """

    parts: int = 6
    seconds: float = 0.0
    marks: tuple[int, ...] = (1, 2)

    def __post_init__(self) -> None:
        if self.parts < 1:
            raise ValueError(f"parts is {self.parts}; there is 1 at least")


class Counting(Trainer[CountingSettings]):
    """Counts draws of actions."""

    name: ClassVar[str] = "counting"
    settings_class = CountingSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"short": {"parts": 2}}
    unit: ClassVar[str] = "draws"
    grows = ()

    def __init__(self, game: Game, settings: CountingSettings, seed: int) -> None:
        super().__init__(game, settings, seed)
        if game.name == "quixo":
            raise ValueError("counting is not for Quixo")
        self.counts = np.zeros(game.num_actions, np.int64)

    @property
    def done(self) -> int:
        return int(self.counts.sum())

    @property
    def total(self) -> int:
        return 10 * self.settings.parts

    def advance(self) -> dict[str, float]:
        time.sleep(self.settings.seconds)
        draws = np.random.default_rng([self.seed, self.done]).integers(self.game.num_actions, size=10)
        self.counts += np.bincount(draws, minlength=self.game.num_actions)
        return {"largest": float(self.counts.max()), "mean": float(draws.mean())}

    def state(self) -> Arrays:
        return {"counts": self.counts.copy()}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        if {*state} != {"counts"} or state["counts"].shape != self.counts.shape:
            raise ValueError("this is not a state of a counting trainer")
        self.counts[:] = state["counts"]

    def learnt(self) -> Arrays:
        return {"preference": self.counts / max(1, self.done)}

    @classmethod
    def policy_of(cls, game: Game, settings: CountingSettings, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        if options:
            raise ValueError(f"a counting run takes no options, not {', '.join(options)}")
        preference = learnt["preference"]
        return FunctionPolicy(
            game, function=lambda states, keys: np.argmax(game.masks(states) * (1 + preference), 1), title="counted"
        )

    def artefacts(self) -> dict[str, bytes]:
        return {"counts.txt": str(self.counts.tolist()).encode()}
