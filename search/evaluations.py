"""Evaluations for searches by name: the game's own, none, or one from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import FunctionType
from typing import Annotated, Any, TypeAlias

from ..core.native import Function
from ..core.numbers import Range
from ..core.plugins import Registry, load_code
from ..games.evaluation import PLAIN, Evaluation
from ..games.game import Game
from .patterns.evaluation import patterns_of

Mobility: TypeAlias = Annotated[float, Range(-90, 90)]
"""The weight of mobility; corners have 5, discs 2."""
NAMES = ("classic", "plain", "patterns")


def evaluation_of(game: Game, name: str, mobility: float = 0) -> Evaluation:
    """An evaluation for a game by its name.

    Args:
        game: the game.
        name: `classic`, the one that the game declares; `plain`, by which only finished games count; `patterns`, by learnt
            patterns in Othello on 8×8; one that was registered or is installed, by its name; or `module:name`, an `Evaluation`
            or a function of states and weights in your module.
        mobility: the weight of mobility, in an evaluation that has one.

    Raises:
        ValueError: no such evaluation, or mobility does not count in it.
    """
    built_in = {"classic": lambda: game.evaluation, "plain": lambda: PLAIN, "patterns": lambda: patterns_of(game)}
    chosen = built_in[name]() if name in NAMES else _find(name)
    if not mobility:
        return chosen
    if not chosen.mobility_unit:
        raise ValueError(f"mobility does not count in the {name} evaluation of {game.spec}; leave it out")
    return replace(chosen, weights=(*chosen.weights[:-1], round(mobility * chosen.mobility_unit)))


def register_evaluation(name: str) -> Callable[[Function], Function]:
    """Adds an evaluation from outside, a function of states and weights, as a decorator: `@register_evaluation("seeds")`.

    Args:
        name: its name, as in `minimax:evaluation=seeds`.

    Raises:
        ValueError: the name is not a word in lower case, or there is an evaluation of that name.
    """

    def register(function: Function) -> Function:
        _add(function, name)
        return function

    return register


def _find(name: str) -> Evaluation:
    """An evaluation from outside: registered, installed, or in a module."""
    if code := EVALUATIONS.parse_code(name):
        return _read(load_code(code.name), name)
    return EVALUATIONS.find(name, *NAMES, "module:name")


def _add(thing: Any, name: str) -> Evaluation:
    """Registers an evaluation by its name; returns it."""
    evaluation = _read(thing, name)
    EVALUATIONS.add(name, evaluation, (evaluation.evaluate.__module__, evaluation.evaluate.__qualname__))
    return evaluation


def _read(thing: Any, name: str) -> Evaluation:
    """An evaluation from an object of a module."""
    if isinstance(thing, Evaluation):
        return thing
    if isinstance(thing, FunctionType):
        return Evaluation(thing)
    raise ValueError(f"{name} is {thing!r}, which is not an evaluation: an Evaluation, or a function of a state and weights")


EVALUATIONS: Registry[Evaluation] = Registry("evaluation", "evaluations", {}, _add, NAMES)
