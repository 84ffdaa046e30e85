"""Connect Four exactly: against brute force, another program and solved boards; limits, threads, and a book made in parts."""

import numpy as np
import pytest

import ludus
from ludus.games.connect_four.rules import filled_cells
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import OUT_OF_REACH, UNKNOWN, Oracle, make_oracle
from ludus.oracles.book import forget_books
from ludus.oracles.connect_four import ConnectFourOracle
from ludus.oracles.connect_four import oracle as oracle_module
from ludus.oracles.connect_four.book import ConnectFourBook
from ludus.oracles.connect_four.search import ConnectFourSearcher
from ludus.oracles.files import read_arrays, write_arrays
from ludus.oracles.statespace.tablebase import tablebase_file
from ludus.search.watch import DONE, TOTAL, Watch

from ..helpers.games import random_line
from ..naive.search import solved_with_distance

WIDE, SMALL = ludus.make_game("connect_four"), ludus.make_game("connect_four:rows=4,columns=4")
# positions by their columns, counted from 1, and what Pascal Pons's program (connect4, 2019) says of them
SCORES = """
1164555142 4, 3741416775 11, 7324457261 12, 123464737562 -15, 567771645211 -2, 773422751247 -1, 43755637132171 13,
46561412615137 10, 33162411614315 -10, 6727115776136425 1, 1513376543672234 0, 2373743746376711 -13, 742452254465726411 -6,
166754264613656455 8, 652163211133453455 3, 55756133573462322572 2, 66255644374147637165 3, 14577224222754434215 10,
535341167211642644136542 1, 517564371366217165122152 -9, 331354472352355134227451 -4, 3147121322566776617157664215 -2,
6445345631111616222455515272 -7, 5763156644521473274141765773 -7, 13671754417527751227421343541655 -5,
74745114576111452342272317554225 4, 22525736573536151365323427211177 4, 533322152534317553214641164251744277 0,
661176116526576215257333152227334377 2, 341766333451755672655116657742317341 -2
"""
# beginnings with a near end, from Pons's test set of these (Test_L3_R1, blog.gamesolver.org/solving-connect-four/02-test-protocol)
NEAR = "46454432 13, 72245465 -12, 6165173152 10, 564347 13, 6141 18, 2672237413 -15, 45342133256451 -12"
# rows, columns, the value of the start and its best columns: https://tromp.github.io/c4/c4.html has the values
STARTS = [(4, 4, 0, "abcd"), (4, 5, 0, "bcd"), (5, 4, 0, "abcd"), (4, 6, -1, "abcdef"), (5, 5, 0, "abcde"), (6, 4, 0, "abcd")]


def played(game, columns):
    return game.play_line([int(column) - 1 for column in columns])[-1]


def random_positions(game, least, count, seed=0):
    """Unfinished positions of random games with at least so many discs (B, 1)."""
    rng, states = np.random.default_rng(seed), []
    while len(states) < count:
        if line := random_line(game, rng)[least:-1]:
            states.append(line[int(rng.integers(len(line)))])
    return np.array(states)


def score(game, state):
    return ConnectFourSearcher(game, 16).score(state, Watch().words)


@pytest.fixture
def cache_folder(tmp_path, monkeypatch):
    """A cache folder of its own, and no book but what is made there."""
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    monkeypatch.setattr(ConnectFourBook, "path", lambda game: tmp_path / "tables" / "made.book")
    forget_books()
    yield tmp_path
    forget_books()


@pytest.mark.parametrize(
    ("spec", "discs"),
    [("rows=4,columns=4", 3), ("rows=4,columns=7,line=3", 16), ("rows=6,columns=5,line=5", 18), ("rows=6,columns=7", 30)],
)
def test_values_and_distances_are_those_of_brute_force(spec, discs):
    game = ludus.make_game(f"connect_four:{spec}")
    states, slow = random_positions(game, discs, 60), {}
    known = make_oracle(game).position_values(states)
    for state, value, distance in zip(states, known.values, known.distances, strict=True):
        assert (value, distance) == solved_with_distance(game, state, slow), game.text(state)


def test_scores_are_those_of_another_program():
    for columns, expected in (pair.split() for pair in SCORES.split(",")):
        assert score(WIDE, played(WIDE, columns)) == int(expected), columns


def test_near_ends_take_few_nodes():
    for columns, expected in (pair.split() for pair in NEAR.split(",")):
        watch = Watch(nodes=25_000)  # the question whether the player wins at all takes a million
        assert ConnectFourSearcher(WIDE, 16).score(played(WIDE, columns), watch.words) == int(expected), columns


@pytest.mark.parametrize(("rows", "columns", "value", "best"), STARTS)
def test_the_starts_of_small_boards_are_worth_what_is_published(rows, columns, value, best):
    game = ludus.make_game("connect_four", rows=rows, columns=columns)
    solution = make_oracle(game).solve(game.start)
    assert (solution.value, "".join(map(game.move_name, solution.best))) == (value, best)


@pytest.mark.parametrize(
    ("spec", "least"), [("connect_four", 24), ("connect_four:rows=5,columns=5", 12), ("connect_four:rows=4,columns=4", 0)]
)
def test_perfect_play_of_many_positions_is_that_of_each(spec, least):
    oracle = make_oracle(spec)
    states = random_positions(oracle.game, least, 40, seed=7)
    assert np.array_equal(oracle.choices_of(states), Oracle.choices_of(oracle, states))


# ---- small boards as a whole


