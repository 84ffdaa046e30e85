"""Positions and states that cannot be get a sentence that says why, and the game goes on."""

from itertools import permutations

import gymnasium as gym
import numpy as np
import pytest

import ludus
from ludus.envs.games.registry import id_name

from ...helpers.sentences import GAMES, aec, says

# ---- positions

NO_POSITIONS = [
    ("tictactoe", "", "9 cells"),
    ("tictactoe", "--------- ", "who moves"),
    ("tictactoe", "---------", "who moves"),
    ("tictactoe", "--------- Z", "who moves"),
    ("tictactoe", "--------- X X", "who moves"),
    ("tictactoe", "-------- X", "9 cells"),
    ("tictactoe", "---------- X", "9 cells"),
    ("tictactoe", "x-------- O", "9 cells of X, O or -"),
    ("tictactoe", "X-------- X", "1 X and 0 O"),
    ("tictactoe", "XX------- O", "2 X and 0 O"),
    ("tictactoe", "O-------- X", "0 X and 1 O"),
    ("tictactoe", "XXXOOO--- X", "has a line"),
    ("tictactoe", "XXXOO-O-- X", "has a line"),
    ("quarto", "", "16 cells"),
    ("quarto", "---------------- ", "16 cells"),
    ("quarto", "--------------- -", "16 cells"),
    ("quarto", "----------------- -", "16 cells"),
    ("quarto", "g--------------- -", "16 cells"),
    ("quarto", "---------------- 33", "16 cells"),
    ("quarto", "00-------------- -", "piece 0 is there twice"),
    ("quarto", "3--------------- 3", "piece 3 is there twice"),
    ("quarto", "0123------------ 5", "the game is over"),
    ("quixo", "", "25 cells"),
    ("quixo", "------------------------ X", "25 cells"),
    ("quixo", "-------------------------- X", "25 cells"),
    ("quixo", "z------------------------ X", "25 cells of X, O or -"),
    ("quixo", "-------------------------", "who moves"),
    ("quixo:size=3", "------------------------- X", "9 cells"),
    ("othello:size=4", "", "16 cells"),
    ("othello:size=4", "-----OX--XO---- X", "16 cells"),
    ("othello:size=4", "-----OX--XO-----X X", "16 cells"),
    ("othello:size=4", "-----OX--XO----- -", "who moves"),
    ("othello:size=4", "-----OX--XO----B X", "16 cells of X, O or -"),
    ("othello:size=4", "---------------- X", "in the middle"),
    ("othello:size=4", "XXXX-OX--X-----X X", "in the middle"),
    ("othello", "-----OX--XO----- X", "64 cells"),
    ("nim", "", "4 heaps"),
    ("nim", "1 3 5", "4 heaps"),
    ("nim", "1 3 5 7 9", "4 heaps"),
    ("nim", "1 3 5 -7", "4 heaps"),
    ("nim", "1 3 5 x", "4 heaps"),
    ("nim", "1.0 3 5 7", "4 heaps"),
    ("nim", "1 3 5 8", "beyond 7"),
    ("nim", "1 3 5 ²", "4 heaps"),
]
OVER = [
    ("tictactoe", "XXXOO---- O", "X wins"),
    ("tictactoe", "XOXXOOOXX O", "a draw"),
    ("quarto", "0123------------ -", "player 0 wins"),
    ("quixo:size=3", "XXXOO---- O", "X wins"),
    ("quixo:size=3", "XXXOOO--- O", "O wins"),
    ("quixo:size=3", "XXXOOO--- X", "X wins"),
    ("othello:size=4", "XXXXXXXXXXXXXXXX O", "black wins"),
    ("othello:size=4", "-----XX--XX----- O", "black wins"),
    ("nim", "0 0 0 0", "player 1 wins"),
    ("nim:misere=true", "0 0 0 0", "player 0 wins"),
]


def environments(spec):
    """One of each kind, at the start of a game, and its position."""
    name = ludus.make_game(spec).name
    env = aec(spec)
    yield env, lambda: env.position
    single = gym.make(f"ludus/{id_name(name)}-v0", game=spec, opponent=None).unwrapped
    single.reset(seed=0)
    yield single, lambda: single.position
    vector = gym.make_vec(f"ludus/{id_name(name)}-v0", num_envs=2, game=spec, opponent=None)
    vector.reset(seed=0)
    yield vector, lambda: vector.position[0]


