"""The data card of positions: what they are, how they were made, what they leave out, and how to check the files.

It is the README.md of a dataset on the Hugging Face Hub: metadata in YAML first, then Markdown.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from .... import __version__
from ....core.numbers import several
from ....games.game import Game
from ....oracles import Oracle
from .collecting import LONGEST, Sampling
from .solving import SolvedPositions, counts

SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
LARGEST_SIZE = "1M<n<10M"
COLUMNS = """\
| column | meaning |
|---|---|
| `game` | the game and its variant, as Ludus names it |
| `position` | the position, in the game's notation |
| `player` | who moves, 0 or 1 |
| `ply` | the number of plies from the start of the game to the position |
| `value` | for the player to move, with perfect play: 1 won, 0 drawn, -1 lost |
| `distance` | plies to the end when the winner hurries and the loser delays; null in draws, and where it is not known |
| `moves` | each legal move: its name `move`, the `value` for the player who makes it, the `distance`, this move counted{score} |
| `keeping` | the number of moves that keep the value |
| `stratum` | positions that are equally hard |
| `split` | `train` or `test` |"""
ARRAYS = """\
A row is a position; `.npz` has each array under its name, Parquet the column in brackets, where they differ.

| array | meaning |
|---|---|
| `states` (`state`) | (N, {words}) uint64, the words of the position; the page of the game says what their bits hold |
| `planes` | (N, {planes}) int8, what the player to move sees; in Parquet flat, a plane after the other |
| `masks` (`mask`) | (N, {actions}) int8, 1 for each legal action |
| `values` (`value`) | for the player to move, with perfect play: 1 won, 0 drawn, -1 lost |
| `distances` (`distance`) | plies to the end when the winner hurries and the loser delays; -1 in draws, and where it is not known |
| `move_values` | (N, {actions}) the value of each action for the player who takes it; 2 where it is not legal |
| `move_distances` | (N, {actions}) plies to the end, the action counted; -1 as above, and where it is not legal |{score}
| `plies` (`ply`) | the number of plies from the start of the game |
| `strata` (`stratum`) | positions that are equally hard; in `.npz` its number in `ludus.data.STRATA` |
| `test` (`split`) | whether it is for testing; in Parquet `train` or `test` |

