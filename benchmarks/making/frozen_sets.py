"""Makes the frozen sets of positions, which `ludus text bench` asks about: `python -m benchmarks.making.frozen_sets [GAME…]`.

`--check` makes them again and compares them byte by byte with those that ship. A set that was published never changes: other
positions are a set of another name.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

import ludus
from ludus.core.files.writing import write_whole
from ludus.text.bench.sets import ASKS, PositionSet, frozen_set, make_set
from ludus.text.bench.sets.frozen import CHECKSUMS, FOLDER, NAME, path_of_set

COUNT, SEED = 300, 1
RECIPES: dict[str, dict[str, Any]] = {
    "nim": {},
    "tictactoe": {},
    "quixo:size=3": {"pool": 60},
    "quixo:size=4": {},
    "quarto": {"plies": (16, 30), "pool": 24},
    "othello:size=6": {"empties": (3, 10)},
    "connect_four": {"empties": (4, 30)},
}
"""Which positions of each game the sets have: those whose moves the oracle values in some milliseconds."""
CARD = Path(__file__).with_suffix(".md")
"""The card, with places for what it counts."""


def make(spec: str) -> PositionSet:
    """The set of a game."""
    return make_set(spec, COUNT, seed=SEED, name=NAME, **RECIPES[spec])


def write(specs: Iterable[str]) -> None:
    """Writes the sets of some games, and the card and the checksums of all."""
    made = dict[str, PositionSet]()
    for spec in specs:
        made[spec] = make(spec)
        write_whole(path_of_set(made[spec].rules), gzip.compress(made[spec].lines, mtime=0))
        print(spec, *kinds(made[spec]), flush=True)
    sets = {spec: made[spec] if spec in made else frozen_set(spec) for spec in RECIPES if spec in made or spec in CHECKSUMS}
    checksums = {spec: each.checksum for spec, each in sets.items()}
    write_whole(FOLDER / "checksums.json", msgspec.json.format(msgspec.json.encode(checksums)) + b"\n")
    write_whole(FOLDER / "README.md", card(sets).encode())


def check(specs: Iterable[str]) -> None:
    """Makes the sets of some games again, and ends with an error if one is not as it was, or the card does not fit."""
    changed = [spec for spec in specs if make(spec).checksum != CHECKSUMS[spec]]
    fits = (FOLDER / "README.md").read_text(encoding="utf-8") == card({spec: frozen_set(spec) for spec in RECIPES})
    changed += [] if fits else ["README.md"]
    sys.exit(f"{', '.join(changed)}: not what ships" if changed else None)


def card(sets: Mapping[str, PositionSet]) -> str:
    """The card of the sets."""
    rows = [f"| `{spec}` | {' | '.join(map(str, kinds(each)))} | {bounds(spec)} |" for spec, each in sets.items()]
    sums = [f"{each.checksum}  {path_of_set(each.rules).name}" for each in sets.values()]
    return CARD.read_text(encoding="utf-8").format(
        name=NAME,
        count=len(sets),
        each=COUNT,
        asks=" | ".join(ASKS),
        lines="---:|" * len(ASKS),
        table="\n".join(rows),
        sums="\n".join(sums),
    )


def kinds(each: PositionSet) -> list[str | int]:
    """How many positions and groups a set has, how many of each kind, and how many of each player."""
    asked = Counter(position.asks for position in each.positions)
    players = Counter(each.rules.players(each.states).tolist())
    groups = {position.group for position in each.positions}
    return [len(each.positions), len(groups), *(asked[ask] for ask in ASKS), f"{players[0]} / {players[1]}"]


def bounds(spec: str) -> str:
    """Which positions of a game the set has, in words."""
    words = {"plies": "{} to {} plies after the start", "empties": "{} to {} empty cells"}
    return "; ".join(words[name].format(*bound) for name, bound in RECIPES[spec].items() if name in words) or "all"


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
