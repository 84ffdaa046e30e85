"""`grade_exact`: computes a policy's exact grade over every position that can come up against it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents.policy import Policy
from ...agents.registry import as_policy
from ...agents.table import TablePolicy
from ...core.files.writing import path_of
from ...core.numbers import seed_of, several, whole
from ...core.progress import ProgressLog
from ...games.game import Game, StateArray, Symmetries
from ...games.registry import make_game
from ...oracles import make_oracle
from ...oracles.statespace.canonical import canonical, start_symmetries
from ...oracles.statespace.graph import LARGEST, Chooser, TooLargeError, explore, no_symmetries
from ...oracles.statespace.index import StateIndex
from ...oracles.statespace.table import Table
from ...oracles.values import is_searched, values_of
from .answers import AnswerFile, AsymmetricError, RepeatingChooser, frozen_chooser, probability_chooser
from .calibration import Valuations, calibrate, check_calibration
from .exact_grade import ExactGrade, ExactGrades
from .seat import SeatAnalysis, SeatGrade

POSSIBLE = (
    "It is possible for tictactoe, nim with small heaps, quixo:size=3, othello:size=4, connect_four with up to 20 cells, games of "
    "your own with few positions, and quixo:size=4 and connect_four with up to 25 cells where a policy leaves few ways to play; "
    "a sample of its moves is graded by grade(policy, game), and on the command line without --exact"
)


def grade_exact(
    policy: Any,
    game: str | Game,
    *,
    freeze: bool = False,
    seed: int = 0,
    largest: int = LARGEST,
    answers: str | Path | None = None,
    calibration: int | None = None,
    progress: Callable[[str], object] = lambda _: None,
) -> ExactGrade:
    """Compares a policy with perfect play over every position that can come up against it. `grade` takes a sample of its moves.

    Args:
        policy: a spec, a policy, or whatever `as_policy` takes. If it gives its probabilities, it is graded with them; otherwise it
            is frozen: in each position it takes the action that it takes for a key that depends on the position and the seed.
        game: the game, or its spec.
        freeze: whether a policy that gives its probabilities is frozen, too; fewer positions come up against one that is.
        seed: the seed of the keys of a frozen policy.
        largest: how many positions may come up against it in one seat at most.
        answers: a file that keeps what the policy answers. A grade that was interrupted, and another one of the same policy, read
            the answers there instead of asking again.
        calibration: of how many positions it also states values, drawn by how often they come up against random play; None for no
            calibration.
        progress: called from time to time with a line about the progress.

    Raises:
        ValueError: the policy does not play this game, there are more positions, it answers with an illegal action or invalid
            probabilities, the file has the answers of another policy, or a calibration is asked of a policy that states no values.
        OSError: the file cannot be read or written.
    """
    seed, largest = seed_of(seed), whole(largest, "largest", 1)
    game = make_game(game)
    policy = as_policy(policy, game)
    if game.known.exact_cells is not None and game.num_cells > game.known.exact_cells:
        raise TooLargeError(f"{game} has too many positions for an exact grade. {POSSIBLE}")
    if calibration is not None:
        check_calibration(policy, calibration)
    progress = ProgressLog(f"exact grade of {policy} in {game}").beside(progress)
    with closing(AnswerFile(path_of(answers), policy)) if answers else nullcontext() as file:

        def grade_by(chooser: Chooser, frozen: bool, symmetries: Symmetries) -> ExactGrade:
            how = f"frozen by {seed}" if frozen else "probabilities"
            repeated = RepeatingChooser(chooser)
            return _Grader(
                policy=policy,
                chooser=repeated if file is None else file.chooser(repeated, how),
                repeated=repeated,
                frozen=frozen,
                seed=seed,
                symmetries=symmetries,
                largest=largest,
                calibration=calibration,
                progress=progress,
            ).grade()

        if not freeze:
            with suppress(NotImplementedError):
                if policy.symmetric:
                    turns = start_symmetries(game)
                    with suppress(AsymmetricError):
                        return grade_by(probability_chooser(policy, turns), False, turns)
                return grade_by(probability_chooser(policy), False, no_symmetries(game))
        return grade_by(frozen_chooser(policy, seed), True, no_symmetries(game))


def grade_with_seeds(policy: Any, game: str | Game, seeds: int, *, seed: int = 0, **settings: Any) -> ExactGrades:
    """Grades a policy exactly several times, frozen by one seed after another.

    Args:
        policy, game: as for `grade_exact`.
        seeds: how many seeds.
        seed: the first one; each of the others is one higher.
        settings: `largest`, `answers`, `calibration` and `progress`, as for `grade_exact`.
    """
    policy = as_policy(policy, game)
    count, first = whole(seeds, "seeds", 1), seed_of(seed)
    return ExactGrades(tuple(grade_exact(policy, game, freeze=True, seed=first + k, **settings) for k in range(count)))


@dataclass(frozen=True)
class _Grader:
    """Grades a policy.

    Args:
        policy: the policy.
        chooser: the probability that it takes each action.
        repeated: asks it again at the end.
        frozen, seed: as in the grade.
        symmetries: those under which it plays alike and which leave the start unchanged.
        largest, calibration, progress: as for `grade_exact`.
    """

    policy: Policy
    chooser: Chooser
    repeated: RepeatingChooser
    frozen: bool
    seed: int
    symmetries: Symmetries
    largest: int
    calibration: int | None
    progress: Callable[[str], object]

    def grade(self) -> ExactGrade:
        """The grade of both seats, with the best response to them."""
        game = self.policy.game
        grades, answers, valuations = zip(*map(self._seat, (0, 1)), strict=True)
        table = self._table(*(np.concatenate(part) for part in zip(*answers, strict=True)))
        best_response = TablePolicy(game, given=table, title=f"best response to {self.policy}")
        known = [valuation for valuation in valuations if valuation is not None and len(valuation.states)]
        curves = calibrate(self.policy, known, self.seed) if known else ()
        seats = grades[0], grades[1]
        is_steady = self.repeated.is_steady()
        return ExactGrade(
            game=game,
            policy=str(self.policy),
            frozen=self.frozen,
            seed=self.seed,
            seats=seats,
            best_response=best_response,
            calibration=curves,
            exact=is_steady,
            without_memory=self.policy.remembers,
        )

    def _seat(self, seat: int) -> tuple[SeatGrade, tuple[StateArray, NDArray[np.int16]], Valuations | None]:
        """The grade of a seat; the best response, as the opponent's positions (N, W) and moves there (N,); and the positions of
        this seat, half of all, with their values, if there is a calibration."""
        game, progress = self.policy.game, self.progress
        who = f"as {game.player_names[seat]}"
        choosers = (self.chooser, None) if seat == 0 else (None, self.chooser)
        try:
            graph = explore(game, choosers, self.largest, self._counter(who), self.symmetries)
        except TooLargeError:
            raise TooLargeError(
                f"more than {self.largest:,} positions of {game} can come up against {self.policy} {who}, too many for an exact "
                f"grade{'' if self.frozen else '; fewer do where it is frozen, by freeze=True or --freeze'}. {POSSIBLE}"
            ) from None
        oracle = None if is_searched(game) else make_oracle(game)
        valued = partial(values_of, game, oracle=oracle)
        analysis = SeatAnalysis(graph, seat, valued, lambda text: progress(f"{who}: {several(len(graph), 'position')}, {text}"))
        grade, opponent_positions = analysis.grade(), analysis.opponent_positions
        sample = None
        if self.calibration is not None and (known := analysis.valuations()) is not None:
            sample = known.sample(self.calibration // 2, self.seed)
        return grade, (graph.states[opponent_positions], graph.actions[analysis.response[opponent_positions]]), sample

    def _counter(self, who: str) -> Callable[[int, int], None]:
        """Reports how many positions are known, how many of them wait to be expanded, and how long these will take at least."""
        began = time.monotonic()

        def report(known: int, left: int) -> None:
            seconds = (time.monotonic() - began) * left / max(1, known - left)
            self.progress(f"{who}: {several(known, 'position')}, {left:,} of them to expand, in {seconds:.0f} s or more")

        return report

    def _table(self, states: StateArray, actions: NDArray[np.int16]) -> Table:
        """The best response as a table; where symmetric positions count as one, each stands for all that are symmetric to it."""
        game = self.policy.game
        if len(self.symmetries.cells) == 1:
            return Table(game, states, actions)
        images, which = canonical(game, states)
        first = StateIndex(game, images).find(images) == np.arange(len(images))
        return Table(game, images[first], game.symmetries.actions[which, actions][first], symmetric=True)
