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
CARD = """\
# {name}

Positions of {count} games, {each} of each, to ask a language model or any other player for one move. The value of every legal
move is exact. The set is frozen: no byte of it changes. Other positions would be a set of another name.

Made by Ludus with `python -m benchmarks.making.frozen_sets`; with `--check` it makes the sets again and
compares them. Licence: MIT.

```python
from ludus.text.bench.sets import frozen_set

for position in frozen_set("quixo:size=4").positions:  # the checksum is checked
    print(position.position, position.asks, position.value)
```

## What a position asks

| | |
|---|---|
| win now | The player to move can win in this turn. |
| stop a loss | The player cannot win now, and some moves lose at once or let the opponent win in the next turn. |
| quiet | The player cannot win now, and no move loses at once or lets the opponent win in the next turn. |

A turn is one move, or all that the same player makes in a row: in Quarto one places a piece and gives the next. What a position
asks follows from the rules alone. In every position some move loses value, so where a loss is to be stopped, it can be. Where every
move keeps the value, as in all lost positions, nothing is asked: these are left out.

## How many

| game | positions | groups | {asks} | player 0 / 1 | which |
|---|---:|---:|{lines}---:|---|
{table}

The three kinds have equal shares of a set, and both players to move equal shares of each kind, as far as the game has so many.
It does not in these games:

- Nim's text does not say who is to move, so it is always player 0. One wins now only from a single heap.
- In tic-tac-toe and Quixo 3×3 few positions are quiet. In Quixo a move can also complete the opponent's line and lose at once.
- In Othello nothing is won or lost at once before the last plies. All positions are quiet, with 3 to 10 empty cells.

Positions come from random games, and do not show strong play. Before they are chosen, all strata of `ludus positions` (value, share
of the moves that keep it, distance) have equal shares. The first positions of a set are spread as all are. Values come from the
oracles of Ludus; in Quixo endless play is a draw.

A group has the positions that look the same to the player to move, up to symmetry, also with the colours exchanged. They are not
independent, so intervals draw whole groups. Only in Nim, where heaps may change places, a group has several positions.

## Columns

A line is a JSON object:

| column | meaning |
|---|---|
| `game` | the game's spec |
| `position` | the position, in the game's notation |
| `asks` | `win now`, `stop a loss` or `quiet` |
| `value` | for the player to move, with perfect play: 1 won, 0 drawn, -1 lost |
| `distance` | plies to the end when the winner hurries and the loser delays; null in draws, and where it is not known |
| `random_loses` | the value that a random legal move loses, on average |
| `group` | the number of its group |
| `moves` | each legal move: its name `move`, the `value` for the player who makes it, the `distance`, this move counted |

In Nim, Quarto and Othello no distance is known.

## Checksums

SHA-256 of the lines, as `gzip -dc FILE | sha256sum` prints it:

```
{sums}
```
"""


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
    return CARD.format(
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
