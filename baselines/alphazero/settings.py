"""The settings of AlphaZero, and its presets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from ...core.bounds import Count, OneOf
from ...core.numbers import Range
from .networks.own import check_factory
from .networks.residual import HEADS, Shape
from .selfplay.samples import PRUNINGS
from .selfplay.settings import SelfPlaySettings


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
