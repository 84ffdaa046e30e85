"""A folder of games: its card, `games.json`, which says what was played, and three arrays of NumPy a shard.

    00000.moves.npy     (N, L) int8 or int16   the actions of a game in a row; -1 after its end
    00000.lengths.npy   (N,) int16             plies
    00000.results.npy   (N,) int8              player 0's result: 1, 0 or -1; 0 where the limit of plies ended the game

Games that a training kept have two more: `starts` (N, W) uint64, where they begin, and `networks` (N, 2) int32, after how many
parts of the training the networks of their first and their last move were learnt; a shard has the games that ended in a part of it.

The results of a shard are written last: where they are, the shard is whole.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...core.files.documents import read_document
from ...core.files.reading import open_regular
from ...core.files.writing import make_folder, write_whole
from ...core.numbers import short_repr
from ...core.plugins import CheckedSpec
from ...games.game import Game
from ...games.registry import make_game
from .cards import check_card, checksums, render_card
from .many_games import ManyGames, Shard, concatenate_shards, in_memory

PARTS = ("moves", "lengths", "results")
MORE_PARTS = ("starts", "networks")
ADVICE = "name another folder, or make the games again"


@dataclass(frozen=True)
class Recipe:
    """What is played, as `games.json` keeps it.

    Args:
        game: the game's spec.
        count: how many games.
        policies: the specs of who plays in seat 0 and in seat 1.
        seed: what all randomness follows from.
        opening_plies: random plies at the start of each game.
        shard: games in a shard; 0 for those of each part of a training.
        training: of games that a training played: its trainer and settings; `count` is 0 then.
    """

    game: CheckedSpec
    count: int
    policies: tuple[str, str]
    seed: int
    opening_plies: int
    shard: int
    training: dict[str, Any] | None = None


def open_games(path: str | Path) -> ManyGames:
    """The games in a folder that `games` has written, mapped into memory; of an unfinished one the games that are there.

    Raises:
        ValueError: it holds no games, or is damaged; the message says why.
        OSError: it cannot be read.
    """
    path = Path(path)
    recipe = read_recipe(path)
    if recipe is None:
        raise ValueError(f"{path} holds no games: there is no games.json in it")
    game, shards = make_game(recipe.game), list[Shard]()
    while has_shard(path, len(shards)):
        files = {part: path_of(path, len(shards), part) for part in (*PARTS, *MORE_PARTS)}
        shards.append(Shard(**{part: map_array(file) for part, file in files.items() if part in PARTS or file.exists()}))
        check_shard(shards[-1], game, path_of(path, len(shards) - 1, "*"))
    return ManyGames(game, shards)


def map_array(path: Path) -> NDArray[Any]:
    """An array in a file, mapped into memory and never unpickled; ValueError where it is no array of numbers, or is cut short."""
    open_regular(path).close()
    try:
        return np.lib.format.open_memmap(path, mode="r")
    except Exception as error:  # damaged files raise errors of every kind
        raise ValueError(f"{path} is not an array as numpy.save writes it ({' '.join(str(error).split())}); {ADVICE}") from None


def check_shard(shard: Shard, game: Game, where: Path) -> None:
    """Checks the types and the shapes of arrays; ValueError where they are not those of a shard."""
    count = len(shard.lengths) if shard.lengths.ndim else -1
    kinds = [
        shard.moves.dtype in (np.dtype(np.int8), np.dtype(np.int16)),
        shard.lengths.dtype == np.int16,
        shard.results.dtype == np.int8,
    ]
    shapes = shard.moves.ndim == 2 and len(shard.moves) == count and shard.lengths.shape == shard.results.shape == (count,)
    more = {"starts": (shard.starts, np.uint64, game.num_words), "networks": (shard.networks, np.int32, 2)}
    fits = [array is None or (array.dtype == dtype and array.shape == (count, width)) for array, dtype, width in more.values()]
    if not (all(kinds) and shapes and all(fits)):
        arrays = ", ".join(f"{name} {array.shape} of {array.dtype}" for name, array in shard._asdict().items() if array is not None)
        raise ValueError(f"{where} is no shard of games: {arrays}; it must be (N, L) of int8 or int16, (N,) of int16, (N,) of int8")


def path_of(folder: Path, shard: int, part: str) -> Path:
    """The file of one array of a shard."""
    return folder / f"{shard:05}.{part}.npy"


def read_recipe(folder: Path) -> Recipe | None:
    """What a folder says that its games are; None if it says nothing, ValueError if its games.json is damaged."""
    path = folder / "games.json"
    return read_document(path, Recipe, ADVICE) if path.exists() else None


def claim_folder(folder: Path, recipe: Recipe) -> None:
    """Makes a folder and writes what its games are, or checks that it is the same; ValueError where it holds other games, or a
    README.md that is no card of Ludus."""
    make_folder(folder)
    check_card(folder / "README.md")
    there = read_recipe(folder)
    if there is None:
        write_whole(folder / "games.json", msgspec.json.encode(recipe))
    elif there != recipe:
        other = [
            f"{name} {short_repr(getattr(there, name))}" for name in asdict(recipe) if getattr(there, name) != getattr(recipe, name)
        ]
        raise ValueError(f"{folder} holds games with {', '.join(other)}; give another folder, or the same arguments")


def has_shard(folder: Path, number: int) -> bool:
    """Whether a folder has a shard, whole."""
    return path_of(folder, number, PARTS[-1]).exists()


def write_shard(folder: Path, number: int, shard: Shard) -> None:
    """Writes the arrays of a shard, each whole or not at all, its results last."""
    for part in (*MORE_PARTS, *PARTS):
        if (array := getattr(shard, part)) is None:
            continue
        body = io.BytesIO()
        np.save(body, array, allow_pickle=False)
        write_whole(path_of(folder, number, part), body.getbuffer())


def write_card(folder: Path, recipe: Recipe, many: ManyGames) -> None:
    """Writes the card of games, their folder's README.md: what they are, how they were made, how to read them, and their checksums.

    Args:
        folder: their folder.
        recipe: what was played.
        many: the games.
    """
    results = np.sum([np.bincount(in_memory(shard.results) + 1, minlength=3) for shard in many.shards], axis=0).tolist()
    options = f"--count {recipe.count} --policies {' '.join(recipe.policies)} --seed {recipe.seed}"
    options += f" --opening-plies {recipe.opening_plies} --shard {recipe.shard}"
    text = render_card(
        "games" if recipe.training is None else "training",
        recipe=recipe,
        command=f"ludus games {recipe.game} {options} --out {folder.name}",
        count=len(many),
        results=results,
        training=", ".join(f"{name}={value}" for name, value in (recipe.training or {}).items()),
        sums=checksums(sorted(folder.glob("*.npy"))),
        names=", ".join(many.game.moves[:12]),
    )
    write_whole(folder / "README.md", text.encode())


class GamesOfTraining:
    """Keeps the games of a training in a folder, which a training that is resumed goes on with.

    Args:
        folder: the folder.
        game: the game and variant.
        trainer: the name of the trainer.
        seed: its seed.
        settings: its settings, as JSON has them.

    Raises:
        ValueError: the folder holds other games.
        OSError: it cannot be written.
    """

    def __init__(self, folder: Path, game: Game, trainer: str, seed: int, settings: dict[str, Any]) -> None:
        self.folder, self.game = folder, game
        self.recipe = Recipe(
            game=game.spec,
            count=0,
            policies=(trainer, trainer),
            seed=seed,
            opening_plies=0,
            shard=0,
            training={"trainer": trainer, **settings},
        )
        claim_folder(folder, self.recipe)

    def add(self, part: int, games: Sequence[Shard]) -> None:
        """Writes the games that ended in a part of the training; a part that is done again after a crash writes the same."""
        nothing = Shard(  # of the right types and shapes, for a part in which no game ended
            moves=np.zeros((0, 0), np.int16),
            lengths=np.zeros(0, np.int16),
            results=np.zeros(0, np.int8),
            starts=np.zeros((0, self.game.num_words), np.uint64),
            networks=np.zeros((0, 2), np.int32),
        )
        write_shard(self.folder, part, concatenate_shards([nothing, *games]))

    def finish(self) -> None:
        """Writes the card."""
        write_card(self.folder, self.recipe, open_games(self.folder))
