"""`Table`: what to do in each of many positions, as arrays; and the file of a table.

The file is numpy's `.npz`, read without pickle, its parts checksummed by the archive:

    format          "ludus table 1"
    game            the game's spec
    symmetric       whether each position stands for all that are symmetric to it
    states          the positions (N, W), uint64
    actions         one action for each (N,), int16; or, in its place,
    probabilities   how likely each action is in each (N, A), float32 or float64
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...core.files.named_arrays import Arrays, check_arrays, npz_of, read_npz
from ...core.files.reading import read_regular
from ...core.files.writing import path_of, write_whole
from ...core.specs import BySettings
from ...games.game import Game, StateArray
from ...games.linking import LinkedKernel, linked
from .canonical import canonical, write_canonical
from .index import INDEX_KERNELS, StateIndex

FORMAT = "ludus table 1"
TEXTS = ("format", "game")
ADVICE = "write it again by Table.write, or take it from a copy"
AT_ONCE = 1 << 16
TOLERANCE = 1e-4
"""How far from 1 the probabilities of a position may add up to."""


class Choices(Protocol):
    """Choices of actions for many positions: a `Table`, or an object that a policy can use like one."""

    @property
    def game(self) -> Game: ...

    @property
    def choices(self) -> NDArray[Any]: ...

    @property
    def symmetric(self) -> bool: ...

    @property
    def is_certain(self) -> bool: ...

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]: ...

    def find(self, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...


@dataclass(frozen=True, eq=False)
class Table(BySettings):
    """Choices of actions in N positions.

    Args:
        game: the game and variant.
        states: different unfinished positions (N, W), uint64; in a symmetric table, in the form that `canonical` makes.
        choices: one action for each (N,), whole numbers; or the probability of each action (N, A), floating.
        symmetric: whether each position stands for all that are symmetric to it.

    Raises:
        ValueError: the arrays have other shapes or types, or an action is illegal.
    """

    game: Game
    states: StateArray
    choices: NDArray[Any]
    symmetric: bool = False

    def __post_init__(self) -> None:
        if self.states.dtype != np.uint64 or self.states.ndim != 2 or self.states.shape[1] != self.game.num_words:
            raise ValueError(f"the positions of a table of {self.game} are (N, {self.game.num_words}) words, uint64")
        whole, floating = (np.issubdtype(self.choices.dtype, kind) for kind in (np.integer, np.floating))
        wanted = (len(self.states),) if whole else (len(self.states), self.game.num_actions)
        if not (whole or floating) or self.choices.shape != wanted:
            raise ValueError(f"a table of {self.game} has an action, or {self.game.num_actions} probabilities, for each position")
        if (self.index.find(self.states) != np.arange(len(self.states))).any():
            raise ValueError("a position stands in the table twice")
        for first in range(0, len(self.states), AT_ONCE):
            self._check(slice(first, first + AT_ONCE))

    @property
    def is_certain(self) -> bool:
        """Whether it has one action per position instead of probabilities."""
        return self.choices.ndim == 1

    @cached_property
    def index(self) -> StateIndex:
        """The row of each position."""
        return StateIndex(self.game, self.states)

    @property
    def kernels(self) -> tuple[LinkedKernel, ...]:
        """The kernels that find a position."""
        return linked(*INDEX_KERNELS, *([write_canonical] if self.symmetric else []))

    def find(self, states: StateArray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The row of each of these positions in the table (B,), -1 if it is not there; and the symmetry that leads from it to the
        position in that row (B,)."""
        if not self.symmetric:
            return self.index.find(states), np.zeros(len(states), np.int64)
        images, which = canonical(self.game, states)
        return self.index.find(images), which

    def write(self, path: str | Path) -> None:
        """Writes the table to a file, whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        arrays: dict[str, Any] = {"format": FORMAT, "game": self.game.spec, "symmetric": self.symmetric, "states": self.states}
        arrays |= {"actions": self.choices.astype(np.int16)} if self.is_certain else {"probabilities": self.choices}
        write_whole(path_of(path), npz_of(arrays, compress=False))

    @classmethod
    def read(cls, path: str | Path, game: Game) -> Table:
        """The table in a file; ValueError where it is not a table, is damaged, or another game's."""
        content = read_regular(path_of(path))
        try:
            arrays = read_npz(content)
        except ValueError as error:
            raise ValueError(f"the file {path} is damaged, or no table at all ({error}); {ADVICE}") from None
        if "format" not in arrays or str(arrays["format"]) != FORMAT:
            raise ValueError(f"the file {path} is not a table that this version of ludus reads; {ADVICE}")
        if "game" in arrays and str(arrays["game"]) != game.spec:
            raise ValueError(f"the table {path} is for {str(arrays['game'])[:60]}, not for {game}")
        try:
            check_arrays(arrays, _expected_arrays(game, arrays), ("states", "actions", "probabilities"))
            choices = arrays["actions"] if "actions" in arrays else arrays["probabilities"]
            return cls(game, arrays["states"], choices, bool(arrays["symmetric"]))
        except ValueError as error:
            raise ValueError(f"the table {path} is damaged: {error}; {ADVICE}") from None

    def _check(self, rows: slice) -> None:
        """Checks that the choices of some positions are legal there."""
        states, choices = self.states[rows], self.choices[rows]
        legal = self.game.masks(states) != 0
        if self.symmetric and (canonical(self.game, states)[0] != states).any():
            raise ValueError("a symmetric table has the canonical form of each position")
        if self.is_certain:
            inside = (choices >= 0) & (choices < self.game.num_actions)
            fine = inside & legal[np.arange(len(states)), np.where(inside, choices, 0)]
        else:
            sums = choices.sum(axis=1, dtype=np.float64)
            fine = (choices >= 0).all(axis=1) & ~((choices > 0) & ~legal).any(axis=1) & (abs(sums - 1) <= TOLERANCE)
        if not fine.all():
            position = self.game.text(states[int(fine.argmin())])
            raise ValueError(f"its choice in {position!r} must be a legal action, or probabilities of legal ones that add up to 1")


def _expected_arrays(game: Game, arrays: Arrays) -> Arrays:
    """Arrays with the types and shapes that a table of a game must have, except for the length; texts may also have any length."""
    texts = {name: np.zeros((), arrays[name].dtype if arrays.get(name, np.zeros(0)).dtype.kind == "U" else "U") for name in TEXTS}
    rows: Arrays = {"symmetric": np.zeros((), np.bool_), "states": np.zeros((0, game.num_words), np.uint64)}
    if "probabilities" not in arrays:
        return {**texts, **rows, "actions": np.zeros(0, np.int16)}
    single = arrays["probabilities"].dtype == np.float32
    return {**texts, **rows, "probabilities": np.zeros((0, game.num_actions), np.float32 if single else np.float64)}
