"""How numbers are written in the tables of grades."""

from __future__ import annotations


def percent(part: float | None, whole: float = 1) -> str:
    """A part in per cent of the whole; empty if it is not known."""
    return "" if part is None or not whole else f"{100 * part / whole:.2f}"


def mean(total: float | None, count: float = 1, digits: int = 4) -> str:
    """A total divided by a count; empty if it is not known."""
    return "" if total is None or not count else f"{total / count:.{digits}f}"
