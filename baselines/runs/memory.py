"""Memory that runs out, told as Python tells it: torch raises a RuntimeError in its allocators' words."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

ALLOCATORS_SAY = "can't allocate memory", "out of memory"  # on processors, and on GPUs


@contextmanager
def memory_told() -> Generator[None]:
    """Around work that a network does.

    Raises:
        MemoryError: there was no room for it.
    """
    try:
        yield
    except RuntimeError as error:
        if not any(words in str(error) for words in ALLOCATORS_SAY):
            raise
        told = "there is no room for the network's work; choose fewer channels or smaller layers, a smaller batch or fewer boards"
        raise MemoryError(told) from error
