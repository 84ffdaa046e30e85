"""A residual network with two heads: logits of the actions, and the value of the position for the player to move.

    planes (B, C, H, W) → 3×3 convolution → `blocks` times: x + two 3×3 convolutions ┬→ 1×1 convolution → logits (B, A)
                          all with batch norm and ReLU                               └→ 1×1 convolution → value (B,), by tanh

Sources: He et al.: Deep residual learning for image recognition, CVPR 2016; Silver et al.: Mastering the game of Go without human
knowledge, Nature 550 (2017), with 19 or 39 blocks of 256 channels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from ....envs.files.named_arrays import check_arrays
from ....envs.games.game import Game

Weights = Mapping[str, NDArray[Any]]
"""What a network holds, by name."""
HEADS = ("flat", "pooled")
POLICY_CHANNELS, VALUE_CHANNELS, HIDDEN = 4, 2, 64


@dataclass(frozen=True)
class Shape:
    """How large a network is.

    Args:
        blocks: residual blocks.
        channels: of each convolution.
        heads: what the heads see: "flat", every cell of a few channels; or "pooled", the average of each channel over the board.
    """

    blocks: int
    channels: int
    heads: str = "flat"


class ResidualNet(nn.Module):
    """Planes to logits and values.

    Args:
        game: whose planes and actions.
        shape: how large it is.
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
    """A convolution that leaves the board its size, and batch norm."""

    def __init__(self, taken: int, given: int, size: int = 3) -> None:
        super().__init__(nn.Conv2d(taken, given, size, padding=size // 2, bias=False), nn.BatchNorm2d(given))


class Block(nn.Module):
    """Two convolutions, and what came in added to what comes out."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first, self.second = Convolution(channels, channels), Convolution(channels, channels)

    def forward(self, taken: Tensor) -> Tensor:
        """(B, channels, H, W) to the same shape."""
        return functional.relu(taken + self.second(functional.relu(self.first(taken))))


def new_net(game: Game, shape: Shape, seed: int) -> ResidualNet:
    """A network that knows nothing: same seed, same network, and nobody else's randomness is touched."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return ResidualNet(game, shape)


def net_of(game: Game, shape: Shape, weights: Weights) -> ResidualNet:
    """A network that holds weights.

    Raises:
        ValueError: as for `load_weights`.
    """
    net = new_net(game, shape, 0)
    load_weights(net, weights)
    return net


def weights_of(net: nn.Module) -> dict[str, NDArray[Any]]:
    """What a network holds, by name."""
    return {name: np.atleast_1d(tensor.detach().cpu().numpy()).copy() for name, tensor in net.state_dict().items()}


def load_weights(net: nn.Module, weights: Weights) -> None:
    """Gives a network what another one of its shape held.

    Raises:
        ValueError: another shape, or a weight that is no number.
    """
    wanted = {name: tensor.shape for name, tensor in net.state_dict().items()}
    check_arrays(weights, weights_of(net))
    if not all(np.isfinite(array).all() for array in weights.values()):
        raise ValueError("among the weights are some that are no numbers")
    net.load_state_dict({name: torch.from_numpy(weights[name].reshape(shape).copy()) for name, shape in wanted.items()})
