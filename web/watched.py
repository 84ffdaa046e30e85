"""`Watched`: the stores and the runs that the command line named, and what becomes of them while a page looks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from ..core.files.writing import path_of
from . import runs, stores
from .requests import Games, Replay
from .thinkers import Thinkers

PAUSE = 1.0
"""Seconds between two looks at a file."""
SHARE = 4.0
"""After a result that took long to read, so many times as long passes before it is read again."""
SECONDS = 60.0
"""How long reading a store or a run may take."""


class Watched:
    """Stores and runs, by the names under which the page asks for them.

    Args:
        paths: the files of stores, and the folders of runs, as the command line named them.

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
        """What there is to watch, for the page."""
        return [{"name": name, "kind": "run" if path.is_dir() else "store"} for name, path in self._paths.items()]

    @property
    def first(self) -> str:
        """The address of the page that shows the first of them; empty where there is nothing to watch."""
        return next((f"watch#{urlencode({'name': name})}" for name in self._paths), "")

    def runs(self) -> dict[str, str]:
        """The specs of the runs' policies, by their names."""
        return {name: f"run:{name}" for name, path in self._paths.items() if path.is_dir()}

    def path(self, name: str) -> Path:
        """The file or the folder of a name.

        Raises:
            ValueError: the command line did not name it.
        """
        if name not in self._paths:
            raise ValueError(f"{name!r} is not shown here; to see a store or a run, name it when starting: ludus web STORE")
        return self._paths[name]

    async def games(self, wanted: Games, thinkers: Thinkers) -> dict[str, Any]:
        """Some games of a store.

        Raises:
            ValueError: there is no such store, or it is damaged.
            OSError: it cannot be read.
        """
        return await thinkers.ask(SECONDS, stores.games_of, self.path(wanted.store), wanted)

    async def replay(self, wanted: Replay, thinkers: Thinkers) -> dict[str, Any]:
        """A game of a store, to step through; raises as `games`."""
        return await thinkers.ask(SECONDS, stores.replay_of, self.path(wanted.store), wanted.pairing, wanted.number)

    async def follow(self, name: str, thinkers: Thinkers) -> AsyncGenerator[dict[str, Any]]:
        """How a store or a run stands, now and whenever that has changed.

        Yields:
            What stores.py or runs.py says; or `problem`, a sentence, where it cannot be read.

        Raises:
            ValueError: the command line did not name it.
        """
        path, seen = self.path(name), None
        while True:
            pause = PAUSE
            try:
                now = await asyncio.to_thread(runs.change_of if path.is_dir() else stores.counts_of, path)
                if now != seen:
                    found, seconds = await self._standing(name, now, thinkers)
                    yield found
                    seen, pause = now, max(PAUSE, SHARE * seconds)
            except (ValueError, OSError) as error:
                if seen != (problem := str(error)):
                    yield {"problem": problem}
                seen = problem
            await asyncio.sleep(pause)

    async def _standing(self, name: str, now: Any, thinkers: Thinkers) -> tuple[dict[str, Any], float]:
        """How it stands, read once for all pages, and how many seconds that took."""
        path = self._paths[name]
        async with self._locks[name]:
            before, found, seconds = self._known.get(name, (None, {}, 0.0))
            if before != now:
                if isinstance(now, stores.Counts):
                    newest = now.newest(before if isinstance(before, stores.Counts) else None)
                    found, seconds = await thinkers.ask(SECONDS, timed, stores.standing_of, path, newest)
                else:
                    found, seconds = await thinkers.ask(SECONDS, timed, runs.progress_of, path)
                self._known[name] = now, found, seconds
        return found, seconds


def timed(function: Callable[..., dict[str, Any]], *arguments: Any) -> tuple[dict[str, Any], float]:
    """What a function returns, and how many seconds it took."""
    begin = monotonic()
    return function(*arguments), monotonic() - begin
