"""Files of positions and the card beside them: records in JSON lines or Parquet, or arrays in an archive of NumPy.

The arrays of an archive (`.npz`) are those of `ManyPositions`, by their names, and `game`, its spec. A card is the README.md of a
dataset on the Hugging Face Hub: metadata in YAML first, then Markdown. It says what the positions are, how they were made and what
they leave out, and has the checksums of the files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .... import __version__
from ....core.files.named_arrays import npz_of, read_npz
from ....core.files.reading import decode_text, open_regular, read_regular
from ....core.files.writing import check_target, make_folder, write_whole, writing_whole
from ....core.numbers import seed_of, several, whole
from ....core.plugins import admit
from ....core.progress import Progress
from ....games.game import Game
from ....games.registry import make_game
from ....oracles import Oracle, make_oracle
from ...store.export import library
from ..cards import check_card, checksum, render_card
from .arrays import ManyPositions
from .collecting import LONGEST, MOST_POSITIONS, POOL, Sampling, Span, collect
from .solving import STRATA, counts, records

ARRAYS = ".npz"
"""The end of the name of a file with arrays; other files have records."""
SPLITS = ("train", "test")
SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
LARGEST_SIZE = "1M<n<10M"
"""The Hub's words for the size of a dataset."""


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
    progress: Progress = lambda done, total: None,
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
        out: a file that ends in .npz, where they are written with their card.
        progress: called with the positions that are solved, and the number to solve.

    Raises:
        ValueError: an argument out of its range, no position of random games is as asked for and within the oracle's reach, or
            the game has no empty cells to count; or the name of the file has another ending.
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
    target = None if out is None else Path(out)
    if target is not None:
        if target.suffix != ARRAYS:
            raise ValueError(f"out is {target}; the name must end in {ARRAYS}, for arrays")
        check_targets(target)
    solved = collect(oracle, sampling, progress)
    if target is not None:
        write_positions(oracle, solved, sampling, target)
    return solved


def write_positions(oracle: Oracle, solved: ManyPositions, sampling: Sampling, out: Path) -> tuple[list[Path], Path]:
    """Writes positions and their card.

    Args:
        oracle: who knows their values.
        solved: the positions.
        sampling: which they are.
        out: a file that ends in .npz for arrays, in .jsonl or .parquet for records, or a folder, for a dataset of records as on the
            Hugging Face Hub.

    Returns:
        The files with positions, without those of splits that have none; and the card.

    Raises:
        ValueError: the name of the file has another ending.
        ImportError: Parquet is asked for, and pyarrow is not installed.
        OSError: the files cannot be written.
    """
    targets, card_path = check_targets(out)
    written = dict[Path, str]()
    for target, splits in targets.items():
        rows = np.isin(np.where(solved.test, "test", "train"), splits)
        if rows.any():
            FORMATS[target.suffix](solved.select(rows), target)
            written[target] = "_and_".join(splits)
    write_whole(card_path, _card(oracle, solved, written, sampling, out).encode())
    return [*written], card_path


def check_targets(out: Path) -> tuple[dict[Path, tuple[str, ...]], Path]:
    """The files to write with the splits that each holds, and the card; checked before the work begins.

    A file that ends in .npz is for arrays, one in .jsonl or .parquet for records; a folder is for a dataset of records as on the
    Hugging Face Hub. ValueError where the name has another ending, ImportError where Parquet needs pyarrow, OSError where nothing
    can be written.
    """
    targets: dict[Path, tuple[str, ...]] = {out: SPLITS}
    card_path = out.with_suffix(".md")
    if out.suffix not in FORMATS:
        if out.suffix and not out.is_dir():
            allowed = f"the name must end in {', '.join(FORMATS)}, or have no ending, for a folder"
            raise ValueError(f"--out {out} has an unknown format; {allowed}")
        make_folder(out)
        targets, card_path = {out / f"{split}.parquet": (split,) for split in SPLITS}, out / "README.md"
    for target in targets:
        if target.suffix == ".parquet":
            library("pyarrow")
        check_target(target)
    check_card(card_path)
    return targets, card_path


# ---- records


def write_lines(many: ManyPositions, path: Path) -> None:
    """Writes a JSON object per line."""
    with writing_whole(path) as file:
        for record in records(many):
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")


def write_parquet(many: ManyPositions, path: Path) -> None:
    """Writes a Parquet file. The types of its columns are the same in every file of a game."""
    arrow, rows = library("pyarrow"), [*records(many)]
    text, number = arrow.string(), arrow.int64()
    move = arrow.struct([(name, text if name == "move" else number) for name in rows[0]["moves"][0]])
    texts = ("game", "position", "stratum", "split")
    types = {name: arrow.list_(move) if name == "moves" else text if name in texts else number for name in rows[0]}
    table = arrow.Table.from_pylist(rows, schema=arrow.schema([*types.items()]))
    with writing_whole(path) as file:
        library("pyarrow.parquet").write_table(table, file)


def read_records(path: Path) -> tuple[Game, list[str]]:
    """The game and the positions of a file of records, `.jsonl` or `.parquet`, in which all else is left alone. ValueError where it
    holds no such records, or those of several games; ImportError where Parquet needs pyarrow."""
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
    return _game_named(path, spec), [position for _, position in rows]


