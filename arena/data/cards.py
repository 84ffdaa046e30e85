"""Cards: the page beside data, which says what they are, how they were made and how to read them, with checksums."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from ...core.files.reading import open_regular
from ...core.files.writing import write_whole
from .folder import Recipe
from .many_games import ManyGames, in_memory


def write_card(out: Path, recipe: Recipe, many: ManyGames) -> None:
    """Writes the card of games: what they are, how they were made, how to read them, and their checksums.

    Args:
        out: their folder, for a README.md; or their file, for a `.md` beside it.
        recipe: what was played.
        many: the games.
    """
    folder = out.is_dir()
    results = np.sum([np.bincount(in_memory(shard.results) + 1, minlength=3) for shard in many.shards], axis=0).tolist()
    options = f"--count {recipe.count} --policies {' '.join(recipe.policies)} --seed {recipe.seed}"
    options += f" --opening-plies {recipe.opening_plies} --shard {recipe.shard}"
    options += f" --passes {recipe.passes}" * (recipe.passes != "keep")
    kept = recipe.training is not None
    text = (KEPT if kept else CARD).format(
        recipe=recipe,
        command=f"ludus games {recipe.game} {options} --out {out.name}",
        count=len(many),
        results=results,
        layout=SHARDS if folder else ROWS.format(name=out.name),
        training=", ".join(f"{name}={value}" for name, value in (recipe.training or {}).items()),
        sums=checksums(sorted(out.glob("*.npy")) if folder else [out]),
        names=", ".join(many.game.moves[:12]),
    )
    write_whole(card_beside(out), text.encode())


def card_beside(out: Path) -> Path:
    """Where the card of a folder, or of a file, lies."""
    return out / "README.md" if out.is_dir() else out.with_suffix(".md")


def checksums(files: list[Path]) -> str:
    """A line for each file: its SHA-256 and its name, as `sha256sum` writes them."""
    return "\n".join(f"{checksum(file)}  {file.name}" for file in files)


CARD = """\
# {count:,} games of {recipe.game}

Between {recipe.policies[0]} (seat 0) and {recipe.policies[1]} (seat 1), after {recipe.opening_plies} random plies, with the
seed {recipe.seed}. Seat 0 won {results[2]:,}, {results[1]:,} were drawn, and {results[0]:,} were lost. Made by Ludus:

    {command}

The same command makes the same files. Licence: MIT, that of Ludus.

{layout}
Actions are numbers; the first are {names}, …. `ludus.arena.data.open_games` gives the positions of each game, too, and
`ludus check-data` replays all games. SHA-256:

```
{sums}
```
"""
KEPT = """\
# {count:,} games of {recipe.game} that a training played

By {recipe.policies[0]} against itself while it learnt, with the seed {recipe.seed}. Seat 0 won {results[2]:,}, {results[1]:,} were
drawn, and {results[0]:,} were lost; where search had proven the result, or a position came again, a game may stop before its
end by the rules. Made by Ludus with `--keep-games`; the training: {training}. Licence: MIT, that of Ludus.

{layout}
`starts` (N, W) has the position that each game begins with, after its random plies. `networks` (N, 2) says after how many parts of
the training the networks of the first and of the last move were learnt; shard K has the games that ended in part K, counted from 0.
Actions are numbers; the first are {names}, …. `ludus.arena.data.open_games` gives the positions of each game, too. SHA-256:

```
{sums}
```
"""
SHARDS = """\
Each shard has arrays of NumPy: `moves` (N, L), a game in a row, an action in a cell, -1 after the end; `lengths` (N,) in
plies; `results` (N,) of seat 0: 1, 0 or -1.

    import numpy as np

    moves = np.load("00000.moves.npy", mmap_mode="r")

"""
ROWS = """\
A row is a game: `moves`, a list of actions; `length` in plies; `result` of seat 0: 1, 0 or -1.

    import pandas

    games = pandas.read_parquet("{name}")

"""


def checksum(path: Path) -> str:
    """The SHA-256 of a file."""
    digest = hashlib.sha256()
    with open_regular(path) as file:
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
