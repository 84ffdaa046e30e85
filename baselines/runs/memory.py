"""Raises MemoryError where torch runs out of memory: its allocators raise RuntimeError."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

ALLOCATORS_SAY = "can't allocate memory", "out of memory"  # on processors, and on GPUs


@contextmanager
def memory_told() -> Generator[None]:
    """Around work that a network does.

    Raises:
        MemoryError: torch ran out of memory.
    """
    try:
        yield
    except RuntimeError as error:
        if not any(words in str(error) for words in ALLOCATORS_SAY):
            raise
        told = "there is no room for the network's work; choose fewer channels or smaller layers, a smaller batch or fewer boards"
        raise MemoryError(told) from error
