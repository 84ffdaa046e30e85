"""The games there are, one line each, and `make_game`, which reads a spec.

Games from outside are added by `register_game`, which also registers their environments' ids with Gymnasium and PettingZoo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from . import specs
from .game import Game
from .linking import rules_of
from .modules import add_module
from .plugins import Registry, in_file
from .puzzles.registry import register_puzzles

BUILT_IN = {
    # name in specs: where, name in Gymnasium's ids, version in ids
    "nim": ("ludus.envs.games.nim:Nim", "Nim", 0),
    "tictactoe": ("ludus.envs.games.tictactoe:TicTacToe", "TicTacToe", 0),
    "quarto": ("ludus.envs.games.quarto:Quarto", "Quarto", 0),
    "quixo": ("ludus.envs.games.quixo:Quixo", "Quixo", 0),
    "othello": ("ludus.envs.games.othello:Othello", "Othello", 0),
}
PETTINGZOO_MAKES = hasattr(pettingzoo, "register")
"""Whether the installed PettingZoo has `pettingzoo.make`: it came with 1.27."""


def game_names() -> tuple[str, ...]:
    """The names of all games, those from outside last.

    Games of installed packages are loaded for it; one that cannot be loaded is left out with a warning.
    """
    return GAMES.working()


def id_name(name: str) -> str:
    """The name of a game in Gymnasium's ids."""
    return BUILT_IN[name][1] if name in BUILT_IN else game_class(name).__name__


def game_class(name: str) -> type[Game]:
    """The class of a game by its name.

    Raises:
        ValueError: there is no game of that name, the message naming the nearest; or its package cannot be loaded.
    """
    return GAMES.find(name)


def make_game(game: str | Game, *also: str, **settings: Any) -> Game:
    """A game by its spec, or by its name and settings as keywords.

    Args:
        game: `name:key=value,…`, as `othello:size=6`; or `module:name,key=value,…` for a class that stands in a module of
            yours, which is imported. A game is given back as it is.
        also: what else could have been meant by a setting, for the error.
        settings: further settings.

    Raises:
        ValueError: an unknown game, setting or variant; the message says what there is.
    """
    if not isinstance(game, (str, Game)):
        raise ValueError(f"a game is named by its spec, such as 'othello:size=6', not by {game!r}")
    if isinstance(game, Game):
        if settings:
            raise ValueError(f"{game.spec} is a game already; give settings with a name, not with a game")
        return game
    cls, texts = GAMES.read(game)
    if twice := texts.keys() & settings.keys():
        raise ValueError(f"{', '.join(sorted(twice))} stands in {game!r} and among the keywords; give it once")
    return cls(**specs.read(cls, {**texts, **settings}, cls.title, also))


def register_game(cls: type[Game]) -> type[Game]:
    """Adds a game from outside: its spec, its environments' ids, and everything that works on any game.

    Returns:
        The class, so that it can be used as a decorator.

    Raises:
        TypeError: the class's module lacks functions of the contract.
        ValueError: another game has this name.
    """
    rules_of(cls)
    if GAMES.add(cls.name, cls, (cls.__module__, cls.__qualname__)):
        register_environments(cls.name, cls.__name__, cls.version)
    return cls


def _adopted(thing: Any, name: str) -> type[Game]:
    if not (isinstance(thing, type) and issubclass(thing, Game)):
        raise ValueError(f"{name} is {thing!r}, which is no game; a game is a subclass of ludus.rules.Game")
    return register_game(thing)


GAMES = Registry("game", "games", {name: place for name, (place, _, _) in BUILT_IN.items()}, _adopted)

if TYPE_CHECKING:
    GameSpec = str
else:
    GameSpec = in_file(GAMES, at_once=True)
    """The type of fields of documents that name a game."""


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
    """Registers the ids of the games and puzzles of this package, once a process."""
    for name, (_, id_name, version) in BUILT_IN.items():
        if f"ludus/{id_name}-v{version}" not in gymnasium.registry:
            register_environments(name, id_name, version)
    register_puzzles()
