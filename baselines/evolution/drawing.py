"""A network as a drawing: inputs at the left, as they lie on the board, outputs at the right, links in the colour of their sign."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...games.drawing.svg import FAINT, FIRST, INK, PAPER, SECOND, Pen
from ...games.game import Game
from .kernels import ACTIVATIONS, NetworkArrays
from .networks import lines_of

MAX_LINKS = 1200
"""The number of links that are drawn, the strongest: more would be unreadable, and a large file."""
CELL, COLUMN, ROW, MARGIN = 18, 150, 26, 40
Point = tuple[float, float]


def draw_network(game: Game, network: NetworkArrays, sight: str, answer: str, title: str) -> bytes:
    """One network as SVG, of 200 kB at most, under a title; sight and answer are of SIGHTS and ANSWERS."""
    inputs = _inputs(game, network.inputs, sight)
    depths = depths_of(network)
    columns = [np.flatnonzero(depths == depth) for depth in range(1, int(depths.max(initial=0)) + 1)]
    tallest = max([*map(len, columns), 1]) * ROW
    height = max(tallest, max(y for _, y in inputs) - MARGIN) + 3 * MARGIN
    left = max(x for x, _ in inputs)
    points: list[Point] = [*inputs, *[(0.0, 0.0)] * len(network.biases)]
    for column, nodes in enumerate(columns):
        for row, node in enumerate(nodes.tolist()):
            y = 1.5 * MARGIN + (height - 2.5 * MARGIN) * (row + 0.5) / len(nodes)
            points[network.inputs + node] = (left + COLUMN * (column + 1), y)
    width = left + COLUMN * len(columns) + 3 * MARGIN
    pen = Pen(round(width), round(height))
    heading = f"{title}: {len(network.biases)} nodes, {len(network.weights)} links; blue lifts, red lowers"
    pen.text(12, 20, heading, 10, anchor="start")
    _draw_links(pen, network, points)
    _draw_nodes(pen, game, network, points, answer)
    if sight == "lines":
        for (x, y), name in zip(inputs, _line_names(game), strict=True):
            pen.text(round(x - 10), round(y + 3), name, 9, anchor="end")
    return pen.finish().encode()


def depths_of(network: NetworkArrays) -> NDArray[np.int64]:
    """For each node, the number of links on the longest path to it from an input; outputs are deepest of all (M,)."""
    depths = np.zeros(network.inputs + len(network.biases), np.int64)
    for node in range(len(network.biases)):
        sources = network.sources[network.links[node] : network.links[node + 1]]
        depths[network.inputs + node] = 1 + depths[sources].max(initial=0)
    depths[network.outputs] = depths.max()
    return depths[network.inputs :]


def _inputs(game: Game, count: int, sight: str) -> list[Point]:
    """The points of the inputs: as on the board, one board for each plane; in a column, for lines."""
    if sight == "lines":
        return [(3.5 * MARGIN, 1.5 * MARGIN + CELL * (k + k // 2 * 0.4)) for k in range(2 * len(lines_of(game)))]
    height, width = game.board
    planes, rows, columns = np.unravel_index(np.arange(count), (game.shape[0], height, width))
    return [*zip((MARGIN + CELL * columns).tolist(), (1.5 * MARGIN + CELL * (rows + planes * (height + 1))).tolist(), strict=True)]


def _line_names(game: Game) -> list[str]:
    """The labels of inputs that see lines."""
    height, width = game.board
    names = [*(f"row {row + 1}" for row in range(height)), *(f"column {chr(97 + column)}" for column in range(width))]
    names += ["falling diagonal", "rising diagonal"][: len(lines_of(game)) - len(names)]
    return [f"{name}, {whose}" for name in names for whose in ("own", "other")]


def _draw_links(pen: Pen, network: NetworkArrays, points: list[Point]) -> None:
    """Draws the strongest links, the strongest last, so that they lie on top."""
    targets = network.inputs + np.repeat(np.arange(len(network.biases)), np.diff(network.links))
    strength = np.abs(network.weights)
    greatest = float(strength.max(initial=1e-9))
    for link in np.argsort(strength, kind="stable")[-MAX_LINKS:].tolist():
        share = float(strength[link]) / greatest
        colour = SECOND if network.weights[link] > 0 else FIRST
        (x, y), (to_x, to_y) = points[network.sources[link]], points[targets[link]]
        look = {"opacity": round(0.15 + 0.75 * share, 2)}
        pen.line(round(x), round(y), round(to_x), round(to_y), colour, round(0.3 + 2.7 * share, 1), **look)


def _draw_nodes(pen: Pen, game: Game, network: NetworkArrays, points: list[Point], answer: str) -> None:
    used = set(network.sources.tolist())
    for slot in range(network.inputs):
        x, y = points[slot]
        pen.rectangle(round(x - 4), round(y - 4), 8, 8, INK if slot in used else FAINT)
    outputs = {slot: k for k, slot in enumerate(network.outputs.tolist())}
    for node, kind in enumerate(network.kinds.tolist()):
        slot, label = network.inputs + node, ACTIVATIONS[kind]
        if slot in outputs:
            label = game.moves[outputs[slot]] if answer == "actions" else f"worth ({label})"
        x, y = map(round, points[slot])
        pen.circle(x, y, 6, PAPER, stroke=INK, stroke_width=1.5)
        pen.text(x + 10, y + 3, label, 9, anchor="start")
