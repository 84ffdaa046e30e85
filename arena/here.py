"""`Here`: a policy asked in this process, about a whole batch at once. What it does wrong comes back as faults."""

from __future__ import annotations

import reprlib
import traceback
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..agents.policy import Playing, Policy
from ..envs.game import StateArray
from .games import ERROR, ILLEGAL
from .players import Answers, Fault

WRONG = (Exception, SystemExit)
"""What a policy may raise without ending the match; Ctrl-C does end it."""
LONGEST_REASON = 300
LARGEST = np.iinfo(np.int64).max


class Here:
    """A policy in this process.

    Where a batch goes wrong, its positions are asked one by one, so that only those games are lost that are at fault.

    Args:
        policy: who is asked.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._playing = Playing(policy)
        self._fault: Fault | None = None

    def begin(self, games: int) -> None:
        """So many games begin now, numbered from 0."""
        try:
            self._playing, self._fault = self._policy.begin(games), None
        except WRONG as error:
            self._fault = fault_of(error)

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answers:
        """As `Player.act`."""
        if self._fault is not None:
            return _failed(len(keys), self._fault, 0.0)
        began = perf_counter()
        try:
            actions = whole_actions(self._playing.act(states, keys, games), len(keys))
        except WRONG as error:
            if len(keys) == 1:
                return _failed(1, fault_of(error), perf_counter() - began)
        else:
            return Answers(actions, {}, np.full(len(keys), (perf_counter() - began) / len(keys)))
        return joined([self.act(states[row : row + 1], keys[row : row + 1], games[row : row + 1]) for row in range(len(keys))])


class _NoAction(ValueError):
    """An answer is not what a policy may answer."""


def fault_of(error: BaseException) -> Fault:
    """The fault that an error stands for: what was raised, and where."""
    if isinstance(error, _NoAction):
        return Fault(ILLEGAL, sentence(str(error)))
    where = traceback.extract_tb(error.__traceback__)[-1:]
    place = "".join(f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in where)
    return Fault(ERROR, sentence(f"raised {said(error)}", LONGEST_REASON - len(place)) + place)


def said(error: BaseException) -> str:
    """An error's type and text."""
    try:
        text = str(error)
    except Exception:  # its own text is broken too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def sentence(text: str, longest: int = LONGEST_REASON) -> str:
    """A text on one line, not too long, in characters that every file can hold."""
    line = " ".join(text.encode(errors="replace").decode().replace("\0", "").split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def joined(parts: list[Answers]) -> Answers:
    """Answers to one question each, as the answers to all of them."""
    faults = {row: part.faults[0] for row, part in enumerate(parts) if part.faults}
    return Answers(np.concatenate([part.actions for part in parts]), faults, np.concatenate([part.seconds for part in parts]))


def _failed(count: int, fault: Fault, seconds: float) -> Answers:
    return Answers(np.full(count, -1, np.int64), dict.fromkeys(range(count), fault), np.full(count, seconds))


def whole_actions(answer: Any, count: int) -> NDArray[np.int64]:
    """The actions of an answer, which may be any that are whole numbers, one a position.

    Raises:
        _NoAction: they are not.
    """
    try:
        actions = np.asarray(answer)
    except ValueError:  # lists of different lengths
        raise _NoAction(f"answered with {reprlib.repr(answer)}, which is no array") from None
    if actions.dtype.kind not in "iu" or (actions.dtype == np.uint64 and actions.max(initial=0) > LARGEST):
        raise _NoAction(f"answered with {reprlib.repr(answer)}; an action is a whole number from 0 to 2⁶³ - 1")
    if actions.shape != (count,):
        raise _NoAction(f"was asked for {count} action{'s' * (count > 1)} and gave an array of shape {actions.shape}")
    return np.ascontiguousarray(actions, np.int64)
