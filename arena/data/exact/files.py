"""Files of positions: JSON lines and Parquet with a record each, or arrays in Parquet and in NumPy's archives; a card beside them.

The arrays of an archive (`.npz`) are those of `ManyPositions`, by their names, and `game`, its spec. In Parquet a row has `state`
and `planes` (all cells of the first plane, then the next), `mask`, `actions` with `move_values`, `move_distances` and perhaps
`move_scores` of each of these, `value`, `distance`, `ply`, `stratum` and `split`; the spec of the game is in the file's metadata.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ....core.files.named_arrays import Arrays, npz_of, read_npz
from ....core.files.reading import decode_text, open_regular, read_regular
from ....core.files.writing import check_target, make_folder, write_whole, writing_whole
from ....core.numbers import seed_of, whole
from ....core.plugins import admit
from ....games.game import Game
from ....games.registry import make_game
from ....oracles import Oracle, make_oracle
from ....oracles.oracle import OUT_OF_REACH
from ...store.export import library
from ..cards import check_card, checksum
from .arrays import ManyPositions
from .card import PositionsFile, card
from .collecting import MOST_POSITIONS, POOL, Sampling, Span, collect
from .solving import STRATA, Report, records

SPLITS = ("train", "test")
KEY = b"ludus game"
"""The game's name in the metadata of a Parquet file."""
WHOLE = {"states": ("state", np.uint64), "planes": ("planes", np.int8), "masks": ("mask", np.int8)}
"""Arrays with as many numbers for each position: their columns in a Parquet file, and their types."""
OF_MOVES = {"move_values": np.int8(OUT_OF_REACH), "move_distances": np.int16(-1), "move_scores": np.int16(0)}
"""Those with a number for each action, which have a column with an entry for each legal one; and what stands for others."""
NUMBERS = {"values": ("value", np.int8), "distances": ("distance", np.int16), "plies": ("ply", np.int16)}
"""Those with a number for each position."""


