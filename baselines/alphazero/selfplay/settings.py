"""The settings of self-play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from ....core.bounds import Count, OneOf, Share
from ....core.numbers import Range
from ....games.game import Game
from ....search.mcts.guided import FORMULAS, GuidedSearch
from ...runs.trainer import Settings

SEARCH = ("simulations", "exploration", "formula", "noise_share", "solver", "ahead", "considered")
"""The settings of the search."""


@dataclass(frozen=True)
class SelfPlaySettings(Settings):
    """Settings of self-play; the numbers in brackets are those of the papers.

    Args:
        simulations: simulations of the search in each position (800).
        first_simulations: simulations at the beginning of the training, from where they grow evenly; none for a constant number.
        exploration: the constant c of the search formula (1.25, growing slowly).
        formula: the search formula: "puct" is AlphaZero's; "uct" has √(ln N / n); "gumbel" suits few simulations.
        considered: the most actions that Gumbel search tries at the root (16).
        solver: whether search backs up proven values (AlphaZero: no).
        ahead: positions of a proof search from each leaf, before the network evaluates it (AlphaZero: 0).
        reuse: whether the tree below the position reached is kept for the next move.
        noise: Dirichlet noise at the root has α = noise / number of legal actions (10); 0 for none. Gumbel noise has no size.
        noise_share: the share of noise in the priors of the root (0.25).
        openings: a game begins with up to this many random plies; their number is uniform (0).
        long_openings: some games begin with up to this many random plies, near their end, where self-play seldom goes (0).
        long_share: the share of these games (0).
        temperature: in the first plies of a game, actions are drawn from the policy of search to the power of 1 / temperature (1).
        temperature_plies: the number of these first plies (30).
        adjudicate: whether a game ends as soon as search has proven its result.
        resign: a player resigns where the value is below minus this; none for never (about 0.9).
        result_share: the share of the game's result in the value target (1); the rest is the value of search. Proven values count
            before both.
        exact_share: the share of played positions that get the oracle's targets when their game ends, where it knows them (0).
        lesson_share: this share of the samples comes on top of `positions`, from no game: positions after up to
            `long_openings` random plies, with the oracle's targets; those that it does not know are left out (0).
    """

    simulations: Count = 32
    first_simulations: Count | None = None
    exploration: Annotated[float, Range(0)] = 1.25
    formula: Annotated[str, OneOf(*FORMULAS)] = "gumbel"
    considered: Count = 16
    solver: bool = True
    ahead: Annotated[int, Range(0)] = 0
    reuse: bool = True
    noise: Annotated[float, Range(0)] = 10.0
    noise_share: Share = 0.25
    openings: Annotated[int, Range(0)] = 4
    long_openings: Annotated[int, Range(0)] = 0
    long_share: Share = 0.0
    temperature: Annotated[float, Range(above=0)] = 1.0
    temperature_plies: Annotated[int, Range(0)] = 12
    adjudicate: bool = True
    resign: Annotated[float, Range(above=0, below=1)] | None = None
    result_share: Share = 0.5
    exact_share: Share = 0.0
    lesson_share: Annotated[float, Range(0, below=1)] = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        many = bool(self.long_share or self.lesson_share)
        if self.long_openings and not many:
            raise ValueError(
                f"long_openings={self.long_openings} has no effect while long_share and lesson_share are 0; "
                "set one of them, or long_openings=0 as well"
            )
        if many and not self.long_openings:
            raise ValueError(
                f"long_share={self.long_share} and lesson_share={self.lesson_share} need long_openings, "
                "the most random plies; it is 0"
            )

    def at(self, done: float) -> SelfPlaySettings:
        """The settings when this share of the training is done."""
        if self.first_simulations is None:
            return self
        simulations = self.first_simulations + (self.simulations - self.first_simulations) * min(1.0, done)
        return replace(self, simulations=round(simulations))

    def search(self, game: Game) -> GuidedSearch:
        """The search of self-play."""
        return GuidedSearch(game, **{name: getattr(self, name) for name in SEARCH})
