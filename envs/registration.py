"""Registers the environments with Gymnasium and PettingZoo; for each game also the module `ludus.NAME_vN`.

Games from outside are registered here too, as soon as games/registry.py has them.

The modules, as `ludus.quarto_v0`, are for code that takes one as it takes `pettingzoo.classic.tictactoe_v3`. They have no files:
each is made when its game is registered. `import ludus.quarto_v0` finds it, since Python imports `ludus` first and then looks
among the modules that are loaded.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from ..core.plugins.loading import PLACES, is_installed
from ..games.registry import BUILT_IN, WHEN_REGISTERED

if TYPE_CHECKING:
    from .aec import AECGame

PETTINGZOO_MAKES = hasattr(pettingzoo, "register")
"""Whether the installed PettingZoo has `pettingzoo.make`: it came with 1.27."""
PUZZLES = {"setcover": "ludus/SetCover-v0", "bitstring": "ludus/BitString-v0", "portfolio": "ludus/Portfolio-v0"}
"""For each puzzle's name in specs, its id in Gymnasium."""


def register_environments(name: str, id_name: str, version: int) -> None:
    """Registers a game's ids with Gymnasium (`ludus/Othello-v0`) and PettingZoo (`ludus/othello-v0`), and adds its module."""
    gymnasium.register(
        f"ludus/{id_name}-v{version}",
        entry_point="ludus.envs.single:SingleEnv",
        vector_entry_point="ludus.envs.vector:BoardsEnv",
        kwargs={"game": name},
        disable_env_checker=True,  # our tests run it, and it would cost each user more than a step does
    )
    if PETTINGZOO_MAKES:
        pettingzoo.register("aec", f"ludus/{name}-v{version}", "ludus.envs.aec:env", kwargs={"game": name})
    add_module(name, version)


def register_built_in() -> None:
    """Registers the ids of the games of this package, and of its puzzles where their folder is installed, once a process."""
    for name, (_, id_name, version) in BUILT_IN.items():
        if f"ludus/{id_name}-v{version}" not in gymnasium.registry:
            register_environments(name, id_name, version)
    for name, id_ in PUZZLES.items():
        if id_ not in gymnasium.registry and is_installed(name):
            gymnasium.register(id_, entry_point=PLACES[name], disable_env_checker=True)


class GameModule(ModuleType):
    """A module with `env` and `raw_env`, which make AEC environments of one game.

    Args:
        name: the module's, as `ludus.quarto_v0`.
        game: the game's.
    """

    def __init__(self, name: str, game: str) -> None:
        super().__init__(name, f"The AEC environment of `{game}`: `env()` makes it, and so does `raw_env()`.")
        self.__spec__ = ModuleSpec(name, None)
        self._game = game

    def env(self, *, render_mode: str | None = None, **settings: Any) -> AECGame:
        """The environment, as `pettingzoo.make` makes it. Keywords are those of `AECGame`."""
        return import_module("ludus.envs.aec").env(self._game, render_mode=render_mode, **settings)

    raw_env = env  # which checks its calls itself

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles by name, so that `quarto_v0.env` can be handed to other processes."""
        return import_module, (self.__name__,)


def add_module(game: str, version: int) -> None:
    """Adds the module of a game to `ludus`, and to what is public there."""
    short, ludus = f"{game}_v{version}", sys.modules["ludus"]
    module = GameModule(f"ludus.{short}", game)
    sys.modules[module.__name__] = module
    setattr(ludus, short, module)
    if short not in ludus.__all__:
        ludus.__all__.append(short)


WHEN_REGISTERED.append(lambda cls: register_environments(cls.name, cls.__name__, cls.version))
