"""`make_openings`: openings of a game whose value is known, no two of which lead to the same position up to symmetry.

An opening is a line of legal moves from the start, all of the same length, after which the game goes on. Where there are few lines,
all are gone through in random order; else random ones are drawn, until enough have the value that is asked for. An oracle proves
the value; or a search estimates it, which the label says.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import __version__
from ...agents import make_policy
from ...agents.minimax import Minimax
from ...core.files.writing import path_of, write_whole
from ...core.numbers import seed_of, several, short_repr, whole
from ...core.progress import Progress
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from ...games.registry import make_game
from ...oracles import Oracle, make_oracle
from ...oracles.oracle import OUT_OF_REACH
from ...oracles.statespace.canonical import canonical
from ...search.alphabeta.negamax import PROVEN
from ..matches.openings import openings
from ..matches.settings import LONGEST_OPENING

MOST_OPENINGS = 100_000
FEW_LINES = 100_000
"""Where there are at most this many lines of the length asked for, all are gone through."""
ROUND, ROUNDS = 1024, 200
"""Random lines that are drawn at a time, and how often at most."""
AT_ONCE = 64
"""Positions that are judged at a time; which openings are taken does not depend on it."""
ORACLE, SEATS = "oracle", "seats"
VALUES = {"won": 1, "drawn": 0, "level": 0, "0": 0, "lost": -1}
NAMES = {1: "won by the player to move", 0: "drawn", -1: "lost by the player to move"}
SPAN = re.compile(r"(-?\d+):(-?\d+)")
Values = NDArray[np.float64]
"""Values or scores for the player to move (N,); NaN where they are not known."""
Lines = NDArray[np.int64]
"""The actions of lines of the same length (N, K)."""


class WantedValue(NamedTuple):
    """What openings are to be worth for the player to move.

    Args:
        spans: the least and the largest number; where there are several, each holds for an equal share of the openings.
        scored: whether these are points of the game's score, and not 1, 0 and -1.
    """

    spans: tuple[tuple[int, int], ...]
    scored: bool = False

    @classmethod
    def read(cls, text: str) -> WantedValue:
        """The value that a word or two bounds ask for; ValueError for another text."""
        if text in VALUES:
            return cls(((VALUES[text], VALUES[text]),))
        if text == SEATS:
            return cls(((1, 1), (-1, -1)))
        if (bounds := SPAN.fullmatch(text)) and int(bounds[1]) <= int(bounds[2]):
            return cls(((int(bounds[1]), int(bounds[2])),), scored=True)
        raise ValueError(
            f"there is no value {short_repr(text)}; give {', '.join(VALUES)}, or {SEATS} for half won and half lost, or the least"
            " and the largest score for the player to move, as -2:2"
        )

    @property
    def names(self) -> list[str]:
        """Each span in words."""
        if self.scored:
            return [f"from {least} to {most} points for the player to move" for least, most in self.spans]
        return [NAMES[least] for least, _ in self.spans]

    def __str__(self) -> str:
        return self.names[0] if len(self.spans) == 1 else "in turn won and lost by the player to move"


class Appraiser(NamedTuple):
    """What says how much positions are worth.

    Args:
        values: from unfinished positions (N, W) to their values or scores.
        label: what it says about openings whose value is as asked for.
        reach: what it knows, in words.
    """

    values: Callable[[StateArray], Values]
    label: str
    reach: str


class OpeningSuite(NamedTuple):
    """Openings of a game, and what is known about them.

    Args:
        game: the game and variant.
        lines: the actions of each opening (N, K).
        label: their value, and who says so, in words.
        command: the command that makes them.
    """

    game: Game
    lines: Lines
    label: str
    command: str

    def write(self, path: str | Path) -> None:
        """Writes the file, whole or not at all: comments that say what they are, then the moves of an opening a line.

        Raises:
            OSError: it cannot be written.
        """
        comments = [f"# Game: {self.game}", f"# {self.label}", f"# {self.command}", f"# ludus {__version__}"]
        moves = [" ".join(map(self.game.move_name, line)) for line in self.lines.tolist()]
        write_whole(path_of(path), "\n".join([*comments, *moves, ""]).encode())


def make_openings(
    game: str | Game,
    *,
    plies: int,
    count: int,
    seed: int = 0,
    value: str = "drawn",
    by: str = ORACLE,
    progress: Progress = lambda done, total: None,
) -> OpeningSuite:
    """Openings of a game whose value is known, no two of which lead to the same position up to symmetry.

    Args:
        game: the game or its spec.
        plies: how many moves each has.
        count: how many.
        seed: the same seed gives the same openings.
        value: what they are worth with perfect play for the player to move: `drawn` (or `level`, or `0`), `won` or `lost`; `seats`
            for half of them won and half lost, in turn; or the least and the largest score, as `-2:2`.
        by: who says so: `oracle`, which proves it; or the spec of a minimax player, whose search estimates it.
        progress: called with how many openings there are, and how many there are to be.

    Raises:
        ValueError: an argument is out of its range; their values are not known; or there are fewer, and then with how many
            there are.
    """
    game, wanted = make_game(game), WantedValue.read(value)
    plies, count, seed = whole(plies, "plies", 1, LONGEST_OPENING), whole(count, "count", 1, MOST_OPENINGS), seed_of(seed)
    if count % len(wanted.spans):
        raise ValueError(
            f"count is {count}; with {short_repr(value)} it must be an even number, half of the openings won and half lost"
        )
    appraiser = by_oracle(make_oracle(game), wanted) if by == ORACLE else by_search(game, by, wanted)
    lines = _select(game, plies, seed, wanted, count // len(wanted.spans), appraiser, progress)
    words = ["ludus", "openings", game.spec, "--plies", str(plies), "--count", str(count), "--seed", str(seed), "--value", value]
    return OpeningSuite(game, lines, appraiser.label, shlex.join([*words, *([] if by == ORACLE else ["--by", by])]))


def by_oracle(oracle: Oracle, wanted: WantedValue) -> Appraiser:
    """Values with perfect play, each of which may take up to half a minute; ValueError if a score is wanted and the game has
    none."""
    game, patient = oracle.game, oracle.patient()
    if wanted.scored and not oracle.has_score:
        raise ValueError(f"{game} has no scores; ask for {', '.join(VALUES)} or {SEATS}")

    def values(states: StateArray) -> Values:
        known = patient.position_values(states, scores=wanted.scored)
        return np.where(known.values == OUT_OF_REACH, np.nan, known.values) if known.scores is None else known.scores

    return Appraiser(
        values, f"proven by the oracle: {wanted} with perfect play", f"the oracle of {game.title} knows {oracle.reach}"
    )


def by_search(game: Game, spec: str, wanted: WantedValue) -> Appraiser:
    """Values as the search of a minimax player finds them: a score by its evaluation; else drawn where it sees no forced win.

    ValueError where the spec is of another player, or its evaluation says nothing about the value that is wanted.
    """
    policy = make_policy(spec, game)
    if not isinstance(policy, Minimax):
        raise ValueError(f"{spec} does not say what a position is worth; name a minimax player, as minimax:nodes=100000")
    search, unit = policy.searcher.search, policy.searcher.evaluation.score_unit
    if wanted.scored and not unit:
        raise ValueError(f"the evaluation of {spec} in {game} is no score; ask for {', '.join(VALUES)} or {SEATS}")

    def values(states: StateArray) -> Values:
        estimates = search(states, np.zeros(len(states), np.uint64)).values
        proven = np.abs(estimates) > PROVEN
        return np.where(proven, np.nan, estimates / unit) if wanted.scored else np.where(proven, np.sign(estimates), 0.0)

    seems = "no forced win of either player is found" if str(wanted) == NAMES[0] else str(wanted)
    return Appraiser(values, f"searched by {spec}: {seems}", f"{spec} sees a forced win or loss in each")


def _select(game: Game, plies: int, seed: int, wanted: WantedValue, each: int, appraiser: Appraiser, progress: Progress) -> Lines:
    """The first candidates of each span that is wanted, this many of each, in turn, which lead to different positions; ValueError
    where there are fewer, or no value is known."""
    parts, seen, known = [list[NDArray[np.int64]]() for _ in wanted.spans], set[bytes](), 0
    few = all(game.perft(depth) <= FEW_LINES for depth in range(1, plies + 1))
    for lines, states in _different_lines(game, plies, seed, seen, few):
        values = appraiser.values(states)
        known += np.isfinite(values).sum()
        if len(seen) >= AT_ONCE and not known:
            break  # it would know no others either, and each may take half a minute
        for part, (least, most) in zip(parts, wanted.spans, strict=True):
            part += [*lines[(least <= values) & (values <= most)]]
        progress(sum(min(each, len(part)) for part in parts), each * len(parts))
        if min(map(len, parts)) >= each:
            return np.stack([part[:each] for part in parts], axis=1).reshape(-1, plies)
    if not seen:
        raise ValueError(f"no game of {game} goes on after {several(plies, 'ply', 'plies')}; take fewer")
    if not known:
        which = several(len(seen), "position")
        raise ValueError(f"no value of {which} is known: {appraiser.reach}; take more plies, or name a search")
    there = " and ".join(f"{len(part):,} {name}" for part, name in zip(parts, wanted.names, strict=True))
    where = f"{game} after {several(plies, 'ply', 'plies')}{'' if few else ' that random lines reach'}"
    fewer = f"{most} or fewer, or " if (most := min(map(len, parts)) * len(parts)) else ""
    raise ValueError(
        f"of the {several(len(seen), 'position')} of {where}, counted up to symmetry, there are {there};"
        f" ask for {fewer}other plies, or another value"
    )


def _different_lines(game: Game, plies: int, seed: int, seen: set[bytes], few: bool) -> Iterator[tuple[Lines, StateArray]]:
    """Lines that lead to positions which no line before them leads to, up to symmetry, and these positions, some at a time.

    Args:
        game: the game and variant.
        plies: the number of their moves.
        seed: draws them.
        seen: takes up the canonical forms of the positions.
        few: whether all lines are gone through; random ones else, until a round brings no new position.
    """
    for lines, states in [all_lines(game, plies, seed)] if few else random_lines(game, plies, seed):
        before = len(seen)
        for start in range(0, len(lines), AT_ONCE):
            forms = [form.tobytes() for form in canonical(game, states[start : start + AT_ONCE])[0]]
            new = [start + row for row, form in enumerate(forms) if form not in seen and form not in forms[:row]]
            seen.update(forms)
            yield lines[new], states[new]
        if len(seen) == before:
            return


def all_lines(game: Game, plies: int, seed: int) -> tuple[Lines, StateArray]:
    """All lines of this many moves after which the game goes on (N, K), in random order, and the positions they lead to (N, W)."""
    lines, states = np.zeros((1, 0), np.int64), game.start[None]
    for _ in range(plies):
        rows, actions = np.nonzero(game.masks(states))
        after = game.plays(states[rows], actions)
        going = game.outcomes(after) == ONGOING
        lines, states = np.column_stack([lines[rows], actions])[going], after[going]
    order = np.random.default_rng(seed).permutation(len(lines))
    return lines[order], states[order]


def random_lines(game: Game, plies: int, seed: int) -> Iterator[tuple[Lines, StateArray]]:
    """Random lines of this many moves after which the game goes on (N, K), and the positions after them (N, W), round by round."""
    for number in range(ROUNDS):
        lines, states = openings(game, seed, np.arange(number * ROUND, (number + 1) * ROUND), plies, ("openings",))
        going = (lines >= 0).all(axis=1)
        yield lines[going], states[going]
