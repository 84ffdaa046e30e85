"""What the page may choose from: games with their variants, and policies with their settings.

A policy that the page names is one of these, by a spec that runs no code and reads no file; runs and models come in by the command
line alone, under names of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..agents import policies_for
from ..agents.registry import POLICIES
from ..envs import Game, game_names, make_game
from ..envs.settings.listed import settings_of

SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_+-., =")
"""The characters in the settings of a spec from the page: enough for numbers and words, not for paths and modules."""


class Offers:
    """What there is to choose from.

    Args:
        named: specs that the command line named, by the name that the page shows: `{"runs/q1": "run:runs/q1"}`.
    """

    def __init__(self, named: Mapping[str, str] | None = None) -> None:
        self._named = dict(named or {})

    def document(self) -> dict[str, Any]:
        """All of it, for the page."""
        return {"games": [self._game(make_game(name)) for name in game_names()]}

    def _game(self, game: Game) -> dict[str, Any]:
        return {
            "name": game.name,
            "title": game.title,
            "variants": [*type(game).variants],
            "players": game.player_names,
            "policies": [*map(_policy, policies_for(game)), *({"name": name, "settings": []} for name in self._named)],
        }

    def policy(self, chosen: str) -> str:
        """The spec of a policy that the page names.

        Raises:
            ValueError: it is not one of those that are offered.
        """
        if chosen in self._named:
            return self._named[chosen]
        name, _, settings = chosen.partition(":")
        if not any(name in policies_for(make_game(game)) for game in game_names()):
            raise ValueError(
                f"{chosen!r} is not offered here; to play against a run or a model, name it when starting: ludus web RUN"
            )
        if not set(settings) <= SAFE:
            raise ValueError(f"{chosen!r} has a setting that is neither a number nor a word; the page takes no files and no code")
        return chosen


def _policy(name: str) -> dict[str, Any]:
    """A policy and its settings."""
    return {"name": name, "settings": [setting._asdict() for setting in settings_of(POLICIES.find(name))]}
