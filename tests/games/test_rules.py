"""The rules of every game, against its slow twin and against what is published about it."""

from collections import Counter
from itertools import islice, product
from math import sqrt

import numpy as np
import pytest

from ludus.agents import make_policy
from ludus.envs import make_game
from ludus.games.kernels.rules import ONGOING

from ..helpers.system.processes import ROOT
from ..naive import twin_of
from ..naive.quarto import CELLS, COLUMNS, DIAGONALS, ROWS, SQUARES
from ..naive.quixo import Quixo

# ---- perft


def published(game):
    """Leaves by depth, as the game's perft file has them."""
    lines = (ROOT / "tests" / "perft" / f"{game.name}.txt").read_text().splitlines()
    entries = [line.split() for line in lines if line and not line.startswith("#")]
    return {int(depth): int(count) for spec, depth, count in entries if spec == game.spec}


def test_perft_is_as_published(game):
    numbers = published(game)
    assert numbers
    assert {depth: game.perft(depth) for depth in numbers} == numbers


def test_perft_counts_a_position_itself_at_depth_0_and_a_finished_game_once_at_any_depth():
    game = make_game("tictactoe")
    assert game.perft(0) == game.perft(5, game.parse("XXXOO---- O")) == 1


@pytest.mark.parametrize(
    ("spec", "lines"),
    [
        # lines of exactly so many plies: as other programs' perft has them, and 8! / (8 - n)! less the games that a line ended
        ("connect_four", [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]),
        ("tictactoe", [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0]),
        ("othello", [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284 - 228]),  # facts: perft Othello
    ],
)
def test_lines_of_exactly_so_many_plies_are_as_many_as_published(spec, lines):
    counts = [make_game(spec).perft_counts(depth) for depth in range(len(lines))]
    assert [exact for _, exact in counts] == lines
    assert [leaves for leaves, _ in counts] == [make_game(spec).perft(depth) for depth in range(len(lines))]


# ---- random games

COUNTS = {"othello": 25, "othello:size=6": 50, "quixo": 50, "quarto": 80, "quarto:squares=true": 80, "connect_four": 60}


def test_random_games_go_as_the_twin_has_them(game):
    assert_same_in_random_games(game, COUNTS.get(game.spec, 150))


@pytest.mark.parametrize("variant", ["", ",misere=true", ",limit=100", ",limit=255", ",limit=1,misere=true"])
def test_nim_on_the_widest_table_goes_as_the_twin_has_it(variant):
    assert_same_in_random_games(make_game(f"nim:heaps=255+1+9+2+80+3+7+255{variant}"), 3)


def assert_same_in_random_games(game, count):
    random = np.random.default_rng(count)
    states, twins = np.tile(game.start, (count, 1)), [twin_of(game)] * count
    while twins:
        assert_same(game, states, twins)
        masks = game.masks(states)
        going = masks.any(axis=1)
        actions = (random.random(masks.shape) * masks)[going].argmax(axis=1)
        states = game.plays(states[going], actions)
        twins = [twins[i].play(game.moves[action]) for i, action in zip(np.flatnonzero(going), actions, strict=True)]


# ---- whole trees, one of each class of positions that symmetries take into each other


@pytest.mark.parametrize("spec", ["tictactoe", "othello:size=4", "nim:limit=3", "nim:heaps=1+3+5,limit=3,misere=true"])
def test_every_position_is_as_the_twin_has_it(spec):
    game = make_game(spec)
    states, twins = game.start[None], [twin_of(game)]
    while twins:
        assert_same(game, states, twins)
        rows, actions = np.nonzero(game.masks(states))
        children = game.plays(states[rows], actions)
        after = [twins[row].play(game.moves[action]) for row, action in zip(rows, actions, strict=True)]
        assert [game.text(child) for child in children] == [twin.text() for twin in after]
        first = np.unique(classes(game, children), return_index=True)[1]
        states, twins = children[first], [after[i] for i in first]


def classes(game, states):
    """A number for each state, the same for states that a symmetry takes into each other."""
    every = np.arange(len(game.symmetries.cells))
    mix = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB], np.uint64)[: game.num_words]
    return np.array([(game.permuted(np.tile(state, (len(every), 1)), every) @ mix).min() for state in states], np.uint64)


def assert_same(game, states, twins):
    """All that the rules say of the states is what the twins say."""
    outcomes = [twin.outcome() for twin in twins]
    assert game.players(states).tolist() == [twin.player for twin in twins]
    assert game.outcomes(states).tolist() == [ONGOING if outcome is None else outcome[0] for outcome in outcomes]
    assert [game.text(state) for state in states] == [twin.text() for twin in twins]
    moves = [{game.moves[action] for action in np.flatnonzero(mask)} for mask in game.masks(states)]
    assert moves == [set(twin.legal()) for twin in twins]
    for seat in (0, 1):
        planes = game.observations(states, np.full(len(states), seat))
        assert np.array_equal(planes, [twin.planes(seat) for twin in twins])


