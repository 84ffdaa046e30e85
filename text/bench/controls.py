"""Policies that answer in prose, as a language model does, so that they can be measured beside it.

Their prose is read as that of any model, and the results of some are known: perfect play comes out at exactly 1, random play near
0. So they show whether anything is wrong with the reading, the disguises or the scores.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Answer, Attempt, Forfeits, Transcript
from ...agents.policy import Policy, Speaking
from ...agents.registry import make_policy
from ...games.game import Game, StateArray
from ..reading import read_moves

PROSE = (
    "Let me look at the board.\n\nI play <move>{move}</move>",
    "My move is {move}.",
    "**Analysis.** I have looked at the rest of the board.\n\nI'll play `{move}`.",
    '{{"thoughts": "I have looked at the rest of the board.", "move": "{move}"}}',
    "$\\boxed{{{move}}}$",
)
"""The forms of an answer."""
UNDECIDED = "I cannot decide. There is a lot to say for each of them."
"""The answer of a policy that has no move."""
CONTROLS = ("random", "greedy", "perfect", "first-legal")
"""The controls that stand beside every model: three policies, and `FirstLegal`."""


@dataclass(frozen=True)
class FirstLegal(Policy):
    """Plays the first legal move, as a model does that copies it from the list in the prompt."""

    name: ClassVar[str] = "first-legal"

    def act(self, states: StateArray, keys: NDArray[np.uint64]) -> NDArray[np.int64]:
        return self.game.masks(states).argmax(axis=1)


@dataclass(frozen=True)
class InProse(Speaking):
    """A policy that answers in prose, without an endpoint, in the words of its own game or of a disguise of it."""

    name: ClassVar[str] = "prose"
    policy: Policy = field(kw_only=True)

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        """What the policy says in each state, and the move that is read from that."""
        try:
            chosen = self.policy.answer(states, keys).actions.tolist()
        except Forfeits as forfeits:
            chosen = forfeits.answer.actions.tolist()
        replies = [
            UNDECIDED if action < 0 else PROSE[key % len(PROSE)].format(move=self.game.move_name(action))
            for action, key in zip(chosen, keys.tolist(), strict=True)
        ]
        readings = read_moves(self.game, states, replies)
        attempts = (Attempt("", reply, reading.fault, reading.reason) for reply, reading in zip(replies, readings, strict=True))
        actions = [-1 if reading.action is None else reading.action for reading in readings]
        return Answer.from_transcripts(np.array(actions, np.int64), {row: Transcript((each,)) for row, each in enumerate(attempts)})


def make_control(spec: str, game: Game) -> Policy:
    """The policy of a spec, or a control by its name; ValueError where there is no such policy, or it does not play this game."""
    return FirstLegal(game) if spec == FirstLegal.name else make_policy(spec, game)


def is_model(spec: str) -> bool:
    """Whether a spec names a language model, which is asked with a prompt; all else is a policy that answers in prose."""
    return spec.partition(":")[0].strip() == "llm"
