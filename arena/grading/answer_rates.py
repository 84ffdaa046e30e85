"""`AnswerRates`: how often a policy that speaks answered at once with a legal move, at what cost, and what its moves lost.

An illegal move and a bad one are two different weaknesses, so value lost is counted on legal moves alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...agents.answers import PROMPT_VERSION, Transcript
from ..quantities import Quantity, cells_of, count, decimals, in_order, numbers_of, shares_in_percent
from ..ratings.intervals import wilson
from .sampled import Grade


@dataclass
class AnswerRates:
    """The answers of a policy that speaks, in all its games of one game, counted.

    Args:
        moves: how many moves it was asked for.
        first_legal: how many first replies had a legal move.
        asked_again: how many moves it was asked for more than once.
        attempts: how many questions it was asked.
        requests: how many requests these questions took.
        faults: what was wrong with first replies, by fault.
        forfeits: what was wrong with the last replies about moves that it never gave, by fault.
        tokens_in, tokens_out: the tokens of all questions, and of all replies.
        counted: for how many moves tokens are known.
        milliseconds: how long all replies took.
        wordings: the number of moves by the prompt's checksum and the instructions with which it was asked.
        grade: what its legal moves lost, as far as their values are known.
    """

    moves: int = 0
    first_legal: int = 0
    asked_again: int = 0
    attempts: int = 0
    requests: int = 0
    faults: Counter[str] = field(default_factory=Counter[str])
    forfeits: Counter[str] = field(default_factory=Counter[str])
    tokens_in: int = 0
    tokens_out: int = 0
    counted: int = 0
    milliseconds: float = 0.0
    wordings: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    grade: Grade | None = None

    def count(self, transcript: Transcript) -> None:
        """Adds the transcript of a move."""
        attempts = transcript.attempts
        first, last = attempts[0].fault, attempts[-1].fault
        self.moves += 1
        self.first_legal += first is None
        self.asked_again += len(attempts) > 1
        self.attempts += len(attempts)
        self.requests += sum(attempt.requests for attempt in attempts)
        self.faults.update([first] if first else ())
        self.forfeits.update([last] if last else ())
        self.tokens_in += sum(attempt.tokens_in or 0 for attempt in attempts)
        self.tokens_out += sum(attempt.tokens_out or 0 for attempt in attempts)
        self.counted += any(attempt.tokens_out is not None for attempt in attempts)
        self.wordings[transcript.prompt, transcript.system] += 1
        self.milliseconds += sum(attempt.milliseconds for attempt in attempts)

    @property
    def first_legal_rate(self) -> float:
        """The share of first replies with a legal move; 0 without moves."""
        return self.first_legal / max(1, self.moves)

    @property
    def first_legal_interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of `first_legal_rate`."""
        return wilson(self.first_legal, self.moves)

    @property
    def first_legal_estimate(self) -> str:
        """Both in per cent, as 87.5 (53–98)."""
        low, high = self.first_legal_interval
        return f"{100 * self.first_legal_rate:.1f} ({100 * low:.0f}–{100 * high:.0f})"

    @property
    def asked_again_rate(self) -> float:
        """The share of moves for which it was asked more than once; 0 without moves."""
        return self.asked_again / max(1, self.moves)

    @property
    def forfeited(self) -> int:
        """The number of moves that it never gave."""
        return self.forfeits.total()

    @property
    def tokens_in_a_move(self) -> float | None:
        """Tokens of the questions about a move, on average; None if they are not known."""
        return self.tokens_in / self.counted if self.counted else None

    @property
    def tokens_out_a_move(self) -> float | None:
        """Tokens of the replies about a move, on average; None if they are not known."""
        return self.tokens_out / self.counted if self.counted else None

    @property
    def tokens_a_move(self) -> str | None:
        """Both, as 200 / 12; None if they are not known."""
        return f"{self.tokens_in_a_move:,.0f} / {self.tokens_out_a_move:,.0f}" if self.counted else None

    @property
    def seconds_a_move(self) -> float:
        """Seconds that the replies about a move took, on average; 0 without moves."""
        return self.milliseconds / 1000 / max(1, self.moves)

    def remarks(self, name: str) -> Iterator[str]:
        """Sentences about a policy of this name: the moves that it never gave, and whether its numbers mix prompts."""
        if self.forfeits:
            faults = ", ".join(f"{number:,} {fault}" for fault, number in self.forfeits.most_common())
            yield f"{name} gave no move in {self.forfeited:,} of {self.moves:,} cases: {faults}."
        if len(self.wordings) > 1:
            moves = " and ".join(f"{number:,}" for _, number in self.wordings.most_common())
            words = f"{name} was asked in {len(self.wordings):,} wordings of the prompt or the instructions, about {moves} moves"
            yield f"{words}; these numbers mix them."
        if others := {prompt.partition(":")[0] for prompt, _ in self.wordings if ":" in prompt} - {f"{PROMPT_VERSION}"}:
            words = f"{name} was asked with version {' and '.join(sorted(others))} of the prompts, and this ludus asks with version"
            yield f"{words} {PROMPT_VERSION}; results of different versions cannot be compared."

    def cells(self) -> list[str]:
        """The cells of its row in a table with COLUMNS."""
        return cells_of(self, RATES)

    def document(self) -> dict[str, Any]:
        """The rates for JSON."""
        return {
            **numbers_of(self, in_order("moves first_legal first_legal_interval asked_again attempts requests")),
            "prompts": sorted({prompt for prompt, _ in self.wordings}),
            "wordings": len(self.wordings),
            "faults": dict(self.faults.most_common()),
            "forfeits": dict(self.forfeits.most_common()),
            **numbers_of(self, in_order("tokens_in_a_move tokens_out_a_move seconds_a_move")),
            "graded": 0 if self.grade is None else self.grade.num_graded,
            **numbers_of(self, in_order("graded_rate value_lost random_value_lost", RATES)),
        }

    def columns(self) -> dict[str, Any]:
        """Its columns in a frame of results."""
        names = "first_legal_rate asked_again_rate forfeits tokens_in_a_move tokens_out_a_move"
        return numbers_of(self, in_order(f"{names} graded_rate value_lost random_value_lost", RATES))


RATES = (
    Quantity("moves", "moves", count, "moves", "moves that it was asked for"),
    Quantity(
        "first_legal_estimate", "first legal %", meaning="first replies with a legal move, and the 95 % interval of this share"
    ),
    Quantity("asked_again_rate", "again %", shares_in_percent(1), meaning="moves for which it was asked more than once"),
    Quantity("forfeits", "forfeits", count, "forfeited", "moves that it never gave"),
    Quantity("tokens_a_move", "tokens", meaning="tokens of the questions and of the replies, for a move"),
    Quantity("seconds_a_move", "s", decimals(2), meaning="seconds that the replies to a move took"),
    Quantity(
        "graded_rate",
        "graded %",
        shares_in_percent(0),
        "grade.graded_rate",
        "the share of its legal moves of which the value lost is known",
    ),
    Quantity("value_lost", "lost", decimals(3), "grade.value_lost", "what a legal move lost of the position's value, on average"),
    Quantity(
        "random_value_lost",
        "random",
        decimals(3),
        "grade.random_value_lost",
        "what a random legal move loses in the same positions, on average",
    ),
)
"""The columns of the table of answers."""
COLUMNS = {rate.heading: rate.meaning for rate in RATES}
"""Their headings, each with its meaning."""
