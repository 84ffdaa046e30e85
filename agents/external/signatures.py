"""Which arguments a function takes, by the names of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


def takes_states(function: Any) -> bool:
    """Whether it is a function of `states` and `keys`, so named."""
    return [p.name for p in by_place(function)[:2]] == ["states", "keys"]


def takes_mask(function: Callable[..., Any]) -> bool:
    """Whether a function of observations takes masks too: it needs two arguments, or has one that is named after masks."""
    return len(needed(function)) != 1 or any("mask" in p.name for p in by_place(function))


def needed(function: Any) -> list[str]:
    """The names of the parameters that must be given; none where that cannot be known."""
    return [p.name for p in by_place(function) if p.default is p.empty]


def by_place(function: Any) -> list[inspect.Parameter]:
    """The parameters that can be given without their names; none where that cannot be known."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [p for p in found if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
