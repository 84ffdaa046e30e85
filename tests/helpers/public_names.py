"""All names that users type or read, a line each, with their parameters.

`python -m tests.helpers.public_names` writes them to public_names.txt, after a change that is meant.
"""

import inspect
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import pettingzoo

from ludus.agents.registry import POLICIES
from ludus.cli.parser import COMMANDS, parser
from ludus.envs import game_names, make_game
from ludus.envs.registration import GameModule
from ludus.games.registry import BUILT_IN
from ludus.puzzles.puzzle import make_puzzle, puzzle_names
from ludus.puzzles.solver import make_solver, solvers_for
from ludus.text.models import LanguageModel

from ..written.reading import json_of

FILE = Path(__file__).with_suffix(".txt")
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
"""Commands whose JSON is looked at."""


def public_names() -> list[str]:
    """Every public name, sorted."""
    lines = [f"gymnasium {name}" for name in gymnasium.registry if name.startswith("ludus/")]
    lines += [f"pettingzoo {name}" for name in pettingzoo.aec_registry if name.startswith("ludus/")]
    lines += [f"game {name}{settings(type(make_game(name)))}" for name in game_names()]
    lines += [f"policy {name}{settings(POLICIES.find(name))}" for name in POLICIES.names()]
    lines += [f"policy llm{settings(LanguageModel)}"]
    for name, about in json_of("train", "--list").items():
        lines.append(f"trainer {name}({', '.join(each['name'] for each in about['settings'])})")
    lines += [f"puzzle {name}{settings(type(make_puzzle(name)))}" for name in puzzle_names()]
    lines += [line for puzzle in puzzle_names() for name in solvers_for(puzzle) for line in solver(name, puzzle)]
    lines += [f"command {name} {' '.join(sorted(options(name)))}" for name in COMMANDS]
    lines += [f"{module}.{name}" for module in MODULES for name in names_of(module)]
    return sorted([*lines, *json_fields()])


def settings(cls: type) -> str:
    """The arguments of a class that users name in specs, with their defaults."""
    named = inspect.signature(cls).parameters.values()
    return f"({', '.join(f'{each.name}={each.default!r}' for each in named if each.default is not each.empty)})"


def solver(name: str, puzzle: str) -> Iterator[str]:
    """A solver with its settings, and each of its presets."""
    cls = type(make_solver(name, puzzle))
    yield f"solver {name} of {puzzle}{settings(cls)}"
    yield from (f"solver {name} of {puzzle}, preset {preset}: {values}" for preset, values in cls.presets.items())


def options(command: str) -> Iterator[str]:
    """The options and arguments of a command."""
    commands = next(action for action in parser([command])._actions if isinstance(action.choices, dict))
    choices: Any = commands.choices
    for action in choices[command]._actions:
        yield from action.option_strings or [action.dest]


def names_of(module: str) -> Iterator[str]:
    """What a module offers, functions and classes with their parameters."""
    offered = import_module(module)
    for name in offered.__all__:
        thing = getattr(offered, name)
        if name.startswith("Verifiers") or is_from_outside(thing):  # what the first have, verifiers decides
            continue
        is_called = inspect.isroutine(thing) or (inspect.isclass(thing) and not issubclass(thing, Exception))
        yield f"{name}({', '.join(inspect.signature(thing).parameters)})" if is_called else name


def is_from_outside(thing: Any) -> bool:
    """Whether something is the module of a game that another test has registered."""
    return isinstance(thing, GameModule) and thing.__name__.removeprefix("ludus.").rpartition("_v")[0] not in BUILT_IN


def json_fields() -> Iterator[str]:
    """The fields in the JSON of each command, a line for each object in it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "a.moves").write_text("# Game: quixo:size=3\na1>a3\n", encoding="utf-8")
        for command in SHOWN:
            objects = defaultdict[str, set[str]](set)
            for path in fields(json_of(*command.format(folder=folder).split())):
                place, _, name = path.rpartition(".")
                objects[place].add(name)
            for place, names in objects.items():
                yield f"json {command.partition(' {')[0]}{place and f', {place}'}: {' '.join(sorted(names))}"


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
    FILE.write_text("\n".join([*public_names(), ""]), encoding="utf-8")
