"""A folder of games: `games.json`, which says what was played, and three arrays of NumPy a shard.

    00000.moves.npy     (N, L) int8 or int16   the actions of a game in a row; -1 after its end
    00000.lengths.npy   (N,) int16             plies
    00000.results.npy   (N,) int8              player 0's result: 1, 0 or -1; 0 where the limit of plies ended the game

The results of a shard are written last: where they are, the shard is whole.
"""

from __future__ import annotations

import io
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import numpy as np

from ..core.files.writing import make_folder, write_whole
from ..games.registry import make_game
from .many_games import ManyGames, Shard

PARTS = ("moves", "lengths", "results")


@dataclass(frozen=True)
class Recipe:
    """What is played, as `games.json` keeps it.

    Args:
        game: the game's spec.
        count: how many games.
        policies: the specs of who plays in seat 0 and in seat 1.
        seed: what all randomness follows from.
        opening_plies: random plies at the start of each game.
        shard: games in a shard.
    """

    game: str
    count: int
    policies: tuple[str, str]
    seed: int
    opening_plies: int
    shard: int


def open_games(folder: str | Path) -> ManyGames:
    """The games in a folder that `games` has written, mapped into memory; of an unfinished one those that are there.

    Raises:
        ValueError: it holds no games.
    """
    folder = Path(folder)
    recipe = read_recipe(folder)
    if recipe is None:
        raise ValueError(f"{folder} holds no games: there is no games.json in it")
    shards = list[Shard]()
    while has_shard(folder, len(shards)):
        arrays = (np.load(path_of(folder, len(shards), part), mmap_mode="r", allow_pickle=False) for part in PARTS)
        shards.append(Shard(*arrays))
    return ManyGames(make_game(recipe.game), shards)


def path_of(folder: Path, shard: int, part: str) -> Path:
    """The file of one array of a shard."""
    return folder / f"{shard:05}.{part}.npy"


def read_recipe(folder: Path) -> Recipe | None:
    """What a folder says that its games are; None if it says nothing.

    Raises:
        ValueError: its games.json cannot be read.
    """
    path = folder / "games.json"
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Recipe)
    except msgspec.MsgspecError as error:
        raise ValueError(f"{path} does not say what the games are ({error})") from None


def claim_folder(folder: Path, recipe: Recipe) -> None:
    """Makes a folder and writes what its games are, or checks that it is the same.

    Raises:
        ValueError: it holds other games.
        OSError: it cannot be made or written.
    """
    make_folder(folder)
    there = read_recipe(folder)
    if there is None:
        write_whole(folder / "games.json", msgspec.json.encode(recipe))
    elif there != recipe:
        other = [f"{name} {getattr(there, name)}" for name in asdict(recipe) if getattr(there, name) != getattr(recipe, name)]
        raise ValueError(f"{folder} holds games with {', '.join(other)}; give another folder, or the same arguments")


def has_shard(folder: Path, number: int) -> bool:
    """Whether a folder has a shard, whole."""
    return path_of(folder, number, PARTS[-1]).exists()


def write_shard(folder: Path, number: int, shard: Shard) -> None:
    """Writes the arrays of a shard, each whole or not at all, its results last."""
    for part, array in zip(PARTS, shard, strict=True):
        body = io.BytesIO()
        np.save(body, array, allow_pickle=False)
        write_whole(path_of(folder, number, part), body.getbuffer())
