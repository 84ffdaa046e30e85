"""`Openings`: positions and lines of moves from which games begin, from a file or of a suite that comes with a game.

A file of openings is any file of games or positions that this folder reads. What is known of its openings stands behind the first
`#` that does not name the game. A suite is such a file beside the rules of its game, as `games/othello/othello-size-6.openings`;
its name is `balanced`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import sentence
from ..core.files.reading import digest
from ..core.files.writing import path_of
from ..core.numbers import several, short_repr
from ..core.plugins import CheckedSpec
from ..games.game import Game, StateArray
from ..games.kernels.rules import ONGOING
from ..games.registry import make_game
from .file import RecordFile
from .formats import games_in
from .game import start_of

SUITE = "balanced"
"""The name of the suite that comes with a game."""
NAME = re.compile(r"[A-Za-z][\w-]*")
"""What the name of a suite looks like, as no path of a file with an ending does."""
MOST_OPENINGS = 100_000
MOST_ROOM = 1 << 24
"""The largest number of openings times plies of the longest line, all of which are arrays at once: 128 MiB."""
LONGEST_LABEL = 300
"""Characters of a label that are kept."""
CHECKSUM_DIGITS = 12


class OpeningLines(NamedTuple):
    """Openings as arrays.

    Args:
        starts: the states that they start from (N, W).
        moves: the actions from there (N, L), int64, -1 after the last.
        ends: the states after them (N, W), where play begins.
    """

    starts: StateArray
    moves: NDArray[np.int64]
    ends: StateArray


@dataclass(frozen=True)
class Openings:
    """Positions and lines of moves from which games begin, in the order of a list. No two of them lead to the same position.

    Two are equal if they hold the same, whatever their names.

    Args:
        name: the name of the suite or of the file.
        game: the game's spec.
        starts: the position that each starts from, as text; None for the game's own start.
        lines: the actions of each, from there.
        label: what is known of them, in words: that they are proven drawn, for example.

    Raises:
        ValueError: there are none, or too many; one is not legal, ends the game, or leads where another one leads.
    """

    name: str = field(compare=False)
    game: CheckedSpec
    starts: tuple[str | None, ...]
    lines: tuple[tuple[int, ...], ...]
    label: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not (self.name.isprintable() and self.label.isprintable()):
            raise ValueError(f"the name or the label of openings has characters that control a terminal: {short_repr(self.name)}")
        if len(self.starts) != len(self.lines) or not 1 <= len(self.lines) <= MOST_OPENINGS:
            counts = f"{len(self.starts):,} starts and {len(self.lines):,} lines"
            raise ValueError(f"the openings of {self.name} have {counts}; they need as many of both, from 1 to {MOST_OPENINGS:,}")
        if (longest := max(map(len, self.lines))) * len(self) > MOST_ROOM:
            shape = f"{len(self):,} lines, and the longest has {longest:,} plies"
            raise ValueError(f"the openings of {self.name} have {shape}; their product may be {MOST_ROOM:,}, so leave some out")
        _ = self.arrays  # which checks them

    def __len__(self) -> int:
        return len(self.lines)

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}  # what follows from them stays here

    @cached_property
    def arrays(self) -> OpeningLines:
        """The openings as arrays."""
        game = make_game(self.game)
        starts = np.array([start_of(game, start) for start in self.starts], np.uint64)
        lengths = np.array([*map(len, self.lines)])
        moves, ends = np.full((len(self), int(lengths.max())), -1, np.int64), starts.copy()
        for row, line in enumerate(self.lines):
            moves[row, : len(line)] = [action if 0 <= action < game.num_actions else game.num_actions for action in line]
        for ply in range(moves.shape[1]):
            rows = np.flatnonzero(lengths > ply)
            actions = moves[rows, ply]
            legal = np.pad(game.masks(ends[rows]), ((0, 0), (0, 1)))[np.arange(len(rows)), actions] == 1
            if not legal.all():
                row = int(rows[~legal][0])
                move = game.move_name(self.lines[row][ply])
                raise ValueError(f"{self._number(row)}: move {ply + 1}, {move}, is not legal in {game.text(ends[row])!r}")
            ends[rows] = game.plays(ends[rows], actions)
        self._check_ends(game, ends, lengths)
        return OpeningLines(starts, moves, ends)

    def _check_ends(self, game: Game, ends: StateArray, lengths: NDArray[np.int64]) -> None:
        """Checks that play goes on after each, and that no two lead to the same position."""
        over = game.outcomes(ends) != ONGOING
        if over.any():
            row = int(np.argmax(over))
            raise ValueError(f"{self._number(row)} leaves nothing to play: {game.status(ends[row])} in {game.text(ends[row])!r}")
        if game.max_plies and (long := lengths >= game.max_plies).any():
            row = int(np.argmax(long))
            plies = several(int(lengths[row]), "ply", "plies")
            raise ValueError(f"{self._number(row)} has {plies}, and {game} is over after {game.max_plies}")
        _, firsts, which = np.unique(ends, axis=0, return_index=True, return_inverse=True)
        first = firsts[which.reshape(-1)]  # of those that lead to the same position
        again = np.flatnonzero(first != np.arange(len(ends)))
        if len(again):
            row = int(again[0])
            leads = f"{self._number(row)} leads to {game.text(ends[row])!r}"
            raise ValueError(f"{leads}, as opening {first[row] + 1} does; leave one of them out")

    def _number(self, row: int) -> str:
        return f"opening {row + 1} of {self.name}"

    def rows(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Which opening each game has (B,): games 2j and 2j + 1 have opening j, and after the last one comes the first again.

        Args:
            numbers: the numbers of the games (B,).
        """
        return numbers // 2 % len(self)

    @cached_property
    def checksum(self) -> str:
        """A checksum of the game and of all openings in their order, as hexadecimal digits."""
        return digest(repr((self.game, self.starts, self.lines)).encode()).hex()[:CHECKSUM_DIGITS]

    def document(self) -> dict[str, Any]:
        """What they are, for JSON, without the openings themselves."""
        return {"name": self.name, "count": len(self), "label": self.label, "checksum": self.checksum}

    def __str__(self) -> str:
        label = f" ({self.label})" if self.label else ""
        return f"the {several(len(self), 'opening')} of {self.name}{label}, checksum {self.checksum}"


