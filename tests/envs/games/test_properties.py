"""What holds for every variant of every game, on positions that random play reaches."""

import copy
import pickle
from dataclasses import asdict, replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludus.agents import make_policy
from ludus.envs import make_game
from ludus.envs.check import check_game
from ludus.envs.check.compiling import compiled_rules_say_what_they_say_in_python
from ludus.envs.check.notation import NOTATION
from ludus.envs.check.positions import RULES, Position
from ludus.envs.check.readings import AsCompiled
from ludus.envs.games.registry import game_class
from ludus.envs.kernels.rules import ONGOING

SEEDS = st.integers(0, 2**32 - 1)
PLIES = st.integers(0, 250)
some = settings(deadline=None, max_examples=25)


def random_game(game, seed):
    """The states of a game at random, from the start to the end."""
    random, states = np.random.default_rng(seed), [game.start]
    while legal := game.legal_actions(states[-1]):
        states.append(game.play(states[-1], int(random.choice(legal))))
    return states


def reached(game, seed, ply):
    """One of those states: the start, or further on."""
    states = random_game(game, seed)
    return states[ply % len(states)]


# ---- the facts that `ludus check` holds against any game


def test_the_check_finds_nothing(game):
    result = check_game(game, games=1)
    assert result.ok, result


@settings(some, max_examples=15)
@given(SEEDS, PLIES, SEEDS)
def test_every_fact_holds_at_any_position(game, seed, ply, choice):
    at = Position(AsCompiled(game), reached(game, seed, ply), choice)
    facts = (*RULES, compiled_rules_say_what_they_say_in_python, *NOTATION)
    assert [(fact.__name__, wrong) for fact in facts for wrong in fact(at)] == []


# ---- the rules


@some
@given(SEEDS, PLIES)
def test_just_the_legal_actions_can_be_played(game, seed, ply):
    state = reached(game, seed, ply)
    legal = game.legal_actions(state)
    assert legal == np.flatnonzero(game.masks(state[None])[0]).tolist()
    for action in range(-1, game.num_actions + 1):
        if action in legal:
            assert not np.array_equal(game.play(state, action), state)
        else:
            with pytest.raises(ValueError, match="not legal"):
                game.play(state, action)


@some
@given(SEEDS, PLIES)
def test_playing_leaves_the_state_before_it_as_it_was(game, seed, ply):
    state = reached(game, seed, ply)
    before = state.copy()
    for action in game.legal_actions(state):
        game.play(state, action)
    assert np.array_equal(state, before)


@some
@given(SEEDS)
def test_a_game_has_moves_until_its_only_end_which_sums_to_zero(game, seed):
    *before, last = random_game(game, seed)
    assert all(game.outcome(state) is None for state in before)
    assert game.outcome(last) in {(1, -1), (0, 0), (-1, 1)}
    assert set(map(game.player, [*before, last])) <= {0, 1}


@some
@given(SEEDS)
def test_a_batch_is_as_its_states_are_one_by_one(game, seed):
    states = np.array(random_game(game, seed))[::-1]  # not contiguous
    results = [(outcome := game.outcome(state)) and outcome[0] for state in states]
    assert game.outcomes(states).tolist() == [ONGOING if result is None else result for result in results]
    assert game.players(states).tolist() == [game.player(state) for state in states]
    assert [np.flatnonzero(mask).tolist() for mask in game.masks(states)] == [game.legal_actions(state) for state in states]
    actions = [game.legal_actions(state)[-1] for state in states[1:]]
    assert np.array_equal(game.plays(states[1:], actions), [game.play(s, a) for s, a in zip(states[1:], actions, strict=True)])


# ---- symmetries


