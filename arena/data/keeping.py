"""`GamesOfTraining`: the games that a training plays, kept in a folder, a shard for each of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ...games.game import Game
from .cards import write_card
from .folder import Recipe, claim_folder, open_games, write_shard
from .many_games import Shard


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
        write_shard(self.folder, part, concatenate_shards(self.game, games))

    def finish(self) -> None:
        """Writes the card."""
        write_card(self.folder, self.recipe, open_games(self.folder))


def concatenate_shards(game: Game, games: Sequence[Shard]) -> Shard:
    """Games that a training played, in one shard."""
    longest = max((part.moves.shape[1] for part in games), default=0)
    none = Shard(
        moves=np.zeros((0, longest), np.int16),
        lengths=np.zeros(0, np.int16),
        results=np.zeros(0, np.int8),
        starts=np.zeros((0, game.num_words), np.uint64),
        networks=np.zeros((0, 2), np.int32),
    )
    padded = [
        part._replace(moves=np.pad(part.moves, ((0, 0), (0, longest - part.moves.shape[1])), constant_values=-1)) for part in games
    ]
    return Shard(*(np.concatenate([getattr(part, name) for part in (none, *padded)]) for name in Shard._fields))
