"""Evolved networks in compiled code: their activation, and the action that they choose in a position of any game.

A network sees inputs and computes nodes, one after the other; each takes up a *slot*, inputs first. A node's value is

    activation(bias + response · Σ weight · value of the link's source)

Several positions go through a network side by side, in LANES, so that the processor multiplies them at once.
"""

from __future__ import annotations

from math import exp, sin, tanh
from typing import Annotated, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...core.native import in_ranges
from ...games.kernels.arrays import Masks, Numbers, PlanesOfBoards, States
from ...games.kernels.bits import ONE, lowest, number, u64
from ...games.kernels.rules import ONGOING, Planes, State, legal, load, observe, outcome, play, player

Places: TypeAlias = Annotated[NDArray[np.int32], 1]
Kinds: TypeAlias = Annotated[NDArray[np.int8], 1]
Reals: TypeAlias = Annotated[NDArray[np.float64], 1]
Table: TypeAlias = Annotated[NDArray[np.float64], 2]
Lanes: TypeAlias = Annotated[NDArray[np.float64], 2]
"""The values of a network's slots for several positions, and a row for the actions that led there (slots + 1, LANES)."""
Lines: TypeAlias = Annotated[NDArray[np.int64], 2]
"""The cells of lines, -1 after the last (L, n)."""
LanesOfParts: TypeAlias = Annotated[NDArray[np.float64], 3]

LANES = 8
"""Positions that go through a network at once: eight doubles are one register of AVX-512, and two of AVX2."""
PART = 512
"""Rows that share scratch memory: threads share batches in parts of no fewer (native/threads.py)."""
ACTIVATIONS = ("identity", "relu", "tanh", "sigmoid", "gauss", "sin", "abs", "clamped")
"""By number, each as neat-python computes it."""
IDENTITY, RELU, TANH, SIGMOID, GAUSS, SIN, ABS, CLAMPED = range(8)
PLANES, BALANCE, LINES = range(3)
ACTIONS, AFTERSTATES = range(2)
NEVER, WON = -1e300, 1e300
"""Below any output of a network, and above: a result counts more than what a network thinks of a position."""


class NetworkArrays(NamedTuple):
    """Feed-forward networks with equally many inputs and outputs, one after the other.

    Args:
        inputs, width: the number of inputs and of outputs of each.
        nodes: where each network's nodes start, in the order in which they are computed, and where the last one's stop (N + 1,).
        links: likewise, where each node's links start (M + 1,).
        sources: the slot that each link reads: that of an input, or that of an earlier node of the same network (L,).
        weights: the weight of each link (L,).
        biases, responses: of each node (M,).
        kinds: the activation of each node, by its number in ACTIVATIONS (M,).
        outputs: the slots that are outputs (N · width,).
    """

    inputs: int
    width: int
    nodes: Numbers
    links: Numbers
    sources: Places
    weights: Reals
    biases: Reals
    responses: Reals
    kinds: Kinds
    outputs: Numbers


class Interface(NamedTuple):
    """What networks see (SIGHTS), the lines of the board, what outputs mean (ANSWERS), and the words of a set of actions."""

    sight: int
    lines: Lines
    answer: int
    action_words: int


def activation(kind: int, z: float) -> float:
    """The value of a node with the sum z, as neat-python defines it."""
    if kind == IDENTITY:
        return z
    if kind == RELU:
        return max(z, 0.0)
    if kind == TANH:
        return tanh(max(-60.0, min(60.0, 2.5 * z)))
    if kind == SIGMOID:
        return 1.0 / (1.0 + exp(-max(-60.0, min(60.0, 5.0 * z))))
    if kind == GAUSS:
        z = max(-3.4, min(3.4, z))
        return exp(-5.0 * z * z)
    if kind == SIN:
        return sin(max(-60.0, min(60.0, 5.0 * z)))
    if kind == ABS:
        return abs(z)
    return max(-1.0, min(1.0, z))


def activate(net: NetworkArrays, which: int, used: int, values: Lanes) -> None:
    """Computes the nodes of a network for what stands in the slots of its inputs, in the first `used` lanes."""
    first = net.nodes[which]
    for node in range(first, net.nodes[which + 1]):
        a = b = c = d = e = f = g = h = 0.0
        for link in range(net.links[node], net.links[node + 1]):
            source, weight = u64(net.sources[link]), net.weights[link]
            a += weight * values[source, 0]
            b += weight * values[source, 1]
            c += weight * values[source, 2]
            d += weight * values[source, 3]
            e += weight * values[source, 4]
            f += weight * values[source, 5]
            g += weight * values[source, 6]
            h += weight * values[source, 7]
        slot = u64(net.inputs + node - first)
        values[slot, 0], values[slot, 1], values[slot, 2], values[slot, 3] = a, b, c, d
        values[slot, 4], values[slot, 5], values[slot, 6], values[slot, 7] = e, f, g, h
        bias, response, kind = net.biases[node], net.responses[node], net.kinds[node]
        for lane in range(used):
            values[slot, lane] = activation(kind, bias + response * values[slot, lane])


