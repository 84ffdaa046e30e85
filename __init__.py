"""Ludus: two-player board games for reinforcement-learning research.

    import gymnasium as gym, pettingzoo, ludus

    env = pettingzoo.make("aec", "ludus/quarto-v0")
    env = gym.make("ludus/Quarto-v0", opponent="random")
    envs = gym.make_vec("ludus/Othello-v0", num_envs=4096, size=6)
    policy = ludus.make_policy("nim_sum", "nim:misere=true")

Importing it registers the environments. Everything else loads at first use.
"""

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

import ludus.envs as _envs

if TYPE_CHECKING:
    from ludus.agents import Policy, as_policy, make_policy
    from ludus.envs import Game, Symmetries, game_names, make_game, register_game, set_threads
    from ludus.envs.check import check_game

__version__ = "0.1.0"
__all__ = [
    "Game",
    "Policy",
    "Symmetries",
    "as_policy",
    "check_game",
    "game_names",
    "make_game",
    "make_policy",
    "register_game",
    "set_threads",
]

_envs.register_built_in()

_HOMES = {"Policy": "agents", "as_policy": "agents", "make_policy": "agents", "check_game": "envs.check"}


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


def __getattr__(name: str) -> Any:
    if name in ("agents", "arena", "baselines", "cli", "opponents", "rules"):
        return _import_module(f"ludus.{name}")
    if name in __all__:
        return getattr(_import_module(f"ludus.{_HOMES.get(name, 'envs')}"), name)
    raise AttributeError(f"module 'ludus' has no attribute {name!r}")
