"""What the tests of searches share: positions, evaluations that follow from a state in some fixed way, values by brute force."""

import numpy as np

from ...naive.search import solved
from .. import values
from ..games import positions


def states_of(game, count, seed=0):
    """Unfinished positions from all over the game."""
    return positions(game, count * 7, seed)[::7]


def same(found, other):
    """Whether two searches found the same."""
    return values.same(found._asdict(), other._asdict())


def assessment(game, state):
    """Priors and a value that follow from a state in some fixed way; in 64ths, so that sums are exact."""
    random = np.random.default_rng([int(word) for word in state])
    return random.integers(1, 64, game.num_actions) / 64, random.integers(-64, 65) / 64


def assessments(game):
    def evaluate(leaves):
        found = [assessment(game, leaf) for leaf in leaves]
        return np.array([priors for priors, _ in found]), np.array([value for _, value in found])

    return evaluate


def counts(root, game):
    visits = np.zeros(game.num_actions, np.int64)
    for action, child in root.children.items():
        visits[action] = child.visits
    return visits.tolist()


def uniform(game):
    return lambda leaves: (np.ones((len(leaves), game.num_actions)), np.zeros(len(leaves)))


def endings(game, count, empty, seed=0):
    """Different unfinished positions with at most this number of empty cells (in Nim, with any heaps)."""
    found, wanted = {}, 16 if game.name == "quarto" else 99
    while len(found) < count:
        for state in positions(game, 600, seed):
            if game.name == "nim" or game.text(state)[:wanted].count("-") <= empty:
                found[state.tobytes()] = state
        seed += 1
    return np.array(list(found.values())[:count])


def value_after(game, state, action, known):
    """What an action is worth with perfect play, for the player who takes it."""
    after = game.play(state, action)
    return solved(game, after, known) * (1 if game.player(after) == game.player(state) else -1)


def wins(game, state):
    """The actions that win at once."""
    actions = game.legal_actions(state)
    after = game.plays(np.repeat(state[None], len(actions), axis=0), actions)
    return [a for a, result in zip(actions, game.outcomes(after), strict=True) if result == 1 - 2 * game.player(state)]


def with_wins(game, count):
    """Positions where some action, but not every, wins at once, some of each player."""
    found = {0: [], 1: []}
    for seed in range(100):
        for state in positions(game, 300, seed):
            if len(found[game.player(state)]) < count and 0 < len(wins(game, state)) < len(game.legal_actions(state)):
                found[game.player(state)].append(state)
        if min(map(len, found.values())) == count:
            break
    assert min(map(len, found.values())) > 2
    return np.array(found[0] + found[1])
