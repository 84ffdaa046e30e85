"""All names that users type or read.

`python -m tests.helpers.public_names` writes them to public_names.json, after a change that is meant.
"""

import contextlib
import inspect
import io
import json
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import pettingzoo

from ludus.agents.registry import POLICIES
from ludus.cli import main
from ludus.cli.parser import COMMANDS, parser
from ludus.envs import game_names, make_game
from ludus.envs.modules import GameModule
from ludus.games.registry import BUILT_IN
from ludus.puzzles.problems.registry import make_puzzle, puzzle_names
from ludus.puzzles.solvers.registry import make_solver, solvers_for
from ludus.text.models import LanguageModel

KEPT = Path(__file__).with_suffix(".json")
PARTS = "rules records envs search oracles agents arena baselines opponents data text rewards"
MODULES = ("ludus", *(f"ludus.{part}" for part in PARTS.split()))
SHOWN = (
    "list",
    "perft nim 2",
    "solve tictactoe",
    "solve nim",
    "solve quixo:size=3 {folder}/a.moves",
    "convert {folder}/a.moves {folder}/a.pgn",
    "check nim",
    "arena nim --policies random nim_sum --games 4 --store {folder}/store.sqlite --report {folder}/page.html",
    "replay {folder}/store.sqlite",
    "replay {folder}/store.sqlite --game 1",
    "grade nim --policy random --games 20",
    "grade nim:heaps=1+2 --policy random --exact",
    "grade nim:heaps=1+2 --policy mcts:simulations=4 --exact --calibration 4",
    "train --list",
    "train qlearning nim --games 300 --run {folder}/run --evaluate-games 4 --against random",
    "puzzle setcover:items=20 --solvers greedy --seeds 1",
    "cache",
)
"""Commands whose `--json` is looked at."""


def collected() -> dict[str, Any]:
    """Every public name, by what it is a name of."""
    return {
        "gymnasium ids": sorted(name for name in gymnasium.registry if name.startswith("ludus/")),
        "pettingzoo ids": sorted(name for name in pettingzoo.aec_registry if name.startswith("ludus/")),
        "games": {name: arguments(type(make_game(name))) for name in game_names()},
        "policies": {name: arguments(POLICIES.find(name)) for name in POLICIES.names()} | {"llm": arguments(LanguageModel)},
        "trainers": {name: [one["name"] for one in found["settings"]] for name, found in json_of("train --list").items()},
        "puzzles": {name: arguments(type(make_puzzle(name))) for name in puzzle_names()},
        "solvers": {f"{name} of {puzzle}": solver(name, puzzle) for puzzle in puzzle_names() for name in solvers_for(puzzle)},
        "options": {name: sorted(options(name)) for name in COMMANDS},
        "attributes": {name: attributes(name) for name in MODULES},
        "json": shown(),
    }


def arguments(cls: type) -> dict[str, str]:
    """The arguments of a class that users name in specs, with their defaults."""
    named = list(inspect.signature(cls).parameters.values())
    return {one.name: repr(one.default) for one in named if one.default is not one.empty}


def solver(name: str, puzzle: str) -> dict[str, dict[str, str]]:
    """The settings of a solver, and its presets."""
    cls = type(make_solver(name, puzzle))
    return {"settings": arguments(cls), "presets": {preset: str(values) for preset, values in cls.presets.items()}}


def options(command: str) -> Iterator[str]:
    """The options and arguments of a command."""
    commands = next(action for action in parser([command])._actions if isinstance(action.choices, dict))
    choices: Any = commands.choices
    for action in choices[command]._actions:
        yield from action.option_strings or [action.dest]


def attributes(module: str) -> dict[str, list[str]]:
    """What a module offers, with the public attributes of its classes."""
    found = import_module(module)
    names = [name for name in sorted(found.__all__) if not name.startswith("Verifiers")]  # what they have, verifiers decides
    return {name: members(getattr(found, name)) for name in names if not is_from_outside(getattr(found, name))}


def is_from_outside(thing: Any) -> bool:
    """Whether something is the module of a game that another test has registered."""
    return isinstance(thing, GameModule) and thing.__name__.removeprefix("ludus.").rpartition("_v")[0] not in BUILT_IN


def members(thing: Any) -> list[str]:
    """The public attributes of a class that Ludus defines; the arguments of a function."""
    if inspect.isclass(thing):
        ours = [base for base in thing.__mro__ if base.__module__.startswith("ludus")]
        named = {name for base in ours for name in [*vars(base), *getattr(base, "__annotations__", {})]}
        return sorted(name for name in named if not name.startswith("_"))
    return [*inspect.signature(thing).parameters] if inspect.isroutine(thing) else []


def shown() -> dict[str, list[str]]:
    """The fields in the JSON of each command."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.moves").write_text("# Game: quixo:size=3\na1>a3\n", encoding="utf-8")
        return {command.partition(" {")[0]: sorted({*fields(json_of(command.format(folder=folder)))}) for command in SHOWN}


def json_of(command: str) -> Any:
    """What a command prints with `--json`."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main([*command.split(), "--json"]) in (None, 0)
    return json.loads(printed.getvalue())


def fields(value: Any, at: str = "") -> Iterator[str]:
    """The paths of all fields in a document: `games[].name`."""
    if isinstance(value, dict):
        for name, inside in value.items():
            path = f"{at}.{name}".removeprefix(".")
            yield path
            yield from fields(inside, path)
    elif isinstance(value, list):
        for inside in value:
            yield from fields(inside, f"{at}[]")


if __name__ == "__main__":
    KEPT.write_text(json.dumps(collected(), indent=1) + "\n", encoding="utf-8")
