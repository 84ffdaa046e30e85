"""`positions`: positions of random games with the exact value of every action, in memory and in files."""

from __future__ import annotations

from pathlib import Path

from ....core.numbers import seed_of, whole
from ....games.game import Game
from ....games.registry import make_game
from ....oracles import Oracle, make_oracle
from .arrays import ManyPositions
from .collecting import MOST_POSITIONS, Sampling, Span, collect
from .files import check_targets, write_positions
from .solving import Report

Bounds = tuple[int, int]


def positions(
    game: str | Game | Oracle,
    count: int = 1000,
    *,
    seed: int = 0,
    plies: Bounds | None = None,
    empties: Bounds | None = None,
    pool: int = 1,
    scores: bool = False,
    out: str | Path | None = None,
    report: Report = lambda done, total: None,
) -> ManyPositions:
    """Positions of random games with the exact value of every action, no two of them alike up to symmetry.

    Args:
        game: the game, its spec, or an oracle.
        count: how many; there are fewer where random games reach no more, or the oracle does not know all actions of some.
        seed: the same seed gives the same positions.
        plies: the fewest and the most plies after the start of the game; None for any number.
        empties: the fewest and the most empty cells; None for any number.
        pool: how many times as many positions are solved, of which those in rare strata are kept; 1 takes them as games bring them.
        scores: whether to find the scores of actions too, in games that have them (Othello), which takes longer.
        out: a file that ends in .npz or .parquet, or a folder for a dataset, where they are written with their card.
        report: called with the positions that are solved, and the number to solve.

    Raises:
        ValueError: an argument out of its range, no position of random games is as asked for and within the oracle's reach, or
            the game has no empty cells to count; or the name of the file has another ending.
        ImportError: Parquet is asked for, and pyarrow is not installed.
        OSError: the files cannot be written.
    """
    oracle = game if isinstance(game, Oracle) else make_oracle(make_game(game))
    sampling = Sampling(
        count=whole(count, "count", 1, MOST_POSITIONS),
        seed=seed_of(seed),
        plies=None if plies is None else Span.of(plies, "plies"),
        empties=None if empties is None else Span.of(empties, "empties"),
        pool=whole(pool, "pool", 1, 100),
        scores=scores,
    )
    if out is not None:
        check_targets(Path(out), arrays=True)
    solved = collect(oracle, sampling, report)
    if out is not None:
        write_positions(oracle, solved, sampling, Path(out), arrays=True)
    return ManyPositions.of(oracle.game, solved)
