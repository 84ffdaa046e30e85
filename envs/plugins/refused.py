"""A spec in a file that may not be used here: it can be shown and passed on, but nothing can be made of it."""

from __future__ import annotations

from typing import NoReturn


class RefusedSpecError(ValueError):
    """Something was to be made of a spec that is `Refused`."""


class Refused:
    """A spec in a file of which nothing may be made here, and why.

    Args:
        text: the spec.
        why: the sentence that says so.
    """

    __slots__ = ("text", "why")

    def __init__(self, text: str, why: str) -> None:
        self.text, self.why = text, why

    def refuse(self) -> NoReturn:
        """Says why nothing is made of it.

        Raises:
            RefusedSpecError: always.
        """
        raise RefusedSpecError(self.why)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refused) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"<{self.text!r}, refused>"
