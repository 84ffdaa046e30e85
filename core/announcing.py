"""Reports what is being compiled: listeners are called when a compilation begins and when it ends."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import NamedTuple


class Compilation(NamedTuple):
    """One kernel that is being compiled, or that another process compiles while this one waits for it.

    Args:
        game: the game it is for; "any" where it serves all games.
        kernel: its name.
        over: whether it has ended, well or not; else it has just begun.
    """

    game: str
    kernel: str
    over: bool


Listener = Callable[[Compilation], object]
_listeners = list[Listener]()


@contextmanager
def listen(listener: Listener) -> Generator[None]:
    """Calls a listener whenever a compilation begins or ends, in the thread that compiles."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def announce(news: Compilation) -> None:
    """Calls all listeners; also used for what a worker process has reported."""
    for listener in tuple(_listeners):
        listener(news)


@contextmanager
def announce_compilation(game: str, kernel: str) -> Generator[None]:
    """Announces that a compilation begins and that it has ended, well or not."""
    announce(Compilation(game, kernel, over=False))
    try:
        yield
    finally:
        announce(Compilation(game, kernel, over=True))
