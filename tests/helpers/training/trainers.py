"""Every trainer, in several ways where its state has other arrays there, with settings by which a part takes a moment."""

import numpy as np
import pytest

import ludus

MOOD = {"now": 0}


def moody(states, keys):
    """An opponent that plays otherwise at another time, as one does that thinks by the clock or is read from a file."""
    masks = ludus.make_game("tictactoe").masks(states)
    return (masks * (1 + (np.arange(9) * 5 + MOOD["now"]) % 9)).argmax(axis=1)


MOODY = f"python:{__name__}:moody"
SB3 = {"boards": 16, "layers": (8,), "opponents": ("random", "self"), "draw": "prioritised", "pool": 2, "snapshot_every": 1}
RIVALS = {"population": 8, "games": 2, "peers": 1}
BRED = {"population": 8, "offspring": 8}
TINY = {
    # trainer, and what its state has of its own: the game, settings with which a part takes a moment, and how many parts are done
    "qlearning": ("tictactoe", {"games": 2000, "opponent": MOODY}, 3),
    "qlearning bounded": ("quixo", {"games": 200, "rows": 256, "merge": "mover", "exploring_starts": 0.0}, 3),
    "montecarlo": ("tictactoe", {"games": 2000, "opponent": MOODY}, 3),
    "td_ntuple": ("tictactoe", {"games": 10_000, "shapes": ("1x3",)}, 2),
    "td_ntuple coherence": ("othello:size=4", {"games": 6000, "shapes": ("2x2",), "stages": 2, "coherence": True}, 2),
    "alphazero": ("tictactoe", {"blocks": 1, "channels": 4, "simulations": 4, "boards": 16, "batch": 32}, 4),
    "alphazero endings": ("tictactoe", {"blocks": 1, "channels": 4, "simulations": 4, "boards": 16, "ending_weight": 4.0}, 4),
    "neat": ("tictactoe", RIVALS | {"add_node": 0.5, "add_link": 0.5}, 3),
    "layered_neat": ("tictactoe", RIVALS | {"answer": "actions", "sight": "lines"}, 3),
    "evolved_table": ("nim:heaps=1+3+5", BRED, 3),
    "evolved_preference": ("nim:heaps=1+3+5", BRED | RIVALS, 3),
    "evolved_mixture": ("nim:heaps=1+3+5", BRED | RIVALS, 3),
    "maskable_ppo": ("tictactoe", SB3 | {"rollout": 16, "batch": 32}, 3),
    "ppo": ("tictactoe", SB3 | {"rollout": 16, "batch": 32}, 3),
    "dqn": ("tictactoe", SB3 | {"memory": 200, "batch": 16, "warm_up": 50, "target_every": 40}, 4),
}
each_trainer = pytest.mark.parametrize("name", TINY)


def assert_same(one, other):
    assert {*one} == {*other}
    for name, array in one.items():
        assert array.dtype == other[name].dtype, name
        np.testing.assert_array_equal(array, other[name], err_msg=name)
