"""The page without a server: everything that plays and analyses the games, in one file.

The modules of web/page are the same as on `ludus web`. Here a Web Worker answers their requests: desk.js, with the kernels of
web/kernels. building.py makes what the worker loads.
"""

from __future__ import annotations

from pathlib import Path

BUILT = Path(__file__).with_name("ludus.html")
"""Where the page lies once it is built: a release holds it, and in a clone `make page` writes it."""


def read_built() -> bytes:
    """The page as it was built.

    Raises:
        ValueError: it has not been built here.
    """
    if not BUILT.exists():
        raise ValueError(
            "the page is not built yet in this clone of Ludus; build it with `make page`, which needs the extra `page`"
        )
    return BUILT.read_bytes()
