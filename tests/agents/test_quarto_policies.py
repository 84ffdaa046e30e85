"""Quarto's classic policies: each of their rules on a position drawn for it, against slow twins, and how strong they are."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from ludus.agents.quarto.easy import Easy
from ludus.agents.quarto.frontiers import Frontiers, NotesOfTurn, write_scores
from ludus.agents.quarto.hard import Hard
from ludus.agents.quarto.lines import LINES, cells_of_threes, count_shared, safe_pieces, winning_cells
from ludus.agents.random import Random
from ludus.arena import evaluate
from ludus.envs import make_game
from ludus.games.kernels.arrays import Words
from ludus.games.kernels.rules import load

from ..helpers.games import keys
from ..naive import quarto_policies as naive
from ..naive.quarto import CELLS, PIECES

VARIANTS = ["quarto", "quarto:squares=true"]
every_variant = pytest.mark.parametrize("spec", VARIANTS)


def drawn(rows, hand="-", spec="quarto"):
    """A state from a drawing of the board."""
    game = make_game(spec)
    return game.parse("".join(rows.split()).replace(".", "-") + f" {hand}")


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


def winning_cells_of(words: Words, piece: int) -> np.uint64:
    return winning_cells(load(words), piece)


def safe_pieces_of(words: Words) -> np.uint64:
    return safe_pieces(load(words))


def cells_of_threes_of(words: Words) -> np.uint64:
    return cells_of_threes(load(words))


def shared_of(words: Words, among: np.uint64, piece: int) -> int:
    return count_shared(load(words), among, piece)


def scores_of(words: Words, key: np.uint64, notes: NotesOfTurn) -> None:
    write_scores(load(words), key, notes)


def test_there_are_ten_lines_and_nine_squares():
    found = [cells(line) for line in LINES]
    assert sorted(map(sorted, found[:10])) == sorted(sorted(line) for line in naive.lines_of(naive.Quarto(False)))
    assert sorted(map(sorted, found)) == sorted(sorted(line) for line in naive.lines_of(naive.Quarto(True)))


@every_variant
def test_winning_cells_and_safe_pieces_are_what_the_rules_make_of_them(spec):
    kernel = make_game(spec).kernel
    for state, twin in some(spec, 1, 16, each=2):
        for piece in range(16):
            assert cells(kernel(winning_cells_of)(state, piece)) == naive.wins_on(twin, PIECES[piece])
        safe = kernel(safe_pieces_of)(state)
        assert [PIECES[i] for i in range(16) if safe >> i & 1] == naive.safe(twin)
        threes = {cell for cell in naive.empty(twin) if naive.blocks(twin, cell)}
        assert cells(kernel(cells_of_threes_of)(state)) == threes


def test_there_are_696_sets_of_one_to_three_pieces_and_all_frontiers_agree():
    game, found = make_game("quarto"), naive.frontiers()
    assert len(found) == 696
    for pieces, frontiers in found.items():
        digits = [f"{PIECES.index(piece):x}" for piece in pieces]
        state = game.parse("".join(digits).ljust(16, "-") + " -")
        among = (1 << len(pieces)) - 1
        ours = {PIECES[p]: game.kernel(shared_of)(state, among, p) for p in range(16) if PIECES[p] not in pieces}
        assert {k: {piece for piece in ours if ours[piece] == k} for k in range(5)} == frontiers


def test_a_score_counts_shared_attributes_ten_times_more_for_each_piece_on_the_line():
    # Piece 1 (dark only) shares with 0 all but the colour, with 3 all but the height; with 0 and 3 together only round and solid.
    state = drawn("0 3 . .  . . . .  . . . .  . . . .", hand="1")
    notes = np.empty(16, np.int64)
    make_game("quarto").kernel(scores_of)(state, 0, notes)
    row, diagonal, columns = 2 * 10, 3, 3
    expected = {"c1": row, "d1": row, "a2": columns, "b2": columns + diagonal, "c2": 0, "d4": diagonal}
    assert {cell: notes[CELLS.index(cell)] >> 16 for cell in expected} == expected


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


def test_threat_mode_finds_a_win_within_three_turns_and_gives_the_piece_that_brings_it():
    # On b2 piece b leaves four safe pieces, but only piece 10 (a) leaves the opponent none.
    state = drawn(
        """
        . 8 d .
        4 . e 1
        3 6 9 7
        . 0 5 .
        """,
        hand="b",
    )
    game = make_game("quarto")
    twin = naive.read(game.text(state), squares=False)
    assert not naive.wins_on(twin, twin.hand)
    assert len(naive.safe(twin.play("b2"))) == 4
    for policy in (Frontiers(game), Hard(game)):
        assert choices(policy, state) == {"b2"}
        assert choices(policy, game.play(state, game.action("b2"))) == {"give 10"}
    assert naive.exhaustive(twin) == 1
    assert "b2" in choices(Frontiers(game, depth=1), state)
    assert choices(Frontiers(game, depth=1), state) == naive.frontiers_moves(twin, 1, True)


# ---- hard


@every_variant
def test_hard_keeps_the_exhaustive_value_where_few_cells_are_empty(spec):
    game = make_game(spec)
    policy = Hard(game)
    for state, twin in some(spec, 1, 3, each=12) + some(spec, 4, 4, each=4):
        value = naive.exhaustive(twin)
        for move in choices(policy, state, 40):
            after = twin.play(move)
            assert naive.exhaustive(after) * (1 if after.player == twin.player else -1) == value


@every_variant
@pytest.mark.parametrize("budget", [1, 100, 150_000])
def test_hard_chooses_as_the_naive_twin_does(spec, budget):
    game = make_game(spec)
    most = {1: 9, 100: 5, 150_000: 4}[budget]
    for state, twin in some(spec, 1, most, each=3):
        assert choices(Hard(game, budget=budget), state) == naive.hard_moves(twin, budget), game.text(state)


def test_a_long_search_gives_the_same_as_a_short_one_where_both_see_the_end():
    game = make_game("quarto")
    states = np.array([state for state, _ in some("quarto", 1, 4)])
    deep, deeper = Frontiers(game, depth=5), Frontiers(game, depth=99)
    assert deep.act(states, keys(len(states))).tolist() == deeper.act(states, keys(len(states))).tolist()
    states = np.array([state for state, _ in some("quarto", 1, 7)])
    assert Hard(game).act(states, keys(len(states))).tolist() == Hard(game, budget=10**30).act(states, keys(len(states))).tolist()


# ---- strength: wins, draws and losses in both seats


def rates(game, first, second, games):
    result = evaluate(first, game, second, games, opening_plies=0)
    return result.wins / games, result.draws / games, result.losses / games


@every_variant
def test_frontiers_beats_random_in_975_of_1000_games(spec):
    game = make_game(spec)
    assert rates(game, Frontiers(game), Random(game), 1000)[0] >= 0.975


@every_variant
def test_easy_beats_random_in_nine_games_of_ten(spec):
    game = make_game(spec)
    assert rates(game, Easy(game), Random(game), 1000)[0] >= 0.9


@every_variant
def test_hard_does_not_lose_to_random_and_seldom_to_easy(spec):
    game = make_game(spec)
    wins, _, losses = rates(game, Hard(game), Random(game), 400)
    assert wins >= 0.99
    assert losses == 0
    wins, _, losses = rates(game, Hard(game), Easy(game), 400)
    assert wins >= 0.9
    assert losses <= 0.02
