"""Alpha-beta and expectimax: the values of plain minimax, whatever is cut, remembered or tried first."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import ludus
from ludus.games.evaluation import PLAIN
from ludus.search.alphabeta import negamax
from ludus.search.alphabeta.negamax import AlphaBeta
from ludus.search.evaluations import evaluation_of
from ludus.search.patterns.evaluation import patterns_of
from ludus.search.watch import Watch

from ..helpers.agents.searched import states_of
from ..helpers.games import EACH, keys
from ..helpers.values import same
from ..naive import search as naive
from ..naive.connect_four import ConnectFour

every_game = pytest.mark.parametrize("spec", EACH)
WIN = 10**9


def values(game, states, depth, **settings):
    evaluation = settings.pop("evaluation", None) or evaluation_of(game, "classic")
    return AlphaBeta(game, evaluation, depth=depth, **settings).search(states, keys(len(states))).values


# ---- values


def lines_of(size):
    rows = [[(r, c) for c in range(size)] for r in range(size)]
    return [*rows, *map(list, zip(*rows, strict=True)), [(i, i) for i in range(size)], [(i, size - 1 - i) for i in range(size)]]


def worth_in_quixo(game, state):
    """Σ c·3^c over the lines, from the position's text."""
    cells, mover = game.text(state).split()
    board = [cells[i * game.size : (i + 1) * game.size] for i in range(game.size)]
    total = 0
    for line in lines_of(game.size):
        for mark, sign in ((mover, 1), ("XO".replace(mover, ""), -1)):
            count = sum(board[r][c] == mark for r, c in line)
            total += sign * count * 3**count
    return total


def worth_in_othello(game, state):
    """5 × corners + 2 × discs, each the difference over the sum, from the position's text; in millionths."""
    cells, mover = game.text(state).split()
    corners = [cells[i] for i in (0, game.size - 1, game.size * (game.size - 1), game.size**2 - 1)]

    def share(marks, weight):
        own, other = marks.count(mover), marks.count("XO".replace(mover, ""))
        return int(Fraction((own - other) * weight, own + other)) if own + other else 0

    return share(corners, 5_000_000) + share(list(cells), 2_000_000)


def worth_in_connect_four(game, state):
    """The free cells that would complete a line of the mover's, less those that would complete one of the opponent's."""
    text = game.text(state)
    board = [list(text[row * game.columns :][: game.columns]) for row in range(game.rows)]

    def threats(mark):
        count = 0
        for row, column in product(range(game.rows), range(game.columns)):
            if board[row][column] == "-":
                board[row][column] = mark
                count += ConnectFour(board, line=game.line).has_line(mark)
                board[row][column] = "-"
        return count

    mover = text[-1]
    return threats(mover) - threats("XO".replace(mover, ""))


WORTH = {"quixo": worth_in_quixo, "othello": worth_in_othello, "connect_four": worth_in_connect_four}


@every_game
def test_values_are_those_of_plain_minimax_in_python(spec):
    game = ludus.make_game(spec)
    worth = WORTH.get(game.name, lambda game, state: 0)
    states = states_of(game, 4 if game.name in WORTH else 12)
    for depth in (1, 2):
        expected = [naive.minimax(game, state, depth, lambda state: worth(game, state)) for state in states]
        assert values(game, states, depth).tolist() == expected


@every_game
def test_pruning_table_and_aspiration_change_no_value(spec):
    game = ludus.make_game(spec)
    states = states_of(game, 300)
    depth = 3 if game.num_actions > 30 else 4
    plain = values(game, states, depth, prune=False, table=False)
    for settings in (
        {},
        {"table": False},
        {"prune": False},
        {"aspiration": 50},
        {"table_bits": 1},
        {"table_bits": 4, "aspiration": 1},
    ):
        assert values(game, states, depth, **settings).tolist() == plain.tolist(), settings


@pytest.mark.parametrize("spec", ["nim", "quixo:size=3"])  # where a position comes up at different plies
def test_deep_searches_keep_their_values_without_a_table(spec):
    game = ludus.make_game(spec)
    states = states_of(game, 20, seed=3)
    assert values(game, states, 6).tolist() == values(game, states, 6, table=False).tolist()


@pytest.mark.parametrize("width", [3, 12, 24, 36, 48])  # values of Quixo's line counts lie just so far apart
def test_a_value_on_the_edge_of_the_aspiration_window_is_searched_again(width):
    game = ludus.make_game("quixo:size=3")
    states = states_of(game, 150)
    plain = values(game, states, 3, prune=False, table=False).tolist()
    for settings in ({}, {"table": False}):
        assert values(game, states, 3, aspiration=width, **settings).tolist() == plain


def test_margins_that_nothing_exceeds_change_no_value():
    game = ludus.make_game("othello")
    states, evaluation = states_of(game, 40, seed=2), evaluation_of(game, "patterns")
    wide = values(game, states, 6, evaluation=evaluation, margins=((10**10,) * 7,) * evaluation.phases)
    assert wide.tolist() == values(game, states, 6, evaluation=evaluation).tolist()


