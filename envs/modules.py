"""`ludus.quarto_v0` and its like: a module for each game, for code that takes one as it takes `pettingzoo.classic.tictactoe_v3`.

    from ludus import quarto_v0

    env = quarto_v0.env(render_mode="ansi")

They have no files: each is made when its game is registered, games from outside included. `import ludus.quarto_v0` finds it,
since Python imports `ludus` first and then looks among the modules that are loaded.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .aec import AECGame


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
