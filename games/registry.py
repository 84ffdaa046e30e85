"""The games there are, one line each, and `make_game`, which reads a spec.

Games from outside are added by `register_game`; registration.py registers the ids of their environments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import specs
from ..core.numbers import short_repr
from ..core.plugins import Registry, UntrustedSpec
from .game import Game
from .linking import rules_of

BUILT_IN = {
    # name in specs: where, name in Gymnasium's ids, version in ids
    "nim": ("ludus.games.nim.rules:Nim", "Nim", 0),
    "tictactoe": ("ludus.games.tictactoe.rules:TicTacToe", "TicTacToe", 0),
    "quarto": ("ludus.games.quarto.rules:Quarto", "Quarto", 0),
    "quixo": ("ludus.games.quixo.rules:Quixo", "Quixo", 0),
    "othello": ("ludus.games.othello.rules:Othello", "Othello", 0),
    "connect_four": ("ludus.games.connect_four.rules:ConnectFour", "ConnectFour", 0),
}
WHEN_REGISTERED: list[Callable[[type[Game]], None]] = []
"""What else is done with each game that is registered; registration.py adds to it."""


def game_names() -> tuple[str, ...]:
    """The names of all games, those from outside last.

    Games of installed packages are loaded for it; one that cannot be loaded is left out with a warning.
    """
    return GAMES.loadable_names()


def id_name(name: str) -> str:
    """The name of a game in Gymnasium's ids."""
    return BUILT_IN[name][1] if name in BUILT_IN else game_class(name).__name__


def game_class(name: str) -> type[Game]:
    """The class of a game by its name.

    Raises:
        ValueError: there is no game of that name, the message naming the nearest; or its package cannot be loaded.
    """
    return GAMES.find(name)


def make_game(game: str | Game | UntrustedSpec, *also: str, **settings: Any) -> Game:
    """A game by its spec, or by its name and settings as keywords.

    Args:
        game: `name:key=value,…`, as `othello:size=6`; or `module:name,key=value,…` for a class in a module of
            yours, which is imported. A game is returned as it is.
        also: what else could have been meant by a setting, for the error.
        settings: further settings.

    Raises:
        ValueError: an unknown game, setting or variant; the message says what there is. Or a spec in a file names code.
    """
    if not isinstance(game, (str, Game, UntrustedSpec)):
        raise ValueError(f"a game is named by its spec, such as 'othello:size=6', not by {short_repr(game)}")
    if isinstance(game, Game):
        if settings:
            raise ValueError(f"{game.spec} is a game already; give settings with a name, not with a game")
        return game
    cls, texts = GAMES.read(game)
    if twice := texts.keys() & settings.keys():
        raise ValueError(f"{', '.join(sorted(twice))} stands in {short_repr(game)} and among the keywords; give it once")
    return cls(**specs.read(cls, {**texts, **settings}, cls.title, also))


def register_game(cls: type[Game]) -> type[Game]:
    """Adds a game from outside: its spec, its environments' ids, and everything that works on any game.

    Returns:
        The class, so that it can be used as a decorator.

    Raises:
        TypeError: the class's module lacks functions of the contract.
        ValueError: it is not a class of games, or another game has this name.
    """
    if not (isinstance(cls, type) and issubclass(cls, Game)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"{cls!r} is not a game; a game is a subclass of ludus.rules.Game")
    rules_of(cls)
    if GAMES.add(cls.name, cls, (cls.__module__, cls.__qualname__)):
        for also in WHEN_REGISTERED:
            also(cls)
    return cls


def _adopt(thing: Any, name: str) -> type[Game]:
    if not (isinstance(thing, type) and issubclass(thing, Game)):
        raise ValueError(f"{name} is {thing!r}, which is not a game; a game is a subclass of ludus.rules.Game")
    return register_game(thing)


GAMES = Registry("game", "games", {name: place for name, (place, _, _) in BUILT_IN.items()}, _adopt)
