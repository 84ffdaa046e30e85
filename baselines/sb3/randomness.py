"""Seeds the global generators of torch and numpy for a block, since Stable-Baselines3 draws from them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import numpy as np
import torch


@contextmanager
def drawn_from(key: int) -> Generator[None]:
    """Seeds the global generators of torch and numpy with a key, and restores them afterwards."""
    before = np.random.get_state()  # noqa: NPY002
    with torch.random.fork_rng():
        torch.manual_seed(key % 2**63)
        np.random.seed(key % 2**32)  # noqa: NPY002
        try:
            yield
        finally:
            np.random.set_state(before)  # noqa: NPY002
