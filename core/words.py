"""Numbers as text, for tables and pages."""

from __future__ import annotations

from .numbers import duration, several

__all__ = ["MINUS", "bounds", "count", "duration", "percent", "several", "with_sign"]
MINUS = "\N{MINUS SIGN}"


def count(number: int) -> str:
    """A whole number, as 12,345."""
    return f"{number:,}"


def percent(part: float) -> str:
    """A part of 1 in per cent, as 97.5 %."""
    return f"{100 * part:.1f} %"


def bounds(interval: tuple[float, float]) -> str:
    """Two parts of 1 in per cent, as 90.1 % … 97.5 %."""
    return " … ".join(map(percent, interval))


def with_sign(number: float) -> str:
    """A number, rounded to a whole one, with its sign, as +120."""
    return f"{round(number):+,}".replace("-", MINUS) if round(number) else "0"
