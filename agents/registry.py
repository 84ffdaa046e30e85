"""The policies there are, one line each, and `make_policy`, which reads a spec."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from ..envs import specs
from ..envs.game import Game
from ..envs.registry import make_game
from .nets import is_model, is_module
from .policy import FunctionPolicy, Policy, settings_of
from .signatures import by_place, takes_observations

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
FROM_FILES = {
    # those that need a file, and so are in no list of what plays a game
    "table": "ludus.agents.table_policy:TablePolicy",
    "alphazero": "ludus.agents.alphazero:AlphaZeroPolicy",
}


def policy_names() -> tuple[str, ...]:
    """The names of all policies."""
    return tuple(BUILT_IN)


def policies_for(game: Game) -> tuple[str, ...]:
    """The names of the policies that play a game."""
    return tuple(name for name in BUILT_IN if (only := _class(name).games) is None or game.name in only)


def plays(policy: Any, game: Game) -> bool:
    """Whether a policy, or the built-in one of a spec, plays a game; anything else may try."""
    if isinstance(policy, Policy):
        return policy.game == game
    if isinstance(policy, str) and _is_run(policy):
        return _runs("game_of_run")(_run_and_options(policy)[0]) == game
    name = policy.strip().partition(":")[0] if isinstance(policy, str) else ""
    return name not in BUILT_IN or name in policies_for(game)


def make_policy(policy: str | Policy, game: str | Game) -> Policy:
    """A policy for a game by its spec.

    Args:
        policy: `name:key=value,…`; or `run:FOLDER,key=value,…` for what a trainer made, where the folder alone will do; or
            `sb3:FILE.zip,trust=true,…` for a model that Stable-Baselines3 saved; or
            `python:module:function`, where the function is `act` itself (states and keys to actions), or takes `game` and
            gives a policy, or is a subclass of `Policy`; whatever else `as_policy` takes will do too, a function of
            observations and masks if its first parameter is named after observations. A policy is given back as it is.
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
    if _is_run(policy):
        folder, options = _run_and_options(policy)
        return _runs("load_run")(folder, game, options)
    if policy.startswith("sb3:"):
        file, _, options = policy.removeprefix("sb3:").partition(",")
        return _runs("load_model")(file, game, specs.split(f"sb3:{options}")[1])
    name, texts = specs.split(policy)
    if name not in BUILT_IN | FROM_FILES:
        known = (*BUILT_IN, *FROM_FILES, "run:FOLDER", "sb3:FILE.zip", "python:module:function")
        raise ValueError(f"there is no policy {name!r}; {specs.nearest(name, known)}")
    cls = _class(name)
    return cls(game, **settings_of(cls, texts))


def runs_code(spec: str) -> bool:
    """Whether making the policy of a spec runs code that does not come with ludus."""
    return spec.strip().startswith(("python:", "sb3:"))


def _class(name: str) -> type[Policy]:
    module, _, attribute = (BUILT_IN | FROM_FILES)[name].partition(":")
    return getattr(import_module(module), attribute)


def _is_run(spec: str) -> bool:
    name = spec.partition(":")[0].strip()
    return name == "run" or (name not in ("", *BUILT_IN) and Path(spec).is_dir())


def _run_and_options(spec: str) -> tuple[str, dict[str, str]]:
    """The folder and the options of a trained run."""
    named = spec.removeprefix("run:")
    if Path(named).is_dir():
        return named, {}
    folder, _, options = named.partition(",")
    return folder, specs.split(f"run:{options}")[1]


def _runs(function: str) -> Any:
    """What knows the folders of trained runs; which code plays them, its table says, never the run."""
    return getattr(import_module("ludus.baselines.registry"), function)


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
    if (isinstance(made, type) and issubclass(made, Policy)) or any(p.name == "game" for p in by_place(made)):
        made = made(game)
    if isinstance(made, Policy):
        return made
    if is_model(made) or is_module(made) or takes_observations(made):
        return import_module("ludus.agents.wrapped").as_policy(made, game, name=spec)
    if callable(made) and not isinstance(made, type) and len(by_place(made)) > 1:
        return FunctionPolicy(game, function=made, title=spec)
    raise ValueError(
        f"{spec!r} is {made!r}, which is no function of states and keys, or of observations and masks, and does not take"
        " `game` and give a policy"
    )
