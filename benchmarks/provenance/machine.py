"""What a measurement depends on besides the code: the versions of libraries, and the load of other processes."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import ludus


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """The versions of Python, of Ludus and of the libraries that are installed."""
    found = {"python": platform.python_version(), "ludus": ludus.__version__}
    for name in libraries:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


class Load:
    """The average number of processors that other processes have used since this object was made.

    A child process counts as this process once it has ended.
    """

    def __init__(self) -> None:
        self._began, self._busy, self._own = time.monotonic(), _busy_seconds(), _own_seconds()

    def others(self) -> float | None:
        """Processors used by others; None if the system does not report it."""
        busy, seconds = _busy_seconds(), time.monotonic() - self._began
        if busy is None or self._busy is None or seconds <= 0:
            return None
        return round(max(0.0, busy - self._busy - (_own_seconds() - self._own)) / seconds, 2)


def _busy_seconds() -> float | None:
    """Processor time of all processes of this machine; None without /proc/stat."""
    try:
        first = Path("/proc/stat").read_text().partition("\n")[0].split()
    except OSError:
        return None
    user, nice, system, _, _, interrupts, soft, stolen = map(int, first[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _own_seconds() -> float:
    """Processor time of this process and of its finished children."""
    return sum(os.times()[:4])
