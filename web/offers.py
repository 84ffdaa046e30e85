"""What the page may choose from: games with their variants, and policies with their settings.

A policy that the page names is one of these, by a spec that runs no code and reads no file; runs and models come in by the command
line alone, under names of their own.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Any

from ..agents import policies_for
from ..agents.registry import POLICIES
from ..core.specs import settings_of
from ..envs import Game, game_names, make_game
from .requests import BROWSER


class Offers:
    """What there is to choose from.

    Args:
        named: specs that the command line named, by the name that the page shows: `{"runs/q1": "run:runs/q1"}`.
        networks: the specs of the games that `alphazero` plays.
    """

    def __init__(self, named: Mapping[str, str] | None = None, networks: Collection[str] = ()) -> None:
        self._named, self._networks = dict(named or {}), frozenset(networks)

    def document(self) -> dict[str, Any]:
        """All of it, for the page."""
        return {"games": [self._game(make_game(name)) for name in game_names()]}

    def _game(self, game: Game) -> dict[str, Any]:
        return {
            "name": game.name,
            "title": game.title,
            "variants": [*type(game).variants],
            "players": game.player_names,
            "policies": [*map(_policy, policies_for(game)), *self._of_networks(game), *map(_plain, self._named)],
        }

    def _of_networks(self, game: Game) -> list[dict[str, Any]]:
        """The policy that plays with shipped networks, where there is one for a variant of the game."""
        variants = [variant for variant in type(game).variants if variant in self._networks]
        return [{**_policy("alphazero"), "variants": variants}] if variants else []

    def policy(self, chosen: str) -> str:
        """The spec of a policy that the page names.

        Raises:
            ValueError: it is not one of those that are offered.
        """
        if chosen in self._named:
            return self._named[chosen]
        if chosen.partition(":")[0] not in self._offered:
            raise ValueError(
                f"{chosen!r} is not offered here; to play against a run or a model, name it when starting: ludus web RUN"
            )
        return BROWSER.spec(POLICIES, chosen)

    @cached_property
    def _offered(self) -> frozenset[str]:
        """The names of the policies that play some game."""
        names = (name for game in game_names() for name in policies_for(make_game(game)))
        return frozenset([*names, *(["alphazero"] if self._networks else [])])


def _policy(name: str) -> dict[str, Any]:
    """A policy, what it is in a sentence, and its settings."""
    cls = POLICIES.find(name)
    about = inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]
    return {"name": name, "about": about, "settings": [setting._asdict() for setting in settings_of(cls)]}


def _plain(name: str) -> dict[str, Any]:
    """A policy that the command line named."""
    return {"name": name, "about": "", "settings": []}
