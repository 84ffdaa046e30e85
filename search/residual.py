"""A small residual network as a kernel: from planes to the logits of actions and a value, without torch.

It is the network of baselines/alphazero/networks/residual.py with flat heads, its batch norm folded into the convolutions (He et
al., CVPR 2016; Silver et al., Nature 550, 2017). Each layer is a matrix: a row for each output, which begins with its bias. The
rows of all layers stand one after another, in the order in which they are used:

    stem · for each block: first, second, and with lines what mixes them · policy, its logits · value, hidden, its number

Boards have a border of zeros, so that a convolution is nine sums of shifted boards. A row has one border cell, at its left, which
is the right border of the row above:

    0 . . .          first      the first cell of the board
    0 a b c          row        W + 1, the cells of a row
    0 d e f
    0 . . . 0
"""

from __future__ import annotations

from math import tanh
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..core.native import apart
from ..games.kernels.arrays import Masks, Rewards

POLICY_CHANNELS, VALUE_CHANNELS, HIDDEN = 4, 2, 64
DIRECTIONS = 4
"""Rows, columns, and both diagonals."""
Boards: TypeAlias = Annotated[NDArray[np.float64], 2]
"""Boards with their borders, a row each."""


class ResidualLayers(NamedTuple):
    """A network.

    Args:
        weights: the rows of all layers.
        channels: of each convolution.
        blocks: how many there are.
        lines: 1 if blocks see the averages of lines, else 0.
    """

    weights: Rewards
    channels: int
    blocks: int
    lines: int


class ResidualScratch(NamedTuple):
    """What a network writes on the way.

    Args:
        inputs: the planes.
        trunk, seen, change: what is between convolutions (channels, cells with borders).
        averages: of lines (4 · channels, cells with borders); nothing where there are no lines.
        row: room for each cell in a head, for HIDDEN numbers, and for the lines of a direction.
    """

    inputs: Boards
    trunk: Boards
    seen: Boards
    change: Boards
    averages: Boards
    row: Rewards


def evaluate_network(
    planes: Masks, height: int, width: int, layers: ResidualLayers, scratch: ResidualScratch, logits: Rewards, value: Rewards
) -> None:
    """Writes the logits of all actions (A,), and the value for the player whose planes these are (1,), from -1 to 1."""
    lay_out_planes(planes, height, width, scratch.inputs)
    channels, trunk, seen, change = layers.channels, scratch.trunk, scratch.seen, scratch.change
    at = convolve(scratch.inputs, trunk, height, width, layers.weights, 0)
    rectify(trunk, height, width)
    for _ in range(layers.blocks):
        at = convolve(trunk, seen, height, width, layers.weights, at)
        rectify(seen, height, width)
        at = convolve(seen, change, height, width, layers.weights, at)
        if layers.lines != 0:
            average_lines(seen, scratch.averages, height, width, scratch.row)
            at = mix(scratch.averages, change, layers.weights, at)
        for channel in range(channels):
            for cell in range(trunk.shape[1]):
                trunk[channel, cell] += change[channel, cell]
        rectify(trunk, height, width)
    at = see_flat(trunk, POLICY_CHANNELS, height, width, layers.weights, at, scratch.row)
    at = multiply(scratch.row, POLICY_CHANNELS * height * width, logits, logits.shape[0], layers.weights, at)
    at = see_flat(trunk, VALUE_CHANNELS, height, width, layers.weights, at, scratch.row)
    hidden = scratch.row[VALUE_CHANNELS * height * width :]
    at = multiply(scratch.row, VALUE_CHANNELS * height * width, hidden, HIDDEN, layers.weights, at)
    for number in range(HIDDEN):
        hidden[number] = max(hidden[number], 0.0)
    multiply(hidden, HIDDEN, value, 1, layers.weights, at)
    value[0] = tanh(value[0])


def new_scratch(shape: tuple[int, int, int], layers: ResidualLayers) -> ResidualScratch:
    """What a network on boards of a shape (C, H, W) writes on the way; all zeros, as borders must be."""
    planes, height, width = shape
    cells, channels = cells_with_border(height, width), layers.channels
    trunk, seen, change = (np.zeros((channels, cells)) for _ in range(3))
    averages = np.zeros((DIRECTIONS * channels * layers.lines, cells))
    row = np.zeros(max(POLICY_CHANNELS * height * width + HIDDEN, 4 * (height + width)))
    return ResidualScratch(np.zeros((planes, cells)), trunk, seen, change, averages, row)


def cells_with_border(height: int, width: int) -> int:
    """The cells of a board with its border."""
    return (height + 2) * (width + 1) + 1


def first_cell(width: int) -> int:
    """Where the first cell of a board stands."""
    return width + 2


