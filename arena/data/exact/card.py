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
from ..cards import render_card
from .arrays import ManyPositions
from .collecting import LONGEST, Sampling
from .solving import STRATA, counts

SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
LARGEST_SIZE = "1M<n<10M"
SCORE = "; `score`, the player's discs at the end minus the opponent's"


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
    oracle: Oracle, solved: ManyPositions, files: list[PositionsFile], command: str, sampling: Sampling, *, arrays: bool = False
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
    game, total, tests = oracle.game, len(solved.states), int(solved.test.sum())
    title = f"{several(total, 'position')} of {game.title} with the exact value of every legal move"
    tests_of = Counter(STRATA[number] for number in solved.strata[solved.test].tolist())
    splits = (line for file in files for line in (f"  - split: {file.split}", f"    path: {file.name}"))
    return render_card(
        "positions",
        game=game,
        title=title,
        size=next((name for most, name in SIZES.items() if total < most), LARGEST_SIZE),
        splits="\n".join(splits),
        explanation=f"Game: `{game.spec}`. {game.explanation}".rstrip(),
        columns=_array_columns(game, solved) if arrays else render_card("records", score=SCORE * oracle.has_score),
        command=command,
        version=__version__,
        choice=_choice(sampling),
        reach=oracle.reach,
        omissions=_omissions(oracle, sampling),
        trains=total - tests,
        tests=tests,
        strata="\n".join(f"| {stratum} | {number} | {tests_of[stratum]} |" for stratum, number in counts(solved).items()),
        files="\n".join(f"| {file.name} | {file.size} | `{file.checksum}` |" for file in files),
    )


def _array_columns(game: Game, solved: ManyPositions) -> str:
    """What the arrays are."""
    with_scores = solved.move_scores is not None
    return render_card(
        "arrays",
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
        f"Other variants of {oracle.game.title}.",
    ]
    if sampling.plies:
        reasons.insert(4, f"All but those {sampling.plies.least} to {sampling.plies.most} plies after the start of the game.")
    if sampling.empties:
        reasons.insert(-1, f"All but those with {sampling.empties.least} to {sampling.empties.most} empty cells.")
    if oracle.game.max_plies:
        reasons.append(
            f"The limit of {oracle.game.max_plies} plies: values are for a game without it, in which endless play is a draw."
        )
    return "\n".join(f"- {reason}" for reason in reasons)
