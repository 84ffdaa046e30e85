"""The randomness of a tournament: one seed gives a stream of keys for each purpose, by name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.files.reading import digest
from ...games.game import Game
from ...games.kernels.keys import derive_keys


def stream_keys(game: Game, seed: int, purpose: tuple[str, ...], numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Some keys of a stream (N,).

    Args:
        game: the game; streams of the same purpose in two games are independent.
        seed: the tournament's seed.
        purpose: the name of the stream, such as ("openings",) or the names of two policies.
        numbers: the numbers of the keys in the stream (N,).
    """
    words = "\0".join((str(seed), game.spec, *purpose)).encode()
    stream = np.full(len(numbers), int.from_bytes(digest(words)[:8], "little"), np.uint64)
    keys = np.empty(len(numbers), np.uint64)
    game.kernel(derive_keys)(stream, np.ascontiguousarray(numbers, np.int64), keys)
    return keys
