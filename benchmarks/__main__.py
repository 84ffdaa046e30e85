"""The studies behind the figures of the pages.

python -m benchmarks                        # lists them: how old each is, and what it costs to make again
python -m benchmarks policies               # measures the missing cells of one, one by one
python -m benchmarks policies quarto --anew # measures the cells with this word in their names again
python -m benchmarks policies --show        # prints what pages show of it
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from datetime import date

from ludus.cli.terminal.output import print_table

from . import ROOT
from .common import readable
from .runner import Study, studies


def main(arguments: Sequence[str]) -> int:
    """Lists all studies, or runs the command of one; returns the exit status."""
    every = studies()
    if not arguments:
        columns = ["result", "cells", "measured", "days", "commits", "to make it again", "command"]
        print_table("results, the oldest first", columns, sorted((line(study) for study in every.values()), key=lambda row: row[2]))
        return 0
    name, *rest = arguments
    if name not in every:
        print(f"{__doc__}\nThere is no study {name}; there are {', '.join(every)}.", file=sys.stderr)
        return 2
    return every[name].run(rest)


def line(study: Study) -> list[str]:
    """A study's row: its cells, its oldest date, the days and commits since, and what it took."""
    cells, missing, sessions = len(study.cells()), len(study.missing()), study.sessions()
    if not sessions:
        return [study.name, f"0 of {cells}", "never", "", "", "unknown", study.command]
    since = min(session["date"] for session in sessions)
    days = (date.today() - date.fromisoformat(since)).days
    count = ["git", "-C", str(ROOT), "rev-list", "--count", f"--since={since}T23:59:59", "HEAD"]
    commits = subprocess.run(count, capture_output=True, text=True, check=False).stdout.strip()
    took = study.seconds()
    cost = "unknown" if took is None else readable(took)
    return [study.name, f"{cells - missing} of {cells}", since, str(days), commits, cost, study.command]


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
