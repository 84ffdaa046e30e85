"""Keys: 64-bit numbers that stand for a source of randomness, each derived from another by counting.

A seed gives a board its key, the board's key and the count of games give each game its key, and the
game's key and the ply give the key with which a policy chooses there. So what happens on a board
depends on its seed alone, never on how many boards, threads or workers there are.

Source of `mix`: the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
number generators, OOPSLA 2014).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .arrays import Keys, Numbers
from .bits import number, u64

GOLDEN = u64(0x9E3779B97F4A7C15)
FIRST, SECOND = u64(0xBF58476D1CE4E5B9), u64(0x94D049BB133111EB)
SEAT_STREAM, SAMPLE_STREAM, OPENING_STREAM = u64(0x5345415453454154), u64(0x53414D504C455321), u64(0x4F50454E494E4721)


def mix(bits: np.uint64) -> np.uint64:
    """64 bits, scrambled: no two inputs give the same output."""
    bits = (bits ^ (bits >> u64(30))) * FIRST
    bits = (bits ^ (bits >> u64(27))) * SECOND
    return bits ^ (bits >> u64(31))


def derive(key: np.uint64, index: int) -> np.uint64:
    """The index-th key under a key."""
    return mix(key + GOLDEN * (u64(index) + u64(1)))


def below(key: np.uint64, bound: int) -> int:
    """A number from 0 to bound - 1, uniform up to a part in 2³² / bound."""
    return number(((key >> u64(32)) * u64(bound)) >> u64(32))


def uniform(key: np.uint64) -> float:
    """A number from 0 on, below 1."""
    return float(number(key >> u64(11))) * 2.0**-53


def uniforms(keys: NDArray[np.uint64]) -> NDArray[np.float64]:
    """A number from 0 on, below 1, for each key of an array in Python."""
    return (keys >> np.uint64(11)).astype(np.float64) * 2.0**-53


def derive_keys(keys: Keys, indices: Numbers, derived: Keys) -> None:
    """Writes for each row what `derive` gives."""
    for i in range(keys.shape[0]):
        derived[i] = derive(keys[i], indices[i])