# ---- arrays


def write_npz(many: ManyPositions, path: Path) -> None:
    """Writes an archive of NumPy."""
    write_whole(path, npz_of({"game": np.array(many.game.spec), **many.arrays}))


def open_positions(path: str | Path) -> ManyPositions:
    """The positions in a file of arrays, `.npz`.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no positions as arrays, or is damaged; the message says why.
        OSError: it cannot be read.
    """
    path = Path(path)
    try:
        arrays = read_npz(read_regular(path))
        return ManyPositions.from_arrays(_game_named(path, str(arrays.pop("game"))), arrays)
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(f"{path} holds no positions as arrays: {' '.join(str(error).split())}") from None


def _game_named(path: Path, spec: str) -> Game:
    """The game that a file names, which never runs code."""
    return make_game(admit(spec, str(path)))


FORMATS: dict[str, Callable[[ManyPositions, Path], None]] = {".jsonl": write_lines, ".parquet": write_parquet, ARRAYS: write_npz}
"""What writes positions, by the end of the file's name."""


# ---- the card


def _card(oracle: Oracle, solved: ManyPositions, written: dict[Path, str], sampling: Sampling, out: Path) -> str:
    """The data card of files, each with the splits that it holds."""
    game, total, tests = oracle.game, len(solved.states), int(solved.test.sum())
    tests_of = Counter(STRATA[number] for number in solved.strata[solved.test].tolist())
    options = _options_of(sampling, arrays=out.suffix == ARRAYS)
    return render_card(
        "positions",
        game=game,
        title=f"{several(total, 'position')} of {game.title} with the exact value of every legal move",
        size=next((name for most, name in SIZES.items() if total < most), LARGEST_SIZE),
        splits="\n".join(f"  - split: {split}\n    path: {file.name}" for file, split in written.items()),
        explanation=f"Game: `{game.spec}`. {game.explanation}".rstrip(),
        columns=_columns(oracle, solved, arrays=out.suffix == ARRAYS),
        command=f"ludus positions {game} {options} --out {out.name}",
        version=__version__,
        choice=_choice(sampling),
        reach=oracle.reach,
        omissions=_omissions(oracle, sampling),
        trains=total - tests,
        tests=tests,
        strata="\n".join(f"| {stratum} | {number} | {tests_of[stratum]} |" for stratum, number in counts(solved).items()),
        files="\n".join(f"| {file.name} | {file.stat().st_size} | `{checksum(file)}` |" for file in written),
    )


def _options_of(sampling: Sampling, *, arrays: bool) -> str:
    """The options of the command that makes these positions."""
    words = [f"--count {sampling.count} --seed {sampling.seed}"]
    words += [f"--ply {sampling.plies}"] * (sampling.plies is not None)
    words += [f"--empties {sampling.empties}"] * (sampling.empties is not None)
    words += [f"--pool {sampling.pool}"] * (sampling.pool != (1 if arrays else POOL))
    words += ["--scores"] * (arrays and sampling.scores)
    return " ".join(words)


def _columns(oracle: Oracle, solved: ManyPositions, *, arrays: bool) -> str:
    """What the columns of records, or the arrays, hold."""
    if not arrays:
        score = "; `score`, the player's discs at the end minus the opponent's"
        return render_card("records", score=score * oracle.has_score)
    score = "\n| `move_scores` | the player's discs at the end minus the opponent's; 0 where it is not legal |"
    return render_card(
        "arrays",
        words=oracle.game.num_words,
        planes=", ".join(map(str, oracle.game.shape)),
        actions=oracle.game.num_actions,
        score=score * (solved.move_scores is not None),
        names=", ".join(oracle.game.moves[:12]),
    )


def _choice(sampling: Sampling) -> str:
    """How positions were chosen among those of random games."""
    if sampling.pool == 1:
        return "They are taken as the games bring them."
    shares = "and then all strata get equal shares, unless they have too few."
    return f"{sampling.pool} times the number of positions is collected, {shares}"


def _omissions(oracle: Oracle, sampling: Sampling) -> str:
    """The positions of the game that are left out, as a list."""
    game, plies, empties = oracle.game, sampling.plies, sampling.empties
    reasons = [
        "Finished positions, and positions that cannot come up in a game.",
        f"Positions out of the oracle's reach, or with a move out of it. Within reach: {oracle.reach}.",
        "Most positions of a large game: random games reach some kinds often and others hardly ever. They do not show strong play, "
        "especially in openings.",
        f"Positions after ply {LONGEST} of a random game.",
    ]
    if plies:
        reasons.append(f"All but those {plies.least} to {plies.most} plies after the start of the game.")
    if empties:
        reasons.append(f"All but those with {empties.least} to {empties.most} empty cells.")
    reasons.append(f"Other variants of {game.title}.")
    if game.max_plies:
        reasons.append(f"The limit of {game.max_plies} plies: values are for a game without it, in which endless play is a draw.")
    return "\n".join(f"- {reason}" for reason in reasons)
