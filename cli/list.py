"""`ludus list`: every game with its variants, actions, observation and ids."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import Any

from ..agents import policies_for
from ..envs import Game, games, make_game, specs
from ..envs.registry import id_name
from .output import print_json, print_table


def arguments(parser: argparse.ArgumentParser) -> None:
    """No arguments of its own."""


def run(chosen: argparse.Namespace) -> None:
    """Prints the list."""
    listed = [described(make_game(name)) for name in games()]
    if chosen.json:
        print_json({"games": listed})
        return
    print_table(
        "Games",
        ["game", "variants", "actions", "observation", "policies", "ids"],
        [
            (
                game["name"],
                "\n".join(variant["spec"] for variant in game["variants"]),
                "\n".join(str(variant["actions"]) for variant in game["variants"]),
                "\n".join("×".join(map(str, variant["observation_shape"])) for variant in game["variants"]),
                " ".join(game["policies"]),
                f"{game['ids']['gymnasium']}\n{game['ids']['pettingzoo']}",
            )
            for game in listed
        ],
        left=2,
    )


def described(game: Game) -> dict[str, Any]:
    """All there is to say of a game, for JSON."""
    variants = [make_game(spec) for spec in game.variants]
    return {
        "name": game.name,
        "title": game.title,
        "settings": {field.name: specs.written(field.default) for field in fields(game)},
        "variants": [
            {"spec": v.spec, "actions": v.actions, "observation_shape": list(v.shape), "max_plies": v.max_plies or None}
            for v in variants
        ],
        "actions": game.actions,
        "observation_shape": list(game.shape),
        "planes": list(game.planes),
        "policies": list(policies_for(game)),
        "ids": {"gymnasium": f"ludus/{id_name(game.name)}-v{game.version}", "pettingzoo": f"ludus/{game.name}-v{game.version}"},
    }
