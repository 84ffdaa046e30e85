"""Quarto for the tests of its oracle: variants, actions, positions after each action, and an oracle without its book."""

import numpy as np
import pytest

import ludus
from ludus.oracles.quarto.book import QuartoBook

VARIANTS = ["quarto", "quarto:squares=true"]
every_variant = pytest.mark.parametrize("game", [ludus.make_game(spec) for spec in VARIANTS], ids=VARIANTS)
PLAIN = ludus.make_game("quarto")
PLACES, GIVES = range(16), range(16, 32)


def without_book(oracle):
    """The oracle, as if it had no book."""
    oracle.__dict__["book"] = QuartoBook(oracle.game, -1)
    return oracle


def after_each(game, states, actions):
    """All positions after one of some actions, whether a game is over or not."""
    return np.concatenate([game.plays(able := states[~taken(states, a)], np.full(len(able), a)) for a in actions])


def taken(states, bit):
    return (states[:, 1] >> np.uint64(bit) & np.uint64(1)).astype(bool)
