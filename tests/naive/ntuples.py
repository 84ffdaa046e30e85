"""N-tuples the slow way: a pattern is the set of its cells with what lies there, and all that symmetries make of it are one."""

import math

import numpy as np

from ludus.envs.kernels.keys import derive

EXPLORE, ACTION = 0, 1


class Tables:
    """Weights of patterns, in a dictionary, and learning from games against oneself."""

    def __init__(self, game, shapes):
        self.game = game
        self.places = sorted({place for shape in shapes for place in places(game, shape)})
        self.turns = game.symmetries.cells.tolist()
        self.weights = {}
        self._derive = game.kernel(derive)

    def patterns(self, state):
        """The weights that a position's value is the sum of, each named by its pattern."""
        marks, mover = self.game.text(state).split()
        return [self.least([(cell, {"-": 0, mover: 1}.get(marks[cell], 2)) for cell in place]) for place in self.places]

    def least(self, pattern):
        return min(tuple(sorted((turn[cell], what) for cell, what in pattern)) for turn in self.turns)

    def value(self, state):
        return math.tanh(math.fsum(self.weights.get(pattern, 0.0) for pattern in self.patterns(state)))

    def after(self, state, action):
        """What an action is worth to who takes it."""
        mover, child = self.game.player(state), self.game.play(state, action)
        if (outcome := self.game.outcome(child)) is not None:
            return float(outcome[mover])
        return self.value(child) if self.game.player(child) == mover else -self.value(child)

    # ---- keys

    def derive(self, key, index):
        return self._derive(key, index)

    def below(self, key, bound):
        return ((key >> 32) * bound) >> 32

    def best(self, state, key):
        most, chosen, equals = -2.0, None, 0
        for action in self.game.legal_actions(state):
            value = self.after(state, action)
            if value > most:
                most, chosen, equals = value, action, 1
            elif value == most:
                equals += 1
                if self.below(self.derive(key, ACTION + equals), equals) == 0:
                    chosen = action
        return chosen, most

    def any_legal(self, state, key):
        chosen = None
        for seen, action in enumerate(self.game.legal_actions(state)):
            if self.below(self.derive(key, seen), seen + 1) == 0:
                chosen = action
        return chosen

    # ---- learning

    def learn(self, seed, number, rate, exploration, trace, longest):
        """Plays one game, and learns from it."""
        key, state, trail = self.derive(seed, number), self.game.start, []
        while self.game.outcome(state) is None and len(trail) < longest:
            ply_key = self.derive(key, len(trail))
            action, most = self.best(state, ply_key)
            explored = (self.derive(ply_key, EXPLORE) >> 11) * 2.0**-53 < exploration
            if explored:
                action = self.any_legal(state, self.derive(ply_key, ACTION))
            trail.append((state, most, explored))
            state = self.game.play(state, action)
        results = self.game.outcome(state) or (0, 0)
        later = float(results[0])
        for before, most, explored in reversed(trail):
            sign = 1 - 2 * self.game.player(before)
            target = most if explored else (1 - trace) * most + trace * sign * later
            step = rate * (target - self.value(before)) / len(self.places)
            for pattern in self.patterns(before):
                self.weights[pattern] = float(np.float32(self.weights.get(pattern, 0.0) + step))
            later = sign * target


def places(game, shape):
    """All sets of cells of a shape on the board, each as a sorted tuple."""
    height, width = game.board
    board = [(row, column) for row in range(height) for column in range(width)]
    if shape[0] == "d":
        cells = [(i, i) for i in range(int(shape[1:]))]
    else:
        rows, columns = map(int, shape.split("x"))
        cells = [(row, column) for row in range(rows) for column in range(columns)]
    found = set()
    for turned in (cells, [(c, r) for r, c in cells], [(r, -c) for r, c in cells], [(-c, r) for r, c in cells]):
        for row, column in board:
            place = [(row + r, column + c) for r, c in turned]
            if all(cell in board for cell in place):
                found.add(tuple(sorted(r * width + c for r, c in place)))
    return found
