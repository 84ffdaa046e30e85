"""What a policy can answer besides actions: that it forfeits a game and why, the transcript of each move, and what it thinks.

Policies that play by text (ludus.text) forfeit and have transcripts; a policy that only gives actions does not need any of this.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.numbers import LARGEST_VALUE

PROMPT_VERSION = 4
"""Rises when the words of prompts change, or what is read from answers, because such results cannot be compared."""

AttemptFault = Literal["nothing", "ambiguous", "unknown", "illegal", "cut off", "refused", "late", "resigned", "failed"]
"""What is wrong with a reply: the first four as in `ludus.text.read_move`; it was cut off at the largest length allowed; the player
refused to answer; it came too late; the player resigned; or it failed."""

Ending = Literal["illegal", "error", "time", "resigned"]
ENDINGS: dict[str, Ending] = {"illegal": "illegal", "unknown": "illegal", "late": "time", "resigned": "resigned"}
"""How a match ends by each fault; a fault that is not listed ends it as an error."""

UNPROVEN = 2
"""What `Analysis.proofs` says of an action that is not proven."""
LONGEST_LINE = 16
"""Plies of a principal variation."""


class Forfeit(NamedTuple):
    """Why a policy has no action for a position; in a match it then loses the game.

    Args:
        reason: a sentence.
        ending: which of a match's endings that is (arena/matches/games.py).
    """

    reason: str
    ending: Ending = "error"


@dataclass(frozen=True)
class Attempt:
    """A question and its reply.

    Args:
        question: the prompt, or in later attempts what was wrong with the previous reply.
        reply: the answer; empty if there was none.
        fault: what is wrong with the reply; None if it has a legal move.
        reason: the fault in a sentence; empty if there is none.
        milliseconds: from the question to the reply, without pauses before a request was sent again.
        requests: how many requests it took: more than 1 if the endpoint was busy or failed at first.
        tokens_in, tokens_out: tokens of the question, with the conversation before it, and of the reply; None where not known.
        reasoning: the reasoning before the reply, where the endpoint gives it separately. No move is read from it.
    """

    question: str
    reply: str
    fault: AttemptFault | None = None
    reason: str = ""
    milliseconds: float = 0.0
    requests: int = 1
    tokens_in: int | None = None
    tokens_out: int | None = None
    reasoning: str = ""


@dataclass(frozen=True)
class Transcript:
    """The conversation about one move.

    Args:
        attempts: in order, at least one; the last one has the move, or the fault by which the game was forfeited.
        system: the instructions that came before the first question; empty if there were none.
        model: which model answered, by the name that the endpoint gives it; empty for a program.
        prompt: the checksum of the prompt's words (`ludus.text.prompt_checksum`); empty for a program.
    """

    attempts: tuple[Attempt, ...]
    system: str = ""
    model: str = ""
    prompt: str = ""

    @property
    def forfeit(self) -> Forfeit | None:
        """Why the game is forfeited; None if the last attempt has a move."""
        last = self.attempts[-1]
        return None if last.fault is None else Forfeit(last.reason, ENDINGS.get(last.fault, "error"))


TakeAnswer: TypeAlias = Callable[[int, int, Transcript], None]
"""Takes an answer: the row of its question, the action or -1, and the transcript."""


@dataclass(frozen=True)
class Answer:
    """What a policy answers for a batch of positions.

    Args:
        actions: (B,), int64; -1 where the game is forfeited.
        forfeits: the forfeits by row.
        transcripts: the transcripts by row, from policies that play by text.
        nodes: how many positions the policy visited for each row (B,), int64; None if it does not count them.
    """

    actions: NDArray[np.int64]
    forfeits: Mapping[int, Forfeit] = field(default_factory=dict[int, Forfeit])
    transcripts: Mapping[int, Transcript] = field(default_factory=dict[int, Transcript])
    nodes: NDArray[np.int64] | None = None

    @classmethod
    def from_transcripts(cls, actions: NDArray[np.int64], transcripts: Mapping[int, Transcript]) -> Answer:
        """The answer of a policy that plays by text, which forfeits where the last attempt has no move."""
        forfeits = {row: forfeit for row, transcript in transcripts.items() if (forfeit := transcript.forfeit)}
        return cls(actions, forfeits, transcripts)

    def every_action(self, policy: str) -> NDArray[np.int64]:
        """The actions (B,).

        Args:
            policy: the spec of the policy that answers.

        Raises:
            Forfeits: there is none for some of the positions.
        """
        if self.forfeits:
            raise Forfeits(self, policy)
        return self.actions


@dataclass(frozen=True)
class Analysis:
    """What a policy thinks of positions; a field is None where the policy does not compute it.

    All numbers are for the player to move, and 0 or NaN for illegal actions.

    Args:
        actions: the action that it plays (B,), int64.
        probabilities: how likely it plays each action, or each action's share of its search (B, A), float64.
        priors: the probability that a network gives each action before any search (B, A), float64.
        prior_values: the network's value of each position before any search (B,), float64, from -1 to 1.
        values: the value of each position (B,), float64, from -1 to 1.
        action_values: the value of each action (B, A), float64, from -1 to 1; NaN where it is not known.
        visits: simulations that began with each action (B, A), int64.
        evaluations: the evaluation after each action (B, A), float64, in the evaluation's own units; NaN where it is not known.
        proofs: the value of each action that the search has proven (B, A), int8: 1, 0 or -1, else UNPROVEN.
        lines: the principal variation (B, L), int64: the action that it plays, the reply that it expects, …; -1 after its end.

    Raises:
        ValueError: a value is not from -1 to 1.
    """

    actions: NDArray[np.int64]
    probabilities: NDArray[np.float64] | None = None
    priors: NDArray[np.float64] | None = None
    prior_values: NDArray[np.float64] | None = None
    values: NDArray[np.float64] | None = None
    action_values: NDArray[np.float64] | None = None
    visits: NDArray[np.int64] | None = None
    evaluations: NDArray[np.float64] | None = None
    proofs: NDArray[np.int8] | None = None
    lines: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        for name in ("prior_values", "values", "action_values"):
            if (given := getattr(self, name)) is not None and len(wrong := given[abs(given) > LARGEST_VALUE]):
                raise ValueError(f"{name} lie from -1 to 1, for the player to move; got {wrong[0]}")


class Forfeits(Exception):
    """What `act` raises where a policy has no action for some positions of a batch.

    Args:
        answer: the answer, with the forfeits.
        policy: the policy's spec.
    """

    def __init__(self, answer: Answer, policy: str) -> None:
        super().__init__(answer, policy)
        self.answer, self.policy = answer, policy

    def __str__(self) -> str:
        return f"{self.policy} has no move: {next(iter(self.answer.forfeits.values())).reason}"


class Unavailable(ValueError):
    """A policy cannot go on, and does not lose by it: the match stops, keeps its games, and can be resumed.

    For example, the endpoint cannot be reached, or a budget is used up. The message is a sentence.
    """
