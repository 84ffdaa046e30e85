"""`ludus list`: shows every game with its variants, actions, observation and ids, and every puzzle."""

from __future__ import annotations

import argparse
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ...agents import policies_for
from ...agents.registry import FROM_FILES, POLICIES, policy_names
from ...core import specs
from ...envs import Game, game_names, make_game
from ...envs.registration import PETTINGZOO_MAKES
from ...games.registry import id_name
from ...text.engines import EnginePolicy
from ..terminal.output import SPEAKING, print_json, print_table

FROM_ELSEWHERE = "alphazero where a network ships, run:FOLDER, sb3:FILE.zip, table:path=FILE, python:module:function"
"""The policies that come from files, and are not listed for each game."""

if TYPE_CHECKING:
    from ...puzzles import Puzzle


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument(
        "--settings", action="store_true", help="list the settings of the policies: what they take, and their defaults"
    )


def run(chosen: argparse.Namespace) -> None:
    """Prints the list."""
    if chosen.settings:
        show_settings(chosen.json)
        return
    games, problems = [make_game(name) for name in game_names()], installed_puzzles()
    listed, puzzles = [game_document(game) for game in games], [puzzle_document(puzzle) for puzzle in problems]
    if chosen.json:
        print_json({"games": listed, "puzzles": puzzles})
        return
    variants = [variant for game in listed for variant in game["variants"]]
    rows = [(v["spec"], v["actions"], "×".join(map(str, v["observation_shape"]))) for v in variants]
    print_table("", ["game", "actions", "planes"], rows)
    for kind, game in zip(map(type, games), listed, strict=True):
        ids = game["ids"]
        pettingzoo_id = f", {ids['pettingzoo']} (PettingZoo)" if ids["pettingzoo"] else ""
        print(f"{game['title']}: {ids['gymnasium']} (Gymnasium){pettingzoo_id}, {ids['module']} (module)")
        print(f"  settings: {settings_line(kind)}")
        print(f"  policies: {', '.join(game['policies'])}")
    print(f"Further policies: {FROM_ELSEWHERE}; {SPEAKING}")
    for kind, puzzle in zip(map(type, problems), puzzles, strict=True):
        print(f"{puzzle['title']}, for one player: {puzzle['id']} (Gymnasium)")
        print(f"  settings: {settings_line(kind)}")
        print(f"  solvers: {', '.join(puzzle['solvers'])}")
    if not PETTINGZOO_MAKES:
        print(
            f"\nPettingZoo {version('pettingzoo')} has no pettingzoo.make (new in 1.27); "
            f"{listed[0]['ids']['module']}.env() and so on make the same environments"
        )


def show_settings(as_json: bool) -> None:
    """Prints the settings of all policies."""
    kinds = {name: POLICIES.find(name) for name in (*policy_names(), *FROM_FILES)} | {"engine": EnginePolicy}
    settings = {name: [setting for setting in specs.settings_of(kind) if setting.name != "command"] for name, kind in kinds.items()}
    if as_json:
        print_json({"policies": {name: [setting._asdict() for setting in its] for name, its in settings.items()}})
        return
    columns = ["policy", "setting", "what it does", "type", "allowed", "default"]
    rows = [(name, s.name, s.meaning, s.type, s.allowed, s.default) for name, its in settings.items() for s in its]
    print_table("", columns, rows, left=5)
    print(f"Without settings: {', '.join(name for name, its in settings.items() if not its)}")
    print("Those of engine stand before its command: engine:protocol=gtp seconds=10 COMMAND")
    print("The settings of a trainer: ludus train NAME --list")


def settings_line(cls: type) -> str:
    """Settings with their defaults, and the allowed values in parentheses."""
    settings = [f"{s.name}={s.default}{f' ({s.allowed})' if s.allowed else ''}" for s in specs.settings_of(cls)]
    return "; ".join(settings) or "none"


def defaults_of(cls: type) -> dict[str, str]:
    """The default of each setting."""
    return {setting.name: setting.default for setting in specs.settings_of(cls)}


def game_document(game: Game) -> dict[str, Any]:
    """A game for JSON."""
    variants = [make_game(spec) for spec in game.variants]
    return {
        "name": game.name,
        "title": game.title,
        "settings": defaults_of(type(game)),
        "variants": [
            {"spec": v.spec, "actions": v.num_actions, "observation_shape": list(v.shape), "max_plies": v.max_plies or None}
            for v in variants
        ],
        "actions": game.num_actions,
        "observation_shape": list(game.shape),
        "planes": list(game.planes),
        "policies": list(policies_for(game)),
        "ids": {
            "gymnasium": f"ludus/{id_name(game.name)}-v{game.version}",
            "pettingzoo": f"ludus/{game.name}-v{game.version}" if PETTINGZOO_MAKES else None,
            "module": f"ludus.{game.name}_v{game.version}",
        },
    }


def installed_puzzles() -> list[Puzzle]:
    """Every puzzle with its default settings; none if the folder `puzzles` was left out."""
    if find_spec("ludus.puzzles") is None:
        return []
    from ...puzzles import make_puzzle, puzzle_names

    return [make_puzzle(name) for name in puzzle_names()]


def puzzle_document(puzzle: Puzzle) -> dict[str, Any]:
    """A puzzle for JSON."""
    from ...puzzles import solvers_for
    from ...puzzles.puzzle import id_of

    return {
        "name": puzzle.name,
        "title": puzzle.title,
        "aim": puzzle.aim,
        "settings": defaults_of(type(puzzle)),
        "solvers": list(solvers_for(puzzle)),
        "id": id_of(puzzle.name),
    }
