"""Bad input: each mistake gets a sentence that says what was given and what is allowed, and breaks nothing.

Numbers, seeds and options that are no dictionary are in tests/cli/test_bad_numbers.py.
"""

import math

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest

import ludus
from ludus.games.registry import id_name

from ..helpers.sentences import GAMES, says
from ..helpers.views import VIEWS, position_of

# ---- where something is made


def views_of(name, **keywords):
    """Makes an environment of a game in each view."""
    return [
        lambda: pettingzoo.make("aec", f"ludus/{name}-v0", **keywords),
        lambda: gym.make(f"ludus/{id_name(name)}-v0", **keywords).unwrapped,
        lambda: gym.make_vec(f"ludus/{id_name(name)}-v0", num_envs=2, **keywords),
    ]


MADE = {
    # what is given: all ways to give it
    "spec": lambda spec: [lambda: ludus.make_game(spec), lambda: ludus.make_policy("random", spec), *views_of("nim", game=spec)],
    "settings": lambda given: [lambda: ludus.make_game(given[0], **given[1]), *views_of(given[0], **given[1])],
    "twice": lambda spec: [lambda: ludus.make_game(spec, size=6)],
    "seat": lambda seat: views_of("othello", seat=seat)[1:],
    "opponent": lambda opponent: views_of("othello", opponent=opponent)[1:],
    "keyword": lambda name: views_of("othello", **{name: 0})[1:],
    "render_mode": lambda mode: views_of("othello", render_mode=mode),
    "render_mode of boards": lambda mode: views_of("othello", render_mode=mode)[2:],
    "arrays": lambda arrays: views_of("othello", arrays=arrays)[2:],
    "autoreset_mode": lambda mode: views_of("othello", autoreset_mode=mode)[2:],
}
BAD = [
    # what is given, the mistake, and words of the sentence
    ("spec", "chess", ["'chess'", *GAMES]),
    ("spec", "otelo", ["'otelo'", "did you mean 'othello'"]),
    ("spec", "othello:sise=6", ["Othello", "'sise'", "did you mean 'size'"]),
    ("spec", "tictactoe:size=3", ["Tic-tac-toe", "'size'", "no settings"]),
    ("spec", "othello:size=7", ["Othello", "7", "4, 6 or 8"]),
    ("spec", "othello:size=6.0", ["Othello", "size", "'6.0'", "a whole number"]),
    ("spec", "othello:size=6,size=6", ["size", "twice", "once"]),
    ("spec", "quixo:max_plies=0", ["max_plies is 0", "1 or more"]),
    ("spec", "nim:heaps=3+300", ["Nim", "heaps", "300", "1 to 255"]),
    ("settings", ("nim", {"heaps": ()}), ["Nim", "heaps is ()", "1 to 8"]),
    ("settings", ("nim", {"heaps": (True,)}), ["Nim", "heaps", "True", "1+3+5"]),
    ("settings", ("nim", {"misere": 1}), ["Nim", "misere", "1", "true or false"]),
    ("twice", "othello:size=6", ["size", "'othello:size=6'", "keywords", "once"]),
    ("twice", ludus.make_game("othello:size=6"), ["othello:size=6", "a game already", "settings"]),
    *(("seat", seat, [repr(seat), "0", "1", "'random'"]) for seat in (2, "0", None, 0.0, True)),
    ("opponent", "randm", ["'randm'", "did you mean 'random'"]),
    ("opponent", "nim_sum", ["'nim_sum'", "nim", "othello"]),
    ("opponent", "random:x=1", ["'random'", "'x'"]),
    ("opponent", ["random"], ["['random']", "ludus.opponents", "None"]),
    ("keyword", "oponent", ["has no setting 'oponent'", "did you mean 'opponent'"]),
    *(("render_mode", mode, [repr(mode), "rgb_array", "ansi"]) for mode in ("humans", "")),
    ("arrays", "jax", ["'jax'", "'numpy' or 'torch'"]),
    ("render_mode of boards", "human", ["'human'", "rgb_array", "ansi", "svg"]),
    *(("autoreset_mode", mode, [repr(mode), "'NextStep'", "'SameStep'", "'Disabled'"]) for mode in ("nextstep", None)),
]


@pytest.mark.filterwarnings("ignore:.*not in the possible render_modes:UserWarning")
@pytest.mark.parametrize(("kind", "given", "words"), BAD, ids=[f"{kind} {given}" for kind, given, _ in BAD])
def test_what_cannot_be_made_is_answered_in_every_place_that_takes_it(kind, given, words):
    for make in MADE[kind](given):
        with pytest.raises(ValueError, match=r"\w") as error:
            make()
        says(error, *words)


