"""Othello exactly: against brute force, published endgames and solved boards; stability, threads, and proofs that go on."""

import numpy as np
import pytest

import ludus
from benchmarks.checks.oracles import long_endgames
from ludus.core.native import releases_gil
from ludus.games.kernels.arrays import Words
from ludus.games.kernels.bits import ONE, count, lowest, u64
from ludus.games.kernels.rules import ONGOING, State, legal, load, outcome, play, player
from ludus.oracles import Solution, make_oracle
from ludus.oracles.othello import OthelloOracle, ffo, problem
from ludus.oracles.othello.layout import positions_on_8x8
from ludus.oracles.othello.stability import stable
from ludus.search.watch import Watch

from ..helpers.games import positions

every_size = pytest.mark.parametrize("size", [4, 6, 8])


def othello(size):
    return ludus.make_game("othello", size=size)


def empties(game, state):
    return game.size**2 - int(state[0] | state[1]).bit_count()


def after_random_play(game, most_empties, count, seed):
    """Positions of random games with so many empty cells or fewer; some are over."""
    rng = np.random.default_rng(seed)
    found = []
    while len(found) < count:
        state, wanted = game.start, int(rng.integers(most_empties + 1))
        while game.outcome(state) is None and empties(game, state) > wanted:
            state = game.play(state, int(rng.choice(game.legal_actions(state))))
        if empties(game, state) <= most_empties:
            found.append(state)
    return found


def thrown(game, most_empties, count, seed):
    """Positions whose discs are thrown at random, mostly of one colour in some: passes and wiped-out colours are common."""
    rng = np.random.default_rng(seed)
    size, cells = game.size, game.size**2
    outside = [cell for cell in range(cells) if not int(game.start[0] | game.start[1]) >> cell & 1]
    found = []
    for _ in range(count):
        black = sum(1 << cell for cell in np.flatnonzero(rng.random(cells) < rng.random()).tolist())
        empty = sum(1 << int(cell) for cell in rng.choice(outside, int(rng.integers(most_empties + 1)), replace=False))
        mover = int(rng.integers(2))
        found.append(np.array([black & ~empty, (1 << cells) - 1 & ~(black | empty), size << 1 | mover], np.uint64))
    return found


# ---- the whole tree, by the rules alone


@releases_gil
def score_of(words: Words, cells: int) -> int:
    """The score for the player to move, by trying everything."""
    return tried(load(words), cells)


def tried(state: State, cells: int) -> int:
    if outcome(state) != ONGOING:
        difference = count(state[0]) - count(state[1])
        left = cells - count(state[0] | state[1])
        difference += left if difference > 0 else -left if difference < 0 else 0
        return difference if player(state) == 0 else -difference
    best = -100
    for word in range(2):
        bits = legal(state, word)
        while bits != u64(0):
            best = max(best, -tried(play(state, 64 * word + lowest(bits)), cells))
            bits &= bits - ONE
    return best


def by_brute_force(game, state):
    """The solution of a position, by trying everything."""
    tree = game.kernel(score_of)
    score = tree(state, game.size**2)
    best = [action for action in game.legal_actions(state) if -tree(game.play(state, action), game.size**2) == score]
    return Solution(int(np.sign(score)), tuple(best), score=score)


@every_size
def test_every_answer_is_what_trying_everything_finds(size):
    game = othello(size)
    oracle = make_oracle(game)
    states = after_random_play(game, 8, 250, seed=1) + thrown(game, 6, 250, seed=2)
    finished = passes = wiped_out = 0
    for state in states:
        expected = by_brute_force(game, state)
        assert oracle.solve(state) == expected, game.text(state)
        assert oracle.value(state) == expected.value
        if game.outcome(state) is None:
            score, action = oracle.score(state)
            assert score == expected.score
            assert action in expected.best
        else:
            with pytest.raises(ValueError, match="the game is over"):
                oracle.score(state)
        finished += game.outcome(state) is not None
        passes += expected.best == (size**2,)
        wiped_out += abs(expected.score) == size**2
    assert finished > 10
    assert passes > 10
    assert wiped_out > 3


