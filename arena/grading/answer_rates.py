"""`AnswerRates`: how often a policy that speaks answered at once with a legal move, at what cost, and what its moves lost.

An illegal move and a bad one are two different weaknesses, so value lost is counted on legal moves alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ...agents.answers import PROMPT_VERSION, Transcript
from ..ratings.intervals import wilson
from .sampled import Grade

COLUMNS = {
    "moves": "moves that it was asked for",
    "first legal %": "first replies with a legal move, and the 95 % interval of this share",
    "again %": "moves for which it was asked more than once",
    "forfeits": "moves that it never gave",
    "tokens": "tokens of the questions and of the replies, for a move",
    "s": "seconds that the replies to a move took",
    "graded %": "the share of its legal moves of which the value lost is known",
    "lost": "what a legal move lost of the position's value, on average",
    "random": "what a random legal move loses in the same positions, on average",
}
"""The columns of the table of answers, and their meanings."""


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
    def asked_again_rate(self) -> float:
        """The share of moves for which it was asked more than once; 0 without moves."""
        return self.asked_again / max(1, self.moves)

    @property
    def forfeited(self) -> int:
        """The number of moves that it never gave."""
        return self.forfeits.total()

    @property
    def tokens_a_move(self) -> tuple[float, float] | None:
        """Tokens of the questions and of the replies about a move, on average; None if they are not known."""
        return (self.tokens_in / self.counted, self.tokens_out / self.counted) if self.counted else None

    @property
    def seconds_a_move(self) -> float:
        """Seconds that the replies about a move took, on average; 0 without moves."""
        return self.milliseconds / 1000 / max(1, self.moves)

    @property
    def graded_rate(self) -> float | None:
        """The share of its legal moves that were graded; None if there are none, or before they are graded."""
        return None if self.grade is None else self.grade.graded_rate

    @property
    def value_lost(self) -> float | None:
        """Value lost per graded legal move (0 to 2); None if none was graded."""
        return None if self.grade is None else self.grade.value_lost

    @property
    def random_value_lost(self) -> float | None:
        """Value that a random legal move loses in the same positions (0 to 2); None if none is known."""
        return None if self.grade is None else self.grade.random_value_lost

    def words_of_forfeits(self, name: str) -> str:
        """A sentence: how many moves a policy of this name never gave, by fault; empty if it gave all."""
        faults = ", ".join(f"{count:,} {fault}" for fault, count in self.forfeits.most_common())
        return f"{name} gave no move in {self.forfeited:,} of {self.moves:,} cases: {faults}." if faults else ""

    def words_of_wordings(self, name: str) -> str:
        """A sentence, if a policy of this name was asked in several wordings, as after a prompt was changed; else empty."""
        moves = " and ".join(f"{count:,}" for _, count in self.wordings.most_common())
        words = f"{name} was asked in {len(self.wordings):,} wordings of the prompt or the instructions, about {moves} moves"
        return f"{words}; these numbers mix them." if len(self.wordings) > 1 else ""

    def words_of_version(self, name: str) -> str:
        """A sentence, if a policy of this name was asked with another version of the prompts than today's; else empty."""
        others = sorted({prompt.partition(":")[0] for prompt, _ in self.wordings if ":" in prompt} - {f"{PROMPT_VERSION}"})
        words = f"{name} was asked with version {' and '.join(others)} of the prompts, and this ludus asks with version"
        return f"{words} {PROMPT_VERSION}; results of different versions cannot be compared." if others else ""

    def cells(self) -> list[str]:
        """The cells of its row in a table with COLUMNS."""
        low, high = self.first_legal_interval
        tokens = self.tokens_a_move
        return [
            f"{self.moves:,}",
            f"{100 * self.first_legal_rate:.1f} ({100 * low:.0f}–{100 * high:.0f})",
            f"{100 * self.asked_again_rate:.1f}",
            f"{self.forfeited:,}",
            f"{tokens[0]:,.0f} / {tokens[1]:,.0f}" if tokens else "",
            f"{self.seconds_a_move:.2f}",
            "" if self.graded_rate is None else f"{100 * self.graded_rate:.0f}",
            "" if self.value_lost is None else f"{self.value_lost:.3f}",
            "" if self.random_value_lost is None else f"{self.random_value_lost:.3f}",
        ]

    def document(self) -> dict[str, Any]:
        """The rates for JSON."""
        tokens_in, tokens_out = self.tokens_a_move or (None, None)
        return {
            "moves": self.moves,
            "first_legal": self.first_legal,
            "first_legal_interval": self.first_legal_interval,
            "asked_again": self.asked_again,
            "attempts": self.attempts,
            "requests": self.requests,
            "prompts": sorted({prompt for prompt, _ in self.wordings}),
            "wordings": len(self.wordings),
            "faults": dict(self.faults.most_common()),
            "forfeits": dict(self.forfeits.most_common()),
            "tokens_in_a_move": tokens_in,
            "tokens_out_a_move": tokens_out,
            "seconds_a_move": self.seconds_a_move,
            "graded": 0 if self.grade is None else int(self.grade.graded.sum()),
            "graded_rate": self.graded_rate,
            "value_lost": self.value_lost,
            "random_value_lost": self.random_value_lost,
        }

    def columns(self) -> dict[str, Any]:
        """Its columns in a frame of results."""
        tokens_in, tokens_out = self.tokens_a_move or (None, None)
        return {
            "first_legal_rate": self.first_legal_rate,
            "asked_again_rate": self.asked_again_rate,
            "forfeits": self.forfeited,
            "tokens_in_a_move": tokens_in,
            "tokens_out_a_move": tokens_out,
            "graded_rate": self.graded_rate,
            "value_lost": self.value_lost,
            "random_value_lost": self.random_value_lost,
        }
