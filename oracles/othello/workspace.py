"""The workspace of a search: one array of int64 with its settings and its lists of moves.

0  MARGIN      the walls around the board: 0, 1, 2 for size 8, 6, 4
1  SHIFT       64 less the binary logarithm of the entries of the table
2  GENERATION  the number of the problem being solved
3  PAUSE       the number of nodes at which the search stops, as it does at the watch's limit
4  SHARED      1 if other threads search the same position, else 0
5-             the moves of the position at each number of empty cells, MOVES words each
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.kernels.arrays import Numbers
from ...search.watch import LIMIT, NODES, UNLIMITED

MARGIN, SHIFT, GENERATION, PAUSE, SHARED, LISTS = range(6)
MOVES = 40
MARGINS = {8: 0, 6: 1, 4: 2}


def new_workspace(size: int, table_bits: int, generation: int, shared: bool) -> NDArray[np.int64]:
    """A workspace for a size of the board."""
    workspace = np.zeros(LISTS + 61 * MOVES, np.int64)
    workspace[:LISTS] = MARGINS[size], 64 - table_bits, generation, UNLIMITED, shared
    return workspace


def must_stop(workspace: Numbers, watch: Numbers) -> bool:
    """Whether the search must stop; its result means nothing then."""
    return watch[NODES] > min(watch[LIMIT], workspace[PAUSE])
