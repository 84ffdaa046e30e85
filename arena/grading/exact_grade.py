"""Grades over all positions, from probabilities and not from games: `ExactGrade`, and `ExactGrades` of several seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...agents.table import TablePolicy
from ...core.numbers import several
from ...games.display import Part, Picture, TextTable, Viewable, mean, percent
from ...games.game import Game
from ..matches.games import GameRecord, Pairing
from .calibration import Calibration
from .seat import SeatGrade, SomeMoves, per_move

SEEN = 5e-5
"""Tables leave out what has fewer moves a game."""
RESULTS = {1: "won", 0: "drawn", -1: "lost"}
OVER_BOTH = (
    "beatable",
    "value_lost",
    "optimal_rate",
    "random_value_lost",
    "random_optimal_rate",
    "graded_rate",
    "value_lost_per_game",
    "exploitability",
    "optimal_position_rate",
)
"""The numbers of a grade that are over both seats."""


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
        games = list[GameRecord]()
        for number, seat in enumerate(self.seats):
            if seat.line is not None:
                first = int(np.count_nonzero(self.game.players(self.game.play_line(seat.line)[:-1]) == 0))
                games.append(
                    GameRecord(
                        pairing=pairing,
                        number=number,
                        key=self.seed,
                        opening=0,
                        actions=seat.line,
                        result=2 * number - 1,  # player 0's, and the policy loses
                        ending="rules",
                        reason="",
                        moves=(first, len(seat.line) - first),
                        seconds=(0.0, 0.0),
                    )
                )
        return tuple(games)

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
        rows = [
            ["can be beaten", *("no" if seat.line is None else f"in {several(len(seat.line), 'ply', 'plies')}" for seat in seats)],
            ["the start is", *("" if seat.start_value is None else RESULTS[seat.start_value] for seat in seats)],
            ["against random: won %", *(percent(seat.vs_random.win_rate) for seat in seats)],
            ["    drawn %", *(percent(seat.vs_random.draw_rate) for seat in seats)],
            ["    lost %", *(percent(seat.vs_random.loss_rate) for seat in seats)],
            ["    moves that keep the value %", *(percent(seat.vs_random.optimal_rate) for seat in seats)],
            ["    value lost per move", *(mean(seat.vs_random.value_lost) for seat in seats)],
            ["    random moves in its positions: keep the value %", *(percent(seat.random_optimal_rate) for seat in seats)],
            ["        value lost per move", *(mean(seat.random_value_lost) for seat in seats)],
            ["against perfect play: value lost per game", *(mean(seat.value_lost_per_game) for seat in seats)],
            ["against its best response: result", *(f"{seat.vs_best_response.result + 0.0:+.4f}" for seat in seats)],
            ["    keeps the start's value", *map(_keeps_start, seats)],
            ["positions in which it may have to move", *(f"{seat.positions:,}" for seat in seats)],
            ["    of them played without error %", *(percent(seat.optimal_positions, seat.positions) for seat in seats)],
        ]
        known = [row for row in rows if any(row[1:])]  # without values, rows of them are empty
        frozen = f", frozen by seed {self.seed}" if self.frozen else ""
        yield TextTable(f"{self.policy} in {self.game}, {self.how}{frozen}", ["", *(f"as {name}" for name in names)], known)
        for name, seat in zip(names, seats, strict=True):
            if seat.line is not None:
                state, moves = self.game.start, list[str]()
                for action in seat.line:
                    state = self.game.play(state, action)
                    moves.append(self.game.move_name(action).replace(" ", "\N{NO-BREAK SPACE}"))
                yield f"As {name} it loses {' '.join(moves)}"
                yield Picture(self.game, state, seat.line[-1])
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
        columns = [head, *(f"{what} as {name}" for name in self.game.player_names for what in ("moves", "kept %", "lost"))]
        names = sorted({name for some in seats for name in some}, key=lambda name: int(name.partition("–")[0]))
        rows = [[name, *(cell for some in seats for cell in _cells(some.get(name)))] for name in names]
        return TextTable(title, columns, rows)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {**self._common, "seat": number, **seat.document(self.game), "line": " ".join(self._moves(seat)) or None}
            for number, seat in enumerate(self.seats)
        ]

    def document(self) -> dict[str, Any]:
        """The grade for JSON: the numbers over both seats, and those of each seat as [player 0, player 1]."""
        over_both = {name: getattr(self, name) for name in OVER_BOTH}
        seats = [seat.document(self.game) for seat in self.seats]
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

    def _moves(self, seat: SeatGrade) -> list[str]:
        """The moves of a shortest game that it loses in a seat; none if there is no such game."""
        return [self.game.move_name(action) for action in seat.line or ()]


def _per_move_vs_random(seats: Sequence[SeatGrade], what: str) -> float | None:
    """A total of the moves against random play over both seats, per move; None if it is not known."""
    games = [seat.vs_random for seat in seats]
    totals = [getattr(expected, what) for expected in games]
    return None if None in totals else per_move(sum(totals), sum(expected.moves for expected in games))


def _mean_by_moves(seats: Sequence[SeatGrade], what: str) -> float | None:
    """The mean of a number of the seats by their moves against random play; None if it is not known."""
    known = [(getattr(seat, what), seat.vs_random.moves) for seat in seats if getattr(seat, what) is not None]
    return per_move(sum(number * moves for number, moves in known), sum(moves for _, moves in known))


def _keeps_start(seat: SeatGrade) -> str:
    """Whether a policy keeps the start's value against the best response, and where it first loses some of it."""
    if seat.keeps_start is None:
        return ""
    return "yes" if seat.keeps_start else "no, it goes in circles" if seat.lost_at is None else f"no, lost at ply {seat.lost_at}"


