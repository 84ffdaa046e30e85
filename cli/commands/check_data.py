"""`ludus check-data PATH`: checks games, positions and tables that were written. The exit status is 1 if something is wrong."""

from __future__ import annotations

import argparse

from ...data import check_data
from ..terminal.display import progress_bar
from ..terminal.options import pathname, whole
from ..terminal.output import print_result


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("path", action=pathname(), help="folder or file of games, positions as arrays, or a table")
    parser.add_argument(
        "--sample", action=whole(1), default=1000, metavar="N", help="positions that the oracle looks at (default: 1000)"
    )


def run(chosen: argparse.Namespace) -> int:
    """Checks, and prints what is wrong; returns 1 if something is."""
    with progress_bar(f"{chosen.path}: checking", chosen.json) as progress:
        problems = check_data(chosen.path, sample=chosen.sample, seed=chosen.seed, progress=progress)
    text = "\n".join(problems) or f"{chosen.path} is what its card, the rules and the oracle say"
    print_result(chosen.json, {"ok": not problems, "problems": [*problems]}, text)
    return 1 if problems else 0
