"""Says on stderr which kernels are compiled: in one line per game, once compiling has taken a while."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic

from ...core.announcing import Compilation, listen

LONG = 1.0
"""Seconds of compiling after which it is mentioned."""


@contextmanager
def show_compiling(silent: bool) -> Generator[None]:
    """Says what this process and its workers compile, unless `silent`."""
    if silent:
        yield
    else:
        with listen(_Log().on_compilation):
            yield


class _Log:
    """Prints one line for each game whose kernels are compiled."""

    def __init__(self) -> None:
        self._starts: dict[tuple[str, str], float] = {}
        self._seconds = 0.0
        self._logged: set[str] = set()

    def on_compilation(self, event: Compilation) -> None:
        now = monotonic()
        if event.over:
            self._seconds += now - self._starts.pop((event.game, event.kernel), now)
            return
        self._starts[event.game, event.kernel] = now
        if self._seconds >= LONG and event.game not in self._logged:
            self._logged.add(event.game)
            games = "all games" if event.game == "any" else event.game
            print(f"ludus: compiling kernels for {games}; they are cached for the next time", file=sys.stderr, flush=True)