@pytest.mark.parametrize("settings", [{"heaps": 7}, {"heaps": [np.int8(1), np.int64(3)]}, {"limit": np.uint8(3)}, {"heaps": "2+5"}])
def test_settings_may_be_numpys_lists_or_text(settings):
    game = ludus.make_game("nim", **settings)
    assert ludus.make_game(game.spec) == game


# ---- on a running board

NO_ACTIONS = [9, -1, 2**70, 0.0, math.nan, None, "4", [4], True]
NO_BATCHES = [[0], [[0, 1]], 0, [0.0, 1.0], [True, False], [None, 1], [2**70, 0]]
OUT_OF_RANGE = [[0, 9], [-1, 0], np.array([0, 2**63], np.uint64)]
AEC, SINGLE, VECTOR = ("aec",), ("single",), ("vector",)
MISTAKES = [
    # in which views, the mistake, and words of the sentence
    *(((*AEC, *SINGLE), {"action": action}, [repr(action), "a whole number from 0 to 8"]) for action in NO_ACTIONS),
    *((VECTOR, {"action": actions}, ["2 whole numbers"]) for actions in NO_BATCHES),
    *((VECTOR, {"action": actions}, ["board"]) for actions in OUT_OF_RANGE),
    *((VECTOR, {"seed": seeds}, [f"{len(seeds)} seeds", "2 boards"]) for seeds in ([], [1, 2, 3])),
    ((*SINGLE, *VECTOR), {"opponent": "randm"}, ["'randm'", "did you mean 'random'"]),
    ((*SINGLE, *VECTOR), {"opponent": 7}, ["7", "'random'", "None"]),
    (VECTOR, {"position": ["X-------- O", "XX------- X"]}, ["cannot be", "'XX------- X'"]),
    (VECTOR, {"position": ["X-------- O"] * 3}, ["one for each of 2 boards"]),
    *(
        (VECTOR, {"reset_mask": mask}, ["reset_mask must be 2 booleans with at least one true; got "])
        for mask in ([False, False], [True], [1, 0], None)
    ),
]


def make_mistake(env, seed=1, **given):
    if "action" in given:
        env.step(given["action"])
    else:
        env.reset(seed=seed, options=given)


@pytest.mark.parametrize(("views", "mistake", "words"), MISTAKES, ids=[str(mistake) for _, mistake, _ in MISTAKES])
def test_a_mistake_on_a_running_board_is_refused_and_the_game_continues(views, mistake, words):
    for view in views:
        board = VIEWS[view]("tictactoe", **({"num_envs": 2} if view == "vector" else {}))
        first, then = (np.array([0, 0]), np.array([4, 4])) if view == "vector" else (0, 4)
        board.env.reset(seed=0)
        board.env.step(first)
        with pytest.raises((AssertionError, ValueError), match=r"\w") as error:
            make_mistake(board.env, **mistake)
        says(error, *words)
        assert (error.type is AssertionError) == ("action" in mistake)
        assert position_of(board) == "X-------- O"
        board.env.step(then)
        assert position_of(board) == "X---O---- X"


def test_a_call_before_the_first_reset_says_so():
    single, vector = gym.make("ludus/Nim-v0").unwrapped, gym.make_vec("ludus/Nim-v0", num_envs=2)
    calls = [single.action_masks, vector.action_masks, vector.sample_actions]
    for call in (lambda: single.step(0), lambda: vector.step([0, 0]), *calls):
        with pytest.raises(gym.error.ResetNeeded, match="reset") as error:
            call()
        says(error, "reset()")


# ---- asked of a game


def test_an_action_that_is_not_legal_is_refused_by_the_rules_with_its_name():
    game = ludus.make_game("othello:size=4")
    for action, name in ((0, "a1"), (16, "pass"), (17, "action 17"), (-1, "action -1")):
        with pytest.raises(ValueError, match="not legal") as error:
            game.play(game.start, action)
        says(error, name, "-----OX--XO----- X", "othello:size=4")


def test_a_move_that_the_game_does_not_have_is_answered_with_examples(game):
    for move in ("", "z9", "give 16", "1-0", "a1>a1"):
        with pytest.raises(ValueError, match="no move") as error:
            game.action(move)
        says(error, game.title, repr(move), game.moves[0], game.moves[-1])
