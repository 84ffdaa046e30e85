"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], align: str = "lr") -> str:
    """A table in Markdown.

    Args:
        heads: the titles of the columns.
        rows: the cells.
        align: l (left, for words) or r (right, for numbers) for each column; the last letter applies to all further columns.
    """
    rule = "|" + "".join("---|" if side == "l" else "---:|" for side in align.ljust(len(heads), align[-1]))
    first, *rest = ("|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|" for cells in (heads, *rows))
    return "\n".join([first, rule, *rest])
