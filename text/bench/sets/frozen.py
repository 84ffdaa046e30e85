"""`frozen_set`: the sets of positions that ship, which never change, so that results of different years can be compared.

They lie in the folder of their name, with a card: a file of JSON lines for each game, packed by gzip, and the SHA-256 of the lines
in `checksums.json`. `python -m benchmarks.making.frozen_sets` makes them; other positions would be a new set, with a new name.
"""

from __future__ import annotations

import gzip
import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path

import msgspec

from ....games.game import Game
from ....games.registry import make_game
from .positions import BenchPosition, PositionSet

NAME = "ludus-positions-1"
FOLDER = Path(__file__).parent / NAME
CHECKSUMS: dict[str, str] = msgspec.json.decode((FOLDER / "checksums.json").read_bytes(), type=dict[str, str])
"""The SHA-256 of the lines of each set, by the game's spec."""
FROZEN = tuple(CHECKSUMS)
"""The games with a frozen set."""


def frozen_set(game: str | Game) -> PositionSet:
    """The frozen set of a game; ValueError where it has none, or its file is not what it was."""
    game = make_game(game)
    if game.spec not in CHECKSUMS:
        raise ValueError(f"there is no frozen set of {game}; {NAME} has {', '.join(FROZEN)}, and make_set makes one of other games")
    return _read(game)


def path_of_set(game: Game) -> Path:
    """The file of a game's frozen set."""
    return FOLDER / f"{game.file_stem}.jsonl.gz"


@cache
def _read(game: Game) -> PositionSet:
    """The set in the file of a game, after a check of its bytes."""
    path = path_of_set(game)
    try:
        lines = gzip.decompress(path.read_bytes())
    except (EOFError, gzip.BadGzipFile, zlib.error):
        lines = b""
    if sha256(lines).hexdigest() != CHECKSUMS[game.spec]:
        raise ValueError(f"{path} is not the {NAME} of {game} any more: its SHA-256 is another. Install ludus-games again")
    return PositionSet(NAME, game.spec, tuple(msgspec.json.Decoder(BenchPosition).decode_lines(lines)))