@some
@given(SEEDS, PLIES, SEEDS)
def test_a_symmetry_carries_what_is_on_a_cell_to_another(game, seed, ply, which):
    which %= len(game.symmetries.cells)
    cells, actions = game.symmetries.cells[which], game.symmetries.actions[which]
    state = reached(game, seed, ply)
    turned = game.permuted(state[None], [which])[0]
    if game.name == "quarto":  # pieces get other names too
        renamed = {f"{piece:x}": f"{actions[16 + piece] - 16:x}" for piece in range(16)} | {"-": "-"}
        before, after = game.text(state), game.text(turned)
        assert [after[cell] for cell in cells] == [renamed[piece] for piece in before[:16]]
        assert after[17] == renamed[before[17]]
    else:
        before, after = (game.observations(s[None], [0]).reshape(len(game.planes), -1) for s in (state, turned))
        assert np.array_equal(after[:, cells], before)


# ---- notation


@some
@given(st.text(max_size=30))
@example("")
@example(" X")
@example("0")
@example("² ² ² ²")
def test_any_text_is_read_as_it_stands_or_refused(game, text):
    assert_read_as_it_stands_or_refused(game, text)


@settings(some, max_examples=50)
@given(SEEDS, PLIES, st.integers(0, 100), st.sampled_from("XO-0123456789abcdef "))
def test_a_position_with_a_slip_of_the_pen_is_read_as_it_stands_or_refused(game, seed, ply, place, slip):
    text = game.text(reached(game, seed, ply))
    place %= len(text)
    assert_read_as_it_stands_or_refused(game, text[:place] + slip + text[place + 1 :])


