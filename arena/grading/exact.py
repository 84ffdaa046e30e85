"""`grade_exact`: a policy compared with perfect play over every position that can come up against it.

Its numbers are of probabilities, not of games: `ExactGrade`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
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
from ...games.display import Part, TextTable, Viewable
from ...games.game import Game, StateArray, Symmetries
from ...games.registry import make_game
from ...oracles import make_oracle
from ...oracles.statespace.canonical import canonical, start_symmetries
from ...oracles.statespace.graph import LARGEST, Chooser, TooLargeError, explore, no_symmetries
from ...oracles.statespace.index import StateIndex
from ...oracles.statespace.table import Table
from ...oracles.values import is_searched, values_of
from ..matches.games import GameRecord, Pairing, line_parts, record_of_line
from ..quantities import Quantity, cells_of, headings, in_order, mean, numbers_of, share
from .answers import AnswerFile, AsymmetricError, RepeatingChooser, frozen_chooser, probability_chooser
from .calibration import Calibration, Valuations, calibrate, check_calibration
from .seat import ROWS, SeatAnalysis, SeatGrade, SomeMoves, per_move

POSSIBLE = (
    "It is possible for tictactoe, nim with small heaps, quixo:size=3, othello:size=4, connect_four with up to 20 cells, games of "
    "your own with few positions, and quixo:size=4 and connect_four with up to 25 cells where a policy leaves few ways to play; "
    "a sample of its moves is graded by grade(policy, game), and on the command line without --exact"
)


SEEN = 5e-5
"""Tables leave out what has fewer moves a game."""
OVER_BOTH = in_order(
    "beatable value_lost optimal_rate random_value_lost random_optimal_rate graded_rate value_lost_per_game exploitability"
    " optimal_position_rate"
)
"""The numbers of a grade that are over both seats."""
SOME = Quantity("moves", "moves", mean), Quantity("optimal_rate", "kept %", share), Quantity("value_lost", "lost", mean)
"""The columns of tables of some moves."""


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
        grading = _Grading(policy=policy, seed=seed, largest=largest, calibration=calibration, file=file, progress=progress)
        if not freeze:
            with suppress(NotImplementedError):
                if policy.symmetric:
                    turns = start_symmetries(game)
                    with suppress(AsymmetricError):
                        return grading.grade(probability_chooser(policy, turns), turns)
                return grading.grade(probability_chooser(policy), no_symmetries(game))
        return grading.grade(frozen_chooser(policy, seed), no_symmetries(game), frozen=True)


@dataclass(frozen=True)
class _Grading:
    """Grades a policy; the arguments are those of `grade_exact`, and the file of answers."""

    policy: Policy
    seed: int
    largest: int
    calibration: int | None
    file: AnswerFile | None
    progress: Callable[[str], object]

    def grade(self, ask: Chooser, symmetries: Symmetries, *, frozen: bool = False) -> ExactGrade:
        """The grade of both seats, with the best response to them.

        Args:
            ask: gives the probability that the policy takes each action.
            symmetries: those under which it plays alike and which leave the start unchanged.
            frozen: whether it takes one action in each position.
        """
        game, repeated = self.policy.game, RepeatingChooser(ask)
        how = f"frozen by {self.seed}" if frozen else "probabilities"
        choose = repeated if self.file is None else self.file.chooser(repeated, how)
        parts = [self._seat(seat, choose, symmetries, frozen) for seat in (0, 1)]
        (grades, states, moves, samples) = zip(*parts, strict=True)
        table = _table(game, np.concatenate(states), np.concatenate(moves), symmetries)
        known = [sample for sample in samples if sample is not None and len(sample.states)]
        return ExactGrade(
            game=game,
            policy=str(self.policy),
            frozen=frozen,
            seed=self.seed,
            seats=(grades[0], grades[1]),
            best_response=TablePolicy(game, given=table, title=f"best response to {self.policy}"),
            calibration=calibrate(self.policy, known, self.seed) if known else (),
            exact=repeated.is_steady(),
            without_memory=self.policy.remembers,
        )

    def _seat(
        self, seat: int, choose: Chooser, symmetries: Symmetries, frozen: bool
    ) -> tuple[SeatGrade, StateArray, NDArray[np.int16], Valuations | None]:
        """The grade of a seat; the best response, as the opponent's positions (N, W) and moves there (N,); and the positions of
        this seat, half of all, with their values, if there is a calibration."""
        game, who = self.policy.game, f"as {self.policy.game.player_names[seat]}"
        began = time.monotonic()

        def report(known: int, left: int) -> None:
            seconds = (time.monotonic() - began) * left / max(1, known - left)
            self.progress(f"{who}: {several(known, 'position')}, {left:,} of them to expand, in {seconds:.0f} s or more")

        try:
            graph = explore(game, (choose, None) if seat == 0 else (None, choose), self.largest, report, symmetries)
        except TooLargeError:
            raise TooLargeError(
                f"more than {self.largest:,} positions of {game} can come up against {self.policy} {who}, too many for an exact "
                f"grade{'' if frozen else '; fewer do where it is frozen, by freeze=True or --freeze'}. {POSSIBLE}"
            ) from None
        oracle = None if is_searched(game) else make_oracle(game)
        valued = partial(values_of, game, oracle=oracle)
        size = several(len(graph), "position")
        analysis = SeatAnalysis(graph, seat, valued, lambda text: self.progress(f"{who}: {size}, {text}"))
        grade, sample = analysis.grade(), None
        if self.calibration is not None and (known := analysis.valuations()) is not None:
            sample = known.sample(self.calibration // 2, self.seed)
        return grade, *analysis.best_moves, sample


def _table(game: Game, states: StateArray, actions: NDArray[np.int16], symmetries: Symmetries) -> Table:
    """Moves in some positions as a table; where symmetric positions count as one, each stands for all that are symmetric to it."""
    if len(symmetries.cells) == 1:
        return Table(game, states, actions)
    images, which = canonical(game, states)
    first = StateIndex(game, images).find(images) == np.arange(len(images))
    return Table(game, images[first], game.symmetries.actions[which, actions][first], symmetric=True)


@dataclass(frozen=True, repr=False)
class ExactGrade(Viewable):
    """A policy compared with perfect play, over all positions.

    Args:
        game: the game and variant.
        policy: the policy's name.
        frozen: whether it was graded with one fixed action in each position, as a policy is that gives no probabilities.
        seed: the seed of these actions.
        seats: the grades as player 0 and as player 1.
        best_response: the opponent's best response to it, as a policy for both seats.
        calibration: how well the values that it states agree with perfect play, a curve for each kind of values, if asked.
        exact: whether it gave the same answers when it was asked again. If not, it has randomness or a memory of its own, and the
            grade is of one sample of its answers.
        without_memory: whether it remembers something between moves in matches, which is left out here.
    """

    game: Game
    policy: str
    frozen: bool
    seed: int
    seats: tuple[SeatGrade, SeatGrade]
    best_response: TablePolicy = field(repr=False)
    calibration: tuple[Calibration, ...] = ()
    exact: bool = True
    without_memory: bool = False

    @property
    def beatable(self) -> bool:
        """Whether there is a game that it loses, in either seat."""
        return any(seat.beatable for seat in self.seats)

    @property
    def win_rate_vs_random(self) -> tuple[float, float]:
        """The probability that it wins against random play, as player 0 and as player 1."""
        return self.seats[0].vs_random.win_rate, self.seats[1].vs_random.win_rate

    @property
    def draw_rate_vs_random(self) -> tuple[float, float]:
        """The probability that it draws against random play, as player 0 and as player 1."""
        return self.seats[0].vs_random.draw_rate, self.seats[1].vs_random.draw_rate

    @property
    def loss_rate_vs_random(self) -> tuple[float, float]:
        """The probability that it loses against random play, as player 0 and as player 1."""
        return self.seats[0].vs_random.loss_rate, self.seats[1].vs_random.loss_rate

    @property
    def value_lost(self) -> float | None:
        """Value lost per move (0 to 2) against random play, over both seats; None if values are not known."""
        return _per_move_vs_random(self.seats, "total_value_lost")

    @property
    def optimal_rate(self) -> float | None:
        """The share of its moves that keep the value, against random play, over both seats; None if values are not known."""
        return _per_move_vs_random(self.seats, "optimal_moves")

    @property
    def random_value_lost(self) -> float | None:
        """Value that a random legal move loses (0 to 2), on average in the same positions; None if values are not known."""
        return _mean_by_moves(self.seats, "random_value_lost")

    @property
    def random_optimal_rate(self) -> float | None:
        """How often a random legal move keeps the value in the same positions; None if values are not known."""
        return _mean_by_moves(self.seats, "random_optimal_rate")

    @property
    def graded_rate(self) -> float:
        """The share of its moves that are compared with perfect play: all of them, or none if values are not known."""
        return 0.0 if self.value_lost is None else 1.0

    @property
    def value_lost_per_game(self) -> float | None:
        """The value that it loses per game against perfect play, over both seats; None if values are not known."""
        lost = [seat.value_lost_per_game for seat in self.seats]
        return None if None in lost else float(np.mean([value for value in lost if value is not None]))

    @property
    def exploitability(self) -> float:
        """The expected result of the best response, over both seats; 0 for a policy that keeps every draw."""
        return float(np.mean([seat.exploitability for seat in self.seats]))

    @property
    def optimal_position_rate(self) -> float | None:
        """The share of its positions in which every action that it may take keeps the value; None if values are not known."""
        counts = [seat.optimal_positions for seat in self.seats if seat.optimal_positions is not None]
        return sum(counts) / max(1, sum(seat.positions for seat in self.seats)) if len(counts) == 2 else None

    @property
    def lost_games(self) -> tuple[GameRecord, ...]:
        """A shortest game that it loses, in each seat in which there is one; `number` is the seat."""
        pairing = Pairing(self.game.spec, self.policy, "opponent")
        lines = ((number, seat.line) for number, seat in enumerate(self.seats) if seat.line is not None)
        return tuple(record_of_line(self.game, pairing, line, number=number, key=self.seed) for number, line in lines)

    def __repr__(self) -> str:
        return f"<ExactGrade {self.policy} in {self.game}: {self._summary.replace(self._floor_words, '')}>"

    @property
    def how(self) -> str:
        """How it was graded, for a title."""
        return ("exactly" if self.exact else "from one sample of its answers") + ", without its memory" * self.without_memory

    @property
    def warnings(self) -> tuple[str, ...]:
        """The reasons why the grade is not exact for the policy as it plays in matches, in sentences."""
        again = f"{self.policy} gives other answers when it is asked again with the same keys"
        memory = f"In matches {self.policy} remembers something between moves; here it is graded without that."
        return (
            *([] if self.exact else [f"{again}: this is a grade of one sample of its answers."]),
            *[memory] * self.without_memory,
        )

    @property
    def _summary(self) -> str:
        """The grade in a line."""
        text = "It can be beaten" if self.beatable else "It cannot be beaten"
        text += f", with one action for each position, drawn by seed {self.seed}." if self.frozen else "."
        if self.value_lost is None:
            return (
                f"{text} Exploitability {self.exploitability:.4f}. The values of its positions are not known, so its moves are not"
                " compared with perfect play."
            )
        values = f"Value lost: {self.value_lost:.4f} per move against random play{self._floor_words}"
        lost = self.value_lost_per_game
        against_perfect = "" if lost is None else f", {lost:.4f} per game against perfect play"
        return f"{text} Exploitability {self.exploitability:.4f}. {values}{against_perfect}."

    @property
    def _floor_words(self) -> str:
        """What random moves lose in the same positions, in parentheses; empty if that is not known."""
        lost = self.random_value_lost
        return "" if lost is None else f" ({lost:.4f} by random moves in the same positions)"

    def _parts(self) -> Iterator[Part]:
        names, seats = self.game.player_names, self.seats
        rows = [[row.heading, *map(row.cell, seats)] for row in ROWS]
        known = [row for row in rows if any(row[1:])]  # without values, rows of them are empty
        frozen = f", frozen by seed {self.seed}" if self.frozen else ""
        yield TextTable(f"{self.policy} in {self.game}, {self.how}{frozen}", ["", *(f"as {name}" for name in names)], known)
        for name, seat in zip(names, seats, strict=True):
            if seat.line is not None:
                yield from line_parts(self.game, f"As {name} it loses", seat.line)
        if self.value_lost is not None:
            yield self._some("ply", "Against random play, by ply", [_by_fives(seat.by_ply) for seat in seats])
            title = "Against random play where not every action keeps the value, by how many do"
            yield self._some("keep it", title, [_by_powers(seat.by_choice or ()) for seat in seats])
        yield from (curve.table for curve in self.calibration)
        if unfinished := max(seat.unfinished for seat in seats):
            yield f"At most {unfinished:.1e} of the games were not followed to their ends; no probability is wrong by more."
        yield from self.warnings
        yield self._summary

    def _some(self, head: str, title: str, seats: Sequence[Mapping[str, SomeMoves]]) -> TextTable:
        """A table of some of the policy's moves, in each seat."""
        columns = [head, *(f"{column} as {name}" for name in self.game.player_names for column in headings(SOME))]
        names = sorted({name for some in seats for name in some}, key=lambda name: int(name.partition("–")[0]))
        rows = [[name, *(cell for some in seats for cell in cells_of(some.get(name), SOME))] for name in names]
        return TextTable(title, columns, rows)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {**self._common, "seat": number, **document, "line": " ".join(document["line"] or ()) or None}
            for number, document in enumerate(self._seat_documents)
        ]

    @property
    def _seat_documents(self) -> list[dict[str, Any]]:
        return [seat.document(self.game) for seat in self.seats]

    def document(self) -> dict[str, Any]:
        """The grade for JSON: the numbers over both seats, and those of each seat as [player 0, player 1]."""
        over_both, seats = numbers_of(self, OVER_BOTH), self._seat_documents
        return {
            **self._common,
            "exact": self.exact,
            "without_memory": self.without_memory,
            **over_both,
            **{f"{name}_by_seat" if name in over_both else name: [seat[name] for seat in seats] for name in seats[0]},
            "by_ply": [[some.document("ply") for some in seat.by_ply] for seat in self.seats],
            "by_choice": [seat.by_choice and [some.document("keeping") for some in seat.by_choice] for seat in self.seats],
            "calibration": [curve.document() for curve in self.calibration],
        }

    @property
    def _common(self) -> dict[str, Any]:
        """What the document and the rows of the frame begin with."""
        return {"game": self.game.spec, "policy": self.policy, "frozen": self.frozen, "seed": self.seed}


