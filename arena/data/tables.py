"""Tables as files: all positions of a game that is known as a whole, in arrays that need nothing of Ludus to be read.

A folder holds four arrays of NumPy, with a row a position, `table.json`, which names the game, and `README.md`, a card:

    states.npy      (N, W) uint64   the words of the position, as the game's page describes them
    values.npy      (N,) int8       1 won, 0 drawn, -1 lost for the player to move
    distances.npy   (N,) int16      plies to the end with perfect play; -1 for a draw, or where they are not known
    best.npy        (N, K) uint64   the actions that keep the value, as bits: bit b of word k is action 64·k + b
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...core.files.named_arrays import Arrays
from ...core.files.writing import make_folder, write_whole, writing_whole
from ...core.plugins import CheckedSpec
from ...core.progress import Progress, ProgressLog
from ...games.game import Game
from ...oracles import Oracle, PositionTable
from .cards import check_card, checksums, render_card

AT_ONCE = 1 << 19
"""Positions that are looked up together."""


@dataclass(frozen=True)
class TableAbout:
    """What `table.json` says: the game's spec, and how many positions there are."""

    game: CheckedSpec
    positions: int


def write_table(oracle: Oracle, folder: str | Path, progress: Progress = lambda done, total: None) -> int:
    """Writes all positions of a game to a folder, whole or not at all, and returns how many there are.

    Args:
        oracle: it knows the game as a whole.
        folder: where the arrays come to; its files of these names are replaced.
        progress: called with the positions written and the number of all.

    Raises:
        ValueError: the oracle does not know the game as a whole.
        OSError: the files cannot be written.
    """
    folder, size, game = Path(folder), oracle.table_size, oracle.game
    oracle.table(0, 0)  # raises the error that says so where there is none
    progress = ProgressLog(f"table of {game}", "positions").counting(progress)
    make_folder(folder)
    check_card(folder / "README.md")
    arrays = table_arrays(game, size)
    with ExitStack() as stack:
        files = {name: stack.enter_context(writing_whole(folder / f"{name}.npy")) for name in arrays}
        for name, array in arrays.items():
            header = {"descr": np.lib.format.dtype_to_descr(array.dtype), "fortran_order": False, "shape": array.shape}
            np.lib.format.write_array_header_1_0(files[name], header)
        for start in range(0, size, AT_ONCE):
            stop = min(start + AT_ONCE, size)
            for name, part in rows_of(oracle.table(start, stop), game.action_words).items():
                files[name].write(np.ascontiguousarray(part).data)
            progress(stop, size)
    write_whole(folder / "table.json", msgspec.json.encode(TableAbout(game.spec, size)))
    write_whole(folder / "README.md", _card(oracle, folder, size).encode())
    return size


def table_arrays(game: Game, size: int) -> Arrays:
    """Arrays of the types and shapes of a table with this many positions; they take no memory, and what they hold says nothing."""
    shapes = {
        "states": (np.uint64, (size, game.num_words)),
        "values": (np.int8, (size,)),
        "distances": (np.int16, (size,)),
        "best": (np.uint64, (size, game.action_words)),
    }
    return {name: np.broadcast_to(np.zeros((), dtype), shape) for name, (dtype, shape) in shapes.items()}


def rows_of(table: PositionTable, words: int) -> dict[str, NDArray[Any]]:
    """The rows of the four arrays."""
    bits = np.zeros((len(table.best), 64 * words), np.uint8)
    bits[:, : table.best.shape[1]] = table.best
    best = np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)
    return {"states": table.states, "values": table.values, "distances": table.distances.astype(np.int16), "best": best}


def _card(oracle: Oracle, folder: Path, size: int) -> str:
    """What is in a folder, how it was made, and the checksums of its files."""
    game, counts = oracle.game, oracle.counts()
    won = "" if counts is None else f" {counts[0]:,} are won for the player to move, {counts[1]:,} lost, {counts[2]:,} drawn."
    sums, first = checksums(sorted(folder.glob("*.npy"))), ", ".join(game.moves[:12])
    return render_card("table", game=game, size=size, won=won, folder=folder.name, first=first, sums=sums)
