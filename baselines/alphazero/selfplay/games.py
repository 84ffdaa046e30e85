"""Self-play, many games in lockstep: in each ply every game is searched, and one batch holds a leaf of each.

A `GameGroup` is a value of arrays alone: the states of its games, and their samples so far, which wait for the results. Its next
plies follow from it, the network and the seed, and nothing else: neither from who plays the other groups nor from the process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....agents.policy import Policy
from ....arena.data.many_games import Shard
from ....core.files.named_arrays import Arrays, under
from ....games.game import Game, StateArray
from ....games.kernels.rules import ONGOING
from ....games.random_play import random_plies
from ....search.mcts.forest import SearchResults
from ....search.mcts.guided import Evaluate, GuidedSearch, Searching
from ....search.mcts.tree import UNKNOWN
from ..settings import SelfPlaySettings
from .exact import lessons, with_exact_targets
from .samples import Samples

LESSONS = 1
"""The stream of random numbers of lessons, beside that of games."""
LONGEST = 1000
"""The plies after which a game counts as drawn, where the game itself has no limit."""


@dataclass(frozen=True)
class GameGroup:
    """B games of self-play.

    Args:
        played: the number of plies that the group has played (1,), int64.
        states: the state of each game (B, W), uint64.
        plies: the number of plies of each game (B,), int64.
        waiting: samples of unfinished games; their values are those of search so far (P).
        boards: the game of each sample (P,), int64.
        proven: whether the value of a sample is proven, so that no result changes it (P,), bool.
    """

    played: NDArray[np.int64]
    states: NDArray[np.uint64]
    plies: NDArray[np.int64]
    waiting: Samples
    boards: NDArray[np.int64]
    proven: NDArray[np.bool_]

    @classmethod
    def new(cls, game: Game, boards: int) -> GameGroup:
        """New games."""
        none, starts = np.zeros(0, np.int64), np.repeat(game.start[None], boards, axis=0)
        return cls(np.zeros(1, np.int64), starts, np.zeros(boards, np.int64), Samples.none(game), none, none.astype(np.bool_))

    def arrays(self, prefix: str) -> Arrays:
        """The arrays, by names with a prefix."""
        return {prefix + name: getattr(self, name) for name in OWN} | self.waiting.arrays(f"{prefix}waiting.")

    @classmethod
    def of(cls, game: Game, arrays: Mapping[str, NDArray[Any]]) -> GameGroup:
        """The group of such arrays; KeyError or ValueError where one is missing, or does not fit this game."""
        return cls(waiting=Samples.of(game, under("waiting.", arrays)), **{name: arrays[name] for name in OWN})


OWN = ("played", "states", "plies", "boards", "proven")


@dataclass(frozen=True)
class GameCounts:
    """Statistics of games.

    Args:
        games: the number of games that ended.
        plies: the sum of their plies.
        first: the wins of player 0 minus those of player 1.
        simulations: the simulations of all searches.
        ended: the games that ended, if they are kept.
    """

    games: int = 0
    plies: int = 0
    first: int = 0
    simulations: int = 0
    ended: tuple[Shard, ...] = ()

    def __add__(self, other: GameCounts) -> GameCounts:
        return GameCounts(*(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))


@dataclass(frozen=True)
class SelfPlay:
    """Games of self-play by the settings of the trainer.

    Args:
        keeps_games: whether the statistics have the games that ended.
        opponent: a policy that plays one side of each game, every other time the first; None where search plays both.
    """

    game: Game
    settings: SelfPlaySettings
    keeps_games: bool = False
    opponent: Policy | None = None

    @cached_property
    def search(self) -> GuidedSearch:
        """The search that chooses the moves."""
        return self.settings.search(self.game)

    def play(
        self, group: GameGroup, evaluate: Evaluate, plies: int, seed: tuple[int, ...]
    ) -> tuple[GameGroup, Samples, GameCounts]:
        """Plays `plies` more plies in each game of a group; where one ends, the next begins. Returns the group, the samples of the
        games that ended and lessons, and statistics. All randomness follows from the seed and the number of plies played."""
        game, samples, counts, searching = self.game, Samples.none(self.game), GameCounts(), None
        for _ in range(plies):
            draws = np.random.default_rng([*seed, int(group.played[0])])
            searching = self._search(group.states, evaluate, draws, searching if self.settings.reuse else None)
            search, movers = searching.results(), game.players(group.states)
            actions = self._choose(search, group.plies, draws)
            if self.opponent is not None:
                its = np.flatnonzero(movers == (np.arange(len(movers)) + seed[-1]) % 2)
                search = self._let_it_move(self.opponent, its, group.states, search, actions, draws)
            group = with_samples(group, search)
            after, had = game.plays(group.states, actions), group.plies + 1
            again = np.zeros(len(after), np.bool_)  # a game that repeats a position ends: a cycle has nothing new to learn from
            again[group.boards[(group.waiting.states == after[group.boards]).all(axis=1)]] = True
            over, results = self._results(after, had, movers, search, again)
            counts += GameCounts(int(over.sum()), int(had[over].sum()), int(results[over].sum()), int(search.simulations.sum()))
            if self.keeps_games:
                counts += GameCounts(ended=(self._lines(replace(group, plies=had), after, over, results, plies),))
            group = replace(group, played=group.played + 1, states=after, plies=had)
            group, ended = self._end_games(group, over, results, draws)
            samples = samples.concatenate(ended)
        share, draws = self.settings.lesson_share, np.random.default_rng([*seed, int(group.played[0]), LESSONS])
        lengths = draws.integers(self.settings.long_openings + 1, size=round(len(samples) * share / (1 - share)))
        return group, samples.concatenate(lessons(self.game, self._after(lengths, draws))), counts

    def _let_it_move(
        self,
        opponent: Policy,
        rows: NDArray[np.int64],
        states: StateArray,
        search: SearchResults,
        actions: NDArray[np.int64],
        draws: np.random.Generator,
    ) -> SearchResults:
        """Writes the opponent's actions in place of those of search; as targets, too, so that the network foresees them."""
        keys = draws.integers(1 << 64, size=len(rows), dtype=np.uint64)
        actions[rows] = opponent.act(states[rows], keys)
        policy = search.policy.copy()
        policy[rows] = 0
        policy[rows, actions[rows]] = 1
        return search._replace(policy=policy)

    def _search(self, states: StateArray, evaluate: Evaluate, draws: np.random.Generator, searching: Searching | None) -> Searching:
        search = self.search.begin(states, self._noise(states, draws), searching)
        while len(leaves := search.select()):
            search.back_up(*evaluate(leaves))
        return search

    def _noise(self, states: StateArray, draws: np.random.Generator) -> NDArray[np.float64] | None:
        """Noise for the roots (B, A), as the search formula takes it."""
        s, shape = self.settings, (len(states), self.game.num_actions)
        if not s.noise:
            return None
        if s.formula == "gumbel":
            return draws.gumbel(scale=s.temperature, size=shape)
        return draws.standard_gamma(s.noise / self.game.masks(states).sum(axis=1, keepdims=True), shape)

    def _choose(self, search: SearchResults, plies: NDArray[np.int64], draws: np.random.Generator) -> NDArray[np.int64]:
        """The actions to take (B,)."""
        heights = (search.policy ** (1 / self.settings.temperature)).cumsum(axis=1)
        drawn = (heights <= draws.random((len(plies), 1)) * heights[:, -1:]).sum(axis=1)
        if self.settings.formula == "gumbel":
            drawn = search.actions  # the search drew them, by its Gumbel noise
        tried = np.where(search.visits == search.visits.max(axis=1, keepdims=True), search.policy, -1.0).argmax(axis=1)
        best = np.where(search.proofs == UNKNOWN, tried, search.actions)
        return np.where(plies < self.settings.temperature_plies, drawn, best)

    def _results(
        self,
        states: StateArray,
        plies: NDArray[np.int64],
        movers: NDArray[np.int8],
        search: SearchResults,
        again: NDArray[np.bool_],
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Which games are over (B,), and the results of player 0 there (B,)."""
        signs = 1 - 2 * movers.astype(np.int64)
        results = self.game.outcomes(states).astype(np.int64)
        results[(results == ONGOING) & (again | (plies >= (self.game.max_plies or LONGEST)))] = 0
        if self.settings.resign is not None:
            resigned = (results == ONGOING) & (search.values < -self.settings.resign)
            results[resigned] = -signs[resigned]
        if self.settings.adjudicate:
            proven = search.proofs != UNKNOWN
            results[proven] = (signs * search.proofs)[proven]
        return results != ONGOING, results

    def _lines(self, group: GameGroup, after: StateArray, over: NDArray[np.bool_], results: NDArray[np.int64], plies: int) -> Shard:
        """The games that a ply ended, with the moves that lead from each of their positions to the next.

        Args:
            group: with the samples of this ply, and the plies of its games, this one counted.
            after, over, results: the states after it (B, W), which games ended (B,), and the results of player 0 there (B,).
            plies: those that a network plays before the next one takes its place.
        """
        boards, lengths = np.flatnonzero(over), group.plies[over]
        order = np.argsort(group.boards, kind="stable")
        order = order[over[group.boards[order]]]  # all positions of the first of these games, then all of the second, …
        states, first = group.waiting.states[order], np.cumsum(lengths) - lengths
        following = np.roll(states, -1, axis=0)
        following[first + lengths - 1] = after[boards]
        rows, actions = np.nonzero(self.game.masks(states))
        leads = (self.game.plays(states[rows], actions) == following[rows]).all(axis=1)
        taken = np.zeros(len(states), np.int16)
        taken[rows[leads]] = actions[leads]
        moves = np.full((len(boards), int(lengths.max(initial=0))), -1, np.int16)
        moves[np.arange(moves.shape[1]) < lengths[:, None]] = taken
        last = np.full(len(boards), int(group.played[0]))
        networks = np.stack([last - lengths + 1, last], axis=1) // plies
        return Shard(moves, lengths.astype(np.int16), results[over].astype(np.int8), states[first], networks.astype(np.int32))

    def _end_games(
        self, group: GameGroup, over: NDArray[np.bool_], results: NDArray[np.int64], draws: np.random.Generator
    ) -> tuple[GameGroup, Samples]:
        """The group with new games in place of those that are over; and the samples of these, with their value targets."""
        share, done = self.settings.result_share, over[group.boards]
        ended, boards = group.waiting[done], group.boards[done]
        signs = 1 - 2 * self.game.players(ended.states).astype(np.int64)
        blended = share * signs * results[boards] + (1 - share) * ended.values
        values = np.where(group.proven[done], ended.values, blended).astype(np.float32)
        states, plies = group.states.copy(), group.plies.copy()
        states[over], plies[over] = self._start_states(int(over.sum()), draws), 0
        waiting = {name: getattr(group, name)[~done] for name in ("waiting", "boards", "proven")}
        ended = replace(ended, values=values, endings=group.states[boards])
        if self.settings.exact_share:
            some = draws.random(len(ended)) < self.settings.exact_share
            ended = ended[~some].concatenate(with_exact_targets(self.game, ended[some]))
        return replace(group, states=states, plies=plies, **waiting), ended

    def _start_states(self, games: int, draws: np.random.Generator) -> StateArray:
        """The states that new games begin with (games, W)."""
        settings = self.settings
        lengths = draws.integers(settings.openings + 1, size=games)
        if settings.long_share:
            some = draws.random(games) < settings.long_share
            lengths[some] = draws.integers(settings.long_openings + 1, size=int(some.sum()))
        return self._after(lengths, draws)

    def _after(self, lengths: NDArray[np.int64], draws: np.random.Generator) -> StateArray:
        """The states after random plies, `lengths` of them (N,), in games from the start (N, W)."""
        game, games = self.game, len(lengths)

        def choose(_: int, rows: NDArray[np.int64], states: StateArray) -> NDArray[np.int64]:
            return (draws.random((games, game.num_actions))[rows] * game.masks(states)).argmax(axis=1)

        return random_plies(game, np.repeat(game.start[None], games, axis=0), lengths, choose, skip=True)[1]


def with_samples(group: GameGroup, search: SearchResults) -> GameGroup:
    """The group with samples of its present states, whose targets are the results of search."""
    proven = search.proofs != UNKNOWN
    values = np.where(proven, search.proofs, search.values).astype(np.float32)
    return replace(
        group,
        waiting=group.waiting.concatenate(Samples(group.states, search.policy.astype(np.float16), values, group.states)),
        boards=np.concatenate([group.boards, np.arange(len(values))]),
        proven=np.concatenate([group.proven, proven]),
    )
