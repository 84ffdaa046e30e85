"""Games as tokens: arrays of moves, lengths and results, played by the million and read from files without loading them.

    from ludus.data import games, open_games

    many = games("othello", 1_000_000, out="games")      # random games, in shards of 100,000
    many.moves(range(256))                                # (256, L) actions, -1 after the end of a game
    open_games("games").states([0, 1])                    # (2, L + 1, W), each position of two games

A folder holds `games.json`, which says what was played, and three arrays a shard: `00000.moves.npy`, `00000.lengths.npy` and
`00000.results.npy`. Game i depends on the seed and on i alone, so that a run that was interrupted goes on where it stopped.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..agents import make_policy
from ..agents.policy import Policy
from ..agents.random import Random
from ..arena.matches.keys import stream_keys
from ..arena.matches.openings import openings
from ..arena.store.export import library
from ..core.files.writing import make_folder, write_whole, writing_whole
from ..core.numbers import seed_of, whole
from ..envs.views import opening_length
from ..games.game import Game, StateArray
from ..games.kernels.arrays import Keys, Numbers, States
from ..games.kernels.keys import derive, derive_keys
from ..games.kernels.queries import choose, write_legal
from ..games.kernels.rules import ONGOING, load, outcome, play, store
from ..games.registry import make_game
from ..native import in_ranges
from ..native.threads import pool
from .tables import checksum

MOST_GAMES = 10**9
SHARD = 100_000
"""Games in a shard."""
AT_ONCE = 1 << 14
"""Games that are played together."""
PARTS = ("moves", "lengths", "results")
Lines: TypeAlias = Annotated[NDArray[np.int16], 2]
"""The moves of games (N, L); -1 after their end."""


class Shard(NamedTuple):
    """Some games.

    Args:
        moves: the actions (N, L), int8 or int16; -1 after the end of a game.
        lengths: how many plies each game took (N,), int16.
        results: player 0's result (N,), int8: 1, 0 or -1; 0 where the limit of plies ended it.
    """

    moves: NDArray[Any]
    lengths: NDArray[np.int16]
    results: NDArray[np.int8]


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


class ManyGames(Sequence[int]):
    """Games as arrays; those in a folder are mapped into memory, and read as they are asked for.

    Args:
        game: the game and variant.
        shards: the games, all shards but the last of the same size.
    """

    def __init__(self, game: Game, shards: Sequence[Shard]) -> None:
        self.game, self.shards = game, tuple(shards)
        self._starts = np.cumsum([0, *(len(shard.lengths) for shard in self.shards)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def __getitem__(self, number: Any) -> Any:
        """The moves of a game, without what comes after its end."""
        number = range(len(self))[number]
        return self.moves([number])[0, : int(self.lengths([number])[0])]

    def moves(self, numbers: ArrayLike) -> NDArray[np.int16]:
        """The moves of some games (M, L), -1 after their ends; L is the length of the longest of all games."""
        rows = np.asarray(numbers, np.int64).reshape(-1)
        lines = np.full((len(rows), max((shard.moves.shape[1] for shard in self.shards), default=0)), -1, np.int16)
        for where, shard, at in self._parts(rows):
            lines[where, : shard.moves.shape[1]] = shard.moves[at]
        return lines

    def lengths(self, numbers: ArrayLike) -> NDArray[np.int16]:
        """The plies of some games (M,)."""
        return self._gather(numbers, "lengths", np.int16)

    def results(self, numbers: ArrayLike) -> NDArray[np.int8]:
        """Player 0's results of some games (M,): 1, 0 or -1."""
        return self._gather(numbers, "results", np.int8)

    def states(self, numbers: ArrayLike) -> StateArray:
        """The positions of some games, from the start to the end (M, L + 1, W), uint64; the last one again after the end."""
        lines = np.ascontiguousarray(self.moves(numbers))
        states = np.empty((len(lines), lines.shape[1] + 1, self.game.num_words), np.uint64)
        self.game.kernel(replay)(pool(len(lines)), 0, len(lines), self.game.start[None], lines, states)
        return states

    def count_repeated(self) -> int:
        """How many games have the moves of an earlier one; two different games pass for the same once in 2^60 pairs."""
        hashes = np.concatenate([np.zeros(0, np.uint64), *(hash_lines(shard.moves) for shard in self.shards)])
        return len(hashes) - len(np.unique(hashes))

    def write_parquet(self, path: Path) -> None:
        """Writes a Parquet file with a row a game: moves (a list), length, result.

        Raises:
            ImportError: pyarrow is not installed.
            OSError: the file cannot be written.
        """
        arrow, parquet = library("pyarrow"), library("pyarrow.parquet")
        schema = arrow.schema([("moves", arrow.list_(arrow.int16())), ("length", arrow.int16()), ("result", arrow.int8())])
        with writing_whole(path) as file, parquet.ParquetWriter(file, schema) as writer:
            for moves, lengths, results in self.shards:
                ends = np.append(0, np.cumsum(lengths, dtype=np.int32)).astype(np.int32)
                flat = moves[np.arange(moves.shape[1]) < np.asarray(lengths)[:, None]].astype(np.int16)
                lists = arrow.ListArray.from_arrays(arrow.array(ends), arrow.array(flat))
                writer.write_table(arrow.table([lists, arrow.array(lengths), arrow.array(results)], schema=schema))

    def _parts(self, rows: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], Shard, NDArray[np.int64]]]:
        """Where in the answer, from which shard, and which of its rows.

        Raises:
            IndexError: there is no such game.
        """
        if len(rows) and not 0 <= rows.min() <= rows.max() < len(self):
            raise IndexError(
                f"there are {len(self):,} games, numbered from 0; no game {rows.min() if rows.min() < 0 else rows.max()}"
            )
        of = np.searchsorted(self._starts, rows, "right") - 1
        for number in np.unique(of):
            where = np.flatnonzero(of == number)
            yield where, self.shards[number], rows[where] - self._starts[number]

    def _gather(self, numbers: ArrayLike, part: str, dtype: type[np.integer[Any]]) -> Any:
        rows = np.asarray(numbers, np.int64).reshape(-1)
        gathered = np.empty(len(rows), dtype)
        for where, shard, at in self._parts(rows):
            gathered[where] = getattr(shard, part)[at]
        return gathered


