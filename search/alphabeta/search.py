"""`AlphaBeta`: alpha-beta search of many positions, each by itself, on every thread; the kernel is negamax.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.bounds import Bounded, Count
from ...core.numbers import Range
from ...games.batches import one_each
from ...games.evaluation import Evaluation
from ...games.game import Game, StateArray
from ...games.linking import Linked
from ...native.threads import share
from ..transposition import borrowed_table
from ..watch import Seconds, Watch
from .entries import DEEPEST, GENERATIONS
from .negamax import ACTION, DEPTH, VALUE, WIN, Workspace, search

LARGEST_DEPTH = DEEPEST - 7
LARGEST_TABLE = 30
Depth: TypeAlias = Annotated[int, Range(1, LARGEST_DEPTH)]
HalfWidth: TypeAlias = Annotated[int, Range(0, WIN)]
TableBits: TypeAlias = Annotated[int, Range(1, LARGEST_TABLE)]
QUICK = 3
"""Searches to this depth take less time than starting a thread to watch them."""


@dataclass(frozen=True)
class Searched:
    """What searches found, one row per position.

    Args:
        actions: the best action (B,), int64.
        values: its value for the player to move (B,), int64: an evaluation, or WIN less the plies to a won game.
        depths: the depth of the deepest completed search (B,), int64; 0 where a limit came before any, and the action is any.
        nodes: positions visited (B,), int64.
    """

    actions: NDArray[np.int64]
    values: NDArray[np.int64]
    depths: NDArray[np.int64]
    nodes: NDArray[np.int64]


@dataclass(frozen=True)
class AlphaBeta(Bounded):
    """Negamax with alpha-beta pruning over any game.

    Args:
        game: the game and variant.
        evaluation: the value of positions at the horizon.
        depth: plies to search at most, 1 or more.
        nodes: positions to visit at most for each position searched; None for any number.
        seconds: time for each position searched; None for any time.
        prune: whether to prune; false visits every position, for study.
        table: whether to use a transposition table.
        aspiration: half the width of the window around the value of the search before, in the evaluation's units; 0 for none.
        table_bits: the table has 2 to this power entries of 16 bytes, one table per thread.
        margins: for each depth from 0 on, how far outside of a null window the value of a shallow search must lie to settle a
            position without a search to that depth; 0 for never, and for all depths that are not listed.

    Raises:
        ValueError: a setting outside of its range.
    """

    game: Game
    evaluation: Evaluation
    depth: Depth = 4
    nodes: Count | None = None
    seconds: Seconds | None = None
    prune: bool = True
    table: bool = True
    aspiration: HalfWidth = 0
    table_bits: TableBits = 20
    margins: tuple[int, ...] = ()

    @property
    def kernels(self) -> tuple[Linked, ...]:
        """The kernels that a search needs."""
        return (Linked(search, self.evaluation.plugs),)

    def search(self, states: StateArray, keys: NDArray[np.uint64], watch: Watch | None = None) -> Searched:
        """Searches positions.

        Args:
            states: unfinished positions (B, W), uint64.
            keys: break ties between equally good actions (B,), uint64.
            watch: limits and progress of a single position's search, instead of `nodes` and `seconds`.

        Raises:
            MemoryError: no room for the table.
        """
        kernel = self.game.kernel(search, self.evaluation.plugs)
        results, nodes = np.zeros((len(states), 3), np.int64), np.zeros(len(states), np.int64)
        weights, margins = self.evaluation.numbers, self._margins()
        watches: list[Watch] = []

        def work(rows: Iterator[int]) -> None:
            scratch = scratch_for(self.game, self.depth)
            with borrowed_table(self.table_bits if self.table else 1, GENERATIONS) as table:
                for row in rows:
                    over = watch or Watch(self.nodes, self.seconds)
                    watches.append(over)
                    settings = (self.prune, self.table, self.aspiration, self.game.action_words, table.next_generation())
                    workspace = Workspace(np.array(settings, np.int64), weights, table.entries, *scratch, over.words, margins)
                    task = partial(kernel, states[row], int(keys[row]), self.depth, workspace, results[row])
                    task() if self.depth <= QUICK and self.seconds is None else over.run(task)
                    nodes[row] = over.nodes

        states, keys = self.game.batch(states), one_each(keys, np.uint64, "key", len(states))
        share(len(states), work, lambda: [watch.stop() for watch in watches])
        return Searched(results[:, ACTION].copy(), results[:, VALUE].copy(), results[:, DEPTH].copy(), nodes)

    def _margins(self) -> NDArray[np.int64]:
        margins = np.zeros(self.depth + 1, np.int64)
        listed = np.array(self.margins[: len(margins)], np.int64)
        margins[: len(listed)] = listed
        return margins


def scratch_for(game: Game, depth: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """History, moves, scores and best actions of a workspace for searches to a depth."""
    lists = np.zeros((depth + 1, game.num_actions), np.int64)
    return np.zeros((2, game.num_actions), np.int64), lists, lists.copy(), np.zeros(depth + 1, np.int64)
