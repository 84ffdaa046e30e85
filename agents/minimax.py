"""The minimax player: alpha-beta with the game's evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..envs.game import StateArray
from .evaluations import evaluation_of
from .policy import Policy
from .search.alphabeta import LARGEST_DEPTH, AlphaBeta, Searched

USUAL_DEPTH = 4


@dataclass(frozen=True)
class Minimax(Policy):
    """Plays what alpha-beta finds best; one of equally good actions by the key.

    The classic players searched Othello to depth 1 to 7, and Quixo to depth 5 with `plain` values or with line counts.

    Args:
        depth: plies to search; None for 4, or for as deep as `nodes` or `seconds` allow.
        nodes: positions to visit a move at most.
        seconds: time for a move.
        evaluation: `classic` (lines in Quixo, 5 × corners + 2 × discs in Othello) or `plain` (finished games only).
        mobility: weight of mobility in Othello's evaluation, beside 5 for corners and 2 for discs.
        prune: whether to prune; false visits every position, for study.
        table: whether to use a transposition table.
        aspiration: half the width of the first window, in the evaluation's units; 0 for none.
        table_bits: the table has 2 to this power entries of 16 bytes, one table a thread.
    """

    name: ClassVar[str] = "minimax"

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None
    evaluation: str = "classic"
    mobility: float = 0.0
    prune: bool = True
    table: bool = True
    aspiration: int = 0
    table_bits: int = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        self.searcher  # noqa: B018  checks the settings

    @cached_property
    def searcher(self) -> AlphaBeta:
        """The search that chooses."""
        limited = self.nodes is not None or self.seconds is not None
        return AlphaBeta(
            self.game,
            evaluation_of(self.game, self.evaluation, self.mobility),
            depth=self.depth if self.depth is not None else LARGEST_DEPTH if limited else USUAL_DEPTH,
            nodes=self.nodes,
            seconds=self.seconds,
            prune=self.prune,
            table=self.table,
            aspiration=self.aspiration,
            table_bits=self.table_bits,
        )

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.search(states, keys).actions

    def search(self, states: StateArray, keys: NDArray[np.uint64]) -> Searched:
        """What the search finds: actions, values, depths, and how many nodes it visited."""
        return self.searcher.search(states, keys)