@pytest.mark.parametrize(("spec", "position", "words"), NO_POSITIONS)
def test_a_position_that_cannot_be_is_refused_and_the_game_goes_on(spec, position, words):
    game = ludus.make_game(spec)
    with pytest.raises(ValueError, match=r"\w") as error:
        game.position(position)
    says(error, repr(position), words)
    for env, now in environments(spec):
        with pytest.raises(ValueError, match=r"\w") as error:
            env.reset(seed=1, options={"position": position})
        says(error, repr(position), words)
        assert now() == game.text(game.start)
        env.step(env.action_masks().argmax(axis=-1) if hasattr(env, "action_masks") else int(env.action_mask().argmax()))
        assert now() != game.text(game.start)


@pytest.mark.parametrize(("spec", "position", "words"), OVER)
def test_a_game_cannot_start_where_it_is_over(spec, position, words):
    game = ludus.make_game(spec)
    assert game.outcome(game.position(position)) is not None
    for env, now in environments(spec):
        for given in (position, game.position(position)):
            with pytest.raises(ValueError, match="over") as error:
                env.reset(seed=1, options={"position": given})
            says(error, repr(game.text(game.position(position))), words, "a game starts from a position to play")
        assert now() == game.text(game.start)


def test_of_positions_one_each_the_wrong_one_is_named():
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=2, opponent=None)
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="cannot be") as error:
        envs.reset(options={"position": ["X-------- O", "XX------- X"]})
    says(error, "'XX------- X'")
    with pytest.raises(ValueError, match="position") as error:
        envs.reset(options={"position": ["X-------- O"] * 3})
    says(error, "one for each of 2 boards")
    assert envs.position[0] == "--------- X"


# ---- states


@pytest.mark.parametrize(("spec", "other"), list(permutations(GAMES, 2)))
def test_a_state_of_another_game_is_refused(spec, other):
    game, state = ludus.make_game(spec), ludus.make_game(other).start
    with pytest.raises(ValueError, match="state") as error:
        game.position(state)
    says(error, spec)


@pytest.mark.parametrize(
    ("spec", "state"),
    [
        ("tictactoe", [1 << 19]),
        ("tictactoe", [0b000000001_000000001]),
        ("tictactoe", [0b111]),
        ("tictactoe", [1 << 63]),
        ("quarto", [1, 0]),
        ("quarto", [0, 1 << 37]),
        ("quarto", [0, 1 << 36]),
        ("quarto", [0, 1 | 1 << 16 | 1 << 17]),
        ("quixo", [3 << 26]),
        ("quixo", [5 << 26 | 1 | 1 << 32]),
        ("quixo", [5 << 26 | 1 << 60]),
        ("othello", [0, 0, 16]),
        ("othello", [1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 12]),
        ("othello", [1 << 28 | 1 << 35 | 1 << 27, 1 << 27 | 1 << 36, 16]),
        ("nim", [0x07050301, 0x07070402]),
        ("nim", [0x08050301, 0x07070400]),
        ("nim", [0x0107050301, 0x07070400]),
    ],
)
def test_words_that_are_no_state_are_refused(spec, state):
    game = ludus.make_game(spec)
    with pytest.raises(ValueError, match="no state") as error:
        game.position(np.array(state, np.uint64))
    says(error, game.spec, *map(hex, state))
    for env, now in environments(spec):
        with pytest.raises(ValueError, match="no state"):
            env.reset(options={"position": np.array(state, np.uint64)})
        assert now() == game.text(game.start)


@pytest.mark.parametrize("state", [[0, 0], [[0]], [0.0], ["0"], 7, None, {}, [None]], ids=repr)
def test_what_is_no_array_of_words_is_no_state(state):
    game = ludus.make_game("tictactoe")
    with pytest.raises(ValueError, match="state") as error:
        game.position(state)
    says(error, "1 whole numbers", repr(state))


def test_a_variants_state_is_refused_by_another_variant():
    for spec, other in [
        ("othello", "othello:size=6"),
        ("quixo", "quixo:size=4"),
        ("quarto", "quarto:squares=true"),
        ("nim", "nim:limit=3"),
    ]:
        with pytest.raises(ValueError, match="no state") as error:
            ludus.make_game(spec).position(ludus.make_game(other).start)
        says(error, spec)


@pytest.mark.parametrize(("spec", "other"), [("othello", "othello:size=6"), ("nim", "nim:misere=true"), ("quarto", "tictactoe")])
def test_a_snapshot_of_another_game_is_refused_and_the_game_goes_on(spec, other):
    env, others = aec(spec), aec(other)
    snapshot = others.snapshot()
    position = env.position
    with pytest.raises(ValueError, match="snapshot") as error:
        env.restore(snapshot)
    says(error, spec, other)
    assert env.position == position
    env.step(int(env.action_mask().argmax()))
    assert env.position != position