In Parquet `actions` has the legal actions, and `move_values`, `move_distances`{scores} have an entry for each of them. Actions are
numbers; the first are {names}, …."""


class PositionsFile(NamedTuple):
    """A file of positions.

    Args:
        name: its name.
        split: `train`, `test`, or both as `train_and_test`.
        size: bytes.
        checksum: its SHA-256 in hexadecimal digits.
    """

    name: str
    split: str
    size: int
    checksum: str


def card(
    oracle: Oracle, solved: SolvedPositions, files: list[PositionsFile], command: str, sampling: Sampling, *, arrays: bool = False
) -> str:
    """The data card.

    Args:
        oracle: the game's oracle.
        solved: the positions.
        files: the files with the positions.
        command: the command that made them.
        sampling: which they are.
        arrays: whether the files hold arrays, rather than a record each.
    """
    game, total, tests = oracle.game, len(solved.states), int(solved.for_test.sum())
    title = f"{several(total, 'position')} of {game.title} with the exact value of every legal move"
    score = "; `score`, the player's discs at the end minus the opponent's" if oracle.has_score else ""
    columns = _array_columns(game, solved) if arrays else COLUMNS.format(score=score)
    parts = [
        _metadata(oracle, files, title, total),
        f"# {title}",
        f"Game: `{game.spec}`. {game.explanation}".rstrip(),
        "## What is in it",
        columns,
        "## How it was made",
        f"By `{command}`, ludus {__version__}. The same command of the same version writes the same bytes (Parquet: with the "
        "same version of pyarrow).",
        "Positions come from random games. Of positions that look the same to the player to move, up to symmetry, one is kept. "
        f"{_choice(sampling)} "
        f"Values are not estimates. They come from the oracle of Ludus, which knows {oracle.reach}.",
        "## What it leaves out",
        _omissions(oracle, sampling),
        "## Training and testing",
        f"{total - tests:,} positions are for training and {tests:,} for testing. A hash of the observation of the player to move, "
        "up to symmetry, decides. So no position for testing looks like one for training, also with the colours exchanged, in any "
        "file of this game, with any seed.",
        "## Positions by stratum",
        _strata(solved),
        "## Files",
        _files(files),
        "## Licence",
        "MIT, the licence of Ludus.",
    ]
    return "\n\n".join(parts) + "\n"


def _metadata(oracle: Oracle, files: list[PositionsFile], title: str, total: int) -> str:
    """The metadata for the Hub, in YAML."""
    size = next((name for most, name in SIZES.items() if total < most), LARGEST_SIZE)
    splits = [line for file in files for line in (f"  - split: {file.split}", f"    path: {file.name}")]
    lines = [
        f'pretty_name: "{title}"',
        "license: mit",
        "task_categories:",
        "- reinforcement-learning",
        "tags:",
        "- board-games",
        "- exact-values",
        f"- {oracle.game.name}",
        "size_categories:",
        f"- {size}",
        "configs:",
        "- config_name: default",
        "  data_files:",
        *splits,
    ]
    return "\n".join(["---", *lines, "---"])


def _array_columns(game: Game, solved: SolvedPositions) -> str:
    """What the arrays are."""
    with_scores = solved.move_scores is not None
    return ARRAYS.format(
        words=game.num_words,
        planes=", ".join(map(str, game.shape)),
        actions=game.num_actions,
        score="\n| `move_scores` | the player's discs at the end minus the opponent's; 0 where it is not legal |" * with_scores,
        scores=" and `move_scores`" * with_scores,
        names=", ".join(game.moves[:12]),
    )


def _choice(sampling: Sampling) -> str:
    """How positions were chosen among those of random games."""
    if sampling.pool == 1:
        return "They are taken as the games bring them."
    kept = "and then all strata get equal shares, unless they have too few."
    return f"{sampling.pool} times the number of positions is collected, {kept}"


def _omissions(oracle: Oracle, sampling: Sampling) -> str:
    """The positions of the game that are left out, as a list."""
    reasons = [
        "Finished positions, and positions that cannot come up in a game.",
        f"Positions out of the oracle's reach, or with a move out of it. Within reach: {oracle.reach}.",
        "Most positions of a large game: random games reach some kinds often and others hardly ever. They do not show strong play, "
        "especially in openings.",
        f"Positions after ply {LONGEST} of a random game.",
        *(
            [f"All but those {sampling.plies.least} to {sampling.plies.most} plies after the start of the game."]
            if sampling.plies
            else []
        ),
        *([f"All but those with {sampling.empties.least} to {sampling.empties.most} empty cells."] if sampling.empties else []),
        f"Other variants of {oracle.game.title}.",
    ]
    if oracle.game.max_plies:
        reasons.append(
            f"The limit of {oracle.game.max_plies} plies: values are for a game without it, in which endless play is a draw."
        )
    return "\n".join(f"- {reason}" for reason in reasons)


def _files(files: list[PositionsFile]) -> str:
    rows = [f"| {file.name} | {file.size} | `{file.checksum}` |" for file in files]
    return "\n".join(["| file | bytes | SHA-256 |", "|---|---:|---|", *rows])


def _strata(solved: SolvedPositions) -> str:
    tests = Counter(stratum for stratum, for_test in zip(solved.strata, solved.for_test.tolist(), strict=True) if for_test)
    rows = [f"| {stratum} | {number} | {tests[stratum]} |" for stratum, number in counts(solved).items()]
    return "\n".join(["| stratum | positions | for testing |", "|---|---:|---:|", *rows])
