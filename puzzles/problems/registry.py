"""All puzzles, one line each, and `make_puzzle`, which reads a spec."""

from __future__ import annotations

from typing import Any

from ...core import specs
from ...core.numbers import short_repr
from ...core.plugins.loading import load_object
from ...envs.registration import PUZZLES
from .puzzle import Puzzle

BUILT_IN = {
    # name in specs: module and class
    "setcover": "ludus.puzzles.problems.setcover:SetCover",
    "bitstring": "ludus.puzzles.problems.bitstring:BitString",
    "portfolio": "ludus.puzzles.problems.portfolio:Portfolio",
}


def puzzle_names() -> tuple[str, ...]:
    """The names of all puzzles."""
    return tuple(BUILT_IN)


def id_of(name: str) -> str:
    """The id of a puzzle in Gymnasium, as `ludus/SetCover-v0`."""
    return PUZZLES[name]


def make_puzzle(puzzle: str | Puzzle, **settings: Any) -> Puzzle:
    """A puzzle by its spec, `setcover:items=20`, or by its name and settings as keywords.

    Raises:
        ValueError: an unknown puzzle or setting, or an instance that nothing solves; the message says what is allowed.
    """
    if isinstance(puzzle, Puzzle):
        if settings:
            raise ValueError(f"{puzzle.spec} is a puzzle already; give settings with a name, not with a puzzle")
        return puzzle
    if not isinstance(puzzle, str):
        raise ValueError(f"{short_repr(puzzle)} is not a puzzle; give one, or its spec, as setcover:items=20")
    name, texts = specs.parse(puzzle)
    if twice := texts.keys() & settings.keys():
        raise ValueError(f"{', '.join(sorted(twice))} stands in {short_repr(puzzle)} and among the keywords; give it once")
    if name not in BUILT_IN:
        raise ValueError(f"there is no puzzle {short_repr(name)}; {specs.nearest(name, BUILT_IN)}")
    cls: type[Puzzle] = load_object(BUILT_IN[name])
    return cls(**specs.read(cls, {**texts, **settings}, cls.title))
