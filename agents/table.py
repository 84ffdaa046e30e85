"""The policy of a table: it plays what the table says where the table has the position, and as another policy elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.files.writing import path_of
from ..games.game import StateArray
from ..games.linking import LinkedKernel
from ..oracles.statespace.table import Choices, Table
from .policy import Policy, draw_actions
from .registry import make_policy


@dataclass(frozen=True)
class TablePolicy(Policy):
    """Plays by a table, and as another policy in positions that the table does not have.

    Args:
        path: the file of the table.
        otherwise: the spec of the policy that plays in other positions, by default every legal action equally often. It is asked
            about single positions: what it remembers between moves, it does not remember here.
        given: a table in memory, in place of a file.

    Raises:
        ValueError: there is neither, or the file is not a table, is damaged, or another game's; or there is no other policy of this
            spec for this game.
        OSError: the file cannot be read.
    """

    name: ClassVar[str] = "table"

    path: str = ""
    otherwise: str = "random"
    given: Choices | None = field(default=None, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.table.game != self.game:
            raise ValueError(f"the table is for {self.table.game}, not for {self.game}")
        self.elsewhere  # noqa: B018  raises at once, not in the first move, where there is no such policy

    @cached_property
    def table(self) -> Choices:
        """The table that it plays by."""
        if self.given is not None:
            return self.given
        if not self.path:
            raise ValueError("the policy 'table' plays by a file; name it in the spec: table:path=FILE")
        return Table.read(path_of(self.path), self.game)

    @cached_property
    def elsewhere(self) -> Policy:
        """The policy that plays in positions that the table does not have."""
        return make_policy(self.otherwise, self.game)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        return self.elsewhere.kernels + self.table.kernels

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        states, keys = self.batch(states, keys)
        actions = np.empty(len(states), np.int64)
        rows, which = self.table.find(states)
        known, others = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
        if len(others):
            actions[others] = self.elsewhere.act(states[others], keys[others])
        if len(known):
            choices = self.table.choices[rows[known]]
            chosen = choices.astype(np.int64) if self.table.is_certain else draw_actions(choices, keys[known])
            actions[known] = self._inverse_actions[which[known], chosen] if self.table.symmetric else chosen
        return actions

    def probabilities(self, states: StateArray) -> NDArray[np.float64]:
        states = self.game.batch(states)
        chances = np.zeros((len(states), self.game.num_actions))
        rows, which = self.table.find(states)
        known, others = np.flatnonzero(rows >= 0), np.flatnonzero(rows < 0)
        if len(others):
            chances[others] = self.elsewhere.probabilities(states[others])
        choices = self.table.choices[rows[known]]
        if self.table.is_certain:
            certain = np.zeros((len(known), self.game.num_actions))
            certain[np.arange(len(known)), choices] = 1
            choices = certain
        if self.table.symmetric:
            choices = np.take_along_axis(choices, self.game.symmetries.actions[which[known]].astype(np.int64), axis=1)
        chances[known] = choices / choices.sum(axis=1, keepdims=True, dtype=np.float64)
        return chances

    @cached_property
    def _inverse_actions(self) -> NDArray[np.int64]:
        """For each symmetry, which action it makes each action of (S, A)."""
        return np.argsort(self.game.symmetries.actions, axis=1)
