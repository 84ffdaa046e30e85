"""Seeds Python's global generator for a block, for libraries that draw from it."""

from __future__ import annotations

import random
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def drawn_from(key: int) -> Generator[None]:
    """Seeds Python's global generator with a key, and restores it afterwards."""
    before = random.getstate()
    random.seed(key)
    try:
        yield
    finally:
        random.setstate(before)
