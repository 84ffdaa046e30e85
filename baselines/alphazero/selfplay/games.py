"""Games against oneself, many in lockstep: in each ply every game is searched, and one batch holds a leaf of each.

A `Group` of games is a value, arrays alone: where its games stand, and what was found on their way, which waits for their
results. What it plays next follows from it, the network and the seed, and from nothing else: not from who plays the other groups,
or in which process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....agents.search.mcts.forest import SearchResults
from ....agents.search.mcts.guided import GuidedSearch, Searching
from ....agents.search.mcts.tree import UNKNOWN
from ....arena.matches.openings import random_plies
from ....envs.games.game import Game, StateArray
from ....envs.kernels.rules import ONGOING
from .positions import Positions

Evaluate = Callable[[StateArray], tuple[NDArray[np.float32], NDArray[np.float32]]]
"""States (n, W) to priors (n, A) and values (n,)."""


@dataclass(frozen=True)
class Group:
    """Some games, B of them.

    Args:
        played: how many plies the group has played (1,), int64.
        states: where each game stands (B, W), uint64.
        plies: how many each has had (B,), int64.
        waiting: positions of games that go on; their values are as yet what search said (P).
        boards: whose they are (P,), int64.
        proven: whether their values are proven, so that no result changes them (P,), bool.
    """

    played: NDArray[np.int64]
    states: NDArray[np.uint64]
    plies: NDArray[np.int64]
    waiting: Positions
    boards: NDArray[np.int64]
    proven: NDArray[np.bool_]

    @classmethod
    def new(cls, game: Game, boards: int) -> Group:
        """Games that are about to begin."""
        none, starts = np.zeros(0, np.int64), np.repeat(game.start[None], boards, axis=0)
        return cls(np.zeros(1, np.int64), starts, np.zeros(boards, np.int64), Positions.none(game), none, none.astype(np.bool_))

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """It as arrays, by names behind a prefix."""
        return {prefix + name: getattr(self, name) for name in OWN} | self.waiting.arrays(f"{prefix}waiting.")

    @classmethod
    def of(cls, game: Game, arrays: Mapping[str, NDArray[Any]], prefix: str) -> Group:
        """It, back from its arrays.

        Raises:
            KeyError: an array is missing.
            ValueError: it is none of this game.
        """
        played, states, plies, boards, proven = (arrays[prefix + name] for name in OWN)
        return cls(played, states, plies, Positions.of(game, arrays, f"{prefix}waiting."), boards, proven)


OWN = ("played", "states", "plies", "boards", "proven")


@dataclass(frozen=True)
class Told:
    """How games went.

    Args:
        games: how many ended.
        plies: how many they had, all together.
        first: how many player 0 won, less those that player 1 won.
        simulations: how many there were, in all games.
    """

    games: int = 0
    plies: int = 0
    first: int = 0
    simulations: int = 0

    def __add__(self, other: Told) -> Told:
        return Told(*(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))


@dataclass(frozen=True)
class SelfPlay:
    """How games against oneself are played.

    Args:
        search: what chooses the moves.
        noise: Dirichlet noise on the priors at the root, of α = noise / number of legal actions; 0 for none. By Gumbel all but 0
            are the same: the search draws at the root, as widely as `temperature` says.
        openings: a game begins with some random plies, any number up to this one equally likely; they are not learnt from.
        temperature: in the first plies of a game, actions are drawn from search's policy to the power of 1 / temperature,
        temperature_plies: and this many plies are the first ones. Later ones are the best found.
        reuse: whether the tree below the position that was reached is kept for the next move.
        adjudicate: whether a game ends as soon as search has proven its result.
        resign: a player gives up a position that seems worth less than minus this; None for never.
        result_share: how much of a position's value to learn is the game's result; the rest is what search said.
        longest: after how many plies a game counts as drawn; one that comes back to a position it had does at once.
    """

    search: GuidedSearch
    noise: float
    openings: int
    temperature: float
    temperature_plies: int
    reuse: bool
    adjudicate: bool
    resign: float | None
    result_share: float
    longest: int

    def play(self, group: Group, evaluate: Evaluate, plies: int, seed: tuple[int, ...]) -> tuple[Group, Positions, Told]:
        """Plays a group's games on, so many plies each; where one ends, the next begins.

        Returns:
            The group; the positions of games that ended, to learn from; how these went.
        """
        game, learnt, told, kept = self.search.game, Positions.none(self.search.game), Told(), None
        for _ in range(plies):
            draws = np.random.default_rng([*seed, int(group.played[0])])
            kept = self._searched(group.states, evaluate, draws, kept if self.reuse else None)
            found = kept.found()
            group = noted(group, found)
            actions = self._chosen(found, group.plies, draws)
            movers = game.players(group.states)
            after, had = game.plays(group.states, actions), group.plies + 1
            over, results = self._results(after, had, movers, found, repeated(group, after))
            told += Told(int(over.sum()), int(had[over].sum()), int(results[over].sum()), int(found.simulations.sum()))
            group = replace(group, played=group.played + 1, states=after, plies=had)
            group, ended = self._settled(group, over, results, draws)
            learnt = learnt.followed_by(ended)
        return group, learnt, told

    def _searched(self, states: StateArray, evaluate: Evaluate, draws: np.random.Generator, kept: Searching | None) -> Searching:
        search = self.search.begin(states, self._noise(states, draws), kept)
        while len(leaves := search.select()):
            search.back_up(*evaluate(leaves))
        return search

    def _noise(self, states: StateArray, draws: np.random.Generator) -> NDArray[np.float64] | None:
        """Noise for the roots (B, A), as the search's formula takes it."""
        shape = len(states), self.search.game.num_actions
        if not self.noise:
            return None
        if self.search.formula == "gumbel":
            return draws.gumbel(scale=self.temperature, size=shape)
        return draws.standard_gamma(self.noise / self.search.game.masks(states).sum(axis=1, keepdims=True), shape)

    def _chosen(self, found: SearchResults, plies: NDArray[np.int64], draws: np.random.Generator) -> NDArray[np.int64]:
        """The actions to take (B,)."""
        heights = (found.policy ** (1 / self.temperature)).cumsum(axis=1)
        drawn = (heights <= draws.random((len(plies), 1)) * heights[:, -1:]).sum(axis=1)
        if self.search.formula == "gumbel":
            drawn = found.actions  # by Gumbel's draws, it is drawn already
        tried = np.where(found.visits == found.visits.max(axis=1, keepdims=True), found.policy, -1.0).argmax(axis=1)
        best = np.where(found.proofs == UNKNOWN, tried, found.actions)
        return np.where(plies < self.temperature_plies, drawn, best)

    def _results(
        self,
        states: StateArray,
        plies: NDArray[np.int64],
        movers: NDArray[np.int8],
        found: SearchResults,
        again: NDArray[np.bool_],
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Which games are over (B,), and player 0's results (B,), where they are."""
        signs = 1 - 2 * movers.astype(np.int64)
        results = self.search.game.outcomes(states).astype(np.int64)
        results[(results == ONGOING) & (again | (plies >= self.longest))] = 0
        if self.resign is not None:
            given_up = (results == ONGOING) & (found.values < -self.resign)
            results[given_up] = -signs[given_up]
        if self.adjudicate:
            proven = found.proofs != UNKNOWN
            results[proven] = (signs * found.proofs)[proven]
        return results != ONGOING, results

    def _settled(
        self, group: Group, over: NDArray[np.bool_], results: NDArray[np.int64], draws: np.random.Generator
    ) -> tuple[Group, Positions]:
        """The group with new games in place of those that are over; and the positions of these, with what they came to."""
        game, done = self.search.game, over[group.boards]
        ended, boards = group.waiting[done], group.boards[done]
        signs = 1 - 2 * game.players(ended.states).astype(np.int64)
        blended = self.result_share * signs * results[boards] + (1 - self.result_share) * ended.values
        values = np.where(group.proven[done], ended.values, blended).astype(np.float32)
        states, plies = group.states.copy(), group.plies.copy()
        states[over], plies[over] = self._begun(int(over.sum()), draws), 0
        left = replace(
            group,
            states=states,
            plies=plies,
            waiting=group.waiting[~done],
            boards=group.boards[~done],
            proven=group.proven[~done],
        )
        return left, replace(ended, values=values)

    def _begun(self, games: int, draws: np.random.Generator) -> StateArray:
        """Where so many games begin (games, W)."""
        game = self.search.game

        def choose(_: int, rows: NDArray[np.int64], states: StateArray) -> NDArray[np.int64]:
            return (draws.random((games, game.num_actions))[rows] * game.masks(states)).argmax(axis=1)

        lengths = draws.integers(self.openings + 1, size=games)
        return random_plies(game, np.repeat(game.start[None], games, axis=0), lengths, choose, skip=True)[1]


def repeated(group: Group, states: StateArray) -> NDArray[np.bool_]:
    """Whose games (B,) come back to a position that they had: nothing new is to be learnt from going round in circles."""
    again = np.zeros(len(states), np.bool_)
    again[group.boards[(group.waiting.states == states[group.boards]).all(axis=1)]] = True
    return again


def noted(group: Group, found: SearchResults) -> Group:
    """A group that has noted what search found where its games stand."""
    proven = found.proofs != UNKNOWN
    values = np.where(proven, found.proofs, found.values).astype(np.float32)
    return replace(
        group,
        waiting=group.waiting.followed_by(Positions(group.states, found.policy.astype(np.float16), values)),
        boards=np.concatenate([group.boards, np.arange(len(values))]),
        proven=np.concatenate([group.proven, proven]),
    )
