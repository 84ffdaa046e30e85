"""The puzzles there are, one line each, and `make_puzzle`, which reads a spec."""

from __future__ import annotations

from typing import Any

import gymnasium

from .. import specs
from ..loading import named
from .puzzle import Puzzle

BUILT_IN = {
    # name in specs: where, name in Gymnasium's ids, version in ids
    "setcover": ("ludus.envs.puzzles.setcover:SetCover", "SetCover", 0),
    "bitstring": ("ludus.envs.puzzles.bitstring:BitString", "BitString", 0),
    "portfolio": ("ludus.envs.puzzles.portfolio:Portfolio", "Portfolio", 0),
}


def puzzle_names() -> tuple[str, ...]:
    """The names of all puzzles."""
    return tuple(BUILT_IN)


def id_of(name: str) -> str:
    """The id of a puzzle in Gymnasium, as `ludus/SetCover-v0`."""
    _, id_name, version = BUILT_IN[name]
    return f"ludus/{id_name}-v{version}"


def make_puzzle(puzzle: str | Puzzle, **settings: Any) -> Puzzle:
    """A puzzle by its spec, `setcover:items=20`, or by its name and settings as keywords.

    Raises:
        ValueError: an unknown puzzle or setting, or an instance that nothing solves; the message says what there is.
    """
    if isinstance(puzzle, Puzzle):
        if settings:
            raise ValueError(f"{puzzle.spec} is a puzzle already; give settings with a name, not with a puzzle")
        return puzzle
    if not isinstance(puzzle, str):
        raise ValueError(f"{puzzle!r} is no puzzle; give one, or its spec, as setcover:items=20")
    name, texts = specs.split(puzzle)
    if twice := texts.keys() & settings.keys():
        raise ValueError(f"{', '.join(sorted(twice))} stands in {puzzle!r} and among the keywords; give it once")
    if name not in BUILT_IN:
        raise ValueError(f"there is no puzzle {name!r}; {specs.nearest(name, BUILT_IN)}")
    cls: type[Puzzle] = named(BUILT_IN[name][0])
    return cls(**specs.read(cls, {**texts, **settings}, cls.title))


def register_puzzles() -> None:
    """Registers the ids of the puzzles with Gymnasium."""
    for name, (where, id_name, _) in BUILT_IN.items():
        module = where.partition(":")[0]
        if id_of(name) not in gymnasium.registry:
            gymnasium.register(id_of(name), entry_point=f"{module}_env:{id_name}Env", disable_env_checker=True)
