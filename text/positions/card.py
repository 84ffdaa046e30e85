"""The data card of positions: what they are, how they were made, what they leave out, and how to check the files.

It is the README.md of a dataset as the Hugging Face Hub shows it: metadata in YAML first, then Markdown.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from ... import __version__
from ...core.numbers import several
from ...oracles import Oracle
from .collecting import LONGEST, POOL
from .solving import SolvedPositions, counts

SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
LARGEST_SIZE = "1M<n<10M"
COLUMNS = """\
| column | meaning |
|---|---|
| `game` | the game and its variant, as Ludus names it |
| `position` | the position, in the game's notation |
| `player` | who moves, 0 or 1 |
| `ply` | how many plies from the start the position was found |
| `value` | for the player to move, with perfect play: 1 won, 0 drawn, -1 lost |
| `distance` | plies to the end when the winner hurries and the loser delays; null in draws, and where nobody knows it |
| `moves` | each legal move: its name `move`, the `value` for the player who makes it, the `distance`, that move counted{score} |
| `keeping` | how many of the moves keep the value |
| `stratum` | positions that are equally hard |
| `split` | `train` or `test` |"""


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


def card(oracle: Oracle, solved: SolvedPositions, files: list[PositionsFile], command: str) -> str:
    """The data card.

    Args:
        oracle: the game's oracle.
        solved: the positions.
        files: where they were written.
        command: what made them.
    """
    game, total, tests = oracle.game, len(solved.states), int(solved.for_test.sum())
    title = f"{several(total, 'position')} of {game.title} with the exact value of every legal move"
    score = "; `score`, the discs at the end, own less the opponent's" if oracle.has_score else ""
    parts = [
        _metadata(oracle, files, title, total),
        f"# {title}",
        f"Game: `{game.spec}`. {game.explanation}".rstrip(),
        "## What is in it",
        COLUMNS.format(score=score),
        "## How it was made",
        f"By `{command}`, ludus {__version__}. The same command of the same version writes the same bytes (Parquet: with the "
        "same version of pyarrow).",
        "Positions come from random games. One is kept of each class: of those that look the same to the player to move, up to "
        "symmetry. "
        f"{POOL} times as many as wanted are collected, and all strata get equal shares of those, as far as there are as many. "
        f"Values are not estimates. They come from the oracle of Ludus, which knows {oracle.reach}.",
        "## What it leaves out",
        _omissions(oracle),
        "## Training and testing",
        f"{total - tests:,} positions are for training and {tests:,} for testing. A hash of what the player "
        "to move sees, up to symmetry, decides: no position for testing looks like one for training, in any file of this game, "
        "whatever the seed. Nor does it with the colours exchanged.",
        "## How many of each kind",
        _strata(solved),
        "## Files",
        _files(files),
        "## Licence",
        "MIT, the licence of Ludus.",
    ]
    return "\n\n".join(parts) + "\n"


def _metadata(oracle: Oracle, files: list[PositionsFile], title: str, total: int) -> str:
    """What the Hub reads: the front matter, in YAML."""
    size = next((name for most, name in SIZES.items() if total < most), LARGEST_SIZE)
    splits = [line for one in files for line in (f"  - split: {one.split}", f"    path: {one.name}")]
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


def _omissions(oracle: Oracle) -> str:
    """Which positions of the game cannot be here, in a list."""
    reasons = [
        "Finished positions, and positions that cannot come up in a game.",
        f"Positions out of the oracle's reach, or with a move out of it. Within reach: {oracle.reach}.",
        "Most positions of a large game: random games bring some kinds often and others hardly ever. Strong play, above all in "
        "openings, is not what they show.",
        f"Positions after ply {LONGEST} of a random game.",
        f"Other variants of {oracle.game.title}.",
    ]
    if oracle.game.max_plies:
        reasons.append(
            f"The limit of {oracle.game.max_plies} plies: values are for a game without it, in which what never ends is drawn."
        )
    return "\n".join(f"- {reason}" for reason in reasons)


def _files(files: list[PositionsFile]) -> str:
    rows = [f"| {one.name} | {one.size} | `{one.checksum}` |" for one in files]
    return "\n".join(["| file | bytes | SHA-256 |", "|---|---:|---|", *rows])


def _strata(solved: SolvedPositions) -> str:
    tests = Counter(stratum for stratum, for_test in zip(solved.strata, solved.for_test.tolist(), strict=True) if for_test)
    rows = [f"| {stratum} | {number} | {tests[stratum]} |" for stratum, number in counts(solved).items()]
    return "\n".join(["| stratum | positions | for testing |", "|---|---:|---:|", *rows])