def see(state: State, seat: int, interface: Interface, lane: int, planes: Planes, values: Lanes) -> None:
    """Writes what a seat sees into a lane of the inputs (see SIGHTS)."""
    observe(state, seat, planes)
    cells = planes.shape[1]
    if interface.sight == BALANCE:
        for cell in range(cells):
            values[cell, lane] = float(planes[0, cell]) - float(planes[1, cell])
    elif interface.sight == LINES:
        for line in range(interface.lines.shape[0]):
            see_line(line, interface.lines, lane, planes, values)
    else:
        for plane in range(planes.shape[0]):
            for cell in range(cells):
                values[plane * cells + cell, lane] = float(planes[plane, cell])


def see_line(line: int, lines: Lines, lane: int, planes: Planes, values: Lanes) -> None:
    """Writes the square of each player's share of a line; 0 where the other player has a piece there, too."""
    own = other = size = 0
    for k in range(lines.shape[1]):
        if lines[line, k] >= 0:
            own += planes[0, lines[line, k]]
            other += planes[1, lines[line, k]]
            size += 1
    values[2 * line, lane] = float(own * own) / float(size * size) if other == 0 else 0.0
    values[2 * line + 1, lane] = float(other * other) / float(size * size) if own == 0 else 0.0


@in_ranges
def outputs_of(
    lo: np.uint64, hi: np.uint64, which: Numbers, given: Table, net: NetworkArrays, room: LanesOfParts, outputs: Table
) -> None:
    """The outputs of networks for inputs (N, I), row by row."""
    values = room[number(lo) // PART]
    row, end = number(lo), number(hi)
    while row < end:
        used = 0
        while used < LANES and row + used < end and which[row + used] == which[row]:
            for i in range(net.inputs):
                values[i, used] = given[row + used, i]
            used += 1
        activate(net, which[row], used, values)
        for lane in range(used):
            for k in range(net.width):
                outputs[row + lane, k] = values[net.outputs[which[row] * net.width + k], lane]
        row += used


@in_ranges
def choose(
    lo: np.uint64, hi: np.uint64, states: States, which: Numbers, interface: Interface, net: NetworkArrays, planes: PlanesOfBoards,
    room: LanesOfParts, actions: Numbers,
) -> None:  # fmt: skip
    """The legal action that each row's network prefers; the lowest of equals."""
    part, row, end = number(lo) // PART, number(lo), number(hi)
    while row < end:
        if interface.answer == AFTERSTATES:
            actions[row] = best_after(load(states[row]), net, which[row], interface, planes[part], room[part])
            row += 1
            continue
        used = 0
        while used < LANES and row + used < end and which[row + used] == which[row]:
            state = load(states[row + used])
            see(state, player(state), interface, used, planes[part], room[part])
            used += 1
        activate(net, which[row], used, room[part])
        for lane in range(used):
            actions[row + lane] = best_output(load(states[row + lane]), net, which[row], lane, interface.action_words, room[part])
        row += used


def best_output(state: State, net: NetworkArrays, which: int, lane: int, action_words: int, values: Lanes) -> int:
    """The legal action with the highest output."""
    chosen, most = -1, NEVER
    for word in range(action_words):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            worth = values[net.outputs[which * net.width + action], lane]
            if chosen < 0 or worth > most:
                chosen, most = action, worth
    return chosen


def best_after(state: State, net: NetworkArrays, which: int, interface: Interface, planes: Masks, values: Lanes) -> int:
    """The legal action after which the network's output is highest; the result decides about finished games.

    The last row of `values` holds the action of each lane.
    """
    mover, note, output = player(state), values.shape[0] - 1, net.outputs[which]
    chosen, most, used = -1, NEVER, 0
    for word in range(interface.action_words):
        bits = legal(state, word)
        while bits != u64(0):
            action = 64 * word + lowest(bits)
            bits &= bits - ONE
            after = play(state, action)
            result = outcome(after)
            if result == ONGOING:
                see(after, mover, interface, used, planes, values)
                values[note, used] = float(action)
                used += 1
                if used == LANES:
                    activate(net, which, used, values)
                    chosen, most = best_lane(values, used, output, chosen, most)
                    used = 0
            elif chosen < 0 or WON * float((1 - 2 * mover) * result) > most:
                chosen, most = action, WON * float((1 - 2 * mover) * result)
    if used > 0:
        activate(net, which, used, values)
        chosen, most = best_lane(values, used, output, chosen, most)
    return chosen


def best_lane(values: Lanes, used: int, output: int, chosen: int, most: float) -> tuple[int, float]:
    """The best of the lanes in use and of what was best before."""
    for lane in range(used):
        if chosen < 0 or values[output, lane] > most:
            chosen, most = number(values[values.shape[0] - 1, lane]), values[output, lane]
    return chosen, most
