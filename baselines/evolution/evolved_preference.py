"""Evolved preference: Nim by a genetic algorithm whose genomes are two numbers, a preferred nim-sum and a tolerance.

A player prefers moves that leave a certain nim-sum, as a share of the largest possible one, and accepts those whose nim-sum is
within its tolerance of that. It plays one of these at random, or any legal move if there are none. A player that prefers 0, which
is lost for the opponent, with a tolerance below that of a nim-sum of 1, plays perfectly. Fitness is points in games or, in the
preset `longer`, the length of games.

Perfect genomes are one in two hundred, and those around them play worse than random. So a population often becomes alike somewhere
else, where nothing is better than random play; the children without parents (`newcomers`) find the way out.

In misère play, and under a limit, the nim-sum is that of the exact theory: 0 is a lost position (oracles/nim.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy, draw_actions
from ...core.numbers import Range
from ...games.game import Game, StateArray
from ...games.kernels.arrays import States
from ...games.kernels.bits import has
from ...games.kernels.rules import legal, load, play
from ...games.linking import LinkedKernel, linked
from ...games.nim.rules import Nim
from ...oracles.nim import nim_sum, period_of
from .contest import Choose
from .genetic import Rivalry, RivalrySettings, genome_of

NimSums: TypeAlias = Annotated[NDArray[np.int16], 2]
"""The nim-sum that each action leaves (N, A), -1 for an illegal action."""


@dataclass(frozen=True)
class EvolvedPreferenceSettings(RivalrySettings):
    """Settings of the evolved preference."""

    newcomers: Annotated[float, Range(0, below=1)] = 0.4


class EvolvedPreference(Rivalry[EvolvedPreferenceSettings]):
    """Breeds preferences for moves of Nim."""

    name: ClassVar[str] = "evolved_preference"
    settings_class = EvolvedPreferenceSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "longer": {"fitness": "length", "newcomers": 0.0},  # bred for games with their like, not with strangers
        **Rivalry.presets,
    }
    length: ClassVar[int] = 2  # pyright: ignore[reportIncompatibleMethodOverride]

    def __init__(self, game: Game, settings: EvolvedPreferenceSettings, seed: int) -> None:
        check(game)
        super().__init__(game, settings, seed)

    def players(self, genes: NDArray[Any]) -> Choose:
        return lambda states, which, keys: draw_actions(chances(self.game, states, genes[which]), keys)

    def extra_metrics(self) -> dict[str, float]:
        preferred, tolerated = self.best.tolist()
        return {"preferred nim-sum": preferred, "tolerated distance": tolerated}

    @classmethod
    def policy_of(
        cls, game: Game, settings: EvolvedPreferenceSettings, learnt: Mapping[str, NDArray[Any]], **options: str
    ) -> Policy:
        check(game)
        preferred, tolerated = genome_of(learnt, (2,), np.float64, cls.name, options).tolist()
        return Preference(game, preferred=preferred, tolerated=tolerated)


def check(game: Game) -> None:
    """Raises ValueError unless a game is Nim."""
    if not isinstance(game, Nim):
        raise ValueError(f"evolved_preference learns nim, not {game}; evolved_mixture learns any game")


@dataclass(frozen=True)
class Preference(Policy):
    """Plays any move, each equally likely, that leaves a nim-sum near the preferred one; any legal move if there is none.

    Args:
        preferred: the nim-sum, as a share of the largest.
        tolerated: the largest accepted distance from it, likewise.
    """

    name: ClassVar[str] = "evolved_preference"
    games: ClassVar[tuple[str, ...] | None] = ("nim",)

    preferred: float = field(kw_only=True)
    tolerated: float = field(kw_only=True)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(sums_after)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return draw_actions(self.probabilities(states), keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return chances(self.game, states, np.array([[self.preferred, self.tolerated]]))


def chances(game: Game, states: StateArray, genes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The probability of each action (B, A), by the genome of each state (B, 2), or by one for all (1, 2)."""
    assert isinstance(game, Nim)
    sums = np.full((len(states), game.num_actions), -1, np.int16)
    game.kernel(sums_after)(game.batch(states), period_of(game), sums)
    largest = (1 << game.largest_take.bit_length()) - 1  # all bits of the largest value of a heap
    distances = abs(sums / largest - genes[:, :1])
    chosen = (sums >= 0) & (distances <= genes[:, 1:])
    none = ~chosen.any(axis=1)
    chosen[none] = sums[none] >= 0
    return chosen / chosen.sum(axis=1, keepdims=True)


def sums_after(states: States, period: int, sums: NimSums) -> None:
    """The nim-sum that each legal action leaves."""
    for i in range(states.shape[0]):
        state = load(states[i])
        for action in range(sums.shape[1]):
            if has(legal(state, action >> 6), action & 63):
                sums[i, action] = nim_sum(play(state, action), period)
