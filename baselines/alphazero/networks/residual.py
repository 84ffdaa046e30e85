"""A residual network with two heads: logits of the actions, and the value of the position for the player to move.

    planes (B, C, H, W) → 3×3 convolution → `blocks` times: x + two 3×3 convolutions ┬→ 1×1 convolution → logits (B, A)
                          all with batch norm and ReLU                               └→ 1×1 convolution → value (B,), by tanh

Sources: He et al.: Deep residual learning for image recognition, CVPR 2016; Silver et al.: Mastering the game of Go without human
knowledge, Nature 550 (2017), with 19 or 39 blocks of 256 channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from ....envs.games.game import Game

HEADS = ("flat", "pooled")
POLICY_CHANNELS, VALUE_CHANNELS, HIDDEN = 4, 2, 64


@dataclass(frozen=True)
class Shape:
    """The size of a network.

    Args:
        blocks: the number of residual blocks.
        channels: the channels of each convolution.
        heads: the input of the heads: "flat", every cell of a few channels; or "pooled", averages over the board.
    """

    blocks: int
    channels: int
    heads: str = "flat"


class ResidualNet(nn.Module):
    """A network from planes to logits and values.

    Args:
        game: the game and variant.
        shape: the size of the network.
    """

    def __init__(self, game: Game, shape: Shape) -> None:
        super().__init__()
        planes, height, width = game.shape
        channels, cells = shape.channels, height * width
        self.stem = Convolution(planes, channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(shape.blocks)))
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
        seen = self.blocks(functional.relu(self.stem(planes)))
        return self.policy(seen), torch.tanh(self.value(seen)).squeeze(1)


class Convolution(nn.Sequential):
    """A convolution that keeps the size of the board, and batch norm."""

    def __init__(self, inputs: int, outputs: int, size: int = 3) -> None:
        super().__init__(nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False), nn.BatchNorm2d(outputs))


class Block(nn.Module):
    """Two convolutions, whose input is added to their output."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = Convolution(channels, channels), Convolution(channels, channels)

    def forward(self, inputs: Tensor) -> Tensor:
        """(B, channels, H, W) to the same shape."""
        return functional.relu(inputs + self.second(functional.relu(self.first(inputs))))


def new_net(game: Game, shape: Shape, seed: int) -> ResidualNet:
    """A network with random weights: same seed, same network. No global generator changes."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ResidualNet(game, shape)