def positions(
    game: str | Game | Oracle,
    count: int = 1000,
    *,
    seed: int = 0,
    plies: tuple[int, int] | None = None,
    empties: tuple[int, int] | None = None,
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
    return solved


def write_positions(
    oracle: Oracle, solved: ManyPositions, sampling: Sampling, out: Path, *, arrays: bool
) -> tuple[list[Path], Path]:
    """Writes positions and their card.

    Args:
        oracle: who knows their values.
        solved: the positions.
        sampling: which they are.
        out: a file that ends in .jsonl, .parquet or .npz, or a folder, for a dataset as on the Hugging Face Hub.
        arrays: whether files have arrays, as .npz does, rather than a record a row.

    Returns:
        The files with positions, without those of splits that have none; and the card.

    Raises:
        ValueError: the name of the file has another ending.
        ImportError: Parquet is asked for, and pyarrow is not installed.
        OSError: the files cannot be written.
    """
    targets, card_path = check_targets(out, arrays=arrays)
    written = list[PositionsFile]()
    for target, splits in targets.items():
        rows = np.isin(np.where(solved.test, "test", "train"), splits)
        if rows.any():
            part = solved.select(rows)
            if arrays:
                ARRAY_FORMATS[target.suffix](part, target)
            else:
                RECORD_FORMATS[target.suffix]([*records(part)], target)
            written.append(PositionsFile(target.name, "_and_".join(splits), target.stat().st_size, checksum(target)))
    command = f"ludus positions {oracle.game} {options_of(sampling, arrays)} --out {out.name}"
    write_whole(card_path, card(oracle, solved, written, command, sampling, arrays=arrays).encode())
    return [target for target in targets if target.name in {file.name for file in written}], card_path


def options_of(sampling: Sampling, arrays: bool) -> str:
    """The options of the command that makes these positions."""
    words = [f"--count {sampling.count} --seed {sampling.seed}"]
    words += [f"--ply {sampling.plies}"] * (sampling.plies is not None)
    words += [f"--empties {sampling.empties}"] * (sampling.empties is not None)
    words += [f"--pool {sampling.pool}"] * (sampling.pool != (1 if arrays else POOL))
    words += ["--arrays"] * arrays + ["--scores"] * (arrays and sampling.scores)
    return " ".join(words)


def check_targets(out: Path, *, arrays: bool) -> tuple[dict[Path, tuple[str, ...]], Path]:
    """The files to write with the splits that each holds, and the card; checked before the work begins.

    Raises:
        ValueError: the name has an ending of no known format.
        ImportError: Parquet is asked for, and pyarrow is not installed.
        OSError: a file cannot be written, or the folder not be made.
    """
    formats = ARRAY_FORMATS if arrays else RECORD_FORMATS
    if out.suffix and out.suffix not in formats and not out.is_dir():
        allowed = f"the name must end in {' or '.join(formats)}, or have no ending, for a folder"
        raise ValueError(f"--out {out} has an unknown format; {allowed}")
    if out.suffix not in (".jsonl", ".npz"):
        library("pyarrow")
    targets: dict[Path, tuple[str, ...]] = {out: SPLITS}
    card_path = out.with_suffix(".md")
    if out.suffix not in formats:
        make_folder(out)
        targets, card_path = {out / f"{split}.parquet": (split,) for split in SPLITS}, out / "README.md"
    for target in targets:
        check_target(target)
    check_card(card_path)
    return targets, card_path


# ---- records


def write_lines(rows: list[dict[str, Any]], path: Path) -> None:
    """Writes a JSON object per line."""
    with writing_whole(path) as file:
        for record in rows:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")


def write_parquet(rows: list[dict[str, Any]], path: Path) -> None:
    """Writes a Parquet file. The types of its columns are the same in every file of a game."""
    arrow = library("pyarrow")
    text, number = arrow.string(), arrow.int64()
    move = arrow.struct([(name, text if name == "move" else number) for name in rows[0]["moves"][0]])
    texts = ("game", "position", "stratum", "split")
    types = {name: arrow.list_(move) if name == "moves" else text if name in texts else number for name in rows[0]}
    table = arrow.Table.from_pylist(rows, schema=arrow.schema([*types.items()]))
    with writing_whole(path) as file:
        library("pyarrow.parquet").write_table(table, file)


def read_records(path: Path) -> tuple[Game, list[str]]:
    """The game and the positions of a file of records, `.jsonl` or `.parquet`. All else in it is left alone.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no such records, or those of several games.
        ImportError: it is Parquet, and pyarrow is not installed.
        OSError: it cannot be read.
    """
    try:
        if path.suffix == ".parquet":
            with open_regular(path) as file:
                table = library("pyarrow.parquet").read_table(file, columns=["game", "position"])
            rows = [(row["game"], row["position"]) for row in table.to_pylist()]
        else:
            rows = [(row["game"], row["position"]) for row in map(json.loads, decode_text(read_regular(path)).splitlines())]
        games = {game for game, _ in rows}
        if len(games) != 1:
            raise ValueError(f"it names {len(games)} games")
        (spec,) = games
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        advice = "name a file in which `ludus positions` wrote those of one game, as .jsonl or .parquet"
        raise ValueError(f"{path} holds no positions as records ({' '.join(str(error).split())[:100]}); {advice}") from None
    return game_named(path, spec), [position for _, position in rows]


# ---- arrays


def write_npz(many: ManyPositions, path: Path) -> None:
    """Writes an archive of NumPy."""
    write_whole(path, npz_of({"game": np.array(many.game.spec), **many.arrays}))


def write_array_parquet(many: ManyPositions, path: Path) -> None:
    """Writes a Parquet file of arrays."""
    arrow, rows = library("pyarrow"), np.nonzero(many.masks)
    ends = np.append(0, np.cumsum(many.masks.sum(axis=1, dtype=np.int32), dtype=np.int32))

    def equal_lists(array: Any) -> Any:
        flat = np.ascontiguousarray(array).reshape(-1)
        return arrow.FixedSizeListArray.from_arrays(arrow.array(flat), len(flat) // max(1, len(many)))

    def lists(flat: Any) -> Any:
        return arrow.ListArray.from_arrays(arrow.array(ends), arrow.array(np.ascontiguousarray(flat)))

    known = many.arrays
    columns = {part: equal_lists(known[name]) for name, (part, _) in WHOLE.items()}
    columns["actions"] = lists(rows[1].astype(np.int16))
    columns |= {name: lists(known[name][rows]) for name in OF_MOVES if name in known}
    columns |= {part: arrow.array(known[name]) for name, (part, _) in NUMBERS.items()}
    columns["stratum"] = arrow.array([str(STRATA[number]) for number in many.strata.tolist()])
    columns["split"] = arrow.array(np.where(many.test, "test", "train").tolist())
    table = arrow.table(columns).replace_schema_metadata({KEY: many.game.spec.encode()})
    with writing_whole(path) as file:
        library("pyarrow.parquet").write_table(table, file)


def open_positions(path: str | Path) -> ManyPositions:
    """The positions in a file of arrays, `.npz` or `.parquet`, or in a folder with files of both splits.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no positions as arrays, or is damaged; the message says why.
        ImportError: it is Parquet, and pyarrow is not installed.
        OSError: it cannot be read.
    """
    path = Path(path)
    if path.is_dir():
        parts = [open_positions(file) for split in SPLITS if (file := path / f"{split}.parquet").exists()]
        if not parts:
            raise ValueError(f"{path} holds no positions: there is neither train.parquet nor test.parquet in it")
        return concatenate(parts)
    read = read_array_parquet if path.suffix == ".parquet" else read_npz_positions
    try:
        game, arrays = read(path)
        return ManyPositions.from_arrays(game, arrays)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} holds no positions as arrays: {' '.join(str(error).split())}") from None


def read_npz_positions(path: Path) -> tuple[Game, Arrays]:
    """The game and the arrays of an archive."""
    arrays = read_npz(read_regular(path))
    return game_named(path, str(arrays.pop("game"))), arrays


def read_array_parquet(path: Path) -> tuple[Game, Arrays]:
    """The game and the arrays of a Parquet file."""
    with open_regular(path) as file:
        table = library("pyarrow.parquet").read_table(file)
    game = game_named(path, (table.schema.metadata or {})[KEY].decode())
    count = table.num_rows

    def column(name: str) -> Any:
        return table[name].combine_chunks()

    def flat(name: str, dtype: Any) -> Any:
        return column(name).flatten().to_numpy(zero_copy_only=False).astype(dtype)

    shapes = {"states": (game.num_words,), "planes": game.shape, "masks": (game.num_actions,)}
    arrays: Arrays = {name: flat(part, dtype).reshape(count, *shapes[name]) for name, (part, dtype) in WHOLE.items()}
    rows = np.repeat(np.arange(count), np.diff(column("actions").offsets.to_numpy()))
    actions = flat("actions", np.int64)
    for name, otherwise in OF_MOVES.items():
        if name in table.column_names:
            arrays[name] = np.full(arrays["masks"].shape, otherwise, otherwise.dtype)
            arrays[name][rows, actions] = flat(name, otherwise.dtype)
    for name, (part, dtype) in NUMBERS.items():
        arrays[name] = column(part).to_numpy(zero_copy_only=False).astype(dtype)
    numbers = {str(stratum): number for number, stratum in enumerate(STRATA)}
    arrays["strata"] = np.array([numbers[text] for text in column("stratum").to_pylist()], np.int8)
    arrays["test"] = np.array([text == "test" for text in column("split").to_pylist()], np.bool_)
    return game, arrays


def game_named(path: Path, spec: str) -> Game:
    """The game that a file names, which never runs code."""
    return make_game(admit(spec, str(path)))


def concatenate(parts: list[ManyPositions]) -> ManyPositions:
    """The positions of several files of a game."""
    arrays = {name: np.concatenate([part.arrays[name] for part in parts]) for name in parts[0].arrays}
    return ManyPositions.from_arrays(parts[0].game, arrays)


RECORD_FORMATS: dict[str, Callable[[list[dict[str, Any]], Path], None]] = {".jsonl": write_lines, ".parquet": write_parquet}
ARRAY_FORMATS: dict[str, Callable[[ManyPositions, Path], None]] = {".npz": write_npz, ".parquet": write_array_parquet}
