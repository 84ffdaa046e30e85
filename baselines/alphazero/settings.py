"""The settings of AlphaZero, those of its self-play among them, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from ...core.bounds import Count, OneOf, Share
from ...core.numbers import Range
from ...games.game import Game
from ...search.mcts.guided import FORMULAS, GuidedSearch
from ..runs.trainer import Settings
from .networks.own import check_factory
from .networks.residual import HEADS, Shape
from .selfplay.samples import PRUNINGS

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


@dataclass(frozen=True)
class AlphaZeroSettings(SelfPlaySettings):
    """Settings of AlphaZero; the numbers in brackets are those of the papers.

    Args:
        positions: the number of positions to play in self-play (AlphaZero's chess: 44 million games).
        blocks: residual blocks of the network (19).
        channels: channels of its convolutions (256).
        heads: the input of the heads: "flat", every cell of a few channels; or "pooled", averages over the board.
        lines: whether each block also sees the averages of the row, the column and the diagonals through each cell.
        network: a function that makes a network of your own for a game, as module:function; then blocks, channels, heads and lines
            do not count. It gives logits and values for planes, as networks/own.py says.
        boards: games played at a time (5000 machines).
        groups: the number of groups of games; each is searched by itself, in batches of boards / groups positions, so that several
            threads, processes or machines can work.
        plies: plies of each game in a part of the training.
        window: the most positions to learn from (500,000 games).
        window_share: the most positions to learn from, as a share of all positions so far, so that early games leave soon.
        pruning: which positions leave the window: the "oldest", or "random" ones.
        symmetries: whether positions are rotated and mirrored before learning (Go: yes).
        passes: the mean number of times that each position is learnt from.
        batch: positions in a gradient step (4096).
        rate: the learning rate of AdamW at first.
        rate_end: the learning rate at the end; it falls along half a cosine.
        decay: weight decay (0.0001, of the loss).
        value_weight: the weight of the value's squared error beside the policy's cross-entropy (1).
        ending_weight: the weight of the cross-entropy of an extra head, in learning alone, that says what each cell will hold when
            the game ends (0; KataGo: 1.5 for each cell's owner).
    """

    positions: Count = 1_000_000
    blocks: Annotated[int, Range(0)] = 4
    channels: Count = 32
    heads: Annotated[str, OneOf(*HEADS)] = "flat"
    lines: bool = False
    network: str | None = None
    boards: Count = 512
    groups: Count = 2
    plies: Count = 4
    window: Count = 200_000
    window_share: Annotated[float, Range(above=0, most=1)] = 0.5
    pruning: Annotated[str, OneOf(*PRUNINGS)] = "oldest"
    symmetries: bool = True
    passes: Annotated[float, Range(above=0)] = 4.0
    batch: Count = 512
    rate: Annotated[float, Range(above=0)] = 0.002
    rate_end: Annotated[float, Range(0)] = 0.0002
    decay: Annotated[float, Range(0)] = 0.01
    value_weight: Annotated[float, Range(0)] = 1.0
    ending_weight: Annotated[float, Range(0)] = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.boards % self.groups:
            raise ValueError(f"{self.boards} boards cannot be divided evenly among {self.groups} groups; use a multiple")
        check_factory(self.network)
        if self.network is not None and self.ending_weight:
            raise ValueError(
                f"ending_weight={self.ending_weight} adds a head to the usual network, and network= names another; leave one out"
            )

    @property
    def shape(self) -> Shape:
        """The size of the network."""
        return Shape(self.blocks, self.channels, self.heads, self.lines, self.network)


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "original": {  # the classic system, on Quixo
        "blocks": 10,
        "channels": 256,
        "heads": "pooled",
        "formula": "uct",
        "exploration": 1.41,
        "solver": False,
        "adjudicate": False,
        "reuse": False,
        "openings": 0,
        "pruning": "random",
        "window_share": 1.0,
        "result_share": 1.0,
    },
}
