"""`Known`: what is known of a game besides its rules, as data that oracles, grades and trainers read.

A game has it in its class, beside its rules:

    class Kalah(Game):
        known = Known(exact_cells=8, presets={"qlearning": {"kalah": {"games": 200_000}}})

The games of this package have theirs in `known.json` of their folders, with the same fields.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.native import Function

Settings = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Reach:
    """Settings of the game's oracle for a board with too many positions to know all: how far it searches.

    Args:
        grades: where the value of a position takes some milliseconds.
        pages: where it takes less than one.
        training: where a position with all its actions takes some, for targets of self-play; None to search as for grades.
    """

    grades: Settings
    pages: Settings
    training: Settings | None = None


@dataclass(frozen=True)
class Level:
    """How well an opponent plays, for somebody who chooses one.

    Args:
        name: a word, such as `easy`.
        policy: the spec of the policy that plays so.
        sentence: what to expect of it, in the words of people who play.
    """

    name: str
    policy: str
    sentence: str


@dataclass(frozen=True, eq=False)
class Known:
    """What is known of a game besides its rules.

    Boards are named by their number of cells (`Game.num_cells`). Where a game's class derives from another game's, and its rules
    are not the same, it needs a `Known` of its own.

    Args:
        oracle: the game's own oracle, as `module:class`; None to search its positions as those of any game.
        reach: how far the oracle searches, on boards with too many positions to know all.
        networks: the folder with networks that `alphazero` plays this game by, one for each variant that has one, as
            `benchmarks/making/networks.py` writes them; None where there are none.
        networks_in_page: whether a page without a server has the networks, too: false where they are large, or where it plays
            perfectly without.
        openings: the folder with suites of openings, one for each variant that has one, as `ludus openings` writes them; None where
            there are none.
        puzzles: the folder with positions in which exactly one move wins, a file for each variant that has some, as
            `benchmarks/making/only_moves.py` writes them; None where there are none.
        sides: a kernel from a state to the cells of the player to move and the opponent's, as bits, for games whose cells have
            owners: n-tuples then read cells several times as fast as by observations, and can search deeper.
        threats: a kernel from a state and a player to the number of lines that lack one piece of that player's only, for rewards of
            moves in tabular learning.
        exact_cells: the cells of the largest board that can have an exact grade; None to try any board.
        presets: for each trainer, by its name, presets: settings by the preset's name, each with only what differs from the
            defaults. The preset that is named as the game, or as the spec of the variant, is used where the user names none.
        disguises: other faces that only this game has, by their names: the class with the other words, as `module:class`.
        lesson: the JSON file of the lesson (lesson.py), or the function from a game, of any variant, to its `Lesson`, as
            `module:function`; None to show its `explanation`.
        levels: opponents from the weakest to the strongest, by the spec of the variant; those under the game's name are for all
            variants without levels of their own.
    """

    oracle: str | None = None
    reach: Mapping[int, Reach] = field(default_factory=dict)
    networks: Path | None = None
    networks_in_page: bool = True
    openings: Path | None = None
    puzzles: Path | None = None
    sides: Function | None = None
    threats: Function | None = None
    exact_cells: int | None = None
    presets: Mapping[str, Mapping[str, Settings]] = field(default_factory=dict)
    disguises: Mapping[str, str] = field(default_factory=dict)
    lesson: str | Path | None = None
    levels: Mapping[str, Sequence[Level]] = field(default_factory=dict)


NOTHING = Known()
"""A game of which nothing is known besides its rules."""


def read_known(folder: Path, **kernels: Function) -> Known:
    """What is known of a game, from `known.json` in its folder; lesson, networks, suites of openings and puzzles lie beside it.

    In JSON, each field "why" is a comment.

    Args:
        folder: the folder.
        kernels: `sides` and `threats`, which files cannot hold.
    """

    def read_fields(fields: dict[str, Any]) -> dict[str, Any]:
        return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items() if name != "why"}

    beside: dict[str, Any] = {"lesson": folder / "lesson.json", "networks": folder, "openings": folder, "puzzles": folder}
    document = json.loads((folder / "known.json").read_text(encoding="utf-8"), object_hook=read_fields)
    document["reach"] = {int(cells): Reach(**reach) for cells, reach in document.get("reach", {}).items()}
    document["levels"] = {spec: tuple(Level(**level) for level in levels) for spec, levels in document["levels"].items()}
    return Known(**beside | document | kernels)
