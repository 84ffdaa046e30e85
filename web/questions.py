"""The questions that thinkers answer: a policy's move, its opinion of each move, and the verdict of perfect play.

These functions run in separate processes (thinkers.py). Each process keeps the policies and oracles that it used last, because
a network takes time to load and an oracle remembers what it has proven.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from math import isfinite
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..agents import Policy, make_policy
from ..agents.answers import UNPROVEN
from ..agents.memory import take_up
from ..agents.registry import run_of
from ..arena.matches.players import fault_of, validate_actions
from ..envs import Game, make_game
from ..games.game import StateArray
from ..games.kernels.keys import derive
from ..oracles import Oracle, make_oracle
from ..oracles.oracle import Solution
from .positions import read_line
from .runs import change_of

SLICE = 0.1
"""Seconds after which the moves that an oracle has judged so far are sent to the page."""
Verdict: TypeAlias = "dict[str, int | None]"
"""The value, distance and score of a move or a position, each None where it is not known."""


def policy_of(spec: str, game: str) -> Policy:
    """A policy by its spec. The policy of a training run is loaded again after each new checkpoint."""
    run = run_of(spec)
    return _load_policy(spec, game, change_of(run[0]) if run else ())


def check_policy(spec: str, game: str) -> None:
    """Makes a policy, so that it is ready when it has to play.

    Raises:
        ValueError: there is no such policy, or it does not play the game.
    """
    policy_of(spec, make_game(game).spec)


@lru_cache(maxsize=8)
def _load_policy(spec: str, game: str, _: tuple[object, ...]) -> Policy:
    return make_policy(spec, game)


@lru_cache(maxsize=4)
def oracle_of(game: str) -> Oracle:
    """The oracle of a game."""
    return make_oracle(game)


def answer_move(spec: str, start: str | None, moves: Sequence[str], policy: str, seed: int) -> dict[str, Any]:
    """The move that a policy plays in the last position of a line, whose moves it remembers. It depends only on the seed.

    Raises:
        ValueError: the game is over, or there is no such policy, or it raises an error, or its answer is not legal.
    """
    game, states, actions, keys = _to_answer(spec, start, moves, seed)
    player = policy_of(policy, game.spec)
    with _name_policy_in_errors(policy):
        answer = take_up(player, states, actions).act(states[-1:], keys, np.zeros(1, np.int64))
        action = validate_actions(answer, 1)[0]
    return {"move": _legal_move_name(game, states[-1], policy, action)}


def opinion(spec: str, start: str | None, moves: Sequence[str], policy: str) -> dict[str, Any]:
    """A policy's analysis of the last position of a line, for the player to move. It does not depend on the moves before.

    Returns:
        `move`: the move that it would play; `line`: this move and those that it expects next; `value` and `prior_value` of the
        position; `moves`: for each move its `probability`, `prior`, `value`, `visits`, `evaluation` and `proof` (see `Analysis`).
        What the policy does not state is None.

    Raises:
        ValueError: see `answer_move`.
    """
    game, states, _, keys = _to_answer(spec, start, moves, 0)
    thinker, state = policy_of(policy, game.spec), states[-1]
    with _name_policy_in_errors(policy):
        analysis = thinker.analyse(state[None], keys)
    columns = {
        "probability": analysis.probabilities,
        "prior": analysis.priors,
        "value": analysis.action_values,
        "visits": analysis.visits,
        "evaluation": analysis.evaluations,
        "proof": analysis.proofs,
    }
    return {
        "move": _legal_move_name(game, state, policy, analysis.actions[0]),
        "line": None if analysis.lines is None else [game.move_name(int(action)) for action in analysis.lines[0] if action >= 0],
        "value": _number(analysis.values, 0),
        "prior_value": _number(analysis.prior_values, 0),
        "moves": {
            game.move_name(action): {name: _number(None if array is None else array[0], action) for name, array in columns.items()}
            for action in game.legal_actions(state)
        },
    }


def judge_moves(spec: str, start: str | None, moves: Sequence[str], known: Collection[str]) -> dict[str, Any]:
    """The verdict of perfect play on some legal moves of the last position of a line, for the player to move.

    Args:
        spec, start, moves: the line.
        known: moves that need no verdict.

    Returns:
        `moves`: the verdicts on as many other moves as SLICE seconds allow, at least one; `left`: the number of moves without a
        verdict; `reach`: a description of the positions that the oracle knows.

    Raises:
        ValueError: see `read_line`.
    """
    game, states, actions = read_line(spec, start, moves)
    oracle, state = oracle_of(game.spec), states[-1]
    legal = game.legal_actions(state) if game.outcome(state, len(actions)) is None else []
    rest = [action for action in legal if game.move_name(action) not in known]
    solutions, together, end = dict[int, Solution](), 1, perf_counter() + SLICE
    while rest and (not solutions or perf_counter() < end):
        solutions |= oracle.after(state, rest[:together])
        # a table is fastest with many moves at once, and a search with one may take the whole slice: so twice as many each time
        rest, together = rest[together:], 2 * together
    verdicts = {
        game.move_name(action): {"value": solution.value, "distance": solution.distance, "score": solution.score}
        for action, solution in solutions.items()
    }
    return {"moves": verdicts, "left": len(rest), "reach": oracle.reach}


def best_verdict(moves: Mapping[str, Verdict]) -> Verdict:
    """The verdict on a position for the player to move, from the verdicts on all moves.

    It is known if a move is known to win, or if all moves are known.
    """
    values = [verdict["value"] for verdict in moves.values()]
    value = max((value for value in values if value is not None), default=None)
    if value is None or (None in values and value != 1):
        return {"value": None, "distance": None, "score": None}
    best: list[dict[str, Any]] = [verdict for verdict in moves.values() if verdict["value"] == value]
    distances, scores = ([verdict[name] for verdict in best] for name in ("distance", "score"))
    soonest = min if value == 1 else max  # the winner hurries, the loser delays
    return {
        "value": value,
        "distance": soonest(distances) if value and None not in distances else None,
        "score": max(scores) if None not in [*values, *scores] else None,
    }


def _to_answer(
    spec: str, start: str | None, moves: Sequence[str], seed: int
) -> tuple[Game, StateArray, list[int], NDArray[np.uint64]]:
    """The game, its states and actions (see `read_line`), and the key of the policy's randomness, for a policy's move."""
    game, states, actions = read_line(spec, start, moves)
    if game.outcome(states[-1], len(actions)) is not None:
        raise ValueError("the game is over, so there is no move to play")
    return game, states, actions, np.array([game.kernel(derive)(seed, len(actions))], np.uint64)


@contextmanager
def _name_policy_in_errors(policy: str) -> Generator[None]:
    """Turns the error of a policy into a sentence that names the policy and where the error was raised.

    Raises:
        ValueError: the policy raised an error; only MemoryError stays as it is.
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise ValueError(f"{policy} gave no move: {fault_of(error).reason}") from error


def _legal_move_name(game: Game, state: StateArray, policy: str, action: Any) -> str:
    """The name of a policy's action."""
    if int(action) not in game.legal_actions(state):
        raise ValueError(f"{policy} chose action {int(action)}, which is not legal here")
    return game.move_name(int(action))


def _number(array: NDArray[Any] | None, row: int) -> float | None:
    """An entry of an array for JSON; None if there is no array or the number is not known."""
    if array is None:
        return None
    number = array[row].item()
    unknown = not isfinite(number) or (array.dtype == np.int8 and number == UNPROVEN)
    return None if unknown else round(number, 4)
