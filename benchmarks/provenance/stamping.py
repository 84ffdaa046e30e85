"""Brings results up to date without measuring them again, where a short rerun finds what was found before."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from enum import Enum
from math import isclose, isnan
from typing import Any

from .study import Study

ROUNDING = 1e-9
"""By how much sums may differ that were added in another order."""


class Verdict(Enum):
    """What a short rerun says of a part."""

    EQUAL = "equal"
    DIFFERENT = "different"
    IMPOSSIBLE = "no short rerun is possible"
    FAILED = "failed"


REASONS = {
    Verdict.DIFFERENT: "Their short reruns differ:",
    Verdict.IMPOSSIBLE: "No short rerun is possible here:",
    Verdict.FAILED: "Their short reruns failed:",
}


def stamp(studies: Iterable[Study]) -> int:
    """Reruns a little of each part whose sources have changed, and marks those that agree as up to date.

    Each is marked at once, so an interrupted call loses one part. Ends with a summary: what is up to date again, and the commands
    that measure the rest.

    Returns:
        The exit status: 0 if all these parts are up to date again.
    """
    found = dict[Verdict, Counter[str]]()
    for study in studies:
        names = study.outdated()
        for number, name in enumerate(names, 1):
            print(f"{study.name} ({number} of {len(names)}): {name}: ", end="", flush=True)
            began = time.monotonic()
            verdict, detail = judged(study, name)
            print(f"{verdict.value}{detail} ({time.monotonic() - began:.0f} s)", flush=True)
            found.setdefault(verdict, Counter())[study.command] += 1
    return summary(found)


def judged(study: Study, name: str) -> tuple[Verdict, str]:
    """The verdict on a part, which is marked as up to date if it agrees; and what is to be said besides."""
    part = study.parts(study.defaults)[name]
    sources = study.fingerprint(part)  # before the rerun: a change meanwhile makes the part outdated again
    try:
        pair = study.compared(name)
    except (Exception, SystemExit) as error:  # a missing library or run must not stop the other parts
        return Verdict.FAILED, f": {type(error).__name__}: {error}"
    if pair is None:
        return Verdict.IMPOSSIBLE, ""
    if not agree(*pair, part.within):
        return Verdict.DIFFERENT, ": {} was found, now {}".format(*pair)
    study.stamp(name, sources)
    return Verdict.EQUAL, f", times within {part.within:.0%}" if part.within else ""


def agree(was: Any, now: Any, within: float) -> bool:
    """Whether two values of JSON are equal, floating-point numbers up to a share of the larger one, or to rounding."""
    if isinstance(was, float) and isinstance(now, float):
        return isclose(was, now, rel_tol=max(within, ROUNDING), abs_tol=ROUNDING) or (isnan(was) and isnan(now))
    if isinstance(was, list) and isinstance(now, list):
        return len(was) == len(now) and all(agree(*pair, within) for pair in zip(was, now, strict=True))
    if isinstance(was, dict) and isinstance(now, dict):
        return was.keys() == now.keys() and all(agree(was[key], now[key], within) for key in was)
    return was == now


def summary(found: dict[Verdict, Counter[str]]) -> int:
    """Prints how many parts are up to date again, and the commands that measure the others; returns the exit status."""
    print(f"\n{counted(found.pop(Verdict.EQUAL, Counter()).total())} up to date again.")
    for verdict, commands in found.items():
        print(f"{REASONS[verdict]} measure again with")
        for command, count in commands.items():
            print(f"    {command:60} # {counted(count)}")
    return 1 if found else 0


def counted(count: int) -> str:
    """How many parts."""
    return f"{count} part{'s' if count != 1 else ''}"
