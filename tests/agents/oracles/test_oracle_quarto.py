"""The oracle of Quarto: its values against brute force, and its forms of symmetric positions against counts."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ludus
from ludus.agents.oracles import UNKNOWN, Solution, make_oracle
from ludus.agents.oracles.quarto import QuartoOracle, builder
from ludus.agents.oracles.quarto.symmetry import canonical
from ludus.agents.search.watch import DONE, TOTAL, Watch

from ...helpers.agents.quarto import GIVES, PLACES, PLAIN, after_each, every_variant, without_book
from ...naive import quarto as naive


def random_position(game, placed, rng, in_hand=True):
    """An unfinished position with so many pieces on random cells."""
    while True:
        pieces, cells = rng.permutation(16), rng.permutation(16)
        digits = ["-"] * 16
        for piece, cell in zip(pieces[:placed], cells, strict=False):
            digits[cell] = f"{piece:x}"
        try:
            state = game.parse(f"{''.join(digits)} {pieces[placed]:x}")
        except ValueError:  # there is a line
            continue
        return state if in_hand else game.parse(f"{''.join(digits)} -")


def wary_position(node, empty, in_hand, rng):
    """A position of the naive game after random moves, those that lose at once avoided; or one where the game is over."""
    while not node.outcome() and (16 - len(node.board) > empty or bool(node.hand) != in_hand):
        moves = node.legal()
        rng.shuffle(moves)
        node = next((after for move in moves if not loses_at_once(after := node.play(move))), node.play(moves[0]))
    return node


def loses_at_once(node):
    return bool(node.outcome()) or (bool(node.hand) and len(node.board) < 15 and any(node.play(m).outcome() for m in node.legal()))


def value_of(node, known):
    """The value for the player to move, by full minimax."""
    key = frozenset(node.board.items()), node.hand
    if key not in known:
        outcome = node.outcome()
        known[key] = outcome[node.player] if outcome else max(after for _, after in values_after(node, known))
    return known[key]


def values_after(node, known):
    """Each move, and the value of what it leads to for the player who makes it."""
    after = [(move, node.play(move)) for move in node.legal()]
    return [(move, value_of(n, known) * (1 if n.player == node.player else -1)) for move, n in after]


def quick_value(pieces, hand, left, lines):
    """The value for the player who places `hand` on a board given as 16 pieces or None, by search that stops at a win."""
    best = -1
    for cell in [c for c in range(16) if pieces[c] is None]:
        board = [*pieces[:cell], hand, *pieces[cell + 1 :]]
        if any(completed([board[c] for c in line]) for line in lines if cell in line):
            return 1
        if not left:
            best = max(best, 0)
        for piece in left:
            best = max(best, -quick_value(board, piece, left - {piece}, lines))
            if best == 1:
                return 1
    return best


def completed(pieces):
    if None in pieces:
        return False
    a, b, c, d = pieces
    return bool(a & b & c & d or 15 & ~(a | b | c | d))


def lines_of(game):
    named = naive.ROWS + naive.COLUMNS + naive.DIAGONALS + (naive.SQUARES if game.squares else [])
    return [[naive.CELLS.index(cell) for cell in line.split()] for line in named]


# ---- values and best actions


@every_variant
@pytest.mark.parametrize("in_hand", [True, False])
def test_values_and_best_actions_are_those_of_full_minimax(game, in_hand):
    rng, oracle, seen = np.random.default_rng(1), QuartoOracle(game), set()
    for empty in [0, 1, 2, 3, 4, 4, 5, 5] * 12:
        node, known = wary_position(naive.Quarto.start(game.squares), empty, in_hand, rng), {}
        state, value = game.parse(node.text()), value_of(node, known)
        best = [game.action(move) for move, after in values_after(node, known) if after == value] if not node.outcome() else []
        assert oracle.solve(state) == Solution(value, tuple(sorted(best)))
        assert oracle.value(state) == value
        if best:
            assert oracle.value_and_action(state)[0] == value
            assert oracle.value_and_action(state)[1] in best
            assert oracle.choose(state, int(rng.integers(2**63))) in best
        seen.add(value)
    assert seen == {1, 0, -1}


@every_variant
def test_values_with_up_to_eight_empty_cells_are_those_of_a_plain_search(game):
    rng, oracle, lines = np.random.default_rng(2), QuartoOracle(game), lines_of(game)
    for empty in [6] * 12 + [7] * 6 + [8]:
        node = wary_position(naive.Quarto.start(game.squares), empty, True, rng)
        if node.outcome():
            continue
        numbers = {piece: number for number, piece in enumerate(naive.PIECES)}
        pieces = [numbers.get(node.board.get(cell)) for cell in naive.CELLS]
        left = frozenset(numbers[piece] for piece in node.left())
        assert oracle.value(game.parse(node.text())) == quick_value(pieces, numbers[node.hand], left, lines)


@every_variant
def test_a_value_is_the_best_of_those_after_it(game):
    rng, oracle = np.random.default_rng(3), QuartoOracle(game)
    for placed in (6, 7, 8, 9):
        for in_hand in (True, False):
            state = random_position(game, placed, rng, in_hand)
            solution, after = oracle.solve(state), oracle.after(state)
            assert solution.value == max(told.value for told in after.values())
            assert solution.best == tuple(action for action, told in after.items() if told.value == solution.value)


@every_variant
def test_symmetric_positions_have_the_same_value(game):
    rng = np.random.default_rng(4)
    for placed in (5, 6, 8, 10):
        state = random_position(game, placed, rng)
        which = rng.integers(len(game.symmetries.cells), size=5)
        images = game.permuted(np.repeat(state[None], 5, axis=0), which)
        values = [QuartoOracle(game, table_bits=8).value(image) for image in images]
        assert values == [QuartoOracle(game).value(state)] * 5


def test_what_the_search_remembers_changes_no_answer():
    rng = np.random.default_rng(5)
    states = [random_position(PLAIN, placed, rng, in_hand) for placed in (5, 6, 7) for in_hand in (True, False) for _ in range(4)]
    oracle = QuartoOracle(PLAIN, table_bits=6)
    assert [oracle.solve(state) for state in states] == [QuartoOracle(PLAIN).solve(state) for state in states]
    assert [oracle.value(state) for state in reversed(states)] == [QuartoOracle(PLAIN).value(state) for state in reversed(states)]


def test_a_piece_in_hand_that_completes_a_line_wins():
    state = PLAIN.parse("012------------- 3")
    assert QuartoOracle(PLAIN).solve(state) == Solution(1, (PLAIN.action("d1"),))
    # 0, 1 and 2 share two attributes that they have not: only pieces that have both may be given
    given = PLAIN.parse("012------------- -")
    assert QuartoOracle(PLAIN).value(given) == 0
    assert set(QuartoOracle(PLAIN).solve(given).best) <= {PLAIN.action(f"give {piece}") for piece in (12, 13, 14, 15)}


def test_values_of_many_positions_are_those_of_each():
    rng, oracle = np.random.default_rng(18), without_book(QuartoOracle(PLAIN))
    states = np.array([random_position(PLAIN, placed, rng) for placed in (2, 6, 7, 8) for _ in range(5)])
    assert oracle.values(states).tolist() == [2] * 5 + [oracle.value(state) for state in states[5:]]
    assert oracle.values(states[:0]).shape == (0,)


def test_threads_may_ask_at_the_same_time():
    rng = np.random.default_rng(6)
    oracle, states = QuartoOracle(PLAIN), [random_position(PLAIN, 6, rng) for _ in range(24)]
    with ThreadPoolExecutor(4) as team:
        assert list(team.map(oracle.solve, states)) == [QuartoOracle(PLAIN).solve(state) for state in states]


def test_the_chosen_action_is_any_of_the_best_by_its_key():
    rng, oracle = np.random.default_rng(7), QuartoOracle(PLAIN)
    state = random_position(PLAIN, 8, rng, in_hand=False)
    best = oracle.solve(state).best
    assert len(best) > 1
    chosen = [oracle.choose(state, int(key)) for key in rng.integers(2**63, size=40 * len(best))]
    assert set(chosen) == set(best)
    assert min(chosen.count(action) for action in best) > 10


# ---- symmetry


def classes(game, states):
    return np.unique(canonical(game, states), axis=0)


# Numbers of positions up to symmetry: facts of the game, computed independently of this code.
BOARDS, WITH_PIECE = [1, 2, 40, 454], [1, 8, 148, 3382, 91746]


def test_boards_up_to_symmetry_are_as_many_as_are_known():
    layer = PLAIN.start[None]
    for count in BOARDS:
        layer = classes(PLAIN, layer)
        assert len(layer) == count
        layer = after_each(PLAIN, after_each(PLAIN, layer, GIVES), PLACES)


def test_boards_with_a_piece_in_hand_up_to_symmetry_are_as_many_as_are_known():
    layer = PLAIN.play(PLAIN.start, 16)[None]
    for count in WITH_PIECE:
        layer = classes(PLAIN, layer)
        assert len(layer) == count
        layer = after_each(PLAIN, after_each(PLAIN, layer, PLACES), GIVES)


@every_variant
def test_all_images_of_a_position_have_one_form_which_is_one_of_them(game):
    rng, count = np.random.default_rng(8), len(game.symmetries.cells)
    assert count == (3072 if game.squares else 12288)
    for placed in (0, 1, 3, 4, 7, 11):
        for in_hand in (True, False):
            state = random_position(game, placed, rng, in_hand)
            images = game.permuted(np.repeat(state[None], count, axis=0), np.arange(count))
            forms = np.unique(canonical(game, images), axis=0)
            assert len(forms) == 1
            assert (images == forms[0]).all(axis=1).any()


@every_variant
def test_the_layers_of_a_book_are_all_unfinished_positions_up_to_symmetry(game):
    for placed, layer in zip(range(4), builder.layers_of(game), strict=False):
        assert (game.outcomes(layer) == 2).all()
        assert np.array_equal(canonical(game, layer), layer)
        if not game.squares:
            assert len(layer) == WITH_PIECE[placed]


# ---- reach, limits, settings


@every_variant
def test_what_is_reached_is_solved_and_what_is_not_is_unknown(game):
    oracle = without_book(QuartoOracle(game, placed=9))
    rng = np.random.default_rng(9)
    for placed in (0, 3, 8, 9, 12):
        state = random_position(game, placed, rng)
        assert oracle.reaches(state) == (placed >= 9)
        if placed < 9:
            assert oracle.solve(state) == UNKNOWN
            assert oracle.value(state) is oracle.best_actions(state) is oracle.choose(state, 1) is None
            assert oracle.value_and_action(state) is None
    assert oracle.reaches(game.parse("0123------------ -"))
    assert oracle.solve(game.parse("0123------------ -")) == Solution(1)
    beyond = random_position(game, 7, rng)
    assert oracle.solve(beyond, Watch()) == QuartoOracle(game).solve(beyond)


def test_a_limit_ends_a_search_with_nothing():
    oracle = without_book(QuartoOracle(PLAIN))
    for watch in (Watch(nodes=1000), Watch(seconds=0.2)):
        assert oracle.solve(PLAIN.start, watch) == UNKNOWN
        assert watch.stopped
    assert oracle.value_and_action(PLAIN.start, Watch(nodes=1000)) is None


def test_a_watch_hears_how_far_a_search_is():
    watch = Watch()
    state = random_position(PLAIN, 6, np.random.default_rng(10))
    assert QuartoOracle(PLAIN).solve(state, watch).value is not None
    assert watch.nodes > 0
    assert watch.words[TOTAL] == 11
    assert watch.words[DONE] == 11


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"placed": 17}, ["0 to 16", "17"]),
        ({"placed": -1}, ["0 to 16", "-1"]),
        ({"table_bits": 0}, ["1 to 40", "0"]),
        ({"table_bits": 41}, ["1 to 40", "41"]),
    ],
)
def test_a_setting_that_cannot_be_is_answered_with_what_can(settings, words):
    with pytest.raises(ValueError, match="oracle of Quarto") as error:
        make_oracle("quarto", **settings)
    assert all(word in str(error.value) for word in words)


def test_another_game_is_refused():
    with pytest.raises(ValueError, match="Quarto does not know othello"):
        QuartoOracle(ludus.make_game("othello"))


def test_a_table_without_room_says_so():
    state = random_position(PLAIN, 10, np.random.default_rng(11))
    with pytest.raises(MemoryError, match=r"no room for a table of 2\^40 entries .* choose fewer table_bits"):
        QuartoOracle(PLAIN, table_bits=40).solve(state)


def test_an_oracle_copies_and_pickles_by_its_settings():
    oracle = QuartoOracle(PLAIN, placed=5, table_bits=10)
    state = random_position(PLAIN, 7, np.random.default_rng(12))
    solution = oracle.solve(state)
    for other in (pickle.loads(pickle.dumps(oracle)), copy.deepcopy(oracle)):
        assert other == oracle
        assert other.solve(state) == solution
    assert len(pickle.dumps(oracle)) < 1000
