"""`grade_exactly`: computes a policy's exact grade over every position that can come up against it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.table import TablePolicy
from ...core.numbers import seed_of, several, whole
from ...games.game import StateArray, Symmetries
from ...oracles import OUT_OF_REACH, make_oracle
from ...oracles.statespace.canonical import canonical, start_symmetries
from ...oracles.statespace.graph import LARGEST, Chooser, Graph, TooLargeError, explore, no_symmetries
from ...oracles.statespace.index import StateIndex
from ...oracles.statespace.table import Table
from ...oracles.values import is_searched, values_of
from .answers import AskedAgain, AsymmetricError, KeptAnswers, frozen_chances, given_chances
from .calibration import Valuations, calibrated, check_calibration
from .exact_grade import ExactGrade, ExactGrades
from .losses import Valued
from .seat import SeatAnalysis, SeatGrade

POSSIBLE = (
    "It is possible for tictactoe, nim with small heaps, quixo:size=3, othello:size=4, games of your own with few positions, and "
    "quixo:size=4 where a policy leaves few ways to play; without --exact a sample of its moves is graded"
)


def grade_exactly(
    policy: Policy,
    *,
    freeze: bool = False,
    seed: int = 0,
    largest: int = LARGEST,
    answers: Path | None = None,
    calibration: int | None = None,
    progress: Callable[[str], object] = lambda _: None,
) -> ExactGrade:
    """Grades a policy exactly.

    Args:
        policy: if it gives its probabilities, it is graded with them; otherwise it is frozen: in each position it takes the
            action that it takes for a key that depends on the position and the seed.
        freeze: freeze every policy; fewer positions come up against one that is frozen.
        seed: for a policy that is frozen.
        largest: how many positions may come up against it in one seat.
        answers: a file that keeps what the policy answers, so that another grade need not ask again.
        calibration: ask it too what so many of its positions are worth, drawn by how often they come up against random play;
            None to leave this out.
        progress: called from time to time with a line about the progress.

    Raises:
        ValueError: there are more positions, or the policy answers with an illegal action or invalid probabilities; or the file
            has the answers of another policy; or a calibration is wanted of a policy that states no values.
        OSError: the file cannot be read or written.
    """
    seed, largest = seed_of(seed), whole(largest, "largest", 1)
    game = policy.game
    if game.known.exact_cells is not None and game.num_cells > game.known.exact_cells:
        raise TooLargeError(f"{game} has too many positions for an exact grade. {POSSIBLE}")
    if calibration is not None:
        check_calibration(policy, calibration)
    with closing(KeptAnswers(answers, policy)) if answers else nullcontext() as kept:

        def graded(chooser: Chooser, frozen: bool, symmetries: Symmetries) -> ExactGrade:
            how = f"frozen by {seed}" if frozen else "probabilities"
            repeated = AskedAgain(chooser)
            asking = repeated if kept is None else kept.choosing(repeated, how)
            return _Grader(policy, asking, repeated, frozen, seed, symmetries, largest, calibration, progress).grade()

        if not freeze:
            with suppress(NotImplementedError):
                if policy.symmetric:
                    turns = start_symmetries(game)
                    with suppress(AsymmetricError):
                        return graded(given_chances(policy, turns), False, turns)
                return graded(given_chances(policy), False, no_symmetries(game))
        return graded(frozen_chances(policy, seed), True, no_symmetries(game))


def grade_with_seeds(policy: Policy, seeds: int, *, seed: int = 0, **settings: Any) -> ExactGrades:
    """Grades a policy exactly, frozen by several seeds one after the other.

    Args:
        policy: the policy.
        seeds: how many.
        seed: the first one; each of the others is one more.
        settings: as for `grade_exactly`.
    """
    count, first = whole(seeds, "seeds", 1), seed_of(seed)
    return ExactGrades(tuple(grade_exactly(policy, freeze=True, seed=first + k, **settings) for k in range(count)))


@dataclass(frozen=True)
class _Grader:
    """Grades a policy.

    Args:
        policy: the policy.
        chooser: how likely it is to take each action.
        repeated: asks it again.
        frozen, seed: as in the grade.
        symmetries: those under which it plays alike, and which leave the start as it is.
        largest, calibration, progress: as for `grade_exactly`.
    """

    policy: Policy
    chooser: Chooser
    repeated: AskedAgain
    frozen: bool
    seed: int
    symmetries: Symmetries
    largest: int
    calibration: int | None
    progress: Callable[[str], object]

    def grade(self) -> ExactGrade:
        """The grade of both seats, with the best answer to them."""
        game = self.policy.game
        grades, answers, valuations = zip(*map(self._seat, (0, 1)), strict=True)
        table = self._table(*(np.concatenate(part) for part in zip(*answers, strict=True)))
        response = TablePolicy(game, given=table, title=f"best response to {self.policy}")
        known = [one for one in valuations if one is not None and len(one.states)]
        curves = calibrated(self.policy, known, self.seed) if known else ()
        seats = grades[0], grades[1]
        steady = self.repeated.is_steady()
        return ExactGrade(game, str(self.policy), self.frozen, self.seed, seats, response, curves, steady, self.policy.remembers)

    def _seat(self, seat: int) -> tuple[SeatGrade, tuple[StateArray, NDArray[np.int16]], Valuations | None]:
        """How it plays a seat; the best answer, as the opponent's positions (N, W) and moves there (N,); and, for a calibration,
        what half as many positions as wanted are worth."""
        game, progress = self.policy.game, self.progress
        who = f"as {game.player_names[seat]}"
        choosers = (self.chooser, None) if seat == 0 else (None, self.chooser)
        try:
            graph = explore(game, choosers, self.largest, self._counting(who), self.symmetries)
        except TooLargeError:
            raise TooLargeError(
                f"more than {self.largest:,} positions of {game} can come up against {self.policy} {who}, too many for an exact "
                f"grade{'' if self.frozen else '; fewer do where it is frozen, with --freeze'}. {POSSIBLE}"
            ) from None
        analysis = SeatAnalysis(
            graph, seat, self._valued(graph), lambda text: progress(f"{who}: {several(len(graph), 'position')}, {text}")
        )
        grade, opposing = analysis.grade(), analysis.opposing
        drawn = None
        if self.calibration is not None and (known := analysis.valuations()) is not None:
            drawn = known.drawn(self.calibration // 2, self.seed)
        return grade, (graph.states[opposing], graph.actions[analysis.answer[opposing]]), drawn

    def _valued(self, graph: Graph) -> Valued | None:
        """What positions are worth; None if that is not known of all that can come up."""
        game = self.policy.game
        oracle = None if is_searched(game) else make_oracle(game)
        known = not (values_of(game, graph.states, oracle) == OUT_OF_REACH).any()
        return (lambda states: values_of(game, states, oracle)) if known else None

    def _counting(self, who: str) -> Callable[[int, int], None]:
        """Reports how many positions were found, how many of them have no moves yet, and how long these will take at least."""
        began = time.monotonic()

        def said(found: int, left: int) -> None:
            seconds = (time.monotonic() - began) * left / max(1, found - left)
            self.progress(f"{who}: {several(found, 'position')}, {left:,} of them to look at, in {seconds:.0f} s or more")

        return said

    def _table(self, states: StateArray, actions: NDArray[np.int16]) -> Table:
        """The best answer as a table; where symmetric positions count as one, each stands for all that are symmetric to it."""
        game = self.policy.game
        if len(self.symmetries.cells) == 1:
            return Table(game, states, actions)
        images, which = canonical(game, states)
        first = StateIndex(game, images).find(images) == np.arange(len(images))
        return Table(game, images[first], game.symmetries.actions[which, actions][first], symmetric=True)
