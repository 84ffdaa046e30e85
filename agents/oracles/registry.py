"""The oracles there are, one a game, and `make_oracle`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...envs import specs
from ...envs.game import Game
from ...envs.registry import make_game
from .oracle import Oracle

BUILT_IN = {
    # game: where
    "nim": "ludus.agents.oracles.nim:NimOracle",
    "tictactoe": "ludus.agents.oracles.tictactoe:TicTacToeOracle",
    "quarto": "ludus.agents.oracles.quarto:QuartoOracle",
    "quixo": "ludus.agents.oracles.quixo:QuixoOracle",
    "othello": "ludus.agents.oracles.othello:OthelloOracle",
}


def has_oracle(game: Game) -> bool:
    """Whether there is an oracle for a game."""
    return game.name in BUILT_IN


def make_oracle(game: str | Game, **settings: Any) -> Oracle:
    """The oracle of a game.

    Args:
        game: the game or its spec.
        settings: the oracle's settings.

    Raises:
        ValueError: there is none for this game, or a setting is wrong.
    """
    game = make_game(game)
    if not has_oracle(game):
        raise ValueError(f"there is no oracle for {game.title}; there is one for {', '.join(BUILT_IN)}")
    module, _, attribute = BUILT_IN[game.name].partition(":")
    cls = getattr(import_module(module), attribute)
    return cls(game, **specs.read(cls, settings, f"the oracle of {game.title}"))
