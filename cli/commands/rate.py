"""`ludus rate FILE`: rates players by results that any program wrote."""

from __future__ import annotations

import argparse

from ...arena import rate
from ...core.files.writing import path_of
from ...core.numbers import short_repr
from ..terminal.options import whole
from ..terminal.output import show


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("file", nargs="+", type=path_of, help="results: CSV with a header, as first,second,result; or PGN of any game")
    add("--anchor", action="append", default=[], metavar="NAME=ELO", help="rating that a player has; may be given for several")
    add("--resamples", action=whole(), default=1000, metavar="N", help="samples behind the intervals, 0 for none (default: 1000)")


def run(chosen: argparse.Namespace) -> None:
    """Reads the results, and prints the ratings."""
    anchors = dict[str, float]()
    for text in chosen.anchor:
        name, _, elo = text.rpartition("=")  # a name may have = in it
        if name in anchors:
            raise ValueError(f"{short_repr(name)} is an anchor twice; give it one rating")
        try:
            anchors[name] = float(elo)
        except ValueError:
            raise ValueError(f"--anchor is {short_repr(text)}; it must be NAME=ELO, such as Ada=2000") from None
    show(rate(chosen.file, anchors=anchors, resamples=chosen.resamples, seed=chosen.seed), chosen.json)
