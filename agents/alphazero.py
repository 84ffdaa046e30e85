"""AlphaZero as a policy: the search of search/mcts/guided.py, guided by a network of the trainer (baselines/alphazero/networks)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.bounds import Count
from ..core.native.threads import share
from ..core.plugins.loading import above, libraries
from ..core.threads import thread_count
from ..games.game import StateArray
from ..games.kernels.keys import derive_keys, uniforms
from ..games.kernels.queries import masks, plays
from ..games.linking import LinkedKernel, linked
from ..search.mcts.forest import MAX_BYTES, NODE_BYTES, SearchResults
from ..search.mcts.guided import Formula, GuidedSearch, NotNegative, Positions
from ..search.mcts.tree import ENTRY_BYTES, table_entries
from .answers import LONGEST_LINE, Analysis
from .mcts import analysis_of
from .memory import DRAWN, Remembering, WithMemory
from .policy import Playing

Net = Callable[[StateArray], tuple[NDArray[Any], NDArray[Any]]]
"""States (n, W) to priors (n, A) and values (n,); several threads call it at once."""
AGAINST_CIRCLES = 0.1
"""The usual temperature in games that can go on forever."""
SMALLEST_BATCH = 32
"""Positions that the network evaluates together; smaller batches are not split among threads."""


@dataclass(frozen=True)
class AlphaZeroPolicy(Remembering):
    """Plays the best action that a search guided by a network finds: a proven win first, a proven loss last.

    Args:
        simulations: how many for each move.
        exploration: the c of the search's formula.
        formula: "gumbel" for few simulations, "puct" as AlphaZero has it, or "uct" with √(ln N / n).
        considered: by Gumbel, how many actions are tried at the root at most.
        solver: whether proven values are backed up and end a search.
        ahead: how many positions the proof search visits from each leaf, before the network evaluates it; 0 for no proof search.
        root_ahead: how many positions the proof search visits from each action at the root, where this is more than `ahead`, so
            that it plays fewer blunders.
        temperature: by Gumbel, the scale of the noise that draws among good actions, as in training (1); 0 to always play what
            seems best. None for 0.1 in games that can go on forever, which have a limit of plies, and for 0 in all others.
        repeats: whether, in a match, a position that it has left to the opponent before has the value of a draw, in games that can
            go on forever. It then remembers these positions until the game ends.
        net: the network that guides it; None for the one that is shipped for the game.

    Raises:
        ValueError: a setting outside of its range; no network is shipped for this game; or torch is not installed.
    """

    name: ClassVar[str] = "alphazero"

    simulations: Count = 100
    exploration: NotNegative = 1.25
    formula: Formula = "gumbel"
    considered: Count = 16
    solver: bool = True
    ahead: Positions = 2000
    root_ahead: Positions = 0
    temperature: NotNegative | None = None
    repeats: bool = True
    net: Net | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.evaluate  # noqa: B018  raises at once, not in the first move, where there is no network
        if self.temperature and self.formula != "gumbel":
            raise ValueError(
                f"temperature={self.temperature} needs formula=gumbel, as {self.formula} draws no noise; leave one out"
            )

    @property
    def search(self) -> GuidedSearch:
        """The search with this policy's settings."""
        settings = {name: getattr(self, name) for name in ("solver", "ahead", "root_ahead", "considered")}
        return GuidedSearch(self.game, self.simulations, self.exploration, self.formula, **settings)

    @cached_property
    def evaluate(self) -> Net:
        """The network."""
        if self.net is not None:
            return self.net
        with libraries(f"the policy {self.name!r}", "rl"):
            return above("shipped_network")(self.game)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        own = linked(derive_keys, *((masks, plays) if self._remembers else ()))
        return self.search.kernels + own + getattr(self.evaluate, "kernels", ())

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self._search(states, keys).actions

    def begin(self, games: int) -> Playing:
        return WithMemory(self) if self._remembers else Playing(self)

    @property
    def _remembers(self) -> bool:
        return self.repeats and self.game.max_plies > 0

    def preferences(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.float64]:
        results, rows = self._search(states, keys), np.arange(len(states))
        wins = results.action_proofs == 1
        better = (results.action_values > DRAWN) & (results.action_proofs != -1)
        better = np.where(results.proofs[:, None] == 1, wins, better)
        scores = np.where(better, results.visits + results.policy, -1.0)
        scores[self.game.masks(states) == 0] = -np.inf
        scores[rows, results.actions] = np.inf
        return scores

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        priors, values = (np.asarray(part, np.float64) for part in self.evaluate(states))
        legal = priors * self.game.masks(states)
        analysis = analysis_of(self._search(states, keys, LONGEST_LINE))
        return replace(analysis, priors=legal / legal.sum(axis=1, keepdims=True), prior_values=values)

    def _search(self, states: StateArray, keys: NDArray[np.uint64], plies: int = 0) -> SearchResults:
        """Searches positions, as many at a time as there is room for, with principal variations of `plies` plies."""
        states, keys = self.batch(states, keys)
        results, size = SearchResults.empty(len(states), self.game.num_actions, plies), self._batch_size(len(states))

        def work(batches: Iterator[int]) -> None:
            for batch in batches:
                rows = slice(batch * size, (batch + 1) * size)
                batch_results = self.search.search(states[rows], self.evaluate, self._gumbel_noise(keys[rows]), plies)
                for whole, part in zip(results.rows(rows), batch_results, strict=True):
                    whole[:] = part

        share(ceil(len(states) / size), work)
        return results

    def _gumbel_noise(self, keys: NDArray[np.uint64]) -> NDArray[np.float64] | None:
        """Draws from Gumbel's distribution by the keys, for each action (B, A); None at temperature 0."""
        if not (temperature := self._temperature):
            return None
        each, actions = np.repeat(keys, self.game.num_actions), np.tile(np.arange(self.game.num_actions), len(keys))
        draws = np.empty_like(each)
        self.game.kernel(derive_keys)(each, actions, draws)
        # uniform numbers are multiples of 2^-53 from 0 on: half a step more, so that no logarithm is of 0
        return -temperature * np.log(-np.log(uniforms(draws) + 2.0**-54)).reshape(len(keys), -1)

    @property
    def _temperature(self) -> float:
        circles = self.game.max_plies > 0 and self.formula == "gumbel"
        return AGAINST_CIRCLES * circles if self.temperature is None else self.temperature

    def _batch_size(self, positions: int) -> int:
        """The number of positions that each thread searches at a time.

        Their trees fit in memory even if every simulation adds a node for each action and the arrays double.
        """
        threads = thread_count()
        table = ENTRY_BYTES * table_entries(max(self.ahead, self.root_ahead))
        room = MAX_BYTES // ((4 * NODE_BYTES * self.game.num_actions * (self.simulations + 2) + table) * threads)
        return max(1, min(room, max(SMALLEST_BATCH, ceil(positions / threads))))
