"""The networks: what they see of a board, and their weights as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
"""What is told of a cell by the lines that it is on."""


class BoardFeatures(BaseFeaturesExtractor):
    """A board's planes as features: as they are, or through 3×3 convolutions that keep its size; and what its lines hold.

    Of a Dict observation it takes the part `observation`, and leaves the mask to whoever chooses among the actions. What makes a
    line in one place makes it in another: so lines are read by the same filters all of them, and cells likewise.

        planes → how much of each plane every row, column and long diagonal holds → two layers of `lines` filters
               → to each cell, what its lines together told, and its own planes → CELL_FILTERS filters
               → and what each of the filters found at most in any line

    Args:
        observation_space: the environments', or of their planes alone (C, H, W).
        convolutions: how many filters each convolution has; none for the planes as they are.
        lines: by how many filters lines are read; 0 for none.

    Raises:
        ValueError: there are to be lines, and the board is no square.
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
        self.register_buffer("on_line", on_lines(height, width) if lines else None, persistent=False)  # goes where the weights go
        if lines:
            self.lines = nn.Sequential(nn.Linear(channels, lines), nn.ReLU(), nn.Linear(lines, lines), nn.ReLU())
            self.cells = nn.Sequential(nn.Linear(lines + channels, CELL_FILTERS), nn.ReLU(), nn.Flatten())

    def forward(self, observations: Tensor | Mapping[str, Tensor]) -> Tensor:
        """Features (B, F) of observations."""
        planes = observations if isinstance(observations, Tensor) else observations["observation"]
        if self.on_line is None:
            return self.layers(planes)
        cells = planes.flatten(2).transpose(1, 2)  # (B, cells, C)
        told = self.lines(self.on_line @ cells)  # (B, lines of the board, filters)
        at_cells = self.cells(torch.cat([self.on_line.T @ told, cells], dim=2))
        return torch.cat([self.layers(planes), at_cells, told.amax(dim=1)], dim=1)


def on_lines(height: int, width: int) -> Tensor:
    """For each row, column and long diagonal of a square board, 1 where it has a cell (2 · W + 2, W · W).

    Raises:
        ValueError: it is no square.
    """
    if height != width:
        raise ValueError(f"the lines of a board of {height}×{width} cells are of different lengths; set lines to 0")
    cells = np.arange(height * width).reshape(height, width)
    lines = np.concatenate([cells, cells.T, cells.diagonal()[None], cells[:, ::-1].diagonal()[None]])
    found = np.zeros((len(lines), height * width), np.float32)
    np.put_along_axis(found, lines, 1.0, axis=1)
    return torch.from_numpy(found)


@dataclass(frozen=True)
class Scorer:
    """A network as policies ask it: without gradients, on one thread, and without what Stable-Baselines3 puts around it.

    Args:
        network: what scores actions, on the CPU.
        scores: how it is asked: from the network and planes (B, C, H, W) to a score of every action (B, A).
    """

    network: nn.Module
    scores: Callable[[Any, Tensor], Tensor]

    def __call__(self, observations: NDArray[np.int8], masks: NDArray[np.int8] | None = None) -> NDArray[np.float32]:
        """Scores (B, A) of observations; what is legal does not matter to it."""
        with torch_threads(1), torch.no_grad():
            return self.scores(self.network, torch.from_numpy(observations).float()).numpy()
