"""The oracles there are, of their own for four games and one for all others, and `make_oracle`."""

from __future__ import annotations

from typing import Any

from ...envs.games.game import Game
from ...envs.games.registry import make_game
from ...envs.plugins.loading import named
from ...envs.settings import specs
from .oracle import Oracle

BUILT_IN = {
    # game: where
    "nim": "ludus.agents.oracles.nim:NimOracle",
    "quarto": "ludus.agents.oracles.quarto:QuartoOracle",
    "quixo": "ludus.agents.oracles.quixo:QuixoOracle",
    "othello": "ludus.agents.oracles.othello:OthelloOracle",
}
ANY_OTHER = "ludus.agents.oracles.searched:SearchOracle"


def make_oracle(game: str | Game, **settings: Any) -> Oracle:
    """The oracle of a game; of one from outside, by search.

    Args:
        game: the game or its spec.
        settings: the oracle's settings.

    Raises:
        ValueError: there is no such game, or a setting is wrong.
    """
    game = make_game(game)
    cls: type[Oracle] = named(BUILT_IN.get(game.name, ANY_OTHER))
    return cls(game, **specs.read(cls, settings, f"the oracle of {game.title}"))
