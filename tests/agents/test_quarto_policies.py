"""Quarto's classic policies: each of their rules against slow twins."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from ludus.agents.quarto.easy import Easy
from ludus.agents.quarto.frontiers import Frontiers
from ludus.agents.quarto.hard import Hard
from ludus.agents.quarto.lines import LINES
from ludus.agents.random import Random
from ludus.envs import make_game

from ..helpers.games import keys
from ..naive import quarto_policies as naive
from ..naive.quarto import CELLS

VARIANTS = ["quarto", "quarto:squares=true"]
every_variant = pytest.mark.parametrize("spec", VARIANTS)


def choices(policy, state, count=300):
    """The moves that a policy makes in a position, by many keys."""
    actions = policy.act(np.repeat(state[None], count, axis=0), keys(count))
    return {policy.game.moves[action] for action in actions}


@cache
def positions(spec):
    """States of 300 games, between players at random and easy ones, by the number of empty cells: placing, then giving."""
    game = make_game(spec)
    found = {(empty, hand): [] for empty in range(17) for hand in (True, False)}
    states, players = np.repeat(game.start[None], 300, axis=0), (Random(game), Easy(game))
    ply = 0
    while len(states):
        for state in states:
            found[16 - int(state[1] & np.uint64(0xFFFF)).bit_count(), bool(int(state[1]) >> 36 & 1)].append(state)
        actions = np.concatenate(
            [p.act(half, keys(len(half), ply)) for p, half in zip(players, np.array_split(states, 2), strict=True)]
        )
        states = game.plays(states, actions)
        states, ply = states[game.outcomes(states) == 2], ply + 1
    return found


def some(spec, least, most, each=8, hands=(True, False)):
    """A few states of each kind with so many empty cells, as states and as twins."""
    squares = spec != "quarto"
    kinds = [positions(spec)[empty, hand][::-1][:each] for empty, hand in product(range(least, most + 1), hands)]
    return [(state, naive.read(make_game(spec).text(state), squares)) for kind in kinds for state in kind]


def cells(bits):
    return {CELLS[i] for i in range(16) if int(bits) >> i & 1}


# ---- lines


def test_there_are_ten_lines_and_nine_squares():
    found = [cells(line) for line in LINES]
    assert sorted(map(sorted, found[:10])) == sorted(sorted(line) for line in naive.lines_of(naive.Quarto(False)))
    assert sorted(map(sorted, found)) == sorted(sorted(line) for line in naive.lines_of(naive.Quarto(True)))


# ---- easy


@every_variant
def test_easy_draws_evenly_among_what_its_rule_allows(spec):
    policy = Easy(make_game(spec))
    for state, twin in some(spec, 1, 16, each=4):
        allowed = naive.easy_moves(twin)
        expected = [(move in allowed) / len(allowed) for move in policy.game.moves]
        assert policy.probabilities(state[None])[0] == pytest.approx(expected)
        assert choices(policy, state) == allowed


# ---- frontiers


@every_variant
@pytest.mark.parametrize("highest", [True, False])
def test_frontiers_chooses_as_the_naive_twin_does(spec, highest):
    game = make_game(spec)
    modes = set()
    for depth, least, most in ((3, 1, 4), (2, 5, 6), (1, 7, 16)):
        policy = Frontiers(game, depth=depth, highest=highest)
        for state, twin in some(spec, least, most, each=3):
            assert choices(policy, state, 400) == naive.frontiers_moves(twin, depth, highest), game.text(state)
            modes.add((twin.hand is None, naive.threatened(twin)))
    assert len(modes) == 4


# ---- hard


@every_variant
@pytest.mark.parametrize("budget", [1, 100, 150_000])
def test_hard_chooses_as_the_naive_twin_does(spec, budget):
    game = make_game(spec)
    most = {1: 9, 100: 5, 150_000: 4}[budget]
    for state, twin in some(spec, 1, most, each=3):
        assert choices(Hard(game, budget=budget), state) == naive.hard_moves(twin, budget), game.text(state)