# ---- published results


def test_4x4_is_won_by_white_3_to_11():
    # facts: 3–11 with two cells empty, which go to the winner
    oracle = make_oracle("othello:size=4")
    solution = oracle.solve(oracle.game.start)
    assert (solution.value, solution.score) == (-1, 3 - 11 - 2)
    assert list(solution.best) == oracle.game.legal_actions(oracle.game.start)


def test_6x6_is_won_by_white_16_to_20(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))  # where proofs under way are kept
    # J. Feinstein, 1993: the start is; this position comes six plies later by best play (`ludus solve othello:size=6` solves both)
    oracle = make_oracle("othello:size=6", threads=2, empties=25)
    assert oracle.score(oracle.game.position("--------XO----OOO--OXXX---X--------- X"), Watch())[0] == 16 - 20


@pytest.mark.parametrize("endgame", ffo(), ids=lambda endgame: f"ffo{endgame.number}")
def test_the_ffo_suite_is_solved(endgame):
    # FFO endgame suite (fforum): exact scores and all best moves
    game = othello(8)
    oracle = make_oracle(game, empties=20)
    state = game.position(endgame.text)
    solution = oracle.solve(state)
    assert solution.score == endgame.score
    assert {game.move_name(action) for action in solution.best} == set(endgame.best)


# ---- reach and limits


def test_two_threads_give_the_same_answers():
    game = othello(8)
    for endgame in ffo():
        if endgame.number in (19, 24):
            state = game.position(endgame.text)
            alone, together = OthelloOracle(game, empties=20), OthelloOracle(game, empties=20, threads=2)
            assert together.solve(state) == alone.solve(state)
            assert together.solve(state).score == endgame.score


# ---- the pieces


@every_size
def test_stable_discs_are_never_flipped(size):
    game = othello(size)
    rng = np.random.default_rng(8)
    held = 0
    for state in after_random_play(game, size**2 // 2, 30, seed=9):
        for _ in range(10):
            own, other, empty = positions_on_8x8(game, state[None])[0]
            kept = [stable(own, other, empty), stable(other, own, empty)]
            held += sum(int(discs).bit_count() for discs in kept)
            mover, later = game.player(state), state
            while game.outcome(later) is None:
                later = game.play(later, int(rng.choice(game.legal_actions(later))))
                sides = positions_on_8x8(game, later[None])[0][:2]
                mine, theirs = sides if game.player(later) == mover else sides[::-1]
                assert kept[0] & ~mine == 0
                assert kept[1] & ~theirs == 0
    assert held > 500


def test_far_from_the_end_patterns_save_nodes(monkeypatch):
    endgame = next(endgame for endgame in long_endgames() if endgame.number == "44")  # with 23 empty cells
    state = othello(8).position(endgame.text)

    def nodes_of(state):
        watch = Watch()
        assert make_oracle("othello").score(state, watch)[0] == endgame.score
        return watch.nodes

    with_patterns = nodes_of(state)
    monkeypatch.setattr(problem, "PATTERNS_FROM", 65)
    assert with_patterns < 0.75 * nodes_of(state)


@pytest.mark.parametrize(("size", "reached"), [(4, 12), (6, 23), (8, 20)])
def test_an_oracle_reaches_positions_with_few_empty_cells_and_finished_ones(size, reached):
    game = othello(size)
    oracle, states = OthelloOracle(game), [*positions(game, 200), *after_random_play(game, size**2 - 4, 20, seed=4)]
    expected = [empties(game, state) <= reached or game.outcome(state) is not None for state in states]
    assert [oracle.reaches(state) for state in states] == expected
    assert oracle.reached(np.array(states)).tolist() == expected
    assert not OthelloOracle(game, empties=2).reaches(game.start)
