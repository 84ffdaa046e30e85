"""Memory that runs out, told as Python tells it: torch raises a RuntimeError of its allocator's words."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import torch


@contextmanager
def memory_told() -> Generator[None]:
    """Around work of torch.

    Raises:
        MemoryError: there was no room for it.
    """
    try:
        yield
    except RuntimeError as error:
        if not isinstance(error, torch.OutOfMemoryError) and "can't allocate memory" not in str(error):
            raise
        told = "there is no room for the network's work; choose fewer channels, a smaller batch or fewer boards a group"
        raise MemoryError(told) from error
