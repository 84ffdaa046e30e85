"""Libraries that draw from Python's global generator, made to draw by a key."""

from __future__ import annotations

import random
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def drawn_from(key: int) -> Generator[None]:
    """Has Python's global generator begin from a key meanwhile, and puts it back as it was."""
    before = random.getstate()
    random.seed(key)
    try:
        yield
    finally:
        random.setstate(before)
