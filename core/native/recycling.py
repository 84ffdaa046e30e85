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


class Recycled(Generic[T]):
    """Hands out what `make` makes, again and again, each only while nobody else holds a part of it.

    Args:
        make: makes a set, and lists every array in it, owners of memory and views alike. Slices that callers cut count
            as held by the array that owns their memory.
    """

    def __init__(self, make: Callable[[], tuple[T, list[NDArray[np.generic]]]]) -> None:
        self._make = make
        self._sets = list[tuple[T, list[NDArray[np.generic]], list[int]]]()
        """Each with its arrays, and how often each array is referred to while nobody else holds it."""

    def take(self) -> T:
        """A set that nobody holds."""
        for content, arrays, idle in self._sets:
            if _reference_counts(arrays) == idle:
                return content
        content, arrays = self._make()
        if len(self._sets) < MOST:
            self._sets.append((content, arrays, _reference_counts(arrays)))
        return content


def _reference_counts(arrays: list[NDArray[np.generic]]) -> list[int]:
    return list(map(sys.getrefcount, arrays))
