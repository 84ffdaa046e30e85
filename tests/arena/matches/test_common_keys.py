"""Common keys: an opponent has the same dice against every candidate, and so the difference of two candidates scatters less."""

import numpy as np

from ludus.arena import MatchSettings, as_policy, compare, evaluate, tournament

COMMON = MatchSettings(common_keys=True)


def records_of(*policies, **how):
    """The games of some policies against random, by policy."""
    contest = tournament("tictactoe", policies, 20, against=["random"], **how)
    return [[*contest.store.records(pairing)] for pairing in contest.plan.pairings]


def test_the_keys_of_a_game_depend_on_its_number_and_not_on_the_names():
    pairs = zip(*records_of("minimax:depth=2", "greedy", common_keys=True), strict=True)
    assert all(first.key == second.key and first.actions[:2] == second.actions[:2] for first, second in pairs)
    first, second = records_of("minimax:depth=2", "greedy")
    assert not {game.key for game in first} & {game.key for game in second}
    assert len({game.key for game in first}) == 20


def test_two_names_of_a_policy_that_draws_its_moves_play_the_same_games():
    both = "random", as_policy("random", "connect_four", name="another")
    first, second = (evaluate(policy, "connect_four", "random", 40, settings=COMMON) for policy in both)
    assert np.array_equal(first.plies, second.plies)
    difference = compare(first, second)
    assert (difference.difference, difference.p_value) == (0, 1)
    apart = [evaluate(policy, "connect_four", "random", 40) for policy in both]
    assert not np.array_equal(apart[0].plies, apart[1].plies)