def levels(game):
    """The distinct positions of a game of one word, ply by ply."""
    states = game.start[None]
    while len(states):
        yield states
        rows, actions = np.nonzero(game.masks(states))
        states = np.unique(game.plays(states[rows], actions), axis=0)


# ---- tic-tac-toe


def test_tic_tac_toe_has_5478_positions_of_which_958_are_finished():
    # the published numbers: 5478 positions, 765 up to symmetry; 626 won by X, 316 by O, 16 drawn
    game = make_game("tictactoe")
    states = np.concatenate([*levels(game)])
    assert len(np.unique(states)) == len(states) == 5478
    assert len(np.unique(classes(game, states))) == 765
    assert Counter(game.outcomes(states).tolist()) == {1: 626, -1: 316, 0: 16, ONGOING: 5478 - 958}


# ---- Connect Four


def test_connect_four_has_as_many_positions_as_published():
    boards = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186]  # after so many plies, OEIS A212693
    assert [len(states) for states in islice(levels(make_game("connect_four")), 10)] == boards


# ---- Othello


def test_the_shortest_game_of_othello_is_9_moves_long():
    # 13 to 0, the published shortest game
    game = make_game("othello")
    state = game.start
    for move in ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"):
        assert game.outcome(state) is None
        state = game.play(state, game.action(move))
    assert game.outcome(state) == (1, -1)
    assert Counter(game.text(state)[:64]) == {"X": 13, "-": 51}


# ---- Quixo


def test_a_full_line_of_the_opponent_loses_even_with_one_of_ones_own():
    game = make_game("quixo:size=3")
    state = game.play(game.parse("-OOO---XX X"), game.action("a1>a3"))
    assert game.text(state) == "OOO---XXX O"
    assert game.outcome(state) == (-1, 1)


def test_a_seventh_of_all_boards_of_3_by_3_quixo_is_as_the_twin_has_it():
    game = make_game("quixo:size=3")
    texts = ["".join(cubes) + " X" for cubes in product("XO-", repeat=9)][::7]
    states = np.array([game.parse(text) for text in texts])
    twins = [Quixo([list(text[0:3]), list(text[3:6]), list(text[6:9])]) for text in texts]
    assert_same(game, states, twins)
    boards, actions = np.nonzero(game.masks(states))
    after = [twins[board].play(game.moves[action]).text() for board, action in zip(boards, actions, strict=True)]
    assert [game.text(child) for child in game.plays(states[boards], actions)] == after


# ---- Quarto


@pytest.mark.parametrize(("squares", "boards"), [(False, 32), (True, 8)])
def test_quarto_has_32_symmetries_of_the_board_and_384_of_the_pieces(squares, boards):
    game = make_game("quarto", squares=squares)
    lines = {frozenset(CELLS.index(cell) for cell in line.split()) for line in ROWS + COLUMNS + DIAGONALS + SQUARES * squares}
    cells, actions = game.symmetries
    placings = np.unique(cells, axis=0)
    assert (len(placings), len(np.unique(actions[:, 16:], axis=0)), len(np.unique(actions, axis=0))) == (boards, 384, boards * 384)
    for placing in placings:
        assert {frozenset(placing[cell] for cell in line) for line in lines} == lines


# ---- random against random


@pytest.mark.parametrize(
    ("spec", "first", "second", "rounding", "plies"),
    [
        ("tictactoe", 737 / 1260, 121 / 420, 0, None),  # exact
        ("quixo", 0.530, 0.470, 0.0005, 47.0),
        ("quarto", 0.495, 0.485, 0.0005, 2 * 11.7),  # player 1 places first; a piece is given and placed
    ],
)
def test_random_players_win_as_often_and_games_last_as_long_as_published(spec, first, second, rounding, plies):
    results, lengths = random_games(make_game(spec), 20_000)
    for share, expected in ((results == 1).mean(), first), ((results == -1).mean(), second):
        assert share == pytest.approx(expected, abs=4 * sqrt(expected * (1 - expected) / len(results)) + rounding)
    assert plies is None or lengths.mean() == pytest.approx(plies, abs=4 * lengths.std() / sqrt(len(lengths)) + 0.1)


def random_games(game, count):
    """Player 0's results and the plies of games at random."""
    policy, random = make_policy("random", game), np.random.default_rng(5)
    states, playing = np.tile(game.start, (count, 1)), np.arange(count)
    plies = np.zeros(count, np.int64)
    while len(playing):
        keys = random.integers(0, 2**64, len(playing), np.uint64)
        states[playing] = game.plays(states[playing], policy.act(states[playing], keys))
        plies[playing] += 1
        playing = playing[game.outcomes(states[playing]) == ONGOING]
    return game.outcomes(states), plies