def _by_fives(some: Sequence[SomeMoves]) -> dict[str, SomeMoves]:
    """Moves by spans of five plies."""
    return _group(some, lambda ply: (ply // 5 * 5, ply // 5 * 5 + 4))


def _by_powers(some: Sequence[SomeMoves]) -> dict[str, SomeMoves]:
    """Moves by how many actions keep the value: one, two, three or four, five to eight, and so on."""
    return _group(
        some, lambda keeping: (2 ** ((keeping - 1).bit_length() - 1) + 1 if keeping > 1 else 1, 2 ** (keeping - 1).bit_length())
    )


def _group(some: Sequence[SomeMoves], span: Callable[[int], tuple[int, int]]) -> dict[str, SomeMoves]:
    """Moves summed by spans of their numbers; spans with too few moves for a table are left out."""
    by_span = dict[str, SomeMoves]()
    for moves in some:
        low, high = span(moves.number)
        name = str(low) if low == high else f"{low}–{high}"
        before = by_span.get(name, SomeMoves(low, 0, 0, 0))
        both = before, moves
        optimal, lost = (sum(getattr(some, what) or 0 for some in both) for what in ("optimal_moves", "total_value_lost"))
        by_span[name] = SomeMoves(low, before.moves + moves.moves, optimal, lost)
    return {name: moves for name, moves in by_span.items() if moves.moves >= SEEN}


def _cells(some: SomeMoves | None) -> list[str]:
    """The number of moves, the share that keeps the value, and the value lost per move."""
    if some is None:
        return ["", "", ""]
    return [f"{some.moves:.4f}", percent(some.optimal_moves, some.moves), mean(some.total_value_lost, some.moves)]


@dataclass(frozen=True, repr=False)
class ExactGrades(Viewable):
    """Exact grades of one policy, frozen by several seeds: some of the deterministic policies of which it is a mixture.

    Args:
        grades: one for each seed, at least one.
    """

    grades: tuple[ExactGrade, ...]

    @property
    def game(self) -> Game:
        """The game and variant."""
        return self.grades[0].game

    @property
    def policy(self) -> str:
        """The policy's name."""
        return self.grades[0].policy

    @property
    def exact(self) -> bool:
        """Whether it always gave the same answers when it was asked again."""
        return all(grade.exact for grade in self.grades)

    @property
    def exploitability(self) -> tuple[float, ...]:
        """The exploitability for each seed."""
        return tuple(grade.exploitability for grade in self.grades)

    def __repr__(self) -> str:
        return f"<ExactGrades {self.policy} in {self.game}: {self._summary}>"

    @property
    def _summary(self) -> str:
        beaten, values = sum(grade.beatable for grade in self.grades), self.exploitability
        spread = f"{np.mean(values):.4f} on average ({min(values):.4f} to {max(values):.4f})"
        return f"With {beaten} of {several(len(self.grades), 'seed')} it can be beaten. Exploitability {spread}."

    def _parts(self) -> Iterator[Part]:
        names, worst = self.game.player_names, min(self.grades, key=lambda grade: grade.exact)
        beaten = "seed", f"beaten as {names[0]}", f"as {names[1]}"
        heads = [*beaten, "exploitability", "a move", "random's", "a game", "optimal %"]
        rows = [
            [
                str(grade.seed),
                *("no" if seat.line is None else f"in {several(len(seat.line), 'ply', 'plies')}" for seat in grade.seats),
                f"{grade.exploitability:.4f}",
                mean(grade.value_lost),
                mean(grade.random_value_lost),
                mean(grade.value_lost_per_game),
                percent(grade.optimal_position_rate),
            ]
            for grade in self.grades
        ]
        title = f"{self.policy} in {self.game}, {worst.how}, frozen by each of {several(len(self.grades), 'seed')}"
        yield TextTable(title, heads, rows)
        yield "Value lost: a move against random play, by a random move there, a game against perfect play."
        yield "Optimal: no error there."
        yield from worst.warnings
        yield self._summary

    def _rows(self) -> list[dict[str, Any]]:
        return [row for grade in self.grades for row in grade._rows()]  # pyright: ignore[reportPrivateUsage]

    def document(self) -> dict[str, Any]:
        """The grades for JSON."""
        return {
            "game": self.game.spec,
            "policy": self.policy,
            "exact": self.exact,
            "grades": [grade.document() for grade in self.grades],
        }
