"""The choices on the page: games with their variants, lessons and puzzles, and policies with their settings.

The page may name only these policies, by a spec that runs no code and reads no file. Runs and models must be given on the command
line; the page knows them by names.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any

from ..agents import policies_for
from ..agents.registry import POLICIES
from ..core.numbers import short_repr
from ..core.specs import settings_of
from ..envs import Game, game_names, make_game
from ..games.known import Level
from ..games.lesson import Lesson, load_lesson
from ..records.only_moves import puzzles_of

ANY_LEVELS = (
    Level("easy", "greedy", "Sees one move ahead."),
    Level("medium", "mcts:simulations=100", "Plays a hundred games in its head before each move."),
    Level("hard", "mcts:simulations=1000", "Plays a thousand games in its head before each move."),
    Level("perfect", "perfect", "Perfect where a search sees the end of the game; before that it searches as deep as it can."),
)
"""Opponents for a game that names none, from the weakest to the strongest."""


class Offers:
    """The choices on the page.

    Args:
        specs: the specs from the command line, by the names that the page shows: `{"runs/q1": "run:runs/q1"}`.
        networks: the specs of the games that `alphazero` plays.
    """

    def __init__(self, specs: Mapping[str, str] | None = None, networks: Collection[str] = ()) -> None:
        self._specs, self._networks = dict(specs or {}), frozenset(networks)

    def document(self) -> dict[str, Any]:
        """All choices, for the page."""
        return {"games": [self._game(make_game(name)) for name in game_names()]}

    def _game(self, game: Game) -> dict[str, Any]:
        levels = {game.name: ANY_LEVELS, **game.known.levels}  # of variants with levels of their own, and of all others
        variants = [variant for variant in type(game).variants if variant in self._networks]
        of_networks = [{**_policy("alphazero"), "variants": variants}] if variants else []
        of_command_line = [{"name": name, "about": "", "settings": []} for name in self._specs]
        return {
            "name": game.name,
            "title": game.title,
            "variants": [*type(game).variants],
            "players": game.player_names,
            "levels": {variant: [asdict(level) for level in of_variant] for variant, of_variant in levels.items()},
            "puzzles": {spec: count for spec in type(game).variants if (count := len(puzzles_of(make_game(spec))))},
            "policies": [*map(_policy, policies_for(game)), *of_networks, *of_command_line],
        }

    def policy(self, chosen: str) -> str:
        """The spec of a policy that the page names.

        Raises:
            ValueError: it is not one of the choices.
        """
        if chosen in self._specs:
            return self._specs[chosen]
        if chosen.partition(":")[0] not in self._policy_names:
            raise ValueError(
                f"{short_repr(chosen)} is not offered here; to play against a run or a model, name it when starting: "
                "ludus web RUN, or --policies SPEC"
            )
        return POLICIES.check_plain(chosen)

    @cached_property
    def _policy_names(self) -> frozenset[str]:
        """The names of the policies that play some game."""
        names = (name for game in game_names() for name in policies_for(make_game(game)))
        return frozenset([*names, *(["alphazero"] if self._networks else [])])


def lesson_document(spec: str) -> dict[str, Any]:
    """How a variant is taught on the page: its rules with pictures, and a guided first game.

    Returns:
        `explanation`, and the fields of `Lesson`, which are empty where the game has none.

    Raises:
        ValueError: there is no such game.
    """
    game = make_game(spec)
    lesson = load_lesson(game) or Lesson(goal="", sentences=(), illustrations=())
    return {"explanation": game.explanation, **asdict(lesson)}


def puzzles_document(spec: str) -> dict[str, Any]:
    """The puzzles of a game, the easiest first, for the page.

    Raises:
        ValueError: there is no such game.
    """
    return {"puzzles": [puzzle._asdict() for puzzle in puzzles_of(make_game(spec))]}


def _policy(name: str) -> dict[str, Any]:
    """A policy: its name, a sentence about it, and its settings."""
    cls = POLICIES.find(name)
    about = inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]
    return {"name": name, "about": about, "settings": [setting._asdict() for setting in settings_of(cls)]}
