"""`ludus positions GAME --count N --out FILE`: writes positions with the exact value of every legal move, and their data card."""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...arena.store.export import library
from ...core.files.writing import check_target, make_folder, write_whole, writing_whole
from ...core.numbers import several
from ...envs import make_game
from ...oracles import make_oracle
from ...text.positions import PositionsFile, card, collect, counts, records
from ..terminal.display import progress_bar
from ..terminal.numbers import pathname, whole
from ..terminal.output import print_json, print_table

CHUNK = 1 << 20
Records = list[dict[str, Any]]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=4")
    add("--count", action=whole(1, 10**7), default=1000, metavar="N", help="number of positions (default: 1000)")
    add(
        "--out",
        action=pathname(),
        required=True,
        metavar="FILE|FOLDER",
        help=f"file to write, which ends in {' or '.join(FORMATS)}; or a folder, for a dataset as on the Hugging Face Hub",
    )


def run(chosen: argparse.Namespace) -> None:
    """Collects and writes positions.

    Raises:
        ValueError: the name of the file has an unknown ending, Parquet is asked for without pyarrow, or no position is within the
            oracle's reach.
        OSError: a file cannot be written.
    """
    out: Path = chosen.out
    targets, card_path = _targets(out)
    for target in (*targets, card_path):
        check_target(target)
    oracle = make_oracle(make_game(chosen.game))
    oracle.prepare()
    with progress_bar(f"{oracle.game}: collecting positions", chosen.json) as progress:
        solved = collect(oracle, chosen.count, chosen.seed, progress)
    rows, written = [*records(oracle.game, solved)], list[PositionsFile]()
    for target, splits in targets.items():
        if of_splits := [row for row in rows if row["split"] in splits]:
            FORMATS[target.suffix](of_splits, target)
            written.append(PositionsFile(target.name, "_and_".join(splits), target.stat().st_size, _checksum(target)))
    command = f"ludus positions {oracle.game} --count {chosen.count} --seed {chosen.seed} --out {out.name}"
    write_whole(card_path, card(oracle, solved, written, command).encode())
    strata = {str(stratum): number for stratum, number in counts(solved).items()}
    if chosen.json:
        tests = int(solved.for_test.sum())
        print_json({"file": str(out), "card": str(card_path), "positions": len(rows), "test": tests, "strata": strata})
        return
    print_table(f"{several(len(rows), 'position')} of {oracle.game}", ["stratum", "positions"], [*strata.items()])
    if len(rows) < chosen.count:
        print("Random games reached no other positions that the oracle can solve, counting symmetric positions as one.")
    files = " and ".join(str(target) for target in targets if target.name in {file.name for file in written})
    print(f"Written to {files}, described in {card_path}")


def _targets(out: Path) -> tuple[dict[Path, tuple[str, ...]], Path]:
    """The files to write with the splits that each holds, and the data card.

    Raises:
        ValueError: the name has an ending of no known format, or pyarrow is missing.
        OSError: the folder cannot be created.
    """
    if out.suffix and out.suffix not in FORMATS and not out.is_dir():
        allowed = f"the name must end in {' or '.join(FORMATS)}, or have no ending, for a folder"
        raise ValueError(f"--out {out} has an unknown format; {allowed}")
    if out.suffix != ".jsonl":
        _arrow()
    if out.suffix in FORMATS:
        return {out: ("train", "test")}, out.with_suffix(".md")
    make_folder(out)
    return {out / f"{split}.parquet": (split,) for split in ("train", "test")}, out / "README.md"


def _checksum(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _arrow() -> Any:
    """pyarrow.

    Raises:
        ValueError: it is not installed.
    """
    try:
        return library("pyarrow")
    except ImportError as error:
        raise ValueError(str(error)) from None


def write_lines(rows: Records, path: Path) -> None:
    """Writes a JSON object per line."""
    with writing_whole(path) as file:
        for record in rows:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")


def write_parquet(rows: Records, path: Path) -> None:
    """Writes a Parquet file. The types of its columns are the same in every file of a game."""
    arrow = _arrow()
    text, number = arrow.string(), arrow.int64()
    move = arrow.struct([(name, text if name == "move" else number) for name in rows[0]["moves"][0]])
    texts = ("game", "position", "stratum", "split")
    types = {name: arrow.list_(move) if name == "moves" else text if name in texts else number for name in rows[0]}
    table = arrow.Table.from_pylist(rows, schema=arrow.schema([*types.items()]))
    with writing_whole(path) as file:
        library("pyarrow.parquet").write_table(table, file)


FORMATS: dict[str, Callable[[Records, Path], None]] = {".jsonl": write_lines, ".parquet": write_parquet}