def test_probcut_visits_fewer_positions_and_is_off_by_about_as_much_as_its_margins():
    game = ludus.make_game("othello")
    states, evaluation = states_of(game, 60, seed=2), patterns_of(game)
    margins = evaluation.margins(1.0, 8)
    whole, cut = (AlphaBeta(game, evaluation, 8, margins=given).search(states, keys(60)) for given in ((), margins))
    assert cut.nodes.sum() < 0.6 * whole.nodes.sum()
    assert np.abs(cut.values - whole.values)[np.abs(whole.values) < WIN // 2].mean() < max(map(max, margins))


def test_the_sooner_win_is_better_and_the_later_loss():
    game = ludus.make_game("tictactoe")
    now = game.position("XX-OO---- X")
    assert values(game, now[None], 5).tolist() == [WIN - 1]
    later = game.position("X---O---- X")
    assert values(game, later[None], 7).tolist() == [0]
    lost = game.position("XO-XX-O-- O")  # X threatens c2 and c3
    assert values(game, lost[None], 5).tolist() == [-(WIN - 2)]


def test_the_same_player_twice_keeps_the_sign_in_quarto():
    game = ludus.make_game("quarto")
    wins, waits, gives = map(game.position, ("012------------- 3", "012------------- c", "012------------- -"))
    found = AlphaBeta(game, PLAIN, depth=2).search(gives[None], keys(1))
    assert found.values.tolist() == [0]  # whoever gives a fitting piece loses; there are others
    assert game.move_name(int(found.actions[0])) in {"give 12", "give 13", "give 14", "give 15"}
    assert values(game, waits[None], 1, evaluation=PLAIN).tolist() == [0]
    assert values(game, wins[None], 1, evaluation=PLAIN).tolist() == [WIN - 1]


# ---- what is cut, counted and limited


def test_nodes_are_counted_as_perft_counts_them_where_nothing_is_cut():
    game = ludus.make_game("othello:size=6")
    found = AlphaBeta(game, PLAIN, depth=4, prune=False, table=False).search(game.start[None], keys(1))
    assert found.nodes.tolist() == [1 + 4 + 12 + 56 + 244]  # facts: perft 6×6


def test_a_limit_of_nodes_ends_the_search_at_the_deepest_depth_that_was_whole():
    game = ludus.make_game("othello")
    search = AlphaBeta(game, evaluation_of(game, "classic"), depth=20, nodes=5000)
    found = search.search(game.start[None], keys(1))
    assert 5000 < found.nodes[0] < 5005  # the few more are visits that it was refused
    depth = int(found.depths[0])
    assert 2 <= depth < 20
    whole = AlphaBeta(game, evaluation_of(game, "classic"), depth=depth).search(game.start[None], keys(1))
    assert (whole.actions[0], whole.values[0]) == (found.actions[0], found.values[0])


@pytest.mark.parametrize("spec", ["othello", "quixo", "connect_four"])
def test_a_search_that_goes_on_in_a_thread_finds_the_same(spec, monkeypatch):
    game, found, run = ludus.make_game(spec), [], Watch.run
    states = states_of(game, 10, seed=3)
    threads = []
    monkeypatch.setattr(Watch, "run", lambda watch, work: (threads.append(work), run(watch, work)))
    for most in (0, 100, 10**9):
        monkeypatch.setattr(negamax, "UNWATCHED_NODES", most)
        threads.clear()
        found.append(AlphaBeta(game, evaluation_of(game, "classic"), depth=4).search(states, keys(10)))
        assert same(vars(found[0]), vars(found[-1]))
        assert bool(threads) == (most < 10**9)


# ---- less deep at first


def test_of_an_opening_the_first_own_move_is_given_and_the_others_are_searched_two_plies_less_deep():
    policy = ludus.make_policy("minimax:depth=4,opening=2", "quixo")
    states = np.array([policy.game.position(text) for text in BY_OWN_CUBES])
    actions, nodes = policy.count(states, keys(len(states)))
    assert [policy.game.move_name(action) for action in actions[:2]] == ["a1>e1", "b1>a1"]
    assert nodes[:2].tolist() == [0, 0]
    for depth, rows in ((2, slice(2, 4)), (4, slice(4, 6))):
        usual = ludus.make_policy(f"minimax:depth={depth}", "quixo").count(states[rows], keys(len(states))[rows])
        assert (actions[rows].tolist(), nodes[rows].tolist()) == (usual[0].tolist(), usual[1].tolist())


BY_OWN_CUBES = [
    f"{cells:-<25} {mover}"
    for cells, mover in (("", "X"), ("X", "O"), ("X---O", "X"), ("XX--O", "O"), ("XX-OO", "X"), ("XX-OO", "O"))
]


# ---- expectimax


@pytest.mark.parametrize("position", ["X-O------ X", "XO-OX---- X", "X---O---- X", "XOX------ O", "-X------- O"])
def test_expectimax_knows_the_expected_result_against_a_random_player(position):
    game = ludus.make_game("tictactoe")
    state = game.position(position)
    actions, worths = ludus.make_policy("expectimax:depth=9", game).search(state[None], keys(1))
    expected = np.full(9, -2.0)
    for action in game.legal_actions(state):
        expected[action] = naive.against_random(game, game.play(state, action), game.player(state))
    assert worths[0] == pytest.approx(expected, abs=1e-6)
    assert expected[actions[0]] == expected.max()


def test_expectimax_reaches_the_most_that_can_be_won_against_random_in_tictactoe():
    # facts: no policy wins more than 191/192 as X against a uniformly random opponent; what it does not win it may draw
    game = ludus.make_game("tictactoe")
    _, worths = ludus.make_policy("expectimax:depth=9", game).search(game.start[None], keys(1))
    assert worths.max() == pytest.approx(1 - 1 / 192, abs=1e-6)
