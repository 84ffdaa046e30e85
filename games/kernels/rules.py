"""The contract: what the rules of a game are, as functions over a small value.

A state is a tuple of 64-bit words, as many as the game says (`Game.num_words`). It holds all that the
rules need, the player to move and the variant included, so that a copy is a copy of a few words.
A game's module defines the functions below by these names, as plain Python over integers; kernels
call them by these names too, and are linked with one game's functions when they are compiled
(native). Here they are only declared, each with the identities it must satisfy; the tests hold
every game to them.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .arrays import Numbers

State: TypeAlias = tuple[np.uint64, ...]
"""A state inside kernels: the rules' 64-bit words (W,), of which as many as the game declares."""
Plane: TypeAlias = Annotated[NDArray[np.int8], 1]
"""One plane of an observation, its cells row by row (H · W,): zeros and ones."""
Planes: TypeAlias = Annotated[NDArray[np.int8], 2]
"""The planes that `observe` fills (C, H · W)."""
Permutation: TypeAlias = Annotated[NDArray[np.int16], 1]
"""Where each cell or action comes to under a symmetry (cells or A,)."""
Sites: TypeAlias = Annotated[NDArray[np.int8], 1]
"""A small number for each site of a game's layout (S,)."""

ONGOING = 2
"""What `outcome` says of an unfinished game; else it is player 0's result: 1, 0 or -1."""


def player(state: State) -> int:
    """The player to move, 0 or 1.

    After a play it may be the same player again: in Quarto one player places, then gives. In a
    finished game it is the player who would be next.
    """
    raise NotImplementedError


def legal(state: State, word: int) -> np.uint64:
    """The legal actions 64·word to 64·word + 63, as bits: bit b stands for action 64·word + b.

    While `outcome(state)` is ONGOING, at least one bit is set in all words together. It may be called
    for a finished game too, and may then give anything.
    """
    raise NotImplementedError


def play(state: State, action: int) -> State:
    """The state after the player to move takes a legal action. It is not called for others."""
    raise NotImplementedError


def outcome(state: State) -> int:
    """ONGOING, or player 0's result in a finished game: 1 won, 0 drawn, -1 lost; player 1's is its negative."""
    raise NotImplementedError


def observe(state: State, seat: int, planes: Planes) -> None:
    """Writes the planes that a seat sees, each a row of `planes` (C, H·W), every cell 0 or 1.

    Where things belong to players, the seat's own come before the opponent's; where they do not, as in
    Nim and Quarto, both seats see the same.
    """
    raise NotImplementedError


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    """The state under a symmetry of the game: what was on cell c is on `cells[c]` afterwards.

    With any symmetry of `Game.symmetries`, `permute(play(s, a)) == play(permute(s), actions[a])`.
    """
    raise NotImplementedError


CONTRACT = {f.__name__: f for f in (player, legal, play, outcome, observe, permute)}


def is_state(state: State, start: State) -> bool:
    """Whether words may be a state of the variant that begins at `start`, so that the functions above can take them.

    A game need not define it; then all words are taken. It holds for every state that can come up. Where it holds, no function
    reads beyond a table, and while `outcome` is ONGOING, an action is legal, after further plays too.
    """
    return True


def contents(state: State, sites: Sites) -> None:
    """Writes which symbol stands on each site of the game's layout (S,), all 0 before.

    This and the three functions below are what a `BoardGame` defines, for its drawing and notation.
    """
    raise NotImplementedError


def trace(state: State, action: int, sites: Sites) -> None:
    """Writes which mark the last action has left on each site (S,), all 0 before; `state` is the one that it led to."""
    raise NotImplementedError


def winning(state: State, sites: Sites) -> None:
    """Writes 1 on each site of the lines that won a finished game (S,), all 0 before."""


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    """The state of a variant in which these symbols stand on the sites (S,): what `contents` writes, read back.

    Where that cannot be, it writes which of the notation's faults it is, counted from 1, and the number of the site that is at
    fault into `fault` (2,), all 0 before. `mover` is 0 where positions do not say who moves.
    """
    raise NotImplementedError


BOARD = {f.__name__: f for f in (contents, trace, winning, arrange)}
"""What a `BoardGame` defines; `winning` where there is a line to show."""
OPTIONAL = {is_state.__name__: is_state, **BOARD}
"""What a game may define besides."""


def load(words: Annotated[NDArray[np.uint64], 1]) -> State:
    """The state that lies in an array; the linker makes it for the game's number of words."""
    raise NotImplementedError


def store(words: Annotated[NDArray[np.uint64], 1], state: State) -> None:
    """Lays a state into an array; the linker makes it for the game's number of words."""
    raise NotImplementedError
