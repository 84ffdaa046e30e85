"""The page without a server as it was built: a release holds it, and in a clone `make page` writes it."""

from __future__ import annotations

from pathlib import Path

BUILT = Path(__file__).with_name("ludus.html")
"""Where it lies; it is not in the repository."""


def read_built() -> bytes:
    """The page.

    Raises:
        ValueError: it has not been built here.
    """
    if not BUILT.exists():
        raise ValueError(
            "the page is not built yet in this clone of Ludus; build it with `make page`, which needs the extra `page`"
        )
    return BUILT.read_bytes()
