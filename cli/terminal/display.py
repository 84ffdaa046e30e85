"""What a command shows on stderr while it works: one display at a time, and below it the kernels that are being compiled."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, redirect_stdout

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.spinner import Spinner
from rich.text import Text

from ...core.progress import log
from .output import can_redraw

REFRESH = 0.5
"""Seconds between two updates of a table."""


@contextmanager
def display(shown: RenderableType, *, silent: bool = False) -> Generator[Live]:
    """Shows something on the terminal until the block ends; `update` of the yielded display shows something else.

    Args:
        shown: what to show, such as a progress bar.
        silent: show nothing. Where lines cannot be drawn again, as in the log of a batch job, a line now and then says how far
            the work is.
    """
    live = Live(shown, console=Console(stderr=True), transient=True)
    if not can_redraw():
        with _print_log():
            yield live
    elif silent:
        yield live
    else:
        with live:
            yield live


@contextmanager
def progress_bar(description: str, silent: bool) -> Generator[Callable[[int, int], object]]:
    """Shows a progress bar; yields a function to call with the amount that is done and the total."""
    progress = Progress(plain("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    bar = progress.add_task(description, total=None)
    with display(progress, silent=silent):
        yield lambda done, total: progress.update(bar, completed=done, total=total)


@contextmanager
def spinner(*, silent: bool = False) -> Generator[Callable[[str], object]]:
    """Shows a spinner; yields the function that sets the text beside it. What policies print meanwhile goes to stderr."""
    shown = Spinner("dots")
    with display(shown, silent=silent), redirect_stdout(sys.stderr):
        yield lambda text: shown.update(text=Text(text))


@contextmanager
def _print_log() -> Generator[None]:
    """Prints what is logged about the progress on stderr, with the time."""
    handler, level, propagates = logging.StreamHandler(sys.stderr), log.level, log.propagate
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%Y-%m-%d %H:%M:%S"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    log.propagate = False  # a logger above may print it once more
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
        log.propagate = propagates


def plain(template: str) -> TextColumn:
    """A column of a progress bar that shows names such as `[red]` or `:smile:` unchanged."""
    return TextColumn(template, markup=False)


def refresher(live: Live) -> Callable[[Callable[[], RenderableType]], None]:
    """Returns a function that updates a display, at most once in `REFRESH`, with what its argument returns."""
    last = 0.0

    def refresh(render: Callable[[], RenderableType]) -> None:
        nonlocal last
        if live.is_started and time.monotonic() - last > REFRESH:
            live.update(render())
            last = time.monotonic()

    return refresh
