"""`games`: plays games by the million, and keeps them as arrays.

Game i depends on the seed and on i alone, so that a run that was interrupted goes on with the first shard that is missing. Random
games are played by a kernel from start to end; other policies act on many games together, ply by ply.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...agents import make_policy
from ...agents.policy import Policy
from ...agents.random import Random
from ...core.files.writing import check_target
from ...core.native import in_ranges
from ...core.native.threads import pool
from ...core.numbers import seed_of, short_repr, whole
from ...core.progress import ProgressLog
from ...envs.boards import Boards
from ...envs.running import PLAYING
from ...envs.views import opening_length
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Keys, Numbers, States
from ...games.kernels.keys import derive
from ...games.kernels.queries import choose, write_legal
from ...games.kernels.rules import ONGOING, load, outcome, play, store
from ...games.registry import make_game
from ...records.moves import PASS
from ..matches.openings import openings, stream_keys
from ..store.export import library
from .cards import card_beside, check_card
from .folder import PARTS, Recipe, claim_folder, has_shard, open_games, write_card, write_shard
from .many_games import Lines, ManyGames, Passes, Shard

MOST_GAMES = 10**9
SHARD = 100_000
"""Games in a shard."""
AT_ONCE = 1 << 14
"""Games that are played together."""


def games(
    game: str | Game,
    count: int,
    *,
    policies: str | Policy | tuple[str | Policy, str | Policy] = "random",
    seed: int = 0,
    opening_plies: int = 0,
    out: str | Path | None = None,
    shard: int = SHARD,
    passes: Passes = "keep",
    report: Callable[[int, int], object] = lambda done, total: None,
) -> ManyGames:
    """Plays games, and gives their moves, lengths and results as arrays.

    Args:
        game: the game or its spec.
        count: how many games.
        policies: who plays both seats, or who plays seat 0 and who plays seat 1.
        seed: the same seed gives the same games.
        opening_plies: each game begins with so many random plies; an opening stops before a ply that would end the game.
        out: a folder for the games and their card, whose shards that are there already are not played again; or a file that ends in
            .parquet, which is written in the end. None keeps the games in memory.
        shard: how many games a shard of the folder has.
        passes: "omit" leaves moves named `pass` out: a game of Othello then is 60 cells, or fewer.
        report: called with the games played and the number of all.

    Raises:
        ValueError: an argument out of its range; or the folder holds other games.
        ImportError: Parquet is asked for, and pyarrow is not installed.
        OSError: the files cannot be written.
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
        passes=passes,
    )
    if passes not in ("keep", "omit") or (passes == "omit" and PASS not in game.moves):
        raise ValueError(f"passes is {short_repr(passes)}; it must be keep, or omit for a game with a move named {PASS!r}")
    make = partial(play_shard, game, players, recipe)
    starts = range(0, recipe.count, recipe.shard)
    target = None if out is None else Path(out)
    if target is not None and target.suffix == ".parquet":
        library("pyarrow")
        check_target(target)
        check_card(card_beside(target))
    elif target is not None:
        claim_folder(target, recipe)
    shards, report = list[Shard](), ProgressLog(f"games of {game}", "games").counting(report)
    for number, start in enumerate(starts):
        if target is None or target.suffix == ".parquet":
            shards.append(make(start))
        elif not has_shard(target, number):
            write_shard(target, number, make(start))
        report(min(start + recipe.shard, recipe.count), recipe.count)
    if target is None:
        return ManyGames(game, shards, passes)
    if shards:
        ManyGames(game, shards).write_parquet(target, msgspec.json.encode(recipe))
    many = open_games(target)
    write_card(target, recipe, many)
    return many


