"""The machine that measures: what it is, which versions it runs, and how much else it had to do meanwhile."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def machine() -> str:
    """The processors of this machine, in a few words."""
    return " ".join([f"{os.cpu_count()} cores {platform.machine()}", *filter(None, [_model()])])


def versions(libraries: Iterable[str]) -> dict[str, str]:
    """The versions of Python and of the libraries that are installed."""
    found = {"python": platform.python_version()}
    for name in libraries:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


class Load:
    """How many processors other processes kept busy since this was made, on average.

    A process that this one has started counts as its own once it has ended.
    """

    def __init__(self) -> None:
        self._began, self._busy, self._own = time.monotonic(), _busy_seconds(), _own_seconds()

    def others(self) -> float | None:
        """Processors in use by others; None where the system does not say."""
        busy, seconds = _busy_seconds(), time.monotonic() - self._began
        if busy is None or self._busy is None or seconds <= 0:
            return None
        return round(max(0.0, busy - self._busy - (_own_seconds() - self._own)) / seconds, 2)


def _busy_seconds() -> float | None:
    """Processor time that everything on this machine has taken; None where there is no /proc/stat."""
    try:
        first = Path("/proc/stat").read_text().partition("\n")[0].split()
    except OSError:
        return None
    user, nice, system, _, _, interrupts, soft, stolen = map(int, first[1:9])
    return (user + nice + system + interrupts + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _own_seconds() -> float:
    """Processor time of this process and of those of its children that have ended."""
    return sum(os.times()[:4])


def _model() -> str:
    """The processor's name; empty where the system does not say."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
