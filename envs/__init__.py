"""The games: rules as kernels, and the environments over them."""

from __future__ import annotations

from .drawing.showing import show
from .game import Game, Symmetries
from .plugins import plug_in
from .registry import game_names, make_game, register_built_in, register_game
from .threads import set_threads, thread_count

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
