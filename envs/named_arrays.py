"""Arrays by name: the weights of a network, or the state of a trainer or of a pool of opponents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
"""Arrays by name, as checkpoints hold them."""


def under(start: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    """The arrays whose names begin with `start`, by the rest of their names."""
    return {name.removeprefix(start): array for name, array in arrays.items() if name.startswith(start)}
