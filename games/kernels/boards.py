"""What stands on a board, where the last move was and what won, for drawings and notation; and a position read back.

The game's own functions (rules.py) do the work. Here are the kernels that Python and JavaScript call, and what those functions
share: sets of cells, written as symbols and read from them.
"""

from __future__ import annotations

import numpy as np

from .arrays import Masks, Numbers, Words
from .bits import ONE, bit, u64
from .rules import ONGOING, Sites, arrange, contents, is_state, load, outcome, play, store, trace, winning


def look(words: Words, start: Words, action: int, sites: Masks) -> int:
    """Writes what a drawing shows (3, S): the symbols on the sites, the marks of the last action (-1 for none), the sites that won.

    It returns -1 where the words are no state of this game.
    """
    state = load(words)
    if not is_state(state, load(start)):
        return -1
    contents(state, sites[0])
    if action >= 0:
        trace(state, action, sites[1])
    if outcome(state) != ONGOING:
        winning(state, sites[2])
    return 0


def foresee(words: Words, action: int, sites: Sites) -> None:
    """Writes the marks that a legal action will leave (S,)."""
    trace(play(load(words), action), action, sites)


def set_up(sites: Sites, mover: int, start: Words, result: Words, fault: Numbers) -> None:
    """Writes the state in which these symbols stand on the sites, and what is wrong with it: see `arrange`."""
    store(result, arrange(sites, mover, load(start), fault))


# ---- for the rules of games


def put(cells: np.uint64, symbol: int, sites: Sites) -> None:
    """Puts a symbol on the sites of a set of cells."""
    for cell in range(min(sites.shape[0], 64)):
        if (cells >> u64(cell)) & ONE != u64(0):
            sites[cell] = symbol


def holding(sites: Sites, symbol: int) -> np.uint64:
    """The cells that hold a symbol."""
    cells = u64(0)
    for cell in range(min(sites.shape[0], 64)):
        if sites[cell] == symbol:
            cells |= bit(cell)
    return cells