def _per_move_vs_random(seats: Sequence[SeatGrade], what: str) -> float | None:
    """A total of the moves against random play over both seats, per move; None if it is not known."""
    games = [seat.vs_random for seat in seats]
    totals = [getattr(expected, what) for expected in games]
    return None if None in totals else per_move(sum(totals), sum(expected.moves for expected in games))


def _mean_by_moves(seats: Sequence[SeatGrade], what: str) -> float | None:
    """The mean of a number of the seats by their moves against random play; None if it is not known."""
    known = [(getattr(seat, what), seat.vs_random.moves) for seat in seats if getattr(seat, what) is not None]
    return per_move(sum(number * moves for number, moves in known), sum(moves for _, moves in known))


def _by_fives(some: Iterable[SomeMoves]) -> dict[str, SomeMoves]:
    """Moves by spans of five plies."""
    return _group(some, lambda ply: (ply // 5 * 5, ply // 5 * 5 + 4))


def _by_powers(some: Iterable[SomeMoves]) -> dict[str, SomeMoves]:
    """Moves by how many actions keep the value: one, two, three or four, five to eight, and so on."""

    def span(keeping: int) -> tuple[int, int]:
        bits = (keeping - 1).bit_length()
        return 2 ** (bits - 1) + 1 if keeping > 1 else 1, 2**bits

    return _group(some, span)


def _group(some: Iterable[SomeMoves], span: Callable[[int], tuple[int, int]]) -> dict[str, SomeMoves]:
    """Moves summed by spans of their numbers; spans with too few moves for a table are left out."""
    by_span = dict[str, SomeMoves]()
    for moves in some:
        low, high = span(moves.number)
        name = str(low) if low == high else f"{low}–{high}"
        before = by_span.get(name, SomeMoves(low, 0, 0, 0))
        by_span[name] = SomeMoves(low, *((a or 0) + (b or 0) for a, b in zip(before[1:], moves[1:], strict=True)))
    return {name: moves for name, moves in by_span.items() if moves.moves >= SEEN}
