"""`grade`: compares a policy with perfect play, by the moves of a sample of games, or exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, overload

from ...agents.registry import as_policy
from ...core.files.writing import path_of
from ...games.game import Game
from ...games.registry import make_game
from ...oracles.statespace.graph import LARGEST
from ..matches.faults import Faults
from .exact import grade_exactly, grade_with_seeds
from .exact_grade import ExactGrade, ExactGrades
from .sampled import MOST_GRADED, Grade, grade_sampled


@overload
def grade(
    policy: Any,
    game: str | Game,
    *,
    exact: Literal[False] = False,
    games: int | None = None,
    against: Any = "random",
    opening_plies: int = 0,
    most: int | None = MOST_GRADED,
    calibration: int | None = None,
    seed: int = 0,
    workers: int = 1,
    faults: Faults = "raise",
    ask_again: bool = True,
    progress: Callable[[str], object] = lambda _: None,
) -> Grade: ...
@overload
def grade(
    policy: Any,
    game: str | Game,
    *,
    exact: Literal[True],
    freeze: bool = False,
    largest: int = LARGEST,
    answers: str | Path | None = None,
    seeds: None = None,
    calibration: int | None = None,
    seed: int = 0,
    progress: Callable[[str], object] = lambda _: None,
) -> ExactGrade: ...
@overload
def grade(
    policy: Any,
    game: str | Game,
    *,
    exact: Literal[True],
    largest: int = LARGEST,
    answers: str | Path | None = None,
    seeds: int,
    calibration: int | None = None,
    seed: int = 0,
    progress: Callable[[str], object] = lambda _: None,
) -> ExactGrades: ...
def grade(
    policy: Any,
    game: str | Game,
    *,
    exact: bool = False,
    games: int | None = None,
    against: Any = "random",
    opening_plies: int = 0,
    most: int | None = MOST_GRADED,
    freeze: bool = False,
    largest: int = LARGEST,
    answers: str | Path | None = None,
    seeds: int | None = None,
    calibration: int | None = None,
    seed: int = 0,
    workers: int = 1,
    faults: Faults = "raise",
    ask_again: bool = True,
    progress: Callable[[str], object] = lambda _: None,
) -> Grade | ExactGrade | ExactGrades:
    """Compares a policy with perfect play.

    Args:
        policy: a spec, a policy, or whatever `as_policy` takes: a function, a Stable-Baselines3 model, a torch module.
        game: the game, or its spec.
        exact: whether to compute over every position that can come up, instead of from a sample of moves.
        games: of a sampled grade: how many games are played, an even number, half of them in each seat; None for 1000, or more
            where fewer than `most` moves of these can be graded.
        against: of a sampled grade: the opponent.
        opening_plies: of a sampled grade: how many random plies games begin with.
        most: of a sampled grade: how many moves are graded at most, in games where each takes a search; None for all.
        freeze: of an exact grade: whether the policy plays one fixed action in each position, even if it gives its probabilities.
        largest: of an exact grade: how many positions may come up against the policy in one seat.
        answers: of an exact grade: a file that keeps what the policy answers. A grade that was interrupted, and another one of the
            same policy, read the answers there instead of asking again.
        seeds: of an exact grade: the number of seeds, from `seed` on, by which the policy is frozen and graded.
        calibration: of how many positions at most the policy also states values, to be compared with the exact ones.
        seed: the source of all randomness.
        workers: of a sampled grade: how many processes play; the results do not depend on it.
        faults, ask_again: of a sampled grade: as for `evaluate`. An exact grade fails at the first fault.
        progress: called from time to time with a line about the progress.

    Raises:
        ValueError: the policy does not play this game, a number is invalid, or there are too many positions for an exact grade.
        Exception: what a policy raised at its first call in the games of a sampled grade, unless faults="count".
    """
    game = make_game(game)
    if exact:
        settings: dict[str, Any] = {"largest": largest, "calibration": calibration, "progress": progress}
        player = as_policy(policy, game)
        path = None if answers is None else path_of(answers)
        if seeds is not None:
            return grade_with_seeds(player, seeds, seed=seed, answers=path, **settings)
        return grade_exactly(player, freeze=freeze, seed=seed, answers=path, **settings)
    return grade_sampled(
        policy,
        game,
        games=games,
        against=against,
        opening_plies=opening_plies,
        most=most,
        calibration=calibration,
        seed=seed,
        workers=workers,
        faults=faults,
        ask_again=ask_again,
        progress=progress,
    )
