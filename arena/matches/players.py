"""`Player`: a policy in a match, queried with whole batches. What goes wrong in it comes back as faults."""

from __future__ import annotations

import reprlib
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from msgspec import json
from numpy.typing import NDArray

from ...agents.answers import Answer, Forfeit, Forfeits, Transcript, Unavailable
from ...agents.external.one_position import AgentError
from ...agents.policy import Playing, Policy
from ...core.errors import LONGEST_REASON, describe_error, place_of, policy_errors, sentence
from ...games.game import StateArray
from ...games.lines import GameLines
from .games import ENDINGS, ERROR, ILLEGAL
from .settings import DEFAULT_SETTINGS, MatchSettings

LARGEST = np.iinfo(np.int64).max
MOST_NODES = 2**48
"""The most nodes of a move, so that the sum over all moves of many games fits into 64 bits."""
FORFEITS_AND_TRANSCRIPTS = tuple[dict[int, Forfeit], dict[int, Transcript]]


class Fault(NamedTuple):
    """Why a policy gave no action: a number of ENDINGS (arena/matches/games.py), and a sentence."""

    ending: int
    reason: str


class Answers(NamedTuple):
    """A policy's answers in B positions.

    Args:
        actions: (B,), int64; -1 where there is a fault. They are not yet checked to be legal.
        faults: by row.
        seconds: how long it thought about each (B,); the time of a batch is divided equally among its rows.
        transcripts: by row, if the policy speaks.
        nodes: how many positions it visited for each (B,), int64; -1 where that is not known.
    """

    actions: NDArray[np.int64]
    faults: dict[int, Fault]
    seconds: NDArray[np.float64]
    transcripts: dict[int, Transcript]
    nodes: NDArray[np.int64]


class Player:
    """A policy that plays games in a match. Its errors are faults, which cost games, except `Unavailable`, which stops the match.

    Its kernels are compiled when it is made, outside of its time for moves.

    Args:
        policy: which policy.
        games: how many games it plays, numbered from 0.
        how: how they are played: of that count `ask_again` and `game_time`.
        one_by_one: whether it is queried with one position at a time in any case.
        raising: whether this is the policy's first call, so that an error in it is raised. An invalid answer and one that comes
            too late are faults even then.
    """

    def __init__(
        self, policy: Policy, games: int, how: MatchSettings = DEFAULT_SETTINGS, *, one_by_one: bool = False, raising: bool = False
    ) -> None:
        self._policy, self._ask_again, self._one_by_one, self._raising = policy, how.ask_again, one_by_one, raising
        self._playing = Playing(policy)
        self._seconds_left = None if how.game_time is None else np.full(games, how.game_time, np.float64)
        self._fault: Fault | None = None
        self.sees_moves = False
        try:
            policy.prepare()
            self._playing = policy.begin(games)
            self.sees_moves = policy.sees_moves
        except policy_errors() as error:
            self._fault = self._fault_or_raise(error)

    def act(
        self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64], lines: GameLines | None = None
    ) -> Answers:
        """Answers in states (B, W), given their keys (B,), the numbers of their games (B,), and their lines if it sees moves."""
        count, began = len(keys), None
        if self._fault is not None:
            return _failed_answers(count, self._fault, 0.0)
        if count > 1 and self._one_by_one:
            return self._act_on_each(states, keys, games, lines)
        try:
            self._playing.prepare()
            if lines is not None:
                self._playing.lines = lines
            if self._seconds_left is not None:
                self._playing.seconds_left = self._seconds_left[games]
            began = perf_counter()
            answer = validate_answer(self._playing.answer(states, keys, games), count)
            faults = {row: Fault(ENDINGS.index(loss.ending), sentence(loss.reason)) for row, loss in answer.forfeits.items()}
            nodes = np.full(count, -1, np.int64) if answer.nodes is None else answer.nodes
            seconds = np.full(count, (perf_counter() - began) / count)
            if self._seconds_left is not None:
                self._seconds_left[games] -= seconds
            return Answers(
                actions=answer.actions,
                faults=faults,
                seconds=seconds,
                transcripts={**answer.transcripts},
                nodes=nodes,
            )
        except Unavailable:
            raise
        except policy_errors() as error:
            fault = self._fault_or_raise(error)
        finally:
            self._raising = False
        if count > 1 and self._ask_again:
            return self._act_on_each(states, keys, games, lines)
        return _failed_answers(count, fault, 0.0 if began is None else (perf_counter() - began) / count)

    def _act_on_each(
        self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64], lines: GameLines | None
    ) -> Answers:
        """Answers in each position alone."""
        rows = (slice(row, row + 1) for row in range(len(keys)))
        return concatenate_answers(
            [self.act(states[row], keys[row], games[row], None if lines is None else lines.rows(row)) for row in rows]
        )

    def _fault_or_raise(self, error: BaseException) -> Fault:
        """The fault for an error, which is raised itself if this is the policy's first call and its errors are to be raised."""
        if not self._raising or isinstance(error, Misbehaved):
            return fault_of(error)
        if isinstance(error, Exception):
            raise error
        raise RuntimeError(f"the policy {self._policy} raised {describe_error(error)}") from error  # SystemExit would end us


