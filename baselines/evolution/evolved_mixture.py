"""Evolved mixture: a genetic algorithm whose genomes are the probabilities with which fixed strategies play the next move.

The strategies are policies by their specs. For Nim there are three more names: `heuristic` and `gabriele`, two simple rules made
by hand, and `optimal`, which is `nim_sum`. The preset `original` mixes gabriele, random and optimal. Fitness is points in games.
Where one of the strategies is perfect, nothing is better than to play it alone; without it, mixtures may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.nim_sum import NimSum
from ...agents.policy import Policy, draw_actions
from ...agents.registry import make_policy
from ...core.plugins import UntrustedSpec, runs_code
from ...games.game import Game, StateArray
from ...games.kernels.keys import derive_keys
from ...games.kernels.queries import masks
from ...games.linking import LinkedKernel, linked
from ...games.nim.rules import Nim
from .contest import Choose
from .genetic import Rivalry, RivalrySettings, genome_of

STRATEGY_KEY, ACTION_KEY = 0, 1


@dataclass(frozen=True)
class EvolvedMixtureSettings(RivalrySettings):
    """Settings of the evolved mixture.

    Args:
        strategies: specs of the policies that are mixed, joined by +; or heuristic, which leaves an even number of heaps, or an
            odd one in misère play, by taking a whole one, if it can, and otherwise takes one object from a largest heap; gabriele,
            which takes as many objects as allowed from the first heap that is not empty; or optimal, which plays by nim-sums.
    """

    strategies: tuple[str, ...] = ("heuristic", "random", "nim_sum")

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.strategies) < 2:  # not a bound: an untrusted policy is not a text
            raise ValueError(f"strategies is {'+'.join(map(str, self.strategies))!r}; name 2 or more, joined by +")


class EvolvedMixture(Rivalry[EvolvedMixtureSettings]):
    """Breeds mixtures of strategies."""

    name: ClassVar[str] = "evolved_mixture"
    settings_class = EvolvedMixtureSettings
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "original": {"strategies": ("gabriele", "random", "optimal")},
        **Rivalry.presets,
    }

    def __init__(self, game: Game, settings: EvolvedMixtureSettings, seed: int) -> None:
        self.strategies = strategies_of(game, settings)
        super().__init__(game, settings, seed)

    @property
    def length(self) -> int:
        return len(self.strategies)

    def players(self, genes: NDArray[Any]) -> Choose:
        return partial(choose_by_mixtures, self.game, self.strategies, genes)

    def repair(self, genes: NDArray[Any]) -> NDArray[Any]:
        """Makes probabilities add up to 1; equal ones where all are 0."""
        genes = super().repair(genes)
        genes[~genes.any(axis=1)] = 1.0
        return genes / genes.sum(axis=1, keepdims=True)

    def extra_metrics(self) -> dict[str, float]:
        return dict(zip(self.settings.strategies, self.best.tolist(), strict=True))

    @classmethod
    def policy_of(cls, game: Game, settings: EvolvedMixtureSettings, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        strategies = strategies_of(game, settings)
        genome = genome_of(learnt, (len(strategies),), np.float64, cls.name, options)
        return MixturePolicy(game, strategies=strategies, weights=tuple(genome.tolist()))


def strategies_of(game: Game, settings: EvolvedMixtureSettings) -> tuple[Policy, ...]:
    """The strategies that are mixed; ValueError where one does not play the game."""
    if code := [spec for spec in settings.strategies if not isinstance(spec, UntrustedSpec) and runs_code(spec)]:
        raise ValueError(f"strategies names {', '.join(code)}; a mixture is of policies that come with ludus, such as nim_sum")
    try:
        return tuple(STRATEGIES[spec](game) if spec in STRATEGIES else make_policy(spec, game) for spec in settings.strategies)
    except ValueError as error:
        raise ValueError(f"{error}; set strategies to policies that play {game}, joined by +") from error


def choose_by_mixtures(
    game: Game,
    strategies: tuple[Policy, ...],
    weights: NDArray[np.float64],
    states: StateArray,
    which: NDArray[np.int64],
    keys: NDArray[np.uint64],
) -> NDArray[np.int64]:
    """The actions of mixtures of strategies (N,): that of mixture which[i] in state i.

    A mixture is the probability of each strategy, a row of `weights` (M, S); the keys (N,) are all randomness.
    """

    def derive_all(index: int) -> NDArray[np.uint64]:
        derived = np.empty(len(keys), np.uint64)
        game.kernel(derive_keys)(np.ascontiguousarray(keys), np.full(len(keys), index), derived)
        return derived

    chosen, rest = draw_actions(weights[which], derive_all(STRATEGY_KEY)), derive_all(ACTION_KEY)
    actions = np.empty(len(states), np.int64)
    for index, policy in enumerate(strategies):
        if len(rows := np.flatnonzero(chosen == index)):
            actions[rows] = policy.act(states[rows], rest[rows])
    return actions


@dataclass(frozen=True)
class MixturePolicy(Policy):
    """Draws one of several policies for each move, and plays its action.

    Args:
        strategies: the policies (S).
        weights: how likely each is (S).
    """

    name: ClassVar[str] = "evolved_mixture"

    strategies: tuple[Policy, ...] = field(repr=False, kw_only=True)
    weights: tuple[float, ...] = field(kw_only=True)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return sum((policy.kernels for policy in self.strategies), linked(derive_keys))

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        which = np.zeros(len(states), np.int64)
        return choose_by_mixtures(self.game, self.strategies, np.array([self.weights]), states, which, keys)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        weighted = zip(self.weights, self.strategies, strict=True)
        return np.sum([weight * policy.probabilities(states) for weight, policy in weighted if weight], axis=0) / sum(self.weights)


@dataclass(frozen=True)
class Heuristic(Policy):
    """Nim by a rule of thumb: leaves an even number of heaps, or an odd one in misère play, by taking a whole heap; if it
    cannot, takes one object from a largest heap. Of several such moves each is equally likely."""

    name: ClassVar[str] = "heuristic"
    games: ClassVar[tuple[str, ...] | None] = ("nim",)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        good = self._good_actions(states)
        nth = (keys >> np.uint64(32)) * good.sum(axis=1).astype(np.uint64) >> np.uint64(32)  # as `below` of games/kernels/keys.py
        return (good.cumsum(axis=1) > nth[:, None]).argmax(axis=1)

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        good = self._good_actions(states)
        return good / good.sum(axis=1, keepdims=True)

    def _good_actions(self, states: StateArray) -> NDArray[np.bool_]:
        """The moves that the rule allows (B, A)."""
        assert isinstance(self.game, Nim)
        heaps, take = len(self.game.heaps), self.game.largest_take
        sizes = (states[:, :1] >> (8 * np.arange(heaps, dtype=np.uint64)) & np.uint64(255)).astype(np.int64)  # (B, heaps)
        taken, odd = np.arange(1, take + 1), (sizes > 0).sum(axis=1) % 2 == 1
        emptying = (taken == sizes[:, :, None]) & (odd != self.game.misere)[:, None, None]
        from_largest = (taken == 1) & (sizes == sizes.max(axis=1, keepdims=True))[:, :, None]
        good = np.where(emptying.any(axis=(1, 2), keepdims=True), emptying, from_largest)
        return good.reshape(len(states), heaps * take)


@dataclass(frozen=True)
class Gabriele(Policy):
    """Nim by one rule: takes as many objects as it may from the first heap that has any."""

    name: ClassVar[str] = "gabriele"
    games: ClassVar[tuple[str, ...] | None] = ("nim",)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return linked(masks)

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        assert isinstance(self.game, Nim)
        rows, take = np.arange(len(states)), self.game.largest_take
        counts = self.game.masks(states).reshape(len(states), -1, take).sum(axis=2)  # of each heap, how many may be taken
        heaps = (counts > 0).argmax(axis=1)
        return heaps * take + counts[rows, heaps] - 1

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        return np.eye(self.game.num_actions)[self.act(states, np.zeros(len(states), np.uint64))]


STRATEGIES: dict[str, type[Policy]] = {Heuristic.name: Heuristic, Gabriele.name: Gabriele, "optimal": NimSum}
"""Strategies by names that are not specs of policies."""
