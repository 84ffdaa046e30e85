"""`WatchList`: the stores and the runs of the command line, and their state while a page watches them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from ..core.files.writing import path_of
from ..core.numbers import short_repr
from . import runs, stores
from .thinkers import Thinkers

PAUSE = 1.0
"""Seconds between two checks of a file."""
SHARE = 4.0
"""A file is read again at the earliest after this multiple of the time that the last reading took."""
SECONDS = 60.0
"""How long reading a store or a run may take."""


class WatchList:
    """Stores and runs, by their names on the page.

    Args:
        paths: the files of stores, and the folders of runs, as given on the command line.

    Raises:
        ValueError: there is no such file or folder.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._paths = {name: path_of(name) for name in paths}
        for name, path in self._paths.items():
            if not path.exists():
                raise ValueError(f"{name} does not exist; name a store of a tournament, or the folder of a training run")
        self._known: dict[str, tuple[Any, dict[str, Any], float]] = {}
        self._locks: dict[str, asyncio.Lock] = {name: asyncio.Lock() for name in self._paths}

    def document(self) -> list[dict[str, str]]:
        """The names and kinds of the stores and runs, for the page."""
        return [{"name": name, "kind": "run" if path.is_dir() else "store"} for name, path in self._paths.items()]

    @property
    def first(self) -> str:
        """The address of the page that shows the first of them; empty if there is nothing to watch."""
        return next((f"watch#{urlencode({'name': name})}" for name in self._paths), "")

    def runs(self) -> dict[str, str]:
        """The specs of the runs' policies, by their names."""
        return {name: f"run:{name}" for name, path in self._paths.items() if path.is_dir()}

    def path(self, name: str) -> Path:
        """The file or the folder of a name.

        Raises:
            ValueError: it was not given on the command line.
        """
        if name not in self._paths:
            raise ValueError(
                f"{short_repr(name)} is not shown here; to see a store or a run, name it when starting: ludus web STORE"
            )
        return self._paths[name]

    async def follow(self, name: str, thinkers: Thinkers) -> AsyncGenerator[dict[str, Any]]:
        """The state of a store or a run, now and after each change.

        Yields:
            The result of `stores.standing_of` or `runs.progress_of`; or `problem`, a sentence, if it cannot be read.

        Raises:
            ValueError: it was not given on the command line.
        """
        path, seen = self.path(name), None
        while True:
            pause = PAUSE
            try:
                now = await asyncio.to_thread(runs.change_of if path.is_dir() else stores.counts_of, path)
                if now != seen:
                    document, seconds = await self._read_standing(name, now, thinkers)
                    yield document
                    seen, pause = now, max(PAUSE, SHARE * seconds)
            except (ValueError, OSError) as error:
                if seen != (problem := str(error)):
                    yield {"problem": problem}
                seen = problem
            await asyncio.sleep(pause)

    async def _read_standing(self, name: str, now: Any, thinkers: Thinkers) -> tuple[dict[str, Any], float]:
        """The state of a store or a run, which is read once for all pages, and the seconds that it took to read."""
        path = self._paths[name]
        async with self._locks[name]:
            before, document, seconds = self._known.get(name, (None, {}, 0.0))
            if before != now:
                if isinstance(now, stores.Counts):
                    newest = now.newest(before if isinstance(before, stores.Counts) else None)
                    document, seconds = await thinkers.ask(SECONDS, call_and_time, stores.standing_of, path, newest)
                else:
                    document, seconds = await thinkers.ask(SECONDS, call_and_time, runs.progress_of, path)
                self._known[name] = now, document, seconds
        return document, seconds


def call_and_time(function: Callable[..., dict[str, Any]], *arguments: Any) -> tuple[dict[str, Any], float]:
    """Calls a function, and returns its result and the seconds that it took."""
    begin = monotonic()
    return function(*arguments), monotonic() - begin
