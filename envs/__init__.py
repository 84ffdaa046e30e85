"""The games: rules as kernels, and the environments over them."""

from __future__ import annotations

from .games.game import Game, Symmetries
from .games.registry import game_names, make_game, register_game
from .native.threads import set_threads, thread_count
from .plugins import plug_in
from .registration import register_built_in
from .showing import show

__all__ = [
    "Game",
    "Symmetries",
    "game_names",
    "make_game",
    "plug_in",
    "register_built_in",
    "register_game",
    "set_threads",
    "show",
    "thread_count",
]