@pytest.mark.parametrize(
    ("spec", "text", "why"),
    [
        ("nim", "1 3 5", "takes 4 heaps"),
        ("nim", "1 3 5 7 1", "takes 4 heaps"),
        ("nim", "1 3 5 -7", "takes 4 heaps"),
        ("nim", "8 3 5 7", "no heap grows beyond 7"),
        ("tictactoe", "X-O------", "does not say who moves"),
        ("tictactoe", "X-O----- X", "takes 9 cells"),
        ("tictactoe", "X-O------ O", "X moves first"),
        ("tictactoe", "XXX---OOO X", "X has a line"),
        ("othello:size=4", "---------------- X", "never empty"),
        ("othello", "-----OX--XO----- X", "takes 64 cells"),
        ("othello:size=4", "-----OX--XO----- x", "does not say who moves"),
        ("quixo:size=3", "X--O---- X", "takes 9 cells"),
        ("quixo:size=3", "X--O----Q X", "takes 9 cells"),
        ("quarto", "0-------------5-", "takes 16 cells"),
        ("quarto", "0-------------5- g", "takes 16 cells"),
        ("quarto", "00-------------- -", "piece 0 is there twice"),
        ("quarto", "0--------------- 0", "piece 0 is there twice"),
        ("quarto", "0123------------ 4", "the game is over"),
        ("quarto:squares=true", "01--23---------- 4", "the game is over"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_the_reason(spec, text, why):
    with pytest.raises(ValueError, match=why):
        make_game(spec).parse(text)


def assert_read_as_it_stands_or_refused(game, text):
    try:
        state = game.parse(text)
    except ValueError:
        return
    assert words(game.text(state)) == words(text)


def words(text):
    """A text by its words, with numbers as numbers."""
    return [int(word) if word.isdecimal() else word for word in text.split()]


def test_every_action_has_a_name_of_its_own(game):
    assert [game.action(move) for move in game.moves] == list(range(game.num_actions))
    assert [game.action(f"  {move.upper()} ") for move in game.moves] == list(range(game.num_actions))


@pytest.mark.parametrize(
    ("spec", "move", "action"),
    [
        ("nim", "2-3", 9),
        ("nim:limit=3", "2-3", 5),
        ("tictactoe", "b2", 4),
        ("quarto", "c2", 6),
        ("quarto", "give 7", 23),
        ("quixo", "a1>e1", 0),
        ("quixo", "a1>a5", 1),
        ("quixo", "e5>a5", 43),
        ("quixo:size=3", "b1>c1", 3),
        ("othello", "d3", 19),
        ("othello", "pass", 64),
        ("othello:size=4", "pass", 16),
    ],
)
def test_actions_are_numbered_as_documented(spec, move, action):
    assert make_game(spec).action(move) == action


@pytest.mark.parametrize("size", [3, 4, 5])
def test_moves_of_quixo_are_numbered_by_the_cell_taken_then_by_the_cell_of_re_entry(size):
    moves = make_game("quixo", size=size).moves
    assert list(moves) == sorted(moves, key=lambda move: [(cell[1], cell[0]) for cell in move.split(">")])


@pytest.mark.parametrize("move", ["", "z9", "a0", "give", "give 16", "1-0", "9-1", "a1>a1", "b2>b1", "0", "-1"])
def test_what_is_no_move_is_refused(game, move):
    with pytest.raises(ValueError, match="has no move"):
        game.action(move)


# ---- observations

SHAPES = {
    # as the games' pages say: planes, height, width; actions
    "nim": ((2, 4, 7), 28),
    "nim:misere=true": ((2, 4, 7), 28),
    "nim:limit=3": ((2, 4, 7), 12),
    "nim:heaps=1+3+5,limit=3,misere=true": ((2, 3, 5), 9),
    "nim:heaps=12+40": ((2, 2, 40), 80),
    "tictactoe": ((3, 3, 3), 9),
    "quarto": ((12, 4, 4), 32),
    "quarto:squares=true": ((12, 4, 4), 32),
    "quixo": ((3, 5, 5), 44),
    "quixo:size=4": ((3, 4, 4), 32),
    "quixo:size=3": ((3, 3, 3), 20),
    "othello": ((3, 8, 8), 65),
    "othello:size=6": ((3, 6, 6), 37),
    "othello:size=4": ((3, 4, 4), 17),
}


def test_shapes_are_as_documented(game):
    shape, actions = SHAPES[game.spec]
    assert (game.shape, game.num_actions, len(game.planes)) == (shape, actions, shape[0])
    planes, mask = game.observations(game.start[None], [0]), game.masks(game.start[None])
    assert (planes.shape, planes.dtype, mask.shape, mask.dtype) == ((1, *shape), np.int8, (1, actions), np.int8)


@some
@given(SEEDS, PLIES, st.integers(0, 1))
def test_planes_are_zeros_and_ones_and_the_last_is_all_ones(game, seed, ply, seat):
    planes = game.observations(reached(game, seed, ply)[None], [seat])[0]
    assert set(np.unique(planes)) <= {0, 1}
    assert planes[-1].all()


# ---- states from outside


@some
@given(SEEDS, PLIES)
def test_a_reached_state_is_a_position(game, seed, ply):
    state = reached(game, seed, ply)
    for given_as in (state, state.tolist(), game.text(state)):
        assert game.text(game.position(given_as)) == game.text(state)
    assert np.array_equal(game.position(state), state)


@some
@given(SEEDS, PLIES)
def test_a_state_with_a_bit_that_means_nothing_is_refused(game, seed, ply):
    state = reached(game, seed, ply).copy()
    state[-1] |= np.uint64(1 << 63)
    with pytest.raises(ValueError, match="is no state"):
        game.position(state)


def test_a_state_of_another_variant_is_refused(game):
    for variant in game_class(game.name).variants:
        if variant != game.spec:
            with pytest.raises(ValueError, match="state"):
                game.position(make_game(variant).start)


@pytest.mark.parametrize(
    ("spec", "state", "why"),
    [
        ("nim", [8, 0x07_07_04_00], "a heap grew"),
        ("nim", [0x01_07_05_03_01, 0x07_07_04_00], "a fifth heap"),
        ("tictactoe", [0b1_000000000], "O moved first"),
        ("tictactoe", [0b1_000000001], "X and O on one cell"),
        ("tictactoe", [1 << 18], "O to move before X"),
        ("tictactoe", [0b000111000_000000111], "both have a line"),
        ("othello", [0, 0, 8 << 1], "nothing in the middle"),
        ("othello:size=4", [0xFFFF, 1, 4 << 1], "black and white on one cell"),
        ("othello:size=4", [0x10240, 0x0420, 4 << 1], "a disc beyond the board"),
        ("quarto", [0, 1], "a piece stands there that nobody gave"),
        ("quarto", [1, 0], "a piece is dark and not there"),
        ("quarto", [0, 1 << 16], "a piece was given and is nowhere"),
        ("quarto", [0, 0b11 | 1 << 16], "a piece stands on two cells"),
        ("quarto", [0, 1 << 36], "a piece is in hand that nobody gave"),
        ("quarto", [0, 5 << 32], "no piece is in hand, and it is number 5"),
        ("quixo", [1 | 1 << 32 | 5 << 26], "X and O on one cube"),
        ("quixo:size=3", [1 << 9 | 3 << 26], "a cube beyond the board"),
        ("quixo", [6 << 26], "a board of 6×6"),
    ],
)
def test_a_damaged_state_is_refused(spec, state, why):
    with pytest.raises(ValueError, match="is no state"):
        make_game(spec).position(state)


def test_what_has_not_the_form_of_a_state_is_refused(game):
    start = game.start
    for wrong in ([], [*start, 0], start[None], start.astype(float), 0, None, ["0"] * game.num_words, [None] * game.num_words):
        with pytest.raises(ValueError, match="state"):
            game.position(wrong)


# ---- same seed, same game


@some
@given(SEEDS)
def test_a_policy_answers_a_state_and_key_the_same_in_any_batch(game, seed):
    policy = make_policy("random", game)
    states = np.array(random_game(game, seed)[:-1])
    keys = np.random.default_rng(seed).integers(0, 2**64, len(states), np.uint64)
    actions = policy.act(states, keys)
    assert actions.tolist() == policy.act(states[::-1], keys[::-1]).tolist()[::-1]
    assert actions.tolist() == [policy.act(states[i : i + 1], keys[i : i + 1])[0] for i in range(len(states))]


@settings(some, max_examples=10)
@given(SEEDS, PLIES)
def test_the_random_policy_is_uniform_over_the_legal_actions(game, seed, ply):
    states = random_game(game, seed)
    state, count = states[ply % (len(states) - 1)], 4000
    policy, legal = make_policy("random", game), game.legal_actions(state)
    keys = np.random.default_rng(seed).integers(0, 2**64, count, np.uint64)
    shares = np.bincount(policy.act(np.tile(state, (count, 1)), keys), minlength=game.num_actions) / count
    expected = policy.probabilities(state[None])[0]
    assert np.flatnonzero(expected).tolist() == legal
    assert expected[legal] == pytest.approx(1 / len(legal))
    assert shares == pytest.approx(expected, abs=7 * (1 / len(legal) / count) ** 0.5)


# ---- the game as a value


def test_a_game_is_made_again_by_its_spec_or_its_settings(game):
    assert make_game(game.spec) == game
    assert make_game(str(game)) == game
    assert make_game(game.name, **asdict(game)) == game
    assert make_game(game) is game


@some
@given(
    heaps=st.lists(st.integers(1, 255), min_size=1, max_size=8).map(tuple),
    limit=st.none() | st.integers(1, 300),
    misere=st.booleans(),
)
@example(heaps=(7,), limit=None, misere=False)
def test_any_table_of_nim_is_made_again_by_its_spec(heaps, limit, misere):
    game = make_game("nim", heaps=heaps, limit=limit, misere=misere)
    assert (game.heaps, game.limit, game.misere) == (heaps, limit, misere)
    assert make_game(game.spec) == game
    assert game.text(game.start) == " ".join(map(str, heaps))


def test_games_are_equal_by_their_variant_and_differ_between_variants(game):
    same = replace(game)
    assert same == game
    assert hash(same) == hash(game)
    others = [variant for variant in game_class(game.name).variants if variant != game.spec]
    assert all(make_game(other) != game for other in others)


def pickled(game):
    return pickle.loads(pickle.dumps(game))


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_a_copied_or_pickled_game_is_equal_and_plays_on(game, copied):
    again = copied(game)
    assert again == game
    assert hash(again) == hash(game)
    assert again.perft(2) == game.perft(2)
    assert again.moves == game.moves


def test_the_start_cannot_be_written_over(game):
    with pytest.raises(ValueError, match="read-only"):
        game.start[0] = 1
