"""Policies that speak, for tests of what a match does with more than actions. What they do is chosen by the key, one in eight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from faulty import policy  # pyright: ignore  in the same folder

from ludus.agents.answers import Answer, Attempt, Forfeit, Transcript, Unavailable
from ludus.agents.policy import Speaking


@dataclass(frozen=True)
class Speaks(Speaking):
    """Plays as the sound policy of faulty.py, says so, and forfeits where the key says so."""

    name: ClassVar[str] = "speaks"
    odds: int = 8

    def answer(self, states, keys):
        actions, transcripts = np.asarray(policy(self.game).act(states, keys)).copy(), {}
        for row, (state, key) in enumerate(zip(states, keys, strict=True)):
            fault, reason = ("refused", "said no") if key % np.uint64(self.odds) == 1 else (None, "")
            actions[row] = -1 if fault else actions[row]
            transcripts[row] = Transcript((Attempt(self.game.text(state), f"key {key}", fault, reason),))
        return Answer.from_transcripts(actions, transcripts)


@dataclass(frozen=True)
class Says(Speaking):
    """Answers whatever it is to answer, instead of an `Answer` of its own."""

    name: ClassVar[str] = "says"
    what: Callable[[Answer], Any] = field(repr=False, kw_only=True)

    def answer(self, states, keys):
        return self.what(Answer(np.asarray(policy(self.game).act(states, keys)), {}, {}))


@dataclass(frozen=True)
class Tires(Speaks):
    """Cannot go on after so many moves in all, which a file counts; the next time it goes on."""

    name: ClassVar[str] = "tires"
    odds: int = 2**62
    after: int = field(default=10, kw_only=True)
    file: str = field(default="", kw_only=True)

    def answer(self, states, keys):
        with open(self.file, "a") as file:
            file.write("." * len(keys))
        tired = Path(f"{self.file}.tired")
        if Path(self.file).stat().st_size >= self.after and not tired.exists():
            tired.touch()
            raise Unavailable("is tired")
        return super().answer(states, keys)


class Fakes(str):
    """A text that would run code where it is unpickled."""

    def __reduce__(self):
        return print, ("unpickled",)


WRONG: dict[str, Callable[[Answer], Any]] = {
    "none": lambda answer: answer.actions,
    "row": lambda answer: Answer(answer.actions, {len(answer.actions): Forfeit("beyond")}),
    "text": lambda answer: Answer(answer.actions, {0: "a reason"}),
    "ending": lambda answer: Answer(answer.actions, {0: Forfeit("no such ending", "rules")}),  # pyright: ignore
    "attempts": lambda answer: Answer(answer.actions, {}, {0: Transcript("said")}),  # pyright: ignore
    "surrogate": lambda answer: Answer(answer.actions, {}, {0: Transcript((Attempt("", "\ud800"),))}),
    "shape": lambda answer: Answer(answer.actions[None], {0: Forfeit("no")}),
}


def says_none(game):
    """For specs."""
    return Says(game, what=WRONG["none"])


def fakes(game):
    """For specs: forfeits with a text that is more than a text."""
    return Says(game, what=lambda answer: Answer(answer.actions, {0: Forfeit(Fakes("no more"))}))
