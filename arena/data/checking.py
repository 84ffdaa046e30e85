"""`check_data`: whether games, positions or a table are what their card, the rules of the game and its oracle say.

Nothing in a file is run: games are named by specs that run no code, arrays are never unpickled, and only regular files are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.files.documents import read_document
from ...core.files.named_arrays import check_arrays
from ...core.files.reading import decode_text, printable_path, read_regular
from ...core.files.writing import path_of
from ...core.numbers import whole
from ...core.progress import Progress, ProgressLog
from ...games.kernels.rules import ONGOING
from ...games.registry import make_game
from ...oracles import OUT_OF_REACH, make_oracle
from .cards import checksum
from .exact.arrays import ManyPositions
from .exact.files import ARRAYS, open_positions
from .folder import map_array, open_games, read_recipe
from .many_games import ManyGames
from .tables import TableAbout, rows_of, table_arrays

AT_ONCE = 1 << 14
"""Games that are replayed together."""
MOST_PROBLEMS = 20
"""Problems that are named; those after them are left out."""
SUM = re.compile(r"^([0-9a-f]{64})  ([\w.-]+)$|^\| ([\w.-]+) \| \d+ \| `([0-9a-f]{64})` \|$", re.MULTILINE)
"""A checksum in a card: a line as of `sha256sum`, or a row of a table."""


def check_data(
    path: str | Path, *, sample: int = 1000, seed: int = 0, progress: Progress = lambda done, total: None
) -> tuple[str, ...]:
    """Checks a folder or a file of games, positions as arrays, or a table, and returns what is wrong with it: () if nothing is.

    The checksums of the card, the types and shapes of arrays, and all games by the rules; of positions and tables also the values
    of a sample, by the oracle.

    Args:
        path: what `games`, `positions` or `write_table` wrote, or a command.
        sample: how many positions the oracle looks at.
        seed: which ones.
        progress: called with the games or positions that are checked, and the number of all.

    Raises:
        ValueError: it holds none of these; the message says what it could be.
        FileNotFoundError: there is no such file.
    """
    progress = ProgressLog(f"check of {path}").counting(progress)
    path, random = path_of(path), np.random.default_rng(seed)
    sample = whole(sample, "sample", 1)
    if not path.exists():
        raise FileNotFoundError(f"there is no file or folder {printable_path(path)}")
    if (path / "games.json").exists():
        problems = check_games(path, progress)
    elif (path / "table.json").exists():
        problems = check_table(path, sample, random)
    elif path.suffix == ARRAYS:
        problems = check_positions(path, sample, random)
    else:
        kinds = f"name a folder of games or a table, or a file of positions that ends in {ARRAYS}"
        raise ValueError(f"{path} holds no games, positions or tables; {kinds}")
    return tuple(islice(with_damage(problems), MOST_PROBLEMS))


def with_damage(problems: Iterator[str]) -> Iterator[str]:
    """Problems, the last of which may be that a file is missing or cannot be read."""
    try:
        yield from problems
    except (OSError, ValueError) as error:
        yield str(error)


def check_sums(path: Path) -> Iterator[str]:
    """Compares files, in a folder or one alone, with the checksums in their card."""
    files, card = (sorted(path.glob("*.npy")), path / "README.md") if path.is_dir() else ([path], path.with_suffix(".md"))
    if not card.exists():
        yield f"there is no card {card.name} with the checksums"
        return
    text = decode_text(read_regular(card, 1 << 24))
    sums = {(name or other): digest or last for digest, name, other, last in SUM.findall(text)}
    for file in files:
        if file.name not in sums:
            yield f"the card has no checksum of {file.name}"
        elif checksum(file) != sums.pop(file.name):
            yield f"{file.name} is not the file whose checksum is in the card"
    yield from (f"{name}, of which the card has a checksum, is missing" for name in sums if not (card.parent / name).exists())


# ---- games


def check_games(path: Path, progress: Progress) -> Iterator[str]:
    """What is wrong with games."""
    yield from check_sums(path)
    many, recipe = open_games(path), read_recipe(path)
    training = recipe is not None and recipe.training is not None
    if recipe is not None and not training and len(many) != recipe.count:
        yield f"there are {len(many):,} games, and games.json says {recipe.count:,}"
    for start in range(0, len(many), AT_ONCE):
        numbers = np.arange(start, min(start + AT_ONCE, len(many)))
        yield from replay_games(many, numbers, early=training)
        progress(int(numbers[-1]) + 1, len(many))


def replay_games(many: ManyGames, numbers: NDArray[np.int64], *, early: bool = False) -> Iterator[str]:
    """What is wrong with some games by the rules, the first fault of each; `early` says that they may stop before their ends."""
    game, moves, lengths, results = many.game, many.moves(numbers), many.lengths(numbers), many.results(numbers)
    faults = dict[int, str]()
    is_played = np.pad(moves != -1, ((0, 0), (0, 1)))  # with a column more, so that each game has an end
    ends = (~is_played).argmax(axis=1)
    sound = (ends == lengths) & (is_played.sum(axis=1) == ends)
    for row in np.flatnonzero(~sound).tolist():
        faults[row] = f"its length is {lengths[row]}, and its moves end after {ends[row]} plies"
    states = game.batch(many.starts(numbers))
    for ply in range(moves.shape[1]):
        rows = np.flatnonzero(sound & (lengths > ply))
        actions = moves[rows, ply].astype(np.int64)
        inside = actions.clip(0, game.num_actions - 1)
        legal = (inside == actions) & (game.masks(states[rows])[np.arange(len(rows)), inside] == 1)
        for row, action in zip(rows[~legal].tolist(), actions[~legal].tolist(), strict=True):
            faults[row] = f"ply {ply} is {game.move_name(action)}, not legal in {game.text(states[row])!r}"
        sound[rows[~legal]] = False
        states[rows[legal]] = game.plays(states[rows[legal]], actions[legal])
    outcomes = game.outcomes(states)
    cut_off = (outcomes == ONGOING) & (not early) & ((lengths < game.max_plies) | (game.max_plies == 0))
    # a training stops a game early where its result is proven, so any result may be right there
    expected = np.where(outcomes == ONGOING, results.clip(-1, 1) if early else 0, outcomes)
    for row in np.flatnonzero(sound & (cut_off | (expected != results))).tolist():
        if cut_off[row]:
            faults[row] = f"it ends after {lengths[row]} plies in a position that is not the end"
        else:
            faults[row] = f"its result is {results[row]}, and by the rules {expected[row]}"
    yield from (f"game {numbers[row]:,}: {faults[row]}" for row in sorted(faults))


# ---- positions


def check_positions(path: Path, sample: int, random: np.random.Generator) -> Iterator[str]:
    """What is wrong with positions."""
    yield from check_sums(path)
    many = open_positions(path)
    game, states = many.game, many.states
    try:
        game.batch(states)
    except ValueError as error:
        yield str(error)
        return
    legal, best = many.masks == 1, np.where(many.masks == 1, many.move_values, -1).max(axis=1, initial=-1)
    yield from rows_where(many.masks != game.masks(states), "its mask is not that of the rules")
    yield from rows_where(many.planes != game.observations(states, game.players(states)), "its planes are not those of the rules")
    yield from rows_where(best != many.values, "its value is not that of its best action")
    yield from rows_where((many.move_values == OUT_OF_REACH) == legal, "the values of actions do not fit its mask")
    rows = np.sort(random.permutation(len(many))[:sample])
    yield from ask_oracle(many, rows)


def ask_oracle(many: ManyPositions, rows: NDArray[np.int64]) -> Iterator[str]:
    """What the oracle says otherwise of some positions."""
    at, actions = np.nonzero(many.game.masks(many.states[rows]))
    known = make_oracle(many.game).action_values(many.states[rows[at]], actions, scores=many.move_scores is not None)
    said: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {
        "value": (many.move_values[rows[at], actions], known.values),
        "distance": (many.move_distances[rows[at], actions], known.distances),
    }
    if many.move_scores is not None and known.scores is not None:
        said["score"] = many.move_scores[rows[at], actions], known.scores
    for name, (ours, truth) in said.items():
        for wrong in np.flatnonzero((ours != truth) & (known.values != OUT_OF_REACH)).tolist():
            move = many.game.move_name(int(actions[wrong]))
            yield f"position {rows[at[wrong]]:,}: the {name} of {move} is {ours[wrong]}, and by the oracle {truth[wrong]:.0f}"


def rows_where(wrong: NDArray[np.bool_], what: str) -> Iterator[str]:
    """A problem for each row in which something is wrong."""
    rows = np.flatnonzero(wrong.reshape(len(wrong), -1).any(axis=1))
    yield from (f"position {row:,}: {what}" for row in rows.tolist())


# ---- tables


def check_table(folder: Path, sample: int, random: np.random.Generator) -> Iterator[str]:
    """What is wrong with a table."""
    yield from check_sums(folder)
    about = read_document(folder / "table.json", TableAbout, "write the table again")
    game = make_game(about.game)
    arrays = {name: map_array(folder / f"{name}.npy") for name in ("states", "values", "distances", "best")}
    check_arrays(arrays, table_arrays(game, about.positions))
    oracle = make_oracle(game)
    if oracle.table_size != about.positions:
        yield f"it has {about.positions:,} positions, and the oracle knows {oracle.table_size:,}"
        return
    for row in np.sort(random.permutation(about.positions)[:sample]).tolist():
        for name, truth in rows_of(oracle.table(row, row + 1), game.action_words).items():
            if not np.array_equal(arrays[name][row : row + 1], truth):
                yield f"position {row:,}: {name} is {arrays[name][row]}, and by the oracle {truth[0]}"
