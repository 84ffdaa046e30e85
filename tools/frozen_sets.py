"""Makes the frozen sets of positions, which `ludus text bench` asks about: `python -m tools.frozen_sets [GAME…]`.

`--check` makes them again and compares them byte by byte with those that ship. A set that was published never changes: other
positions are a set of another name.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

import msgspec

import ludus
from ludus.core.files.writing import write_whole
from ludus.text.bench.sets import ASKS, PositionSet, make_set
from ludus.text.bench.sets.frozen import CHECKSUMS, FOLDER, NAME, path_of_set

COUNT, SEED = 300, 1
RECIPES: dict[str, dict[str, Any]] = {
    "nim": {},
    "tictactoe": {},
    "quixo:size=3": {"pool": 60},
    "quixo:size=4": {},
    "quarto": {"plies": (16, 30)},
    "othello:size=6": {"empties": (2, 9), "pool": 60},
    "connect_four": {"empties": (4, 34)},
}
"""Which positions of each game the sets have: those whose moves the oracle values in some milliseconds."""


def make(spec: str) -> PositionSet:
    """The set of a game."""
    return make_set(spec, COUNT, seed=SEED, name=NAME, **RECIPES[spec])


def write(specs: Iterable[str]) -> None:
    """Writes the files of some games and the checksums."""
    checksums = dict(CHECKSUMS)
    for spec in specs:
        made = make(spec)
        path = path_of_set(made.rules)
        write_whole(path, gzip.compress(made.lines, mtime=0))
        checksums[spec] = made.checksum
        print(f"{spec}: {describe(made)}, in {path.name}", flush=True)
    ordered = {spec: checksums[spec] for spec in RECIPES if spec in checksums}
    write_whole(FOLDER / "checksums.json", msgspec.json.format(msgspec.json.encode(ordered)) + b"\n")


def describe(made: PositionSet) -> str:
    """How many positions of each kind a set has."""
    players = made.rules.players(made.states).tolist()
    counts = Counter(zip((each.asks for each in made.positions), players, strict=True))
    kinds = ", ".join(f"{counts[ask, 0]} + {counts[ask, 1]} {ask}" for ask in ASKS)
    return f"{len(made.positions)} positions of {len({each.group for each in made.positions})} groups: {kinds}"


def check(specs: Iterable[str]) -> None:
    """Makes the sets of some games again, and ends with an error if one is not as it was."""
    changed = [spec for spec in specs if make(spec).checksum != CHECKSUMS[spec]]
    sys.exit(f"{', '.join(changed)}: not the positions that ship" if changed else None)


def main() -> None:
    """Makes or checks frozen sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="specs of games (default: all)")
    parser.add_argument("--check", action="store_true", help="compare with what ships instead")
    chosen = parser.parse_args()
    specs = [ludus.make_game(spec).spec for spec in chosen.games] or [*RECIPES]
    (check if chosen.check else write)(specs)


if __name__ == "__main__":
    main()
