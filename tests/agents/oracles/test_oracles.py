"""Oracles: what they say is what brute force finds, and outside of their reach they say so."""

import itertools

import numpy as np
import pytest

import ludus
from ludus.agents.oracles import OUT_OF_REACH, UNKNOWN, Solution, make_oracle
from ludus.agents.search import Watch

from ...helpers.games import VARIANTS, keys, positions
from ...naive.search import solved

every_variant = pytest.mark.parametrize("spec", VARIANTS)


EMPTY = {"quarto": 4, "othello": 7}
"""So many cells may be empty for brute force in Python; wiped-out boards of Othello have more."""


def endings(game, count, seed=0):
    """Positions a few plies before the end of games of random actions, and finished ones, that brute force can solve."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        states = [game.start]
        while game.outcome(states[-1]) is None:
            states.append(game.play(states[-1], int(rng.choice(game.legal_actions(states[-1])))))
        most = EMPTY.get(game.name, 64)
        found += [state for state in states[-4:] if game.text(state).partition(" ")[0].count("-") <= most]
    return np.array(found[:count])


# ---- what every oracle keeps to


@every_variant
def test_endings_are_worth_what_brute_force_finds(spec):
    game = ludus.make_game(spec)
    oracle = make_oracle(game)
    known = {}
    states = endings(game, 60 if game.name != "quixo" else 0)
    for state in states:
        value = solved(game, state, known)
        solution = oracle.solve(state)
        assert solution.value == value
        keeping = []
        for action in game.legal_actions(state):
            after = game.play(state, action)
            told = solved(game, after, known)
            if value == (told if game.player(after) == game.player(state) else -told):
                keeping.append(action)
        if solution.score is None:
            assert list(solution.best) == keeping
        else:
            assert set(solution.best) <= set(keeping)
            assert bool(solution.best) == bool(keeping)
    if len(states):
        assert oracle.values(states).tolist() == [oracle.value(state) for state in states]


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
        told = {action: s.value if solution.score is None else s.score for action, s in after.items()}
        if game.spec == "quixo" and None in told.values():
            assert all(told[action] == solution.value for action in solution.best)
            continue
        wanted = solution.value if solution.score is None else solution.score
        assert [action for action in told if told[action] == wanted] == list(solution.best)
        assert not told or max(told.values()) == wanted


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
            assert chosen in oracle.solve(state).best


@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3", "quixo:size=4"])
def test_distances_shrink_by_one_along_the_chosen_line(spec):
    game = ludus.make_game(spec)
    oracle = make_oracle(game)
    for state in positions(game, 100, seed=4)[::7]:
        distance = oracle.distance(state)
        while distance:
            state = game.play(state, oracle.choose(state, 7))
            assert oracle.distance(state) == distance - 1
            distance -= 1
        assert oracle.value(state) == 0 or game.outcome(state) is not None


@pytest.mark.parametrize("spec", ["othello", "othello:size=6"])
def test_a_position_out_of_reach_is_unknown_and_no_guess(spec):
    oracle = make_oracle(spec)
    start = oracle.game.start
    assert not oracle.reaches(start)
    assert oracle.solve(start) == UNKNOWN == Solution(None, (), None, None)
    assert oracle.value(start) is None
    assert oracle.best_actions(start) is None
    assert oracle.choose(start, 0) is None
    assert oracle.values(start[None]).tolist() == [OUT_OF_REACH]


@every_variant
def test_a_search_that_is_stopped_says_that_it_does_not_know(spec):
    game = ludus.make_game(spec)
    oracle = make_oracle(game)
    watch = Watch(nodes=1)
    solution = oracle.solve(game.start, watch)
    assert solution == UNKNOWN or solution.value is not None


def test_a_game_or_a_setting_that_there_is_not_is_named():
    with pytest.raises(ValueError, match="there is no game 'chess'"):
        make_oracle("chess")
    with pytest.raises(ValueError, match="the oracle of Othello has no setting 'depth'"):
        make_oracle("othello", depth=3)


# ---- Nim


def brute_nim(heaps, limit, misere, known):
    """Whether the mover wins, by trying every move."""
    heaps = tuple(sorted(heaps))
    if heaps not in known:
        moves = [
            (*heaps[:i], heap - take, *heaps[i + 1 :])
            for i, heap in enumerate(heaps)
            for take in range(1, min(heap, limit or heap) + 1)
        ]
        known[heaps] = any(not brute_nim(after, limit, misere, known) for after in moves) if moves else misere
    return known[heaps]


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("limit", [None, 1, 2, 3, 5])
def test_every_position_of_nim_is_won_or_lost_as_brute_force_finds(limit, misere):
    game = ludus.make_game("nim", heaps=(6, 6, 6, 6), limit=limit, misere=misere)
    every = list(itertools.product(range(7), repeat=4))
    states = np.array([game.position(" ".join(map(str, heaps))) for heaps in every])
    known = {}
    expected = [1 if brute_nim(heaps, limit, misere, known) else -1 for heaps in every]
    assert make_oracle(game).values(states).tolist() == expected


def test_misere_with_a_limit_looks_at_reduced_heaps():
    # facts: testing the raw heaps for at most 1 is a common mistake, seen at 0,0,4 with limit 3
    oracle = make_oracle("nim:heaps=4+4+4,limit=3,misere=true")
    assert oracle.value(oracle.game.position("0 0 4")) == 1


@pytest.mark.parametrize("misere", [False, True])
def test_1_3_5_7_is_lost_for_the_mover(misere):
    oracle = make_oracle("nim", misere=misere) if False else make_oracle(ludus.make_game("nim", misere=misere))
    solution = oracle.solve(oracle.game.start)
    assert solution.value == -1
    assert list(solution.best) == oracle.game.legal_actions(oracle.game.start)


# ---- tic-tac-toe


def test_tictactoe_is_a_draw_with_every_first_move():
    oracle = make_oracle("tictactoe")
    solution = oracle.solve(oracle.game.start)
    assert (solution.value, solution.best, solution.distance) == (0, tuple(range(9)), None)


def test_every_position_of_tictactoe_is_worth_what_brute_force_finds_and_as_far():
    game = ludus.make_game("tictactoe")
    oracle = make_oracle(game)
    known = {}

    def visit(state):
        key = int(state[0])
        if key not in known:
            outcome = game.outcome(state)
            if outcome is not None:
                known[key] = (outcome[game.player(state)], 0)
            else:
                replies = [visit(game.play(state, action)) for action in game.legal_actions(state)]
                value = max(-v for v, _ in replies)
                plies = [d + 1 for v, d in replies if -v == value]
                known[key] = (value, min(plies) if value > 0 else max(plies))
            solution = oracle.solve(state)
            assert (solution.value, solution.distance) == (known[key][0], known[key][1] if known[key][0] else None)
        return known[key]

    visit(game.start)
    assert len(known) == 5478


# ---- perfect


@pytest.mark.parametrize("spec", ["nim", "nim:misere=true", "nim:limit=3", "tictactoe", "quixo:size=3", "quixo:size=4"])
def test_perfect_never_throws_value_away(spec):
    game = ludus.make_game(spec)
    oracle, perfect = make_oracle(game), ludus.make_policy("perfect", game)
    states = positions(game, 400, seed=8)
    before = oracle.values(states)
    after = game.plays(states, perfect.act(states, keys(400)))
    assert (before == -oracle.values(after)).all()


@pytest.mark.parametrize("spec", ["othello", "othello:size=6", "quarto", "quarto:squares=true"])
def test_perfect_keeps_the_value_where_the_oracle_reaches_and_plays_on_elsewhere(spec):
    game = ludus.make_game(spec)
    oracle, perfect = make_oracle(game), ludus.make_policy("perfect:nodes=500", game)
    states = np.concatenate([game.start[None], endings(game, 30, seed=9)])
    states = states[[game.outcome(state) is None for state in states]]
    for state, action in zip(states, perfect.act(states, keys(len(states))).tolist(), strict=True):
        assert action in game.legal_actions(state)
        if oracle.reaches(state):
            assert action in oracle.solve(state).best
