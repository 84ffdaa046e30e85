"""Numbers as text, for a page."""

from __future__ import annotations

from ...core.numbers import several

__all__ = ["MINUS", "count", "duration", "percent", "several", "with_sign"]
MINUS = "\N{MINUS SIGN}"


def count(number: int) -> str:
    """A whole number, as 12,345."""
    return f"{number:,}"


def percent(part: float) -> str:
    """A part of 1 in per cent, as 97.5 %."""
    return f"{100 * part:.1f} %"


def with_sign(number: float) -> str:
    """A number, rounded to a whole one, with its sign, as +120."""
    return f"{round(number):+,}".replace("-", MINUS) if round(number) else "0"


def duration(seconds: float) -> str:
    """A time with a unit that fits, as 12 µs, 3.4 ms, 8 min."""
    for unit, size in (("h", 3600), ("min", 60), ("s", 1), ("ms", 1e-3)):
        if seconds >= size * (2 if unit in ("h", "min") else 1):
            return f"{_short(seconds / size)} {unit}"
    return f"{_short(seconds * 1e6)} µs"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 9.95 else f"{number:.1f}".removesuffix(".0")
