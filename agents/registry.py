"""The policies there are, one line each, and `make_policy`, which reads a spec."""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

from ..envs import specs
from ..envs.game import Game
from ..envs.registry import make_game
from .policy import FunctionPolicy, Policy, settings_of

BUILT_IN = {
    # name in specs: where
    "random": "ludus.agents.random:Random",
    "nim_sum": "ludus.agents.nim_sum:NimSum",
    "greedy": "ludus.agents.greedy:Greedy",
    "minimax": "ludus.agents.minimax:Minimax",
    "expectimax": "ludus.agents.expectimax:Expectimax",
    "mcts": "ludus.agents.mcts:Mcts",
    "frontiers": "ludus.agents.frontiers:Frontiers",
    "easy": "ludus.agents.easy:Easy",
    "hard": "ludus.agents.hard:Hard",
    "perfect": "ludus.agents.perfect:Perfect",
}


def policy_names() -> tuple[str, ...]:
    """The names of all policies."""
    return tuple(BUILT_IN)


def policies_for(game: Game) -> tuple[str, ...]:
    """The names of the policies that play a game."""
    return tuple(name for name in BUILT_IN if (only := _class(name).games) is None or game.name in only)


def make_policy(policy: str | Policy, game: str | Game) -> Policy:
    """A policy for a game by its spec.

    Args:
        policy: `name:key=value,…`; or `python:module:function`, where the function is `act` itself (states and keys to
            actions), or takes `game` and gives a policy, or is a subclass of `Policy`. A policy is given back as it is.
        game: the game or its spec.

    Raises:
        ValueError: no such policy, setting or function, or it does not play this game.
    """
    game = make_game(game)
    if not isinstance(policy, (str, Policy)):
        raise ValueError(f"a policy is named by its spec, such as 'random', not by {policy!r}")
    if isinstance(policy, Policy):
        if policy.game != game:
            raise ValueError(f"the policy {policy} was made for {policy.game}, not for {game}; make one by its spec")
        return policy
    if policy.startswith("python:"):
        return _from_python(policy, game)
    name, texts = specs.split(policy)
    if name not in BUILT_IN:
        raise ValueError(f"there is no policy {name!r}; {specs.nearest(name, (*BUILT_IN, 'python:module:function'))}")
    cls = _class(name)
    return cls(game, **settings_of(cls, texts))


def _class(name: str) -> type[Policy]:
    module, _, attribute = BUILT_IN[name].partition(":")
    return getattr(import_module(module), attribute)


def _from_python(spec: str, game: Game) -> Policy:
    _, module, name = (*spec.split(":"), "", "")[:3]
    if not all(part.isidentifier() for part in [*module.split("."), name]):
        raise ValueError(f"{spec!r} does not name a function; it reads python:module:function")
    try:
        made: Any = getattr(import_module(module), name)
    except ImportError as error:
        raise ValueError(f"{spec!r}: the module {module!r} could not be imported ({error})") from error
    except AttributeError:
        raise ValueError(f"{spec!r}: the module {module!r} has no {name!r}") from None
    if not callable(made):
        raise ValueError(f"{spec!r} is {made!r}, which is no function")
    try:
        parameters = [*inspect.signature(made).parameters]
    except (TypeError, ValueError):
        parameters = []
    if (isinstance(made, type) and issubclass(made, Policy)) or "game" in parameters:
        made = made(game)
    elif isinstance(made, type) or len(parameters) < 2:
        raise ValueError(f"{spec!r} is {made!r}; it must take states and keys, or take `game` and give a policy")
    return made if isinstance(made, Policy) else FunctionPolicy(game, function=made, title=spec)
