"""What holds for every variant of every game, on positions that random play reaches."""

from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ludus.envs import check as checking
from ludus.envs import make_game
from ludus.envs.check import check_game

from ..fuzz.damages import damaged_word
from ..helpers.games import EACH, random_line

SEEDS = st.integers(0, 2**32 - 1)
PLIES = st.integers(0, 250)
some = settings(deadline=None, max_examples=25)


def reached(game, seed, ply):
    """One of those states: the start, or further on."""
    states = random_line(game, np.random.default_rng(seed))
    return states[ply % len(states)]


# ---- the facts that `ludus check` holds against any game


@pytest.mark.parametrize("spec", EACH)
def test_the_check_finds_nothing(spec, monkeypatch):
    monkeypatch.setattr(checking, "PYTHON_GAMES", 1)  # the same facts are then checked of the compiled rules
    result = check_game(spec, games=1)
    assert result.ok, result


# ---- the rules


@some
@given(SEEDS, PLIES)
def test_just_the_legal_actions_can_be_played_and_leave_the_state_as_it_was(game, seed, ply):
    state = reached(game, seed, ply)
    before, legal = state.copy(), game.legal_actions(state)
    for action in range(-1, game.num_actions + 1):
        if action in legal:
            game.play(state, action)
        else:
            with pytest.raises(ValueError, match="not legal"):
                game.play(state, action)
    assert np.array_equal(state, before)


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
@given(st.text(max_size=30), SEEDS, PLIES)
@example("² ² ² ²", 0, 0)
def test_any_text_is_read_as_it_stands_or_refused(game, text, seed, ply):
    for given_text in (text, damaged_word(game.text(reached(game, seed, ply)), Random(seed))):
        assert_read_or_refused(game, given_text)


def assert_read_or_refused(game, text):
    try:
        state = game.parse(text)
    except ValueError:
        return
    assert np.array_equal(game.parse(game.text(state)), state)
    read, given = ([int(word) if word.isdecimal() else word for word in one.split()] for one in (game.text(state), text))
    assert read == given


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
        ("connect_four", "a", 0),
        ("connect_four", "g", 6),
        ("connect_four:rows=4,columns=4", "d", 3),
    ],
)
def test_actions_are_numbered_as_documented(spec, move, action):
    assert make_game(spec).action(move) == action


# ---- the game as a value


@pytest.mark.parametrize(
    ("spec", "position", "words"),
    [
        ("nim:misere=true", "0 2 0 0", [512, 117900290]),
        ("nim:heaps=1+3+5,limit=3,misere=true", "1 0 0", [1, 84083458]),
        ("tictactoe", "XO-OXOXXO X", [152785]),
        ("quarto:squares=true", "--0-----7-----dc -", [13835270261043118336, 138252763396]),
        ("quixo", "O-X----------XO-----OX--X X", [4573973020942340]),
        ("quixo:size=3", "XXOX--OXO X", [1391770730635]),
        ("othello", "------------X------OX-----XXO------XOXX-----O-O----------------- X", [446878978048, 88029918658560, 16]),
        ("othello:size=4", "O-OXOOX-OOO--XXX X", [57416, 1845, 8]),
        ("connect_four", "-------------------------------O-XOXO-X-XO X", [358054003359105283]),
        ("connect_four:rows=4,columns=5,line=3", "---------OO-O-XX-XXO X", [265712380705587333]),
    ],
)
def test_a_state_has_the_words_that_it_had_in_tables_of_earlier_versions(spec, position, words):
    assert make_game(spec).position(position).tolist() == words


def test_the_start_cannot_be_written_over(game):
    with pytest.raises(ValueError, match="read-only"):
        game.start[0] = 1
