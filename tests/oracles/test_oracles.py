"""Oracles: what they say is what brute force finds, and outside of their reach they say so."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import ludus
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import OUT_OF_REACH, UNKNOWN, make_oracle
from ludus.oracles.oracle import solution_for_mover
from ludus.search.transposition import TranspositionTable
from ludus.search.watch import Watch

from ..helpers.games import EACH, VARIANTS, positions, random_line
from ..naive.nim import after_each, is_won

every_variant = pytest.mark.parametrize("spec", VARIANTS)


def endings(game, count, seed=0):
    """Positions from the last plies of games of random actions, finished ones too."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        found += random_line(game, rng)[-4:]
    return np.array(found[:count])


# ---- what every oracle keeps to


@every_variant
def test_action_values_are_those_of_the_solutions_after_each_action(spec):
    game = ludus.make_game(spec)
    oracle = make_oracle(game)
    some = endings(game, 4 if spec == "quixo" else 30, seed=2)
    states = some[game.outcomes(some) == ONGOING]
    rows, actions = np.nonzero(game.masks(states))
    alone, scored = (oracle.action_values(states[rows], actions, scores=scores) for scores in (False, True))
    assert alone.scores is None
    for array, other in zip(alone[:2], scored[:2], strict=True):
        assert array.tolist() == other.tolist()
    after = []
    for row, action in zip(rows, actions.tolist(), strict=True):
        child = game.play(states[row], action)
        after.append(solution_for_mover(oracle.solve(child), game.player(child) == game.player(states[row])))
        assert oracle.after(states[row], [action]) == {action: replace(after[-1], best=())}
    assert alone.values.tolist() == [OUT_OF_REACH if one.value is None else one.value for one in after]
    assert alone.distances.tolist() == [-1 if one.distance is None else one.distance for one in after]
    assert (scored.scores is None) == (not oracle.has_score)
    if scored.scores is not None:
        assert scored.scores.tolist() == [one.score for one in after]


@every_variant
def test_in_reach_every_best_action_keeps_the_value_and_no_other_does(spec):
    game = ludus.make_game(spec)
    oracle = make_oracle(game)
    for state in endings(game, 40, seed=1):
        solution = oracle.solve(state)
        if solution.value is None:
            assert solution == UNKNOWN
            continue
        after = oracle.after(state)
        reported = {action: s.value if solution.score is None else s.score for action, s in after.items()}
        if game.spec == "quixo" and None in reported.values():
            assert all(reported[action] == solution.value for action in solution.best)
            continue
        wanted = solution.value if solution.score is None else solution.score
        assert [action for action in reported if reported[action] == wanted] == list(solution.best)
        assert not reported or max(reported.values()) == wanted


@every_variant
def test_the_action_chosen_is_a_best_one_and_the_key_tells_equals_apart(spec):
    game = ludus.make_game(spec)
    oracle = make_oracle(game)
    for state in endings(game, 40, seed=2):
        if game.outcome(state) is not None:
            continue
        chosen = oracle.choose(state, 12345)
        assert chosen == oracle.choose(state, 12345)
        if chosen is not None:
            best = oracle.solve(state).best
            assert chosen in best
            wins = {action for action in best if (game.outcome(game.play(state, action)) or (0, 0))[game.player(state)] == 1}
            assert not wins or chosen in wins
            assert not wins or {*oracle.choices(state)} == wins


@pytest.mark.parametrize("spec", EACH)
@pytest.mark.parametrize("limit", [{"nodes": 1}, {"seconds": 1e-6}])
def test_a_tight_limit_leaves_a_position_unknown_or_its_solution_right(spec, limit):
    oracle = make_oracle(spec)
    for state in endings(oracle.game, 6, seed=3):
        solution, whole = oracle.solve(state, Watch(**limit)), oracle.solve(state)
        if solution.value is None or whole.value is None:
            assert solution == UNKNOWN or whole == UNKNOWN
        else:
            assert (solution.value, solution.score) == (whole.value, whole.score)
            assert solution.best == whole.best or (solution.best and not solution.all_best and {*solution.best} <= {*whole.best})


@pytest.mark.parametrize("spec", ["quarto", "connect_four", "othello:size=6"])
def test_what_a_stopped_search_has_stored_makes_no_later_answer_wrong(spec):
    stopped, game = make_oracle(spec), ludus.make_game(spec)
    states = [state for state in positions(game, 600, seed=1) if stopped.reaches(state)]
    for state in states[:: len(states) // 6]:
        for nodes in (1, 5, 20, 80, 300, 1200):
            stopped.solve(state, Watch(nodes=nodes))
        assert stopped.solve(state) == make_oracle(spec).solve(state)


@pytest.mark.parametrize(
    ("game", "settings", "says"),
    [
        ("chess", {}, "there is no game 'chess'"),
        ("tictactoe", {"depth": 3}, "the oracle of Tic-tac-toe has no setting 'depth'"),
        ("quixo", {"depth": 128}, "Quixo: depth is 128; it must be a whole number from 1 to 127"),
    ],
)
def test_a_game_or_a_setting_that_there_is_not_is_named(game, settings, says):
    with pytest.raises(ValueError, match=says):
        make_oracle(game, **settings)


def test_a_table_that_memory_has_no_room_for_is_refused():
    with pytest.raises(MemoryError, match=r"no room for a table of 2\^40 entries \(16,384.0 GiB\); choose fewer table_bits"):
        TranspositionTable(40)


# ---- Nim


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("limit", [None, 1, 2, 3, 5])
def test_every_position_of_nim_is_won_or_lost_as_brute_force_finds(limit, misere):
    game = ludus.make_game("nim", heaps=(6, 6, 6, 6), limit=limit, misere=misere)
    every = list(itertools.product(range(7), repeat=4))
    states = np.array([game.position(" ".join(map(str, heaps))) for heaps in every])
    known = {}
    expected = [1 if is_won(heaps, limit, misere, known) else -1 for heaps in every]
    assert make_oracle(game).values(states).tolist() == expected
    chances = ludus.make_policy("nim_sum", game).probabilities(states[1:])  # equal for all that win, or for all
    for heaps, row in zip(every[1:], chances, strict=True):
        after = after_each(heaps, limit)
        good = [move for move in after if not is_won(after[move], limit, misere, known)] or [*after]
        assert {game.moves[i]: row[i] for i in np.flatnonzero(row)} == dict.fromkeys(good, 1 / len(good))


def test_misere_with_a_limit_looks_at_reduced_heaps():
    # facts: testing the raw heaps for at most 1 is a common mistake, seen at 0,0,4 with limit 3
    oracle = make_oracle("nim:heaps=4+4+4,limit=3,misere=true")
    assert oracle.value(oracle.game.position("0 0 4")) == 1
