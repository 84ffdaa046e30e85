"""A residual network with two heads: logits of the actions, and the value of the position for the player to move.

    planes (B, C, H, W) → 3×3 convolution → `blocks` times: x + two 3×3 convolutions ┬→ 1×1 convolution → logits (B, A)
                          all with batch norm and ReLU                               └→ 1×1 convolution → value (B,), by tanh

With `lines` each block also sees the averages of the whole row, column and diagonals through each cell, since what happens there
decides most board games, and a 3×3 convolution sees no further than the next cell.

Sources: He et al.: Deep residual learning for image recognition, CVPR 2016; Silver et al.: Mastering the game of Go without human
knowledge, Nature 550 (2017), with 19 or 39 blocks of 256 channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from ....core.plugins import UntrustedSpec
from ....games.game import Game
from .own import make_own_net

HEADS = ("flat", "pooled")
POLICY_CHANNELS, VALUE_CHANNELS, HIDDEN = 4, 2, 64


@dataclass(frozen=True)
class Shape:
    """The size of a network.

    Args:
        blocks: the number of residual blocks.
        channels: the channels of each convolution.
        heads: the input of the heads: "flat", every cell of a few channels; or "pooled", averages over the board.
        lines: whether blocks see the averages of lines.
        factory: a function that makes another network, as `module:function`; then nothing else here counts (own.py).
    """

    blocks: int
    channels: int
    heads: str = "flat"
    lines: bool = False
    factory: str | UntrustedSpec | None = None


class ResidualNet(nn.Module):
    """A network from planes to logits and values."""

    def __init__(self, game: Game, shape: Shape) -> None:
        super().__init__()
        planes, height, width = game.shape
        channels, cells = shape.channels, height * width
        self.stem = Convolution(planes, channels)
        board = (height, width) if shape.lines else None
        self.blocks = nn.Sequential(*(Block(channels, board) for _ in range(shape.blocks)))
        if shape.heads == "flat":
            self.policy = nn.Sequential(
                Convolution(channels, POLICY_CHANNELS, 1),
                nn.ReLU(),
                nn.Flatten(),
                nn.Linear(POLICY_CHANNELS * cells, game.num_actions),
            )
            seen = nn.Sequential(Convolution(channels, VALUE_CHANNELS, 1), nn.ReLU(), nn.Flatten())
            self.value = nn.Sequential(seen, nn.Linear(VALUE_CHANNELS * cells, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))
        else:
            self.policy = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, game.num_actions))
            self.value = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1))

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Planes (B, C, H, W) to logits (B, A) and values (B,)."""
        return self.answers(self.trunk(planes))

    def trunk(self, planes: Tensor) -> Tensor:
        """Planes (B, C, H, W) to what the heads see (B, channels, H, W)."""
        return self.blocks(functional.relu(self.stem(planes)))

    def answers(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """The answers of the heads: logits (B, A) and values (B,)."""
        return self.policy(seen), torch.tanh(self.value(seen)).squeeze(1)


class Convolution(nn.Sequential):
    """A convolution that keeps the size of the board, and batch norm."""

    def __init__(self, inputs: int, outputs: int, size: int = 3) -> None:
        super().__init__(nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False), nn.BatchNorm2d(outputs))


class Block(nn.Module):
    """Two convolutions, whose input is added to their output; on a board (height, width) they see averages of lines, too."""

    def __init__(self, channels: int, board: tuple[int, int] | None = None) -> None:
        super().__init__()
        self.first, self.second = Convolution(channels, channels), Convolution(channels, channels)
        self.lines = Lines(channels, *board) if board else None

    def forward(self, inputs: Tensor) -> Tensor:
        """(B, channels, H, W) to the same shape."""
        seen = functional.relu(self.first(inputs))
        change = self.second(seen)
        if self.lines is not None:
            change = change + self.lines(seen)
        return functional.relu(inputs + change)


class Lines(nn.Module):
    """The averages of the row, the column and both diagonals through each cell, mixed by a 1×1 convolution."""

    averages: Tensor

    def __init__(self, channels: int, height: int, width: int) -> None:
        super().__init__()
        self.register_buffer("averages", averages_of_lines(height, width), persistent=False)
        self.mixed = Convolution(4 * channels, channels, 1)

    def forward(self, seen: Tensor) -> Tensor:
        """(B, channels, H, W) to the same shape."""
        batch, channels, height, width = seen.shape
        averages = seen.flatten(2) @ self.averages
        return self.mixed(averages.view(batch, 4 * channels, height, width))


def averages_of_lines(height: int, width: int) -> Tensor:
    """The weight of each cell in the averages of the lines through each cell: (cells, 4 · cells)."""
    rows, columns = (index.flatten() for index in torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij"))
    numbers = rows, columns, rows - columns, rows + columns
    together = torch.cat([(number[:, None] == number[None, :]).float() for number in numbers], dim=1)
    return together / together.sum(dim=0)


def new_net(game: Game, shape: Shape, seed: int) -> nn.Module:
    """A network with random weights: same seed, same network. No global generator changes."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ResidualNet(game, shape) if shape.factory is None else make_own_net(shape.factory, game)


def ending_head(game: Game, shape: Shape, seed: int) -> nn.Conv2d:
    """A head with random weights, as `new_net`, that says of each plane what it will hold when the game ends.

    It takes what the other heads see (B, channels, H, W) to logits (B, C, H, W).
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return nn.Conv2d(shape.channels, game.shape[0], 1)
