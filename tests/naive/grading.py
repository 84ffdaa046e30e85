"""What an exact grade says: by recursion in fractions where a game cannot go round in circles, by brute force where it can.

A policy is a function from a state to {action: probability}, the probabilities being fractions.
"""

from fractions import Fraction
from itertools import product

import numpy as np

from ludus.envs import Game

from .search import solved, solved_after


def uniform(game: Game):
    """The policy that takes every legal action equally often."""
    return lambda state: {action: Fraction(1, len(game.legal_actions(state))) for action in game.legal_actions(state)}


def best_only(game: Game, values: dict):
    """The policy that takes every action equally often that keeps the value."""

    def choose(state):
        keeping = [action for action in game.legal_actions(state) if kept(game, state, action, values)]
        return {action: Fraction(1, len(keeping)) for action in keeping}

    return choose


def kept(game: Game, state, action: int, values: dict) -> bool:
    return drop(game, state, action, values) == 0


def drop(game: Game, state, action: int, values: dict) -> int:
    """The value lost by an action."""
    return solved(game, state, values) - solved_after(game, state, action, values)


class Naive:
    """A policy in a seat."""

    def __init__(self, game: Game, policy, seat: int) -> None:
        self.game, self.policy, self.seat = game, policy, seat
        self.values: dict = {}

    def expected(self, opponent) -> tuple[Fraction, ...]:
        """Win, draw, loss; moves, optimal moves and value lost of the policy in a game; against an opponent's policy."""
        known: dict = {}

        def of(state) -> tuple[Fraction, ...]:
            key = state.tobytes()
            if key not in known:
                known[key] = self._step(state, opponent, of)
            return known[key]

        return of(self.game.start)

    def _step(self, state, opponent, of) -> tuple[Fraction, ...]:
        outcome = self.game.outcome(state)
        if outcome is not None:
            return (*(Fraction(outcome[self.seat] == result) for result in (1, 0, -1)), Fraction(0), Fraction(0), Fraction(0))
        mine = self.game.player(state) == self.seat
        total = [Fraction(0)] * 6
        for action, chance in (self.policy if mine else opponent)(state).items():
            further = list(of(self.game.play(state, action)))
            if mine:
                lost = drop(self.game, state, action, self.values)
                further[3] += 1
                further[4] += lost == 0
                further[5] += lost
            total = [a + chance * b for a, b in zip(total, further, strict=True)]
        return tuple(total)

    def response(self, worth=(1, 0, -1)) -> Fraction:
        """What the best answer to the policy brings the opponent, who makes so much of a win, a draw and a loss."""
        known: dict = {}

        def of(state):
            key = state.tobytes()
            if key not in known:
                outcome = self.game.outcome(state)
                if outcome is not None:
                    known[key] = Fraction(worth[1 + outcome[self.seat]])
                elif self.game.player(state) == self.seat:
                    known[key] = sum(chance * of(self.game.play(state, action)) for action, chance in self.policy(state).items())
                else:
                    known[key] = max(of(self.game.play(state, action)) for action in self.game.legal_actions(state))
            return known[key]

        return of(self.game.start)

    def shortest_loss(self) -> int | None:
        """The plies of the shortest game that the policy loses."""
        layer, seen, plies = [self.game.start], set(), 0
        while layer:
            further = []
            for state in layer:
                outcome = self.game.outcome(state)
                if outcome is not None and outcome[self.seat] == -1:
                    return plies
                if outcome is None and state.tobytes() not in seen:
                    seen.add(state.tobytes())
                    mine = self.game.player(state) == self.seat
                    actions = self.policy(state) if mine else self.game.legal_actions(state)
                    further += [self.game.play(state, action) for action in actions]
            layer, plies = further, plies + 1
        return None

    def positions(self) -> tuple[int, int]:
        """In how many positions the policy may have to move, and in how many of those all its actions keep the value."""
        seen: dict = {}
        waiting = [self.game.start]
        while waiting:
            state = waiting.pop()
            if state.tobytes() in seen or self.game.outcome(state) is not None:
                continue
            mine = self.game.player(state) == self.seat
            actions = self.policy(state) if mine else self.game.legal_actions(state)
            seen[state.tobytes()] = mine and all(kept(self.game, state, action, self.values) for action in actions), mine
            waiting += [self.game.play(state, action) for action in actions]
        return sum(mine for _, mine in seen.values()), sum(fine for fine, _ in seen.values())


def chain(moves: list[dict[int, float]], results: dict[int, int]) -> float:
    """The expected result of a walk from position 0 that may go round in circles; one that never ends brings 0.

    Args:
        moves: for each position, how likely each next one is.
        results: of the positions where it ends.
    """
    ending = set(results)
    while more := {i for i, to in enumerate(moves) if i not in ending and any(p > 0 and j in ending for j, p in to.items())}:
        ending |= more
    inner = [i for i in range(len(moves)) if i in ending and i not in results]
    if 0 not in ending or 0 in results:
        return float(results.get(0, 0))
    place = {i: k for k, i in enumerate(inner)}
    matrix, brings = np.eye(len(inner)), np.zeros(len(inner))
    for i in inner:
        for j, chance in moves[i].items():
            if j in results:
                brings[place[i]] += chance * results[j]
            elif j in place:
                matrix[place[i], place[j]] -= chance
    return float(np.linalg.solve(matrix, brings)[place[0]])


def best_chain(moves: list[dict[int, float]], results: dict[int, int], his: list[int]) -> float:
    """The best that somebody can get who chooses a move in each of his positions, by trying all choices."""
    options = [[*moves[i]] for i in his]
    return max(
        chain([{chosen[i]: 1.0} if i in chosen else to for i, to in enumerate(moves)], results)
        for choice in product(*options)
        for chosen in [dict(zip(his, choice, strict=True))]
    )
