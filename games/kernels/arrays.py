"""Names for the arrays that kernels take: dtype and dimensions, as signatures are read."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = Annotated[NDArray[np.uint64], 1]
"""One state (W,)."""
States: TypeAlias = Annotated[NDArray[np.uint64], 2]
"""States (N, W), or sets of actions (N, K): bit b of word w stands for number 64·w + b."""
Keys: TypeAlias = Annotated[NDArray[np.uint64], 1]
"""Keys of randomness (N,)."""
Flags: TypeAlias = Annotated[NDArray[np.int8], 1]
"""A small number per board (N,), or one mask (A,)."""
Masks: TypeAlias = Annotated[NDArray[np.int8], 2]
"""Action masks (N, A), or planes of one board (C, H·W)."""
PlanesOfBoards: TypeAlias = Annotated[NDArray[np.int8], 3]
"""Planes of many boards (N, C, H·W)."""
Numbers: TypeAlias = Annotated[NDArray[np.int64], 1]
"""A number per board (N,): actions, plies, indices."""
Rewards: TypeAlias = Annotated[NDArray[np.float64], 1]
"""A reward per board (N,)."""
BothRewards: TypeAlias = Annotated[NDArray[np.float64], 2]
"""A reward per board and player (N, 2)."""
Counts: TypeAlias = Annotated[NDArray[np.int64], 2]
"""Numbers in rows, as counts by table and entry (T, N)."""
Moves: TypeAlias = Annotated[NDArray[np.int16], 2]
"""The actions of games, a game in a row (N, L)."""
Permutations: TypeAlias = Annotated[NDArray[np.int16], 2]
"""Permutations (S, n): a row says where each number goes."""
