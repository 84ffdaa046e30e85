"""The rows of cells as files, and the policies read from them: what statistics and tables are made of.

The rows of cells and the runs of the panel are files below `runs/strength`, one a cell. The repository keeps the rows, too, in a
compressed file for each game. A line of it has the name and the content of a file.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from functools import cache
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.cli.machine import describe_machine, machine
from ludus.core.files.writing import make_folder, write_whole

from .. import ROOT
from ..runner import commit, compact
from .design import GAMES, NETWORK, Cell, cells, every_cell

# ---- the files

FOLDER = ROOT / "runs" / "strength"
KEPT = ROOT / "benchmarks" / "study" / "rows"
"""Where the repository keeps the rows."""
ENDINGS = "json", "error"
"""Of the files of rows, and of the sentences that stand in place of a row that could not be measured."""


def folder_of(cell: Cell) -> Path:
    """The folder of the run of a cell of the panel."""
    return FOLDER / cell.game / "panel" / cell.file


def row_file(cell: Cell) -> Path:
    """The file of a cell's row."""
    return FOLDER / cell.game / f"{cell.file}.json"


def error_file(cell: Cell) -> Path:
    """The file with the sentence that says why a cell has no row."""
    return FOLDER / cell.game / f"{cell.file}.error"


def is_done(cell: Cell) -> bool:
    """Whether a cell has a row, or a sentence that says why it has none."""
    return row_file(cell).exists() or error_file(cell).exists()


def read_row(cell: Cell) -> dict[str, Any] | None:
    """The row of a cell; None before it is measured."""
    file = row_file(cell)
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def seconds_of(row: Mapping[str, Any]) -> float:
    """The processor seconds of a row: of its training, and of measuring its policies."""
    return row.get("training", {}).get("seconds", 0.0) + sum(policy["seconds"] for policy in row["policies"].values())


def write_row(cell: Cell, row: dict[str, Any]) -> None:
    """Writes the row of a cell, with the commit and the machine that made it, whole or not at all."""
    make_folder(row_file(cell).parent)
    made = {"commit": commit(ROOT), "machine": describe_machine(machine())}
    write_whole(row_file(cell), compact({**rounded(row), **made}).encode())
    error_file(cell).unlink(missing_ok=True)


def keep_rows() -> None:
    """Writes rows, the sentences of cells without one, and the games of the panels to the files that the repository keeps."""
    make_folder(KEPT)
    for game in GAMES:
        files = sorted(file for ending in ENDINGS for file in (FOLDER / game).glob(f"*.{ending}"))
        lines = "".join(f"{compact({'file': file.name, 'content': file.read_text(encoding='utf-8')})}\n" for file in files)
        if lines:
            write_whole(KEPT / f"{game}.jsonl.xz", lzma.compress(lines.encode(), preset=lzma.PRESET_EXTREME))


def take_kept_rows() -> None:
    """Writes the rows that the repository keeps to their files, where a cell has neither a row nor a sentence."""
    for game in GAMES:
        if (kept := KEPT / f"{game}.jsonl.xz").exists():
            make_folder(FOLDER / game)
            for line in lzma.decompress(kept.read_bytes()).decode().splitlines():
                row = json.loads(line)
                file = FOLDER / game / row["file"]
                if not any(file.with_suffix(f".{ending}").exists() for ending in ENDINGS):
                    write_whole(file, row["content"].encode())


