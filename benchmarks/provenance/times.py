"""What studies of times share: short reruns are compared within a tolerance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .study import Part

TOLERANCE = 0.25
"""How far apart times and speeds may be, as a share of the larger."""


def of_times(
    measure: Callable[[], Any], short: Callable[[], Any], speeds: Callable[[Any], Any], sources: tuple[str, ...] = ()
) -> Part:
    """A part of times, whose short rerun must find the same within `TOLERANCE`.

    Args:
        measure: returns the value.
        short: returns such a value in less time.
        speeds: the floating-point numbers of a value that are compared.
        sources: what the part depends on, if not on the sources of the study.
    """
    return Part(measure, lambda stored: (speeds(stored), speeds(short())), sources, TOLERANCE)


def without_seconds(found: Any) -> Any:
    """A value without the times in it, for a comparison of all that a seed determines."""
    if not isinstance(found, Mapping):
        return found
    return {name: without_seconds(one) for name, one in found.items() if "seconds" not in name}


def medians(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The medians of the rows of `ludus bench`, by what they measure."""
    return {row["what"]: float(row["median"]) for row in rows}
