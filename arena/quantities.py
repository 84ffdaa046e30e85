"""The numbers of a result, each declared once: its name, its heading, how it is written, and where the result has it.

    MOVES = Quantity("moves", "moves", count)
    VALUE_LOST = Quantity("value_lost", "lost", decimals(3))

From such a list follow the document for JSON (`numbers_of`), the columns of a frame (`columns_of`), and the heads and cells of a
table (`headings`, `cells_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isnan
from types import MethodType
from typing import Any, NamedTuple


class Quantity(NamedTuple):
    """A number of a result.

    Args:
        name: its name in documents and frames. That of an interval ends in `_interval`; in frames its bounds are two columns.
        heading: its heading in a table; empty for a number that stands in no table.
        text: writes it in a table, where it is known.
        path: where the result has it, as `vs_random.win_rate`; empty for the attribute of its name. A method is called.
        meaning: what it is, where a table explains its columns.
    """

    name: str
    heading: str = ""
    text: Callable[[Any], str] = str
    path: str = ""
    meaning: str = ""

    def value(self, result: Any) -> Any:
        """Its value in a result; None where a part of the result that would have it is None."""
        for name in (self.path or self.name).split("."):
            result = None if result is None else getattr(result, name)
            result = result() if isinstance(result, MethodType) else result
        return result

    def cell(self, result: Any) -> str:
        """Its cell in a table; empty where the number is not known, None or NaN."""
        value = self.value(result)
        return "" if value is None or (isinstance(value, float) and isnan(value)) else self.text(value)


def in_order(names: str, quantities: Iterable[Quantity] = ()) -> tuple[Quantity, ...]:
    """Quantities in the order of some names, with blanks between them; one that is not declared stands in no table."""
    declared = {quantity.name: quantity for quantity in quantities}
    return tuple(declared.get(name, Quantity(name)) for name in names.split())


def numbers_of(result: Any, quantities: Iterable[Quantity]) -> dict[str, Any]:
    """The numbers of a result by their names, as for JSON."""
    return {quantity.name: quantity.value(result) for quantity in quantities}


def columns_of(values: dict[str, Any]) -> dict[str, Any]:
    """Numbers by their names as columns of a frame: one for each bound of an interval, entry of a dict, or side of a match."""
    columns = dict[str, Any]()
    for name, value in values.items():
        if isinstance(value, dict):
            columns |= value
        elif name.endswith("_interval"):
            columns |= dict(zip((name.replace("_interval", "_low"), name.replace("_interval", "_high")), value, strict=True))
        elif isinstance(value, tuple):
            columns |= dict(zip((f"{name}_a", f"{name}_b"), value, strict=True))
        else:
            columns[name] = value
    return columns


def headings(quantities: Iterable[Quantity]) -> list[str]:
    """The heads of a table in which each column is a quantity."""
    return [quantity.heading for quantity in quantities if quantity.heading]


def cells_of(result: Any, quantities: Iterable[Quantity]) -> list[str]:
    """The cells of a result in such a table."""
    return [quantity.cell(result) for quantity in quantities if quantity.heading]


count = "{:,}".format
"""Writes a whole number, as 12,345."""


def decimals(digits: int) -> Callable[[float], str]:
    """What writes a number with this many decimals."""
    return f"{{:.{digits}f}}".format


def shares_in_percent(digits: int) -> Callable[[float], str]:
    """What writes a share in per cent, with this many decimals and without the sign."""
    return lambda share: f"{100 * share:.{digits}f}"


def bounds_in_percent(interval: tuple[float, float]) -> str:
    """An interval of a share in per cent, as 81.2–93.4."""
    low, high = interval
    return f"{100 * low:.1f}–{100 * high:.1f}"


share, mean = shares_in_percent(2), decimals(4)
"""Write the shares, in per cent, and the means of grades."""
