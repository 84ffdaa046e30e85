"""`ludus positions GAME --count N --out FILE`: writes positions with the exact value of every legal move, and their data card."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ...agents.oracles import make_oracle
from ...arena.store.export import library
from ...envs import make_game
from ...envs.files.writing import check_target, write_whole, writing_whole
from ...text.positions import card, collect, counts, records
from ..terminal.display import progress_bar
from ..terminal.numbers import whole
from ..terminal.output import print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=4")
    add("--count", action=whole(1, 10**7), default=1000, metavar="N", help="number of positions (default: 1000)")
    add("--out", type=Path, required=True, metavar="FILE", help=f"file to write, which ends in {' or '.join(FORMATS)}")


def run(chosen: argparse.Namespace) -> None:
    """Collects and writes positions.

    Raises:
        ValueError: the name of the file has an unknown ending, or no position is within the oracle's reach.
        OSError: a file cannot be written.
    """
    file: Path = chosen.out
    if file.suffix not in FORMATS:
        raise ValueError(f"--out {file} has an unknown format; the name must end in {' or '.join(FORMATS)}")
    described = file.with_suffix(".md")
    for target in (file, described):
        check_target(target)
    oracle = make_oracle(make_game(chosen.game))
    oracle.prepare()
    with progress_bar(f"{oracle.game}: collecting positions", chosen.json) as progress:
        solved = collect(oracle, chosen.count, chosen.seed, progress)
    FORMATS[file.suffix](records(oracle.game, solved), file)
    write_whole(described, card(oracle.game, solved, chosen.seed, chosen.count).encode())
    strata = {str(stratum): number for stratum, number in counts(solved).items()}
    if chosen.json:
        tests = int(solved.for_test.sum())
        print_json({"file": str(file), "card": str(described), "positions": len(solved.states), "test": tests, "strata": strata})
        return
    print_table(f"{len(solved.states):,} positions of {oracle.game}", ["stratum", "positions"], [*strata.items()])
    if len(solved.states) < chosen.count:
        print(f"Random games brought no more positions within the oracle's reach, which is {oracle.reach}.")
    print(f"Written to {file}, described in {described}")


def to_lines(found: Iterable[dict[str, Any]], path: Path) -> None:
    """Writes a JSON object a line."""
    with writing_whole(path) as file:
        for record in found:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")


def to_parquet(found: Iterable[dict[str, Any]], path: Path) -> None:
    """Writes a Parquet file, which needs pyarrow."""
    try:
        table = library("pyarrow").Table.from_pylist([*found])
        with writing_whole(path) as file:
            library("pyarrow.parquet").write_table(table, file)
    except ImportError as error:
        raise ValueError(str(error)) from None


FORMATS: dict[str, Callable[[Iterable[dict[str, Any]], Path], None]] = {".jsonl": to_lines, ".parquet": to_parquet}
