"""How far a long computation is, in logs: a line now and then, such as a batch job leaves in its file.

Lines have the level INFO and go to the logger `ludus.progress`. `ludus` shows them where stderr is no terminal; a script does so
with `logging.basicConfig(level=logging.INFO)`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TypeAlias

from .numbers import duration

Progress: TypeAlias = Callable[[int, int], object]
"""What is called now and then with how much is done, and how much there is to do."""
PAUSE, SHARE = 30.0, 0.02
"""Between two lines there are at least this many seconds, and this share of the time so far, half an hour after a day."""
log = logging.getLogger("ludus").getChild("progress")


class ProgressLog:
    """Logs now and then how far a computation is.

    Args:
        what: what is computed, which each line begins with.
        unit: what is counted, as "games".
        begun: how much was done before.
    """

    def __init__(self, what: str, unit: str = "", begun: int = 0) -> None:
        self._what, self._unit, self._begun = what, unit, begun
        self._start = self._last = time.monotonic()

    def count(self, done: int, total: int, more: str = "") -> None:
        """Logs how much is done and how long the rest will take, if a line is due.

        Args:
            done: how much is done.
            total: how much there is to do.
            more: what else is known, at the end of the line.
        """
        if self._is_due():
            seconds, fresh = time.monotonic() - self._start, done - self._begun
            left = f", {duration(seconds * (total - done) / fresh)} left" if fresh > 0 and done < total else ""
            self._write(" ".join(filter(None, [f"{done:,} of {total:,}", self._unit])) + left + (f"; {more}" if more else ""))

    def line(self, text: str) -> None:
        """Logs a line about the progress, if one is due."""
        if self._is_due():
            self._write(text)

    def beside(self, progress: Callable[[str], object]) -> Callable[[str], None]:
        """A function that passes a line about the progress on to another, and logs it, if one is due."""

        def report(text: str) -> None:
            progress(text)
            self.line(text)

        return report

    def counting(self, progress: Progress) -> Progress:
        """A function that passes how much is done, and the total, on to another, and logs it, if a line is due."""

        def count(done: int, total: int) -> None:
            progress(done, total)
            self.count(done, total)

        return count

    def _is_due(self) -> bool:
        now = time.monotonic()
        return now - self._last >= max(PAUSE, SHARE * (now - self._start)) and log.isEnabledFor(logging.INFO)

    def _write(self, text: str) -> None:
        self._last = time.monotonic()
        log.info("%s: %s", self._what, text)