def load_openings(source: str | Path | Openings, game: str | Game | None = None, *, trust: bool = False) -> Openings:
    """The openings of a file, or of a suite that comes with a game.

    Args:
        source: a file; the name of a suite, as `balanced`; or openings, which are returned if they are of the game.
        game: the game that is to begin with them, or its spec; None where the file says it.
        trust: whether code may run that the file names as a game.

    Raises:
        OSError: the file cannot be read.
        ValueError: there is no such suite or file, the openings are of another game, or one of them cannot be.
    """
    game = None if game is None else make_game(game)
    if isinstance(source, Openings):
        if game is not None and source.game != game.spec and make_game(source.game) != game:
            raise ValueError(f"the openings of {source.name} are of {source.game}, and games of {game} are to begin with them")
        return source
    if not isinstance(source, (str, Path)):
        raise ValueError(f"openings are {short_repr(source)}; give a file, the name of a suite, as {SUITE!r}, or Openings")
    if isinstance(source, str) and NAME.fullmatch(source):
        suite = suite_of(game) if game and source == SUITE else None
        if suite is not None:
            return _read(suite, source, game, trust)
        if not path_of(source).exists():
            raise ValueError(f"there are no openings {short_repr(source)}; {_advice(game)}")
    path = path_of(source)
    return _read(path, path.name, game, trust)


def suite_of(game: Game) -> Path | None:
    """The file of the suite that comes with a game; None if none does."""
    path = game.known.openings and game.known.openings / f"{game.file_stem}.openings"
    return path if path and path.exists() else None


def _advice(game: Game | None) -> str:
    if game is None:
        return f"name a file, or a game for the suite {SUITE!r} that comes with it"
    return f"with {game} comes {SUITE!r}; or name a file" if suite_of(game) else f"no suite comes with {game}; name a file"


def _read(path: Path, name: str, game: Game | None, trust: bool) -> Openings:
    file = RecordFile.open(path, game, trust=trust)
    records = [*games_in(file)]
    if not records:
        raise ValueError(f"{path} holds no openings; one a line: moves as f5 d6, or a position")
    if len(specs := dict.fromkeys(record.game for record in records)) > 1:
        raise ValueError(f"{path} holds games of {' and of '.join(specs)}; openings are of one game")
    rules = records[0].rules
    own = rules.text(rules.start)
    return Openings(
        name=sentence(name, LONGEST_LABEL),
        game=rules.spec,
        starts=tuple(None if record.start == own else record.start for record in records),
        lines=tuple(record.actions for record in records),
        label=sentence(file.label(), LONGEST_LABEL),
    )
