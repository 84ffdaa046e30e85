"""A policy's decisions, taken from games that were played: the position, the action, and the ply of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...games.game import Game, StateArray
from ..matches.games import GameRecord, PlayedGames


class Decisions(NamedTuple):
    """M decisions.

    Args:
        states: the positions in which they were taken (M, W).
        actions: what was chosen (M,), int64.
        plies: how many actions the game had before (M,), int64.
    """

    states: StateArray
    actions: NDArray[np.int64]
    plies: NDArray[np.int64]

    @classmethod
    def joined(cls, game: Game, parts: Iterable[Decisions] = ()) -> Decisions:
        """The decisions of some parts together; without parts none."""
        none = cls(np.zeros((0, game.num_words), np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int64))
        return cls(*map(np.concatenate, zip(none, *parts, strict=True)))


def decisions_in(game: Game, records: Sequence[GameRecord], policy: str) -> Decisions:
    """The decisions of a policy in some games, without openings.

    Args:
        game: the game and variant.
        records: the games.
        policy: the policy's name; both seats count.
    """
    actions = np.array([action for record in records for action in record.actions], np.int64)
    lengths = np.array([len(record.actions) for record in records], np.int64)
    openings = np.array([record.opening for record in records], np.int64)
    seats = np.array([[name == policy for name in record.players] for record in records], np.bool_).reshape(-1, 2)
    return _replayed(game, actions, lengths, openings, seats)


def decisions_of(game: Game, played: PlayedGames, first: bool = True) -> Decisions:
    """The decisions of one of two policies in their games, without openings.

    Args:
        game: the game and variant.
        played: the games.
        first: whether those of the first policy, which has seat 0 in games with an even number, or of the second.
    """
    seats = (np.arange(2)[None] == (played.numbers % 2)[:, None]) == first
    return _replayed(game, played.actions.astype(np.int64), played.plies, played.openings, seats)


def _replayed(
    game: Game, actions: NDArray[np.int64], lengths: NDArray[np.int64], openings: NDArray[np.int64], seats: NDArray[np.bool_]
) -> Decisions:
    """Plays all games again, a ply at a time, and collects the decisions of the seats (N, 2) that are selected."""
    starts = np.cumsum(lengths) - lengths
    states = np.repeat(game.start[None], len(lengths), axis=0)
    found = list[Decisions]()
    for ply in range(int(lengths.max(initial=0))):
        going = np.flatnonzero(lengths > ply)
        taken = actions[starts[going] + ply]
        noted = (openings[going] <= ply) & seats[going, game.players(states[going])]
        found.append(Decisions(states[going[noted]], taken[noted], np.full(np.count_nonzero(noted), ply)))
        states[going] = game.plays(states[going], taken)
    return Decisions.joined(game, found)
