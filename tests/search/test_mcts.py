"""Monte-Carlo tree search: its counts are those of a slow twin, its proofs those of brute force, its signs right in every game."""

from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

import ludus
from ludus.agents import mcts
from ludus.agents.mcts import SLICE, Mcts
from ludus.envs import set_threads
from ludus.search.mcts import forest as forests
from ludus.search.mcts.guided import GuidedSearch
from ludus.search.mcts.tree import UNKNOWN

from ..helpers.agents.searched import assessments, counts, endings, same, states_of, value_after
from ..helpers.games import EACH, keys
from ..naive.mcts import Draws, Search
from ..naive.search import solved

every_game = pytest.mark.parametrize("spec", EACH)


# ---- counts


@every_game
@pytest.mark.parametrize(
    "settings",
    [{}, {"solver": False}, {"exploration": 0.3, "rollouts": 3}, {"exploration": 4.0, "rollout_plies": 3}],
    ids=lambda settings: ",".join(settings) or "usual",
)
def test_counts_with_playouts_are_those_of_the_slow_twin(spec, settings):
    game = ludus.make_game(spec)
    states = np.concatenate([game.start[None], states_of(game, 3)])
    some_keys = keys(len(states))
    settings = {"exploration": 1.4, **settings}
    found = Mcts(game, simulations=90, **settings).search(states, some_keys)
    for i, (state, key) in enumerate(zip(states, some_keys, strict=True)):
        root, done = Search(game, draws=Draws(int(key)), **settings).run(state, 90)
        side = 1 - 2 * game.player(state)
        assert found.visits[i].tolist() == counts(root, game)
        assert found.simulations[i] == done
        assert found.proofs[i] == (UNKNOWN if root.known is None else root.known * side)
        assert found.values[i] == pytest.approx(side * (root.total / root.visits if root.known is None else root.known))


# ---- proofs


@pytest.mark.parametrize(
    ("spec", "count", "empty"),
    [
        ("tictactoe", 100, 9),
        ("nim:heaps=2+3+4", 20, None),
        ("nim:heaps=2+3+4,misere=true", 20, None),
        ("nim:heaps=4+5,limit=3", 20, None),
        ("quarto", 40, 4),
        ("quarto:squares=true", 40, 4),
        ("othello:size=4", 40, 6),
    ],
)
def test_proofs_are_what_brute_force_finds(spec, count, empty):
    game = ludus.make_game(spec)
    states, known = endings(game, count, empty), {}
    found = Mcts(game, simulations=200_000, exploration=10.0).search(states, keys(count))
    assert found.proofs.tolist() == [solved(game, state, known) for state in states]
    for i, state in enumerate(states):
        for action in game.legal_actions(state):
            if found.action_proofs[i, action] != UNKNOWN:
                assert found.action_proofs[i, action] == value_after(game, state, action, known)
        assert found.action_proofs[i, found.actions[i]] == found.proofs[i]
    assert set(found.proofs.tolist()) >= {-1, 1}


# ---- the same, whatever is beside it


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_what_is_found_does_not_depend_on_the_threads(threads, monkeypatch):
    game = ludus.make_game("othello:size=6")
    states = states_of(game, 40)
    expected = Mcts(game, simulations=100).search(states, keys(40))
    guided = GuidedSearch(game, simulations=20, leaves=3).search(states, assessments(game))
    monkeypatch.setattr("ludus.core.native.threads.SMALLEST_BATCH", 1)
    monkeypatch.setattr("ludus.core.native.threads.SMALLEST_PART", 1)
    set_threads(threads)
    try:
        assert same(Mcts(game, simulations=100).search(states, keys(40)), expected)
        assert same(GuidedSearch(game, simulations=20, leaves=3).search(states, assessments(game)), guided)
    finally:
        set_threads(None)


def test_a_tree_with_no_more_room_grows_no_more_and_is_searched_on(monkeypatch):
    game = ludus.make_game("tictactoe")
    free = Mcts(game, simulations=3000, solver=False).search(game.start[None], keys(1))
    monkeypatch.setattr(mcts, "SLICE", 7)
    monkeypatch.setattr(forests, "MAX_BYTES", 64 * 300)
    found = Mcts(game, simulations=3000, solver=False).search(game.start[None], keys(1))
    assert found.simulations.tolist() == [3000]
    assert found.visits.sum() == 3000
    assert not same(found, free)


# ---- settings


def test_with_seconds_a_search_goes_on_until_they_are_over(monkeypatch):
    game, looks = ludus.make_game("othello"), count()
    monkeypatch.setattr("ludus.agents.mcts.time", SimpleNamespace(perf_counter=lambda: float(next(looks))))
    found = Mcts(game, simulations=1, seconds=3.5).search(game.start[None], keys(1))  # a look at the clock is a second
    assert found.simulations.tolist() == [3 * SLICE]
    assert found.visits.sum() == found.simulations[0]
