"""`ludus games GAME --count N --out FOLDER`: plays games and writes their moves, lengths and results as arrays."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from ...arena.data.many_games import in_memory
from ...arena.data.playing import MOST_GAMES, SHARD
from ...core.numbers import several
from ...data import games
from ..terminal.display import progress_bar
from ..terminal.options import pathname, whole
from ..terminal.output import print_result


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example othello:size=6")
    add("--count", action=whole(1, MOST_GAMES), default=10_000, metavar="N", help="number of games (default: 10000)")
    add(
        "--policies",
        nargs="+",
        default=["random"],
        metavar="POLICY",
        help="who plays both seats, or who plays seat 0 and who plays seat 1 (default: random)",
    )
    add("--opening-plies", action=whole(0, 1000), default=0, metavar="N", help="random plies at the start of a game (default: 0)")
    add("--shard", action=whole(1), default=SHARD, metavar="N", help=f"games in a shard of the folder (default: {SHARD})")
    add(
        "--out",
        action=pathname(),
        required=True,
        metavar="FOLDER",
        help="folder for arrays of numpy, where an interrupted run resumes",
    )


def run(chosen: argparse.Namespace) -> None:
    """Plays and writes the games."""
    out: Path = chosen.out
    if len(chosen.policies) > 2:
        raise ValueError(f"--policies names {len(chosen.policies)} policies; give one for both seats, or one for each")
    if out.suffix and not out.is_dir():
        raise ValueError(f"--out is {out}; games are written to a folder, whose name has no ending")
    began = time.perf_counter()
    with progress_bar(f"{chosen.game}: playing games", chosen.json) as progress:
        many = games(
            chosen.game,
            chosen.count,
            policies=(chosen.policies[0], chosen.policies[-1]),
            seed=chosen.seed,
            opening_plies=chosen.opening_plies,
            out=out,
            shard=chosen.shard,
            progress=progress,
        )
    seconds = time.perf_counter() - began
    plies = sum(int(in_memory(shard.lengths).sum(dtype=np.int64)) for shard in many.shards)
    repeated = many.count_repeated()
    print_result(
        chosen.json,
        {"out": str(out), "games": len(many), "plies": plies, "repeated": repeated, "seconds": seconds},
        f"{several(len(many), 'game')} of {many.game}, {several(plies, 'ply', 'plies')}, in {seconds:.1f} s, written to {out}",
        f"{several(repeated, 'game')} had the moves of an earlier one",
    )