def rounded(value: Any) -> Any:
    """Numbers with five digits, wherever they stand in lists and dictionaries; None for one that is not defined."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [*map(rounded, value)]
    return value if not isinstance(value, float) else None if isnan(value) else float(f"{value:.5g}")


# ---- the policies

CLASSIC = "classic"
"""The trainer of policies that are not trained."""
WHOLE = tuple(game for game, studied in GAMES.items() if studied.whole)
"""The games that are solved, in which the error is known."""


class Measures(NamedTuple):
    """The cheap measures of a policy after this many of its games, in one of the two measurements.

    Args:
        wins: the share of games that it wins against random play.
        value_lost: what its judged moves there lose on average by the oracle; None without judged moves.
        weak_value_lost: the same by the weak oracle.
        calls: how often the oracle was asked for that: twice for each judged move.
        club_points: the share of the points against the club player.
    """

    wins: float
    value_lost: float | None
    weak_value_lost: float | None
    calls: int
    club_points: float


class MeasuredPolicy(NamedTuple):
    """A policy and all that is measured of it.

    Args:
        cell: its cell.
        name: which of the policies of its cell it is: the network alone, or a number of simulations; empty for the only one.
        lost: the value that it loses a game to perfect play, over both seats; None where that is not known.
        tests: the measures by the number of games, of the test and of the retest.
        panel: its wins, draws and losses against each of the panel, of the test and of the retest (2, P, 3).
        by_distance: how often it loses the win, as `count_errors` returns it; of the largest budgets alone.
    """

    cell: Cell
    name: str
    lost: float | None
    tests: tuple[Mapping[int, Measures], Mapping[int, Measures]]
    panel: NDArray[np.int64]
    by_distance: list[list[int]]

    @property
    def trainer(self) -> str:
        """Its trainer, which makes it one of a cluster."""
        return CLASSIC if self.cell.is_classic else self.cell.trainer

    @property
    def searches(self) -> bool:
        """Whether it is a network with search."""
        return self.name.isdigit()

    @property
    def kind(self) -> str:
        """What kind of policy it is: its trainer, and for AlphaZero whether and how long it searches."""
        how = {"": "", NETWORK: ", network alone"}.get(self.name, f", {self.name} simulations")
        return self.trainer + how

    @property
    def is_compared(self) -> bool:
        """Whether it is among those whose order is compared: trained, without search of a game."""
        return self.trainer != CLASSIC and not self.searches and self.cell.level > 0

    @property
    def truth(self) -> float:
        """Its error; where that is not known, the value lost a move of the retest; nan where no move of that was judged."""
        retest = self.tests[1]
        known = retest[max(retest)].value_lost if self.lost is None else self.lost
        return float("nan") if known is None else known


def title(game: str) -> str:
    """A game as tables name it."""
    return GAMES[game].title


@cache
def policies_of_game(game: str) -> tuple[MeasuredPolicy, ...]:
    """The policies of a game; ValueError where cells of the study have neither a row nor an error message."""
    every = every_cell()
    missing = [f"{cell.game} {cell.name}" for cell in every if not is_done(cell)]
    if missing:
        count = f"{len(missing):,} of {len(every):,} cells"
        raise ValueError(f"{count} are not measured, as {missing[0]}; `python -m benchmarks.study` measures them")
    return tuple(read_policies(game))


def read_policies(game: str) -> list[MeasuredPolicy]:
    """The policies of a game whose cells are done."""
    return [policy for cell in cells(game) if (row := read_row(cell)) is not None for policy in policies_of(cell, row)]


def policies_of(cell: Cell, row: Mapping[str, Any]) -> Iterable[MeasuredPolicy]:
    """The policies of a cell, by its row."""
    for name, figures in row["policies"].items():
        seats = figures.get("perfect")
        first, second = map(measures_of, figures["tests"])
        yield MeasuredPolicy(
            cell=cell,
            name=name,
            lost=None if seats is None else sum(lost for lost, *_ in seats) / 2,
            tests=(first, second),
            panel=np.array(figures["panel"], np.int64),
            by_distance=figures.get("by_distance", []),
        )


def measures_of(test: Mapping[str, Any]) -> dict[int, Measures]:
    """The measures of a test by the number of games."""
    return {
        games: Measures(wins / games, exact, weak, 2 * judged, (club_wins + club_draws / 2) / games)
        for (games, wins, _, judged, exact, weak), (_, club_wins, club_draws) in zip(test["random"], test["club"], strict=True)
    }