def lay_out_planes(planes: Masks, height: int, width: int, boards: Boards) -> None:
    """Writes planes (C, H·W) as boards with borders."""
    for plane in range(planes.shape[0]):
        boards[plane] = 0.0
        for row in range(height):
            for column in range(width):
                boards[plane, first_cell(width) + row * (width + 1) + column] = float(planes[plane, row * width + column])


@apart
def convolve(inputs: Boards, outputs: Boards, height: int, width: int, weights: Rewards, at: int) -> int:
    """A 3×3 convolution with the rows of weights from `at` on; returns where the next layer begins. Borders are not cleared."""
    row = width + 1
    first = first_cell(width)
    stop = first + height * row - 1
    for output in range(outputs.shape[0]):
        sums = outputs[output]
        bias = weights[at]
        for cell in range(first, stop):
            sums[cell] = bias
        at += 1
        for channel in range(inputs.shape[0]):
            seen = inputs[channel]
            a, b, c = weights[at], weights[at + 1], weights[at + 2]
            d, e, f = weights[at + 3], weights[at + 4], weights[at + 5]
            g, h, i = weights[at + 6], weights[at + 7], weights[at + 8]
            at += 9
            for cell in range(first, stop):
                above, below = cell - row, cell + row
                upper = a * seen[above - 1] + b * seen[above] + c * seen[above + 1]
                middle = d * seen[cell - 1] + e * seen[cell] + f * seen[cell + 1]
                lower = g * seen[below - 1] + h * seen[below] + i * seen[below + 1]
                sums[cell] += upper + middle + lower
    return at


def rectify(boards: Boards, height: int, width: int) -> None:
    """Replaces what is below 0 by 0, and clears the borders."""
    first, row = first_cell(width), width + 1
    for channel in range(boards.shape[0]):
        cells = boards[channel]
        for cell in range(first, first + height * row - 1):
            cells[cell] = max(cells[cell], 0.0)
        for border in range(first):
            cells[border] = 0.0
        for line in range(height):
            cells[first + line * row + width] = 0.0
        for border in range(first + height * row - 1, cells.shape[0]):
            cells[border] = 0.0


def average_lines(seen: Boards, averages: Boards, height: int, width: int, sums: Rewards) -> None:
    """Writes the averages of the row, the column and both diagonals through each cell, direction by direction."""
    for channel in range(seen.shape[0]):
        for direction in range(DIRECTIONS):
            lines = height + width
            for line in range(2 * lines):
                sums[line] = 0.0
            for row in range(height):
                for column in range(width):
                    line = line_through(row, column, direction, width)
                    sums[line] += seen[channel, first_cell(width) + row * (width + 1) + column]
                    sums[lines + line] += 1.0
            for row in range(height):
                for column in range(width):
                    line = line_through(row, column, direction, width)
                    cell = first_cell(width) + row * (width + 1) + column
                    averages[channel * DIRECTIONS + direction, cell] = sums[line] / sums[lines + line]


def line_through(row: int, column: int, direction: int, width: int) -> int:
    """The number of the line through a cell."""
    if direction == 0:
        return row
    if direction == 1:
        return column
    return row - column + width if direction == 2 else row + column


@apart
def mix(inputs: Boards, outputs: Boards, weights: Rewards, at: int) -> int:
    """Adds a 1×1 convolution; returns where the next layer begins."""
    for output in range(outputs.shape[0]):
        sums = outputs[output]
        for cell in range(sums.shape[0]):
            sums[cell] += weights[at]
        at += 1
        for channel in range(inputs.shape[0]):
            seen, weight = inputs[channel], weights[at]
            at += 1
            for cell in range(sums.shape[0]):
                sums[cell] += weight * seen[cell]
    return at


def see_flat(inputs: Boards, outputs: int, height: int, width: int, weights: Rewards, at: int, row: Rewards) -> int:
    """A 1×1 convolution, rectified, as one row of cells without borders; returns where the next layer begins."""
    for output in range(outputs):
        for line in range(height):
            for column in range(width):
                total = weights[at]
                for channel in range(inputs.shape[0]):
                    total += weights[at + 1 + channel] * inputs[channel, first_cell(width) + line * (width + 1) + column]
                row[(output * height + line) * width + column] = max(total, 0.0)
        at += 1 + inputs.shape[0]
    return at


def multiply(inputs: Rewards, size: int, outputs: Rewards, count: int, weights: Rewards, at: int) -> int:
    """A linear layer from the first `size` numbers to `count` numbers; returns where the next layer begins."""
    for output in range(count):
        total = weights[at]
        for number in range(size):
            total += weights[at + 1 + number] * inputs[number]
        outputs[output] = total
        at += 1 + size
    return at
