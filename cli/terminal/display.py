"""What a command shows on the terminal while it works, on stderr: one display at a time, and below it what is being compiled."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from ...envs.native import Compilation


@contextmanager
def display(shown: RenderableType, *, silent: bool = False) -> Generator[Live]:
    """Shows something that may change, as long as this lasts; `update` of what this gives shows something else.

    Args:
        shown: what to show, such as bars of progress.
        silent: show nothing, as where stderr is no terminal.
    """
    live = _Display(shown, console=Console(stderr=True), transient=True)
    if silent or not live.console.is_terminal:
        yield live
        return
    _displays.append(live)
    try:
        with live:
            yield live
    finally:
        _displays.remove(live)


class CompilingLine:
    """The kernels that are being compiled, in a line that goes away: below the display, or alone where there is none."""

    def __init__(self) -> None:
        self._alone: Live | None = None
        self._lock = threading.Lock()  # threads and worker processes compile at the same time

    def hear(self, news: Compilation) -> None:
        """Takes in that a compilation begins, or that it is over."""
        with self._lock:
            if not news.over:
                _compiling.append(news)
            elif (begun := news._replace(over=False)) in _compiling:
                _compiling.remove(begun)
            self._show()

    def close(self) -> None:
        """Takes the line away."""
        with self._lock:
            _compiling.clear()
            self._show()

    def _show(self) -> None:
        if _compiling and not _displays and self._alone is None:
            self._alone = Live(_line, console=Console(stderr=True), transient=True)
            self._alone.start(refresh=True)
        elif not _compiling and self._alone is not None:
            self._alone.stop()
            self._alone = None


class _Line:
    def __rich__(self) -> RenderableType:
        names = dict.fromkeys(f"{news.game}: {news.kernel}" for news in _compiling)  # several workers may need the same one
        return Text(f"compiling {', '.join(names)}", no_wrap=True, overflow="ellipsis") if names else Group()


class _Display(Live):
    def get_renderable(self) -> RenderableType:
        return Group(super().get_renderable(), _line)


_line = _Line()
_compiling = list[Compilation]()
_displays = list[Live]()