def test_many_positions_are_looked_up_and_the_search_says_the_same(monkeypatch):
    oracle = make_oracle("connect_four:rows=5,columns=4")
    states = random_positions(oracle.game, 0, 300, seed=8)
    impossible = oracle.game.parse("----" * 3 + "XX--OO-- X")  # the first disc would be O's
    searched = oracle.position_values(np.concatenate([states, [impossible]]))
    tablebase_file(oracle.game).table()
    monkeypatch.setattr(oracle_module, "SOME", 1)
    looked_up = oracle.position_values(np.concatenate([states, [impossible]]))
    assert np.array_equal(looked_up.values, searched.values)
    assert np.array_equal(looked_up.distances, searched.distances)
    monkeypatch.setattr(ConnectFourSearcher, "score", None)
    assert oracle.values(states).tolist() == searched.values[:-1].tolist()


def test_all_positions_of_a_small_board_are_counted():
    assert make_oracle(SMALL).counts() == (38_675, 32_234, 90_120)  # together 161,029, https://tromp.github.io/c4/c4.html
    assert make_oracle(WIDE).counts() is None


def test_a_position_with_few_discs_is_out_of_reach_without_the_book(cache_folder):
    oracle = ConnectFourOracle(WIDE)
    assert oracle.solve(WIDE.start) == UNKNOWN
    assert oracle.values(WIDE.start[None]).tolist() == [OUT_OF_REACH]
    assert oracle.solve(WIDE.start, Watch(nodes=1000)) == UNKNOWN
    assert oracle.reaches(played(WIDE, "12345671"))


# ---- the book


def test_a_book_is_made_in_parts_and_goes_on_where_it_was_left(cache_folder):
    watch = Watch(nodes=2_000)
    assert ConnectFourBook.build(SMALL, 5, watch, table_bits=12) is None
    assert 0 < watch.words[DONE] < watch.words[TOTAL]
    before = read_arrays(ConnectFourBook.progress_path(SMALL, 5), "")["scores"]
    again = Watch()
    made = ConnectFourBook.build(SMALL, 5, again, table_bits=12)
    after = read_arrays(ConnectFourBook.progress_path(SMALL, 5), "")["scores"]
    assert (after[before != ConnectFourBook.unknown] == before[before != ConnectFourBook.unknown]).all()
    states = np.concatenate([layer for _, layer in zip(range(6), ConnectFourBook.layers(SMALL), strict=False)])
    assert made.states.tolist() == sorted(states[:, 0].tolist())
    assert [made.score(state) for state in states] == [score(SMALL, state) for state in states]


def test_a_book_holds_wins_by_the_next_disc_as_the_search_scores_them(cache_folder):
    game = ludus.make_game("connect_four:rows=4,columns=4,line=3")
    made = ConnectFourBook.build(game, 6, table_bits=12)
    assert [made.score(np.array([word])) for word in made.states] == [score(game, np.array([word])) for word in made.states]


def test_the_oracle_knows_what_is_in_its_book_and_mirror_images_of_it(cache_folder):
    layers = [layer for _, layer in zip(range(3), ConnectFourBook.layers(WIDE), strict=False)]
    made_up = np.random.default_rng(5).integers(-18, 19, len(layers[2])).astype(np.int8)
    write_arrays(ConnectFourBook.progress_path(WIDE, 2), scores=made_up)
    ConnectFourBook.build(WIDE, 2)
    oracle = ConnectFourOracle(WIDE)
    for state, expected in zip(layers[2], made_up, strict=True):
        for shown in (state, WIDE.permuted(state[None], [1])[0]):
            assert oracle.value(shown) == np.sign(expected)
            assert oracle.reaches(shown)
    assert oracle.book.score(WIDE.start) == max(-oracle.book.score(state) for state in layers[1])
    assert not oracle.reaches(played(WIDE, "123"))


def test_the_book_that_ships_has_the_published_values():
    shipped, layers = shipped_book(), [layer for _, layer in zip(range(9), ConnectFourBook.layers(WIDE), strict=False)]
    assert (shipped.placed, len(shipped.states)) == (8, sum(map(len, layers)))
    after = {WIDE.move_name(action): -shipped.score(WIDE.play(WIDE.start, action)) for action in range(7)}
    assert after == {"a": -2, "b": -1, "c": 0, "d": 1, "e": 0, "f": -1, "g": -2}
    # J. Tromp's data set (UCI Machine Learning Repository, 1995): 8 discs, neither player has a move that wins at once
    swapped = layers[8] ^ filled_cells((layers[8],))  # the discs of both change their colours
    quiet = layers[8][~wins_at_once(layers[8]) & ~wins_at_once(swapped)]
    values = np.sign([shipped.score(state) for state in quiet])
    assert [int((values == value).sum()) for value in (1, 0, -1)] == [44_473, 6_449, 16_635]


def test_the_book_that_ships_agrees_with_the_search():
    shipped, rng = shipped_book(), np.random.default_rng(7)
    searcher, layer = ConnectFourSearcher(WIDE, 20), shipped.states[discs_of(shipped.states) == 8]
    for word in rng.choice(layer, 8, replace=False):
        state = np.array([word])
        assert shipped.score(state) == searcher.score(state, Watch().words), WIDE.text(state)


def shipped_book():
    return ConnectFourBook.of(WIDE)


def discs_of(words):
    return WIDE.count_discs(words[:, None])


def wins_at_once(states):
    """Whether the player to move has a move that wins (B,)."""
    rows, actions = np.nonzero(WIDE.masks(states))
    wins = np.zeros(len(states), bool)
    wins[rows[WIDE.outcomes(WIDE.plays(states[rows], actions)) != ONGOING]] = True
    return wins


def test_a_damaged_book_is_reported_and_not_used(cache_folder, caplog):
    ConnectFourBook.build(SMALL, 2)
    path = ConnectFourBook.path(SMALL)
    path.write_bytes(path.read_bytes()[:-3])
    forget_books()
    assert ConnectFourBook.of(SMALL).placed == -1
    assert "cannot be used" in caplog.text
