"""N-tuples the slow way: a pattern is the set of its cells with what lies there, and all that symmetries make of it are one."""

import math

import numpy as np

from ludus.games.kernels.keys import derive

EXPLORE, ACTION = 0, 1
OPENING, SPARRING = 1 << 40, 1 << 41


class Tables:
    """Weights of patterns, in a dictionary, and learning from games against oneself.

    `by_mover` says that the observations tell the seats apart: a pattern then has a weight for each player to move.
    """

    def __init__(self, game, shapes, stages=1, by_mover=False):
        self.game, self.stages, self.by_mover = game, stages, by_mover
        self.places = sorted({place for shape in shapes for place in places(game, shape)})
        self.turns = game.symmetries.cells.tolist()
        self.weights, self.errors, self.sizes = {}, {}, {}
        self._derive = game.kernel(derive)

    def patterns(self, state):
        """The weights that a position's value is the sum of, each named by its pattern."""
        marks, mover = self.game.text(state).split()
        stage = sum(mark != "-" for mark in marks) * self.stages // (len(marks) + 1)
        table = stage, mover if self.by_mover else "either"
        return [(table, self.least([(cell, {"-": 0, mover: 1}.get(marks[cell], 2)) for cell in place])) for place in self.places]

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

    def best(self, state, key, worth=None):
        """The action worth most to who takes it, one of equals at random, and its worth."""
        most, chosen, equals = -math.inf, None, 0
        for action in self.game.legal_actions(state):
            value = (worth or self.after)(state, action)
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

    def evaluated(self, state, action):
        """What the classic evaluation says of the position after an action, to who takes it."""
        mover, child = self.game.player(state), self.game.play(state, action)
        if (outcome := self.game.outcome(child)) is not None:
            return outcome[mover] * 10**8
        with np.errstate(over="ignore"):
            value = int(self.game.evaluation.evaluate(tuple(child), self.game.evaluation.numbers))
        return value if self.game.player(child) == mover else -value

    def chance(self, key, index):
        return (self.derive(key, index) >> 11) * 2.0**-53

    # ---- learning

    def learn(self, seed, number, rate, settings):
        """Plays one game, and learns from it."""
        key, state, trail, trace = self.derive(seed, number), self.game.start, [], settings.trace
        opening = self.below(self.derive(key, OPENING), settings.opening + 1)
        sparring = number % 2 if self.chance(key, SPARRING) < settings.sparring else None
        while self.game.outcome(state) is None and len(trail) < settings.longest:
            ply_key = self.derive(key, len(trail))
            action, most = self.best(state, ply_key)
            explored = len(trail) < opening or self.chance(ply_key, EXPLORE) < settings.exploration
            if explored:
                action = self.any_legal(state, self.derive(ply_key, ACTION))
            elif self.game.player(state) == sparring:
                explored, action = True, self.best(state, ply_key, self.evaluated)[0]
            trail.append((state, most, explored))
            state = self.game.play(state, action)
        results = self.game.outcome(state) or (0, 0)
        later = float(results[0])
        for before, most, explored in reversed(trail):
            sign = 1 - 2 * self.game.player(before)
            target = most if explored else (1 - trace) * most + trace * sign * later
            error = target - self.value(before)
            for pattern in self.patterns(before):
                self.move(pattern, error, rate / len(self.places), settings.coherence)
            later = sign * target

    def move(self, pattern, error, rate, coherence):
        """Moves a weight; with coherence by the share of its errors that did not cancel out."""
        summed, size = self.errors.get(pattern, 0.0), self.sizes.get(pattern, 0.0)
        share = abs(summed) / size if coherence and size else 1.0
        self.errors[pattern], self.sizes[pattern] = float(np.float32(summed + error)), float(np.float32(size + abs(error)))
        self.weights[pattern] = float(np.float32(self.weights.get(pattern, 0.0) + rate * share * error))


def places(game, shape):
    """All sets of cells of a shape on the board, each as a sorted tuple; of named cells, what the symmetries make of them."""
    height, width = game.board
    if "x" not in shape and len(shape) > 3:
        cells = [(int(shape[i + 1]) - 1) * width + "abcdefgh".index(shape[i]) for i in range(0, len(shape), 2)]
        return {tuple(sorted(turn[cell] for cell in cells)) for turn in game.symmetries.cells.tolist()}
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
