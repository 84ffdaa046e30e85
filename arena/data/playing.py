"""`games`: plays games by the million, and keeps them as arrays.

Game i depends on the seed and on i alone, so that a run that was interrupted goes on with the first shard that is missing. Random
games are played by a kernel from start to end; other policies act on many games together, ply by ply.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...agents import make_policy
from ...agents.policy import Policy
from ...agents.random import Random
from ...core.native import in_ranges
from ...core.native.threads import pool
from ...core.numbers import seed_of, whole
from ...core.progress import Progress, ProgressLog
from ...envs.boards import Boards
from ...envs.running import PLAYING
from ...envs.views import opening_length
from ...games.game import Game, StateArray
from ...games.kernels.arrays import Keys, Numbers, States
from ...games.kernels.keys import derive
from ...games.kernels.queries import choose, write_legal
from ...games.kernels.rules import ONGOING, load, outcome, play, store
from ...games.registry import make_game
from ..matches.openings import openings, stream_keys
from .folder import Recipe, claim_folder, has_shard, open_games, write_card, write_shard
from .many_games import Lines, ManyGames, Shard, concatenate_shards

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
    progress: Progress = lambda done, total: None,
) -> ManyGames:
    """Plays games, and gives their moves, lengths and results as arrays.

    Args:
        game: the game or its spec.
        count: how many games.
        policies: who plays both seats, or who plays seat 0 and who plays seat 1.
        seed: the same seed gives the same games.
        opening_plies: each game begins with this many random plies; an opening stops before a ply that would end the game.
        out: a folder for the games and their card; None keeps them in memory. Shards that are there already are not played again.
        shard: how many games a shard of the folder has.
        progress: called with the games played and the number of all.

    Raises:
        ValueError: an argument out of its range; or the folder holds other games.
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
    )
    folder = None if out is None else Path(out)
    if folder is not None:
        claim_folder(folder, recipe)
    shards, progress = list[Shard](), ProgressLog(f"games of {game}", "games").counting(progress)
    for number, start in enumerate(range(0, recipe.count, recipe.shard)):
        if folder is None:
            shards.append(play_shard(game, players, recipe, start))
        elif not has_shard(folder, number):
            write_shard(folder, number, play_shard(game, players, recipe, start))
        progress(min(start + recipe.shard, recipe.count), recipe.count)
    if folder is None:
        return ManyGames(game, shards)
    many = open_games(folder)
    write_card(folder, recipe, many)
    return many


def play_shard(game: Game, policies: tuple[Policy, ...], recipe: Recipe, start: int) -> Shard:
    """Plays the games of a shard, from game `start` on."""
    stop = min(start + recipe.shard, recipe.count)
    parts = [play_some(game, policies, recipe, np.arange(at, min(at + AT_ONCE, stop))) for at in range(start, stop, AT_ONCE)]
    shard = concatenate_shards(parts)
    return shard._replace(moves=shard.moves.astype(np.int8 if game.num_actions <= 127 else np.int16))


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
    """Plays games after openings; at each ply each policy acts on all games where it is to move. ValueError where an action is not
    legal."""
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
