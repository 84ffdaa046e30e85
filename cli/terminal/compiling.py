"""What a command compiles while its user waits, said on stderr: on a terminal in a line that goes away, else in a line a game."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic

from ...envs.native import Compilation, listening

LONG = 1.0
"""Seconds of compiling in all from which on a log is to know of it."""


@contextmanager
def compiling_said(silent: bool) -> Generator[None]:
    """Says what is compiled meanwhile, in this process and in its workers.

    Args:
        silent: say nothing.
    """
    if silent:
        yield
    elif sys.stderr.isatty():
        from .display import CompilingLine  # which needs rich

        line = CompilingLine()
        try:
            with listening(line.hear):
                yield
        finally:
            line.close()
    else:
        with listening(_Log().hear):
            yield


class _Log:
    """A line for each game whose kernels are compiled, once that has taken a while."""

    def __init__(self) -> None:
        self._began: dict[tuple[str, str], float] = {}
        self._seconds = 0.0
        self._said: set[str] = set()

    def hear(self, news: Compilation) -> None:
        now = monotonic()
        if news.over:
            self._seconds += now - self._began.pop((news.game, news.kernel), now)
            return
        self._began[news.game, news.kernel] = now
        if self._seconds >= LONG and news.game not in self._said:
            self._said.add(news.game)
            what = "all games" if news.game == "any" else news.game
            print(f"ludus: compiling kernels for {what}, which are kept for later", file=sys.stderr, flush=True)
