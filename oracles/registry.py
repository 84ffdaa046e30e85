"""`make_oracle`: the oracle that a game names (`Game.known`), or the one that searches any game."""

from __future__ import annotations

from typing import Any

from ..core import specs
from ..core.plugins.loading import load_object
from ..games.game import Game
from ..games.registry import make_game
from .oracle import Oracle

ANY_GAME = "ludus.oracles.searched:SearchOracle"


def make_oracle(game: str | Game, **settings: Any) -> Oracle:
    """The oracle of a game: its own, or one that searches.

    Args:
        game: the game or its spec.
        settings: the oracle's settings.

    Raises:
        ValueError: there is no such game, or a setting is wrong.
    """
    game = make_game(game)
    cls: type[Oracle] = load_object(game.known.oracle or ANY_GAME)
    return cls(game, **specs.read(cls, settings, f"the oracle of {game.title}"))