def play_shard(game: Game, policies: tuple[Policy, ...], recipe: Recipe, start: int) -> Shard:
    """Plays the games of a shard, from game `start` on."""
    stop = min(start + recipe.shard, recipe.count)
    parts = [play_some(game, policies, recipe, np.arange(at, min(at + AT_ONCE, stop))) for at in range(start, stop, AT_ONCE)]
    if recipe.passes == "omit":
        parts = [leave_out(part, game.action(PASS)) for part in parts]
    longest = max(part.moves.shape[1] for part in parts)
    moves = np.full((stop - start, longest), -1, np.int8 if game.num_actions <= 127 else np.int16)
    at = 0
    for part in parts:
        moves[at : at + len(part.moves), : part.moves.shape[1]] = part.moves
        at += len(part.moves)
    return Shard(moves, *(np.concatenate([getattr(part, name) for part in parts]) for name in PARTS[1:]))


def leave_out(shard: Shard, passing: int) -> Shard:
    """The games without one action."""
    stays = (shard.moves >= 0) & (shard.moves != passing)
    order = np.argsort(~stays, axis=1, kind="stable")  # what stays comes first, in its order
    moves = np.take_along_axis(np.where(stays, shard.moves, -1), order, axis=1)
    return shard_of(moves, stays.sum(axis=1), shard.results)


def play_some(game: Game, policies: tuple[Policy, ...], recipe: Recipe, numbers: NDArray[np.int64]) -> Shard:
    """Plays the games of these numbers together."""
    keys = stream_keys(game, recipe.seed, ("data", *recipe.policies), numbers)
    opening, states = openings(game, recipe.seed, numbers, recipe.opening_plies, ("data",))
    if all(type(policy) is Random for policy in policies):
        return play_random(game, keys, opening, states)
    return play_policies(game, policies, keys, opening)


def play_random(game: Game, keys: NDArray[np.uint64], opening: NDArray[np.int64], states: StateArray) -> Shard:
    """Plays random moves after openings, in compiled code: the same as `play_policies` with two random players.

    Args:
        game: the game and variant.
        keys: the randomness of each game (N,).
        opening: the actions of the openings (N, P), -1 where none was played.
        states: the states after them (N, W).
    """
    kernel, threads, choices = game.kernel(write_random_games), pool(len(keys)), np.empty((len(keys), game.action_words), np.uint64)
    width = max(game.max_plies or 2 * game.num_cells + 16, opening.shape[1])
    while True:
        moves = np.pad(opening.astype(np.int16), ((0, 0), (0, width - opening.shape[1])), constant_values=-1)
        lengths, ends = (opening >= 0).sum(1), states.copy()
        kernel(threads, 0, len(keys), ends, keys, choices, moves, lengths)
        results = game.outcomes(ends)
        if game.max_plies or (results != ONGOING).all():
            return shard_of(moves, lengths, np.where(results == ONGOING, 0, results))
        width *= 2  # a game was longer than any before: all are played again, with more room


def play_policies(game: Game, policies: tuple[Policy, ...], keys: NDArray[np.uint64], opening: NDArray[np.int64]) -> Shard:
    """Plays games after openings; at each ply each policy acts on all games where it is to move.

    Raises:
        ValueError: a policy answered with an action that is not legal.
    """
    boards = Boards(game, len(keys), None, 0)
    boards.keep_lines()
    boards.reset(np.ones(len(keys), np.bool_), game.start[None])
    boards.keys[:] = keys
    for actions in opening.T:
        which = np.flatnonzero(actions >= 0)
        boards.advance(which, actions[which])
    playing = [policy.begin(len(keys)) for policy in policies]
    while len(rows := np.flatnonzero(boards.phases == PLAYING)):
        movers = boards.players[rows]
        for seat, policy in enumerate(policies):
            if len(mine := rows[movers == seat]):
                playing[seat].prepare()
                if policy.sees_moves:
                    playing[seat].lines = boards.lines(mine)
                actions = playing[seat].act(boards.states[mine], boards.ply_keys(mine), mine)
                boards.take(mine, actions, policy)
    return shard_of(boards.lines(np.arange(len(keys))).moves, boards.plies, boards.results)


def shard_of(moves: Lines, lengths: NDArray[np.int64], results: NDArray[np.integer[Any]]) -> Shard:
    """The games, without the columns after the end of the longest."""
    return Shard(moves[:, : int(lengths.max())], lengths.astype(np.int16), results.astype(np.int8))


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
