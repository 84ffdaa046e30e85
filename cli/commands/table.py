"""`ludus table GAME --out FOLDER`: writes all positions of a small game, with perfect play in each, as arrays."""

from __future__ import annotations

import argparse
import time

from ...core.numbers import several
from ...data import write_table
from ...envs import make_game
from ...oracles import make_oracle
from ..terminal.display import progress_bar
from ..terminal.options import pathname
from ..terminal.output import print_result


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("game", help="spec of the game, for example quixo:size=4")
    parser.add_argument("--out", action=pathname(), required=True, metavar="FOLDER", help="folder for the arrays and their card")


def run(chosen: argparse.Namespace) -> None:
    """Writes the table."""
    oracle = make_oracle(make_game(chosen.game))
    oracle.prepare()
    began = time.perf_counter()
    with progress_bar(f"{oracle.game}: writing all positions", chosen.json) as progress:
        size = write_table(oracle, chosen.out, progress)
    seconds = time.perf_counter() - began
    text = f"{several(size, 'position')} of {oracle.game}, in {seconds:.1f} s, written to {chosen.out}"
    print_result(chosen.json, {"out": str(chosen.out), "positions": size, "seconds": seconds}, text)
