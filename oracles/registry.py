"""The oracles there are, of their own for four games and one for all others, and `make_oracle`."""

from __future__ import annotations

from typing import Any

from ..core import specs
from ..core.plugins.loading import load_object
from ..games.game import Game
from ..games.registry import make_game
from .oracle import Oracle

BUILT_IN = {
    # game: where
    "nim": "ludus.oracles.nim:NimOracle",
    "quarto": "ludus.oracles.quarto:QuartoOracle",
    "quixo": "ludus.oracles.quixo:QuixoOracle",
    "othello": "ludus.oracles.othello:OthelloOracle",
}
ANY_OTHER = "ludus.oracles.searched:SearchOracle"


def make_oracle(game: str | Game, **settings: Any) -> Oracle:
    """The oracle of a game; of one from outside, by search.

    Args:
        game: the game or its spec.
        settings: the oracle's settings.

    Raises:
        ValueError: there is no such game, or a setting is wrong.
    """
    game = make_game(game)
    cls: type[Oracle] = load_object(BUILT_IN.get(game.name, ANY_OTHER))
    return cls(game, **specs.read(cls, settings, f"the oracle of {game.title}"))
