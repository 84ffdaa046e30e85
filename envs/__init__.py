"""The environments: any number of boards, PettingZoo's AEC, Gymnasium's one seat and vectors."""

from __future__ import annotations

from ..core.plugins import plug_in
from ..core.threads import set_threads, thread_count
from ..games.display import show
from ..games.game import Game, Symmetries
from ..games.registry import game_names, make_game, register_game
from .registration import register_built_in

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
