"""`ludus openings GAME --plies K --count N --out FILE`: makes openings whose value is known, no two alike up to symmetry."""

from __future__ import annotations

import argparse
from pathlib import Path

from ...arena.data.openings import MOST_OPENINGS, ORACLE, make_openings
from ...arena.matches.settings import LONGEST_OPENING
from ...core.files.writing import check_target
from ...core.numbers import several
from ..terminal.display import progress_bar
from ..terminal.options import pathname, whole
from ..terminal.output import print_result


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=4")
    add("--plies", action=whole(1, LONGEST_OPENING), required=True, metavar="N", help="moves of an opening")
    add("--count", action=whole(1, MOST_OPENINGS), default=200, metavar="N", help="number of openings (default: 200)")
    add(
        "--value",
        default="drawn",
        metavar="VALUE",
        help="what they are worth with perfect play for the player to move: drawn, level or 0, won, lost; seats for half won and"
        " half lost; or the least and the largest score, as -2:2 (default: drawn)",
    )
    add(
        "--by",
        default=ORACLE,
        metavar="SPEC",
        help="who says so: the oracle, which proves it, or a search, as minimax:nodes=100000 (default: oracle)",
    )
    add("--out", action=pathname(), required=True, metavar="FILE", help="file to write: a line of moves for each opening")


def run(chosen: argparse.Namespace) -> None:
    """Makes and writes the openings."""
    out: Path = chosen.out
    check_target(out)
    with progress_bar(f"{chosen.game}: openings", chosen.json) as progress:
        made = make_openings(
            chosen.game,
            plies=chosen.plies,
            count=chosen.count,
            seed=chosen.seed,
            value=chosen.value,
            by=chosen.by,
            progress=progress,
        )
    made.write(out)
    print_result(
        chosen.json,
        {"file": str(out), "game": made.game.spec, "openings": len(made.lines), "label": made.label},
        f"{several(len(made.lines), 'opening')} of {made.game}, {made.label}; written to {out}",
    )