def games(
    game: str | Game,
    count: int,
    *,
    policies: str | Policy | tuple[str | Policy, str | Policy] = "random",
    seed: int = 0,
    opening_plies: int = 0,
    out: str | Path | None = None,
    shard: int = SHARD,
    report: Callable[[int, int], object] = lambda done, total: None,
) -> ManyGames:
    """Plays games, and gives their moves, lengths and results as arrays.

    Args:
        game: the game or its spec.
        count: how many games.
        policies: who plays both seats, or who plays seat 0 and who plays seat 1.
        seed: the same seed gives the same games.
        opening_plies: each game begins with so many random plies; an opening stops before a ply that would end the game.
        out: a folder for the games; shards that it has already are not played again. None keeps the games in memory.
        shard: how many games a shard of the folder has.
        report: called with the games played and the number of all.

    Raises:
        ValueError: an argument out of its range; or the folder holds other games.
        OSError: the folder cannot be written.
    """
    game = make_game(game)
    both = policies if isinstance(policies, tuple) else (policies, policies)
    players = tuple(make_policy(policy, game) for policy in both)
    recipe = Recipe(
        game=game.spec,
        count=whole(count, "count", 1, MOST_GAMES),
        policies=(players[0].spec, players[1].spec),
        seed=seed_of(seed),
        opening_plies=opening_length(opening_plies, game),
        shard=whole(shard, "shard", 1),
    )
    make = partial(play_shard, game, players, recipe)
    starts = range(0, recipe.count, recipe.shard)
    if out is None:
        shards = list[Shard]()
        for start in starts:
            shards.append(make(start))
            report(min(start + recipe.shard, recipe.count), recipe.count)
        return ManyGames(game, shards)
    folder = Path(out)
    make_folder(folder)
    claim_folder(folder, recipe)
    for number, start in enumerate(starts):
        if not path_of(folder, number, PARTS[-1]).exists():  # it is written last
            for part, array in zip(PARTS, make(start), strict=True):
                write_array(path_of(folder, number, part), array)
        report(min(start + recipe.shard, recipe.count), recipe.count)
    return open_games(folder)


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
    while path_of(folder, len(shards), PARTS[-1]).exists():
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
    """Writes what a folder's games are, or checks that it is the same.

    Raises:
        ValueError: it holds other games.
    """
    there = read_recipe(folder)
    if there is None:
        write_whole(folder / "games.json", msgspec.json.encode(recipe))
    elif there != recipe:
        other = [f"{name} {getattr(there, name)}" for name in asdict(recipe) if getattr(there, name) != getattr(recipe, name)]
        raise ValueError(f"{folder} holds games with {', '.join(other)}; give another folder, or the same arguments")


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Writes an array as numpy saves it, whole or not at all."""
    body = io.BytesIO()
    np.save(body, array, allow_pickle=False)
    write_whole(path, body.getbuffer())


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


# ---- playing


def play_shard(game: Game, policies: tuple[Policy, ...], recipe: Recipe, start: int) -> Shard:
    """Plays the games of a shard, from game `start` on."""
    stop = min(start + recipe.shard, recipe.count)
    parts = [play_some(game, policies, recipe, np.arange(at, min(at + AT_ONCE, stop))) for at in range(start, stop, AT_ONCE)]
    longest = max(part.moves.shape[1] for part in parts)
    moves = np.full((stop - start, longest), -1, np.int8 if game.num_actions <= 127 else np.int16)
    at = 0
    for part in parts:
        moves[at : at + len(part.moves), : part.moves.shape[1]] = part.moves
        at += len(part.moves)
    return Shard(moves, *(np.concatenate([getattr(part, name) for part in parts]) for name in PARTS[1:]))


def play_some(game: Game, policies: tuple[Policy, ...], recipe: Recipe, numbers: NDArray[np.int64]) -> Shard:
    """Plays the games of these numbers together."""
    keys = stream_keys(game, recipe.seed, ("data", *recipe.policies), numbers)
    opening, states = openings(game, recipe.seed, numbers, recipe.opening_plies, ("data",))
    play_on = play_random if all(type(policy) is Random for policy in policies) else partial(play_policies, policies=policies)
    width = max(game.max_plies or 2 * game.num_cells + 16, opening.shape[1])
    while True:
        moves = np.full((len(numbers), width), -1, np.int16)
        moves[:, : opening.shape[1]] = opening
        lengths, ends = (opening >= 0).sum(1), states.copy()
        play_on(game, ends, keys, moves, lengths)
        results = game.outcomes(ends)
        if game.max_plies or (results != ONGOING).all():
            break
        width *= 2  # a game was longer than any before: all are played again, with more room
    longest = int(lengths.max())
    return Shard(moves[:, :longest], lengths.astype(np.int16), np.where(results == ONGOING, 0, results).astype(np.int8))


def play_random(game: Game, states: StateArray, keys: NDArray[np.uint64], moves: Lines, lengths: NDArray[np.int64]) -> None:
    """Plays random moves to the end of each game, or of its row: the same as `play_policies` with two random players."""
    choices = np.empty((len(states), game.action_words), np.uint64)
    game.kernel(write_random_games)(pool(len(states)), 0, len(states), states, keys, choices, moves, lengths)


def play_policies(
    game: Game,
    states: StateArray,
    keys: NDArray[np.uint64],
    moves: Lines,
    lengths: NDArray[np.int64],
    policies: tuple[Policy, ...],
) -> None:
    """Plays on to the end of each game, or of its row; the policies act on all games together."""
    playing = [policy.begin(len(states)) for policy in policies]
    while len(rows := np.flatnonzero((game.outcomes(states) == ONGOING) & (lengths < moves.shape[1]))):
        movers = game.players(states[rows])
        for seat, games_ in enumerate(playing):
            mine = rows[movers == seat]
            if not len(mine):
                continue
            ply_keys = np.empty(len(mine), np.uint64)
            game.kernel(derive_keys)(keys[mine], lengths[mine], ply_keys)
            games_.prepare()
            actions = games_.act(states[mine], ply_keys, mine)
            inside = actions.clip(0, game.num_actions - 1)
            illegal = (inside != actions) | (game.masks(states[mine])[np.arange(len(mine)), inside] == 0)
            if illegal.any():
                game.play(states[mine[illegal.argmax()]], int(actions[illegal.argmax()]))  # raises the error that says why
            states[mine] = game.plays(states[mine], actions)
            moves[mine, lengths[mine]] = actions
            lengths[mine] += 1


def hash_lines(moves: NDArray[Any]) -> NDArray[np.uint64]:
    """A number of 64 bits for each line of moves (N,), the same for the same moves whatever the width of the array."""
    weights = np.random.default_rng(0).integers(2**64, size=moves.shape[1], dtype=np.uint64) | np.uint64(1)
    parts = [moves[at : at + AT_ONCE] for at in range(0, len(moves), AT_ONCE)]
    return np.concatenate([np.zeros(0, np.uint64), *((part.astype(np.int64) + 1).astype(np.uint64) @ weights for part in parts)])


# ---- kernels


@in_ranges
def write_random_games(lo: int, hi: int, states: States, keys: Keys, choices: States, moves: Lines, lengths: Numbers) -> None:
    """Plays each game on with random legal moves, and writes them."""
    for i in range(lo, hi):
        state, ply = load(states[i]), lengths[i]
        while ply < moves.shape[1] and outcome(state) == ONGOING:
            write_legal(state, choices[i])
            action = choose(choices[i], derive(keys[i], ply))
            moves[i, ply] = action
            state = play(state, action)
            ply += 1
        lengths[i] = ply
        store(states[i], state)


@in_ranges
def replay(lo: int, hi: int, start: States, moves: Lines, states: Annotated[NDArray[np.uint64], 3]) -> None:
    """Writes each position of games: from the start on, and the last one again after the end."""
    for i in range(lo, hi):
        state = load(start[0])
        store(states[i, 0], state)
        for ply in range(moves.shape[1]):
            if moves[i, ply] >= 0:
                state = play(state, moves[i, ply])
            store(states[i, ply + 1], state)
