"""Cards: the README.md beside data, which says what they are, how they were made and how to read them, with checksums."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from ..core.files.writing import write_whole
from .folder import open_games, read_recipe


def write_card(folder: Path, command: str) -> None:
    """Writes a README.md beside the games of a folder: what they are, how they were made, how to read them, and their checksums."""
    recipe, many = read_recipe(folder), open_games(folder)
    assert recipe is not None
    results = np.bincount(np.concatenate([shard.results for shard in many.shards]) + 1, minlength=3).tolist()
    sums = [f"{checksum(path)}  {path.name}" for path in sorted(folder.glob("*.npy"))]
    write_whole(
        folder / "README.md",
        CARD.format(
            recipe=recipe,
            command=command,
            count=len(many),
            results=results,
            sums="\n".join(sums),
            names=", ".join(many.game.moves[:12]),
        ).encode(),
    )


CARD = """\
# {count:,} games of {recipe.game}

Between {recipe.policies[0]} (seat 0) and {recipe.policies[1]} (seat 1), after {recipe.opening_plies} random plies, with the
seed {recipe.seed}. Seat 0 won {results[2]:,}, {results[1]:,} were drawn, and {results[0]:,} were lost. Made by Ludus:

    {command}

The same command makes the same files. Nobody's rights are in them: they follow from the rules of the game.

Each shard is three arrays of NumPy: `moves` (N, L), a game in a row, an action in a cell, -1 after the end; `lengths` (N,) in
plies; `results` (N,) of seat 0: 1, 0 or -1. Actions are numbers; the first are {names}, ….

    import numpy as np

    moves = np.load("00000.moves.npy", mmap_mode="r")

`ludus.data.open_games` reads all shards, and gives the positions of each game. SHA-256:

```
{sums}
```
"""


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
