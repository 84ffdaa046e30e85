"""What thinkers are asked: the move of a policy, what it thinks of each move, and what perfect play says.

These functions run in processes of their own (thinkers.py). Such a process keeps the policies and oracles that it made last, since
a network takes time to load and an oracle remembers what it has proven.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import isfinite
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..agents import Policy, make_policy
from ..agents.analysis import UNPROVEN
from ..agents.memory import take_up
from ..agents.registry import folder_of_run
from ..arena.engines.local_player import fault_of, validate_actions
from ..envs import Game, make_game
from ..games.game import StateArray
from ..games.kernels.keys import derive
from ..oracles import Oracle, make_oracle
from ..oracles.oracle import Solution
from .positions import reached
from .runs import change_of

SLICE = 0.1
"""Seconds after which the moves that an oracle has judged so far are sent to the page."""
Verdict: TypeAlias = "dict[str, int | None]"
"""The value, distance and score of a move or a position, each None where it is not known."""


def policy_of(spec: str, game: str) -> Policy:
    """A policy by its spec; that of a training run is loaded again whenever the run has saved another checkpoint."""
    folder = folder_of_run(spec)
    return _loaded(spec, game, () if folder is None else change_of(folder))


def check_policy(spec: str, game: str) -> None:
    """Makes a policy, so that it is there when it has to play.

    Raises:
        ValueError: there is no such policy, or it does not play the game.
    """
    policy_of(spec, make_game(game).spec)


@lru_cache(maxsize=8)
def _loaded(spec: str, game: str, _: tuple[object, ...]) -> Policy:
    return make_policy(spec, game)


@lru_cache(maxsize=4)
def oracle_of(game: str) -> Oracle:
    """The oracle of a game."""
    return make_oracle(game)


def answered(spec: str, start: str | None, moves: Sequence[str], policy: str, seed: int) -> dict[str, Any]:
    """The move that a policy plays in the last position of a line, which it takes up; with equal seeds, the same one.

    Raises:
        ValueError: the game is over, or there is no such policy, or it raises an error, or its answer is not legal.
    """
    game, states, actions, keys = _to_answer(spec, start, moves, seed)
    asked = policy_of(policy, game.spec)
    with _named_errors(policy):
        answer = take_up(asked, states, actions).act(states[-1:], keys, np.zeros(1, np.int64))
        action = validate_actions(answer, 1)[0]
    return {"move": _named(game, states[-1], policy, action)}


def opinion(spec: str, start: str | None, moves: Sequence[str], policy: str) -> dict[str, Any]:
    """What a policy thinks of the last position of a line, for the player to move, whatever was played before.

    Returns:
        `move`: what it would play; `line`: that and the moves that it expects next; `value` and `prior_value` of the position;
        `moves`: for each move what it says of `probability`, `prior`, `value`, `visits`, `evaluation` and `proof` (`Analysis`).
        What it does not say is None.

    Raises:
        ValueError: as `answered`.
    """
    game, states, _, keys = _to_answer(spec, start, moves, 0)
    asked, state = policy_of(policy, game.spec), states[-1]
    with _named_errors(policy):
        analysis = asked.analyse(state[None], keys)
    columns = {
        "probability": analysis.probabilities,
        "prior": analysis.priors,
        "value": analysis.action_values,
        "visits": analysis.visits,
        "evaluation": analysis.evaluations,
        "proof": analysis.proofs,
    }
    return {
        "move": _named(game, state, policy, analysis.actions[0]),
        "line": None if analysis.lines is None else [game.move_name(int(action)) for action in analysis.lines[0] if action >= 0],
        "value": _number(analysis.values, 0),
        "prior_value": _number(analysis.prior_values, 0),
        "moves": {
            game.move_name(action): {name: _number(None if array is None else array[0], action) for name, array in columns.items()}
            for action in game.legal_actions(state)
        },
    }


def judged(spec: str, start: str | None, moves: Sequence[str], known: Collection[str]) -> dict[str, Any]:
    """What perfect play says about some legal moves of the last position of a line, for the player to move.

    Args:
        spec, start, moves: the line.
        known: moves that need not be judged.

    Returns:
        `moves`: the verdict on as many of the others as take SLICE seconds, but on one at least; `left`: how many are left
        after that; `reach`: which positions the oracle knows, in words.

    Raises:
        ValueError: as `reached`.
    """
    game, states, actions = reached(spec, start, moves)
    oracle, state = oracle_of(game.spec), states[-1]
    legal = game.legal_actions(state) if game.outcome(state, len(actions)) is None else []
    rest = [action for action in legal if game.move_name(action) not in known]
    found, together, end = dict[int, Solution](), 1, perf_counter() + SLICE
    while rest and (not found or perf_counter() < end):
        found |= oracle.after(state, rest[:together])
        rest, together = rest[together:], 2 * together
    verdicts = {game.move_name(action): _verdict(solution) for action, solution in found.items()}
    return {"moves": verdicts, "left": len(rest), "reach": oracle.reach}


def best_verdict(moves: Mapping[str, Verdict]) -> Verdict:
    """What a position is worth for the player to move, whose moves have been judged.

    A move that is known to win settles it; otherwise it is known only where all moves are.
    """
    values = [verdict["value"] for verdict in moves.values()]
    value = max((value for value in values if value is not None), default=None)
    if value is None or (None in values and value != 1):
        return {"value": None, "distance": None, "score": None}
    best = [verdict for verdict in moves.values() if verdict["value"] == value]
    distances, scores = ([verdict[name] for verdict in best] for name in ("distance", "score"))
    soonest = min if value == 1 else max
    return {
        "value": value,
        "distance": _over(soonest, distances) if value else None,
        "score": None if None in values else _over(max, scores),
    }


def _over(choose: Any, numbers: Iterable[int | None]) -> int | None:
    """The least or the greatest of some numbers; None where one is not known."""
    numbers = [*numbers]
    return None if None in numbers else choose(numbers)


def _to_answer(
    spec: str, start: str | None, moves: Sequence[str], seed: int
) -> tuple[Game, StateArray, list[int], NDArray[np.uint64]]:
    """The game, the line at whose end a policy is asked (`reached`), and its key."""
    game, states, actions = reached(spec, start, moves)
    if game.outcome(states[-1], len(actions)) is not None:
        raise ValueError("the game is over; there is nothing to answer")
    return game, states, actions, np.array([game.kernel(derive)(seed, len(actions))], np.uint64)


@contextmanager
def _named_errors(policy: str) -> Generator[None]:
    """Says of an error of a policy whose it is, and where it was raised.

    Raises:
        ValueError: for whatever it raised, but for want of memory.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise ValueError(f"{policy} gave no move: {fault_of(error).reason}") from error


def _named(game: Game, state: StateArray, policy: str, action: Any) -> str:
    """The name of a policy's action."""
    if int(action) not in game.legal_actions(state):
        raise ValueError(f"{policy} chose action {int(action)}, which is not legal here")
    return game.move_name(int(action))


def _number(array: NDArray[Any] | None, row: int) -> float | None:
    """An entry of an array as JSON knows it; None where there is none or it is not known."""
    if array is None:
        return None
    number = array[row].item()
    unknown = not isfinite(number) or (array.dtype == np.int8 and number == UNPROVEN)
    return None if unknown else round(number, 4)


def _verdict(solution: Solution) -> Verdict:
    return {"value": solution.value, "distance": solution.distance, "score": solution.score}
