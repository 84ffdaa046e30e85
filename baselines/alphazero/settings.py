"""The settings of AlphaZero, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from ...agents.search.mcts.guided import FORMULAS, GuidedSearch
from ...envs.games.game import Game
from ...envs.settings.bounds import Count, OneOf, Share
from ...envs.settings.numbers import Range
from ..runs.trainer import Settings
from .networks.residual import HEADS, Shape
from .selfplay.samples import PRUNINGS

SEARCH = ("simulations", "exploration", "formula", "noise_share", "solver", "ahead", "considered")
"""The settings of the search."""


@dataclass(frozen=True)
class AlphaZeroSettings(Settings):
    """Settings of AlphaZero; the numbers in brackets are those of the papers.

    Args:
        positions: the number of positions to play in self-play (AlphaZero's chess: 44 million games).
        blocks: residual blocks of the network (19).
        channels: channels of its convolutions (256).
        heads: the input of the heads: "flat", every cell of a few channels; or "pooled", averages over the board.
        simulations: simulations of the search in each position (800).
        exploration: the constant c of the search formula (1.25, growing slowly).
        formula: the search formula: "puct" is AlphaZero's; "uct" has √(ln N / n); "gumbel" suits few simulations.
        considered: the most actions that Gumbel search tries at the root (16).
        solver: whether search backs up proven values (AlphaZero: no).
        ahead: positions of a proof search from each leaf, before the network evaluates it (AlphaZero: 0).
        reuse: whether the tree below the position reached is kept for the next move.
        noise: Dirichlet noise at the root has α = noise / number of legal actions (10); 0 for none. Gumbel noise has no size.
        noise_share: the share of noise in the priors of the root (0.25).
        openings: a game begins with up to this many random plies; their number is uniform (0).
        temperature: in the first plies of a game, actions are drawn from the policy of search to the power of 1 / temperature (1).
        temperature_plies: the number of these first plies (30).
        adjudicate: whether a game ends as soon as search has proven its result.
        resign: a player resigns where the value is below minus this; none for never (about 0.9).
        result_share: the share of the game's result in the value target (1); the rest is the value of search. Proven values count
            before both.
        boards: games played at a time (5000 machines).
        groups: the number of groups of games; each is searched by itself, in batches of boards / groups positions, so that several
            threads, processes or machines can work.
        plies: plies of each game in a part of the training.
        window: the most positions to learn from (500,000 games).
        window_share: the same, as a share of all positions so far, so that early games leave soon.
        pruning: which positions leave the window: the "oldest", or "random" ones.
        symmetries: whether positions are rotated and mirrored before learning (Go: yes).
        passes: how often each position is learnt from, on average.
        batch: positions in a gradient step (4096).
        rate: the learning rate of AdamW at first.
        rate_end: the learning rate at the end; it falls along half a cosine.
        decay: weight decay (0.0001, of the loss).
        value_weight: the weight of the value's squared error beside the policy's cross-entropy (1).
    """

    positions: Count = 1_000_000
    blocks: Annotated[int, Range(0)] = 4
    channels: Count = 32
    heads: Annotated[str, OneOf(*HEADS)] = "flat"
    simulations: Count = 32
    exploration: Annotated[float, Range(0)] = 1.25
    formula: Annotated[str, OneOf(*FORMULAS)] = "gumbel"
    considered: Count = 16
    solver: bool = True
    ahead: Annotated[int, Range(0)] = 0
    reuse: bool = True
    noise: Annotated[float, Range(0)] = 10.0
    noise_share: Share = 0.25
    openings: Annotated[int, Range(0)] = 4
    temperature: Annotated[float, Range(above=0)] = 1.0
    temperature_plies: Annotated[int, Range(0)] = 12
    adjudicate: bool = True
    resign: Annotated[float, Range(above=0, below=1)] | None = None
    result_share: Share = 0.5
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

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.boards % self.groups:
            raise ValueError(f"{self.boards} boards cannot be divided evenly among {self.groups} groups; use a multiple")

    @property
    def shape(self) -> Shape:
        """The size of the network."""
        return Shape(self.blocks, self.channels, self.heads)

    def search(self, game: Game) -> GuidedSearch:
        """The search of self-play."""
        return GuidedSearch(game, **{name: getattr(self, name) for name in SEARCH})


PRESETS: Mapping[str, Mapping[str, Any]] = {
    "tictactoe": {
        "positions": 40_960,
        "blocks": 2,
        "simulations": 24,
        "openings": 5,
        "temperature_plies": 4,
        "boards": 256,
    },
    "quarto": {"openings": 8, "temperature_plies": 8, "ahead": 1000},
    "quixo": {"positions": 600_000, "ahead": 2000},
    "othello": {"positions": 400_000, "openings": 6},  # enough for 6×6; 8×8 needs more
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
