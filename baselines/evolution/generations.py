"""`Generations`: what trainers that work in generations share, whatever they breed."""

from __future__ import annotations

import random
from collections.abc import Generator
from contextlib import contextmanager
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...arena.matches.openings import stream_keys
from ..runs.trainer import Settings, Trainer

S = TypeVar("S", bound=Settings)


class Generations(Trainer[S]):
    """A trainer whose parts are generations, as many as its setting of this name, each with its own random numbers."""

    unit: ClassVar[str] = "generations"

    def keys(self, purpose: str, count: int) -> NDArray[np.uint64]:
        """Random keys of this generation for a purpose (count,)."""
        return stream_keys(self.game, self.seed, ("generation", str(self._done), purpose), np.arange(count))

    def key(self, purpose: str) -> int:
        """One random key of this generation for a purpose."""
        return int(self.keys(purpose, 1)[0])


@contextmanager
def seed_global_random(key: int) -> Generator[None]:
    """Seeds Python's global generator for a block, for libraries that draw from it, and restores its state afterwards."""
    before = random.getstate()
    random.seed(key)
    try:
        yield
    finally:
        random.setstate(before)
