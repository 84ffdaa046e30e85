"""Arrays that callers may treat as new, without asking the system for memory each time.

A large array costs more to map into memory than to fill. So a set of arrays is handed out again as soon as nobody
holds it, or a view of it, any more; who keeps an observation keeps it unchanged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
MOST = 4  # sets kept; a caller who keeps more gets arrays that are really new


class _Lent(Generic[T]):
    """A set, every array in it, and how often each is referred to while nobody else holds it."""

    def __init__(self, content: T, arrays: list[NDArray[np.generic]]) -> None:
        self.content, self.arrays = content, arrays
        self.idle: list[int] = []

    def reference_counts(self) -> list[int]:
        """How often each array is referred to now."""
        return list(map(sys.getrefcount, self.arrays))


class Recycled(Generic[T]):
    """Hands out what `make` makes, again and again, each only while nobody else holds a part of it.

    Args:
        make: makes a set, and lists every array in it, owners of memory and views alike. Slices that callers cut count
            as held by the array that owns their memory.
    """

    def __init__(self, make: Callable[[], tuple[T, list[NDArray[np.generic]]]]) -> None:
        self._make = make
        self._lent: list[_Lent[T]] = []

    def take(self) -> T:
        """A set that nobody holds."""
        for lent in self._lent:
            if lent.reference_counts() == lent.idle:
                return lent.content
        new = _Lent(*self._make())
        new.idle = new.reference_counts()
        if len(self._lent) < MOST:
            self._lent.append(new)
        return new.content
