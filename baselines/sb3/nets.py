"""The networks: the features of a board, and how a policy uses a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from ..runs.networks import torch_threads

CELL_FILTERS = 16
"""The number of filters that read a cell and the lines that it is on."""


class BoardFeatures(BaseFeaturesExtractor):
    """Features of a board's planes: the planes themselves or 3×3 convolutions of them, and features of its lines.

    Of a Dict observation it takes the part `observation`; the mask is for the choice of an action. All lines are read by the same
    filters, since a line counts the same anywhere on the board, and so are all cells.

        planes → the sum of each plane over every row, column and long diagonal → two layers of `lines` filters
               → for each cell, the sum over its lines, and its own planes → CELL_FILTERS filters
               → and the maximum of each line filter over all lines

    Args:
        observation_space: the space of the environments, or of their planes alone (C, H, W).
        convolutions: the number of filters of each convolution; none for the planes as they are.
        lines: the number of filters for lines; 0 for none.

    Raises:
        ValueError: lines are to be read, and the board is not square.
    """

    def __init__(self, observation_space: spaces.Space[Any], convolutions: Sequence[int] = (32, 64), lines: int = 0) -> None:
        planes = observation_space["observation"] if isinstance(observation_space, spaces.Dict) else observation_space
        assert planes.shape is not None
        channels, height, width = planes.shape
        layers: list[nn.Module] = []
        filters, cells = channels, height * width
        for count in convolutions:
            layers += [nn.Conv2d(filters, count, 3, padding=1), nn.ReLU()]
            filters = count
        super().__init__(observation_space, filters * cells + (CELL_FILTERS * cells + lines if lines else 0))
        self.layers = nn.Sequential(*layers, nn.Flatten())
        self.on_line: Tensor | None
        self.register_buffer("on_line", on_lines(height, width) if lines else None, persistent=False)  # moves with the weights
        if lines:
            self.lines = nn.Sequential(nn.Linear(channels, lines), nn.ReLU(), nn.Linear(lines, lines), nn.ReLU())
            self.cells = nn.Sequential(nn.Linear(lines + channels, CELL_FILTERS), nn.ReLU(), nn.Flatten())

    def forward(self, observations: Tensor | Mapping[str, Tensor]) -> Tensor:
        """Features (B, F) of observations."""
        planes = observations if isinstance(observations, Tensor) else observations["observation"]
        if self.on_line is None:
            return self.layers(planes)
        cells = planes.flatten(2).transpose(1, 2)  # (B, cells, C)
        by_line = self.lines(self.on_line @ cells)  # (B, lines of the board, filters)
        at_cells = self.cells(torch.cat([self.on_line.T @ by_line, cells], dim=2))
        return torch.cat([self.layers(planes), at_cells, by_line.amax(dim=1)], dim=1)


def on_lines(height: int, width: int) -> Tensor:
    """For each row, column and long diagonal of a square board, 1 for its cells (2 · W + 2, W · W); ValueError for other boards."""
    if height != width:
        raise ValueError(f"the lines of a board of {height}×{width} cells are of different lengths; set lines to 0")
    cells = np.arange(height * width).reshape(height, width)
    lines = np.concatenate([cells, cells.T, cells.diagonal()[None], cells[:, ::-1].diagonal()[None]])
    on_line = np.zeros((len(lines), height * width), np.float32)
    np.put_along_axis(on_line, lines, 1.0, axis=1)
    return torch.from_numpy(on_line)


class ActorCritic(nn.Module):
    """The networks of PPO as one module of torch, without the wrapping of Stable-Baselines3: features of planes, of which the actor
    makes logits, and the critic values."""

    def __init__(self, features: nn.Module, actor: nn.Module, critic: nn.Module) -> None:
        super().__init__()
        self.features, self.actor, self.critic = features, actor, critic

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Planes (B, C, H, W) to logits (B, A) and values (B,)."""
        seen = self.features(planes)
        return self.actor(seen), self.critic(seen).squeeze(1)

    def scores(self, planes: Tensor) -> Tensor:
        """Planes (B, C, H, W) to logits (B, A) alone."""
        return self.actor(self.features(planes))


@dataclass(frozen=True)
class Scorer:
    """A network on the CPU as policies use it: without gradients, on one thread. Where it gives more than a score of every
    action, it has `scores`."""

    network: nn.Module

    def __call__(self, observations: NDArray[np.int8], masks: NDArray[np.int8] | None = None) -> NDArray[np.float32]:
        """Scores (B, A) of observations, the same for illegal actions as for legal ones."""
        scores: Any = getattr(self.network, "scores", self.network)
        with torch_threads(1), torch.no_grad():
            return scores(torch.from_numpy(observations).float()).numpy()
