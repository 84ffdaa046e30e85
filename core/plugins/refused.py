"""A spec in a file that may not be used here: it can be shown and passed on, but nothing can be made of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn


class RefusedSpecError(ValueError):
    """Something was to be made of a spec that is `Refused`."""


@dataclass(frozen=True, repr=False)
class Refused:
    """A spec in a file of which nothing may be made here, and why.

    Args:
        text: the spec.
        why: the sentence that says so.
    """

    text: str
    why: str = field(compare=False)

    def refuse(self) -> NoReturn:
        """Raises the error that says why nothing is made of it.

        Raises:
            RefusedSpecError: always.
        """
        raise RefusedSpecError(self.why)

    def __repr__(self) -> str:
        return f"<{self.text!r}, refused>"