class Misbehaved(Exception):
    """A policy gave an invalid answer, or failed in another process; the fault says how."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault.reason


def fault_of(error: BaseException) -> Fault:
    """The fault for an error: what was raised, and where."""
    if isinstance(error, Misbehaved):
        return error.fault
    if isinstance(error, (Forfeits, Unavailable, AgentError)):
        return Fault(ERROR, sentence(str(error)))
    where = place_of(error)
    return Fault(ERROR, sentence(f"raised {describe_error(error)}", LONGEST_REASON - len(where)) + where)


def concatenate_answers(parts: list[Answers]) -> Answers:
    """Makes the answers for several positions of answers for one position each."""
    faults = {row: part.faults[0] for row, part in enumerate(parts) if part.faults}
    transcripts = {row: part.transcripts[0] for row, part in enumerate(parts) if part.transcripts}
    actions, seconds, nodes = (np.concatenate([getattr(part, name) for part in parts]) for name in ("actions", "seconds", "nodes"))
    return Answers(actions=actions, faults=faults, seconds=seconds, transcripts=transcripts, nodes=nodes)


def _failed_answers(count: int, fault: Fault, seconds: float) -> Answers:
    unknown = np.full(count, -1, np.int64)
    return Answers(
        actions=unknown, faults=dict.fromkeys(range(count), fault), seconds=np.full(count, seconds), transcripts={}, nodes=unknown
    )


def validate_answer(answer: Any, count: int) -> Answer:
    """Checks an answer and copies it into our own classes: a whole number for each position, -1 where it is forfeited, and the
    forfeits, transcripts and nodes of these positions. Misbehaved where it is anything else."""
    if not isinstance(answer, Answer):
        raise _invalid(f"answered with {reprlib.repr(answer)}, which is not an Answer")
    actions = validate_actions(answer.actions, count)
    nodes = None if answer.nodes is None else _validate_nodes(answer.nodes, count)
    if not answer.forfeits and not answer.transcripts:
        return Answer(actions, nodes=nodes)
    try:
        forfeits, transcripts = json.decode(json.encode((answer.forfeits, answer.transcripts)), type=FORFEITS_AND_TRANSCRIPTS)
    except policy_errors() as error:
        raise _invalid(f"answered with forfeits or transcripts that are not valid: {describe_error(error)}") from None
    if rows := [row for row in (*forfeits, *transcripts) if not 0 <= row < count]:
        raise _invalid(f"was queried for {count} action{'s' * (count > 1)} and said something of row {rows[0]}")
    if forfeits:
        actions = actions.copy()
        actions[[*forfeits]] = -1
    return Answer(actions, forfeits, transcripts, nodes)


def validate_actions(answer: Any, count: int) -> NDArray[np.int64]:
    """The actions of an answer, whole numbers of any integer type, one per position; Misbehaved where it is anything else."""
    try:
        actions = np.asarray(answer)
    except ValueError:  # lists of different lengths
        raise _invalid(f"answered with {reprlib.repr(answer)}, which is not an array") from None
    if actions.dtype.kind not in "iu" or (actions.dtype == np.uint64 and actions.max(initial=0) > LARGEST):
        raise _invalid(f"answered with {reprlib.repr(answer)}; an action is a whole number from 0 to 2⁶³ - 1")
    if actions.shape != (count,):
        raise _invalid(f"was queried for {count} action{'s' * (count > 1)} and returned an array of shape {actions.shape}")
    return np.ascontiguousarray(actions, np.int64)


def _validate_nodes(answer: Any, count: int) -> NDArray[np.int64]:
    """The nodes of an answer, one number per position, small enough that those of many games can be added up; else Misbehaved."""
    try:
        nodes = np.asarray(answer)
    except ValueError:  # lists of different lengths
        nodes = np.empty(0)
    if nodes.dtype.kind not in "iu" or nodes.shape != (count,) or ((nodes < 0) | (nodes > MOST_NODES)).any():
        raise _invalid(f"counted {reprlib.repr(answer)} as nodes of {count} positions; each has a whole number from 0 to 2⁴⁸")
    return np.ascontiguousarray(nodes, np.int64)


def _invalid(reason: str) -> Misbehaved:
    return Misbehaved(Fault(ILLEGAL, sentence(reason)))
