"""Monte-Carlo tree search as a policy: random playouts, guided by what they bring, and proofs (search/mcts/playouts.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...envs.games.game import StateArray
from ...envs.games.linking import Linked
from ..search.mcts.forest import MAX_BYTES, Forest, SearchResults
from ..search.mcts.playouts import Exploration, PlayoutSearch, Rollouts, Simulations
from ..search.mcts.tree import UNKNOWN
from ..search.watch import Seconds
from .analysis import Analysis
from .policy import Playing, Policy


@dataclass(frozen=True)
class Mcts(Policy):
    """Plays the most visited action; a proven win before all, and a proven loss only if there is nothing else.

    Args:
        simulations: how many for each move.
        exploration: the c of UCT, mean + c · √(ln N / n), for values from -1 to 1. Kocsis and Szepesvári's √2 is for values
            from 0 to 1 and would be 2.8 here; 1.4 plays better with few simulations, 5 and more proves draws sooner.
        rollouts: random games from each leaf, whose average is backed up (the usual form: 1).
        rollout_plies: after how many plies a random game that will not end counts as drawn.
        solver: whether proven wins, draws and losses are backed up and end a search (MCTS-Solver), or only averaged.
        reuse: whether the tree below the position that was reached is kept for the next move. It takes one who says which
            game a position belongs to: see `begin`. Else every move is searched anew.
        seconds: time for each move instead of `simulations`; None for no clock. Moves depend on the machine then.

    Raises:
        ValueError: a setting outside of its range.
    """

    name: ClassVar[str] = "mcts"

    simulations: Simulations = 400
    exploration: Exploration = 1.4
    rollouts: Rollouts = 1
    rollout_plies: Rollouts = 200
    solver: bool = True
    reuse: bool = False
    seconds: Seconds | None = None

    @property
    def search(self) -> PlayoutSearch:
        """What it searches with; for visits, values and proofs, ask `search.search(states, keys)`."""
        return PlayoutSearch(
            self.game, self.simulations, self.exploration, self.rollouts, self.rollout_plies, self.solver, self.seconds
        )

    @property
    def kernels(self) -> tuple[Linked, ...]:
        return self.search.kernels

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.search.search(states, keys).actions

    def analyse(self, states: StateArray, keys: NDArray[np.uint64]) -> Analysis:
        return analysis_of(self.search.search(states, keys))

    def begin(self, games: int) -> MctsGames:
        """What plays so many games that begin now, and remembers their trees if `reuse` is set."""
        return MctsGames(self, games)


class MctsGames(Playing):
    """Games that one policy plays, numbered from 0, with a tree for each if `reuse` is set.

    Args:
        policy: whose games they are.
        games: how many.
    """

    def __init__(self, policy: Mcts, games: int) -> None:
        super().__init__(policy)
        self._search = policy.search
        self._trees: list[Forest] | None = [self._search.new_forest() for _ in range(games)] if policy.reuse else None

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        """As `Playing.act`. What a tree knew of a state, if simulations had come there, is kept; of others it begins anew.

        Raises:
            MemoryError: no room for the trees.
        """
        if self._trees is None:
            return super().act(states, keys, games)
        if (taken := sum(tree.bytes for tree in self._trees)) > MAX_BYTES:
            raise MemoryError(
                f"the trees that mcts keeps of {len(self._trees)} games take {taken >> 20} MiB, more than {MAX_BYTES >> 20}; "
                "play fewer games together, do fewer simulations, or leave out reuse=true"
            )
        return self._search.search(states, keys, [self._trees[game] for game in games]).actions


def analysis_of(found: SearchResults) -> Analysis:
    """What a tree search found."""
    known = (found.visits > 0) | (found.action_proofs != UNKNOWN)
    return Analysis(
        found.actions,
        found.policy,
        values=found.values,
        action_values=np.where(known, found.action_values, np.nan),
        visits=found.visits,
        proofs=found.action_proofs,
    )
