"""Bad input: each mistake gets a sentence that says what was given and what is allowed, and breaks nothing."""

import math

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest

import ludus
from ludus.envs.games.registry import id_name

from ..helpers.sentences import GAMES, aec, says

# ---- games and variants

NO_GAMES = [
    ("chess", ["'chess'", *GAMES]),
    ("otelo", ["'otelo'", "did you mean 'othello'"]),
    ("Othello8", ["'Othello8'", "did you mean 'othello'"]),
    ("tic-tac-toe", ["'tic-tac-toe'", "did you mean 'tictactoe'"]),
    ("", ["''", *GAMES]),
    (":size=6", ["''", *GAMES]),
    ("othello:sise=6", ["Othello", "'sise'", "did you mean 'size'"]),
    ("tictactoe:size=3", ["Tic-tac-toe", "'size'", "no settings"]),
    ("othello:size=7", ["Othello", "7", "4, 6 or 8"]),
    ("othello:size=10", ["Othello", "10", "4, 6 or 8"]),
    ("othello:size=big", ["Othello", "size", "'big'", "a whole number"]),
    ("othello:size=6.0", ["Othello", "size", "'6.0'", "a whole number"]),
    ("othello:size", ["'size'", "name:key=value"]),
    ("othello:size=", ["'size='", "name:key=value"]),
    ("othello:=6", ["'=6'", "name:key=value"]),
    ("othello:size=6,size=6", ["size", "twice", "once"]),
    ("quixo:size=6", ["Quixo", "6", "3, 4 or 5"]),
    ("quixo:size=2", ["Quixo", "2", "3, 4 or 5"]),
    ("quixo:max_plies=-1", ["max_plies", "-1", "0"]),
    ("quarto:squares=yes", ["Quarto", "squares", "'yes'", "true or false"]),
    ("nim:heaps=0", ["Nim", "heaps", "0", "1 to 255"]),
    ("nim:heaps=1+0+3", ["Nim", "heaps", "0", "1 to 255"]),
    ("nim:heaps=3+300", ["Nim", "heaps", "300", "1 to 255"]),
    ("nim:heaps=-3", ["Nim", "heaps", "-3", "1 to 255"]),
    ("nim:heaps=1+2+3+4+5+6+7+8+9", ["Nim", "heaps", "1 to 8"]),
    ("nim:heaps=1+x", ["Nim", "heaps", "'1+x'", "1+3+5"]),
    ("nim:heaps=1+", ["Nim", "heaps", "'1+'", "1+3+5"]),
    ("nim:limit=0", ["limit", "limit is 0", "1 or more"]),
    ("nim:limit=-2", ["limit", "limit is -2", "1 or more"]),
    ("nim:limit=few", ["Nim", "limit", "'few'", "a whole number"]),
    ("nim:misere=maybe", ["Nim", "misere", "'maybe'", "true or false"]),
]


@pytest.mark.parametrize(("spec", "words"), NO_GAMES, ids=[spec for spec, _ in NO_GAMES])
def test_a_spec_of_no_game_is_answered_in_every_place_that_takes_one(spec, words):
    for make in (
        ludus.make_game,
        lambda spec: ludus.make_policy("random", spec),
        lambda spec: pettingzoo.make("aec", "ludus/nim-v0", game=spec),
        lambda spec: gym.make("ludus/Nim-v0", game=spec),
        lambda spec: gym.make_vec("ludus/Nim-v0", num_envs=2, game=spec),
    ):
        with pytest.raises(ValueError, match=r"\w") as error:
            make(spec)
        says(error, *words)


NO_SETTINGS = [
    ("nim", {"heaps": ()}, ["Nim", "heaps is ()", "1 to 8"]),
    ("nim", {"heaps": []}, ["Nim", "heaps is ()", "1 to 8"]),
    ("nim", {"heaps": (1, 2.5)}, ["Nim", "heaps", "2.5", "1+3+5"]),
    ("nim", {"heaps": None}, ["Nim", "heaps", "None", "1+3+5"]),
    ("nim", {"heaps": (True,)}, ["Nim", "heaps", "True", "1+3+5"]),
    ("nim", {"heap": (1, 2)}, ["Nim", "'heap'", "did you mean 'heaps'"]),
    ("nim", {"limit": 2.0}, ["Nim", "limit", "2.0", "a whole number"]),
    ("nim", {"misere": 1}, ["Nim", "misere", "1", "true or false"]),
    ("othello", {"size": 7}, ["Othello", "7", "4, 6 or 8"]),
    ("othello", {"size": 8.0}, ["Othello", "size", "8.0", "a whole number"]),
    ("othello", {"size": None}, ["Othello", "size", "None", "a whole number"]),
    ("othello", {"sise": 6}, ["Othello", "'sise'", "did you mean 'size'"]),
    ("quixo", {"max_plies": math.inf}, ["Quixo", "max_plies", "inf", "a whole number"]),
    ("quarto", {"squares": "no"}, ["Quarto", "squares", "'no'", "true or false"]),
    ("quarto", {"opponents": "random"}, ["Quarto", "'opponents'", "squares"]),
    ("tictactoe", {"size": 4}, ["Tic-tac-toe", "'size'", "no settings"]),
]


@pytest.mark.parametrize(
    ("name", "settings", "words"), NO_SETTINGS, ids=[f"{name}-{settings}" for name, settings, _ in NO_SETTINGS]
)
def test_settings_as_keywords_are_answered_alike(name, settings, words):
    for make in (
        lambda **settings: ludus.make_game(name, **settings),
        lambda **settings: pettingzoo.make("aec", f"ludus/{name}-v0", **settings),
        lambda **settings: gym.make(f"ludus/{id_name(name)}-v0", **settings),
        lambda **settings: gym.make_vec(f"ludus/{id_name(name)}-v0", num_envs=2, **settings),
    ):
        with pytest.raises(ValueError, match=r"\w") as error:
            make(**settings)
        says(error, *words)


def test_a_setting_in_the_spec_and_among_the_keywords_is_refused():
    with pytest.raises(ValueError, match="size") as error:
        ludus.make_game("othello:size=6", size=6)
    says(error, "size", "'othello:size=6'", "keywords", "once")


def test_settings_beside_a_game_that_is_made_are_refused():
    with pytest.raises(ValueError, match="a game already") as error:
        ludus.make_game(ludus.make_game("othello:size=6"), size=8)
    says(error, "othello:size=6", "settings")


@pytest.mark.parametrize("settings", [{"heaps": 7}, {"heaps": [np.int8(1), np.int64(3)]}, {"limit": np.uint8(3)}, {"heaps": "2+5"}])
def test_settings_may_be_numpys_lists_or_text(settings):
    game = ludus.make_game("nim", **settings)
    assert ludus.make_game(game.spec) == game


# ---- keywords of the environments


@pytest.mark.parametrize("num_envs", [0, -1, 2.5, "3", None], ids=repr)
def test_a_number_of_boards_that_is_none_is_refused(num_envs):
    with pytest.raises(ValueError, match="num_envs") as error:
        gym.make_vec("ludus/Othello-v0", num_envs=num_envs)
    says(error, repr(num_envs), "1 board or more")


@pytest.mark.parametrize("seat", [2, -1, "0", "first", None, 0.0, True, [0]], ids=repr)
def test_a_seat_that_is_none_is_refused(seat):
    for make in (gym.make, gym.make_vec):
        with pytest.raises(ValueError, match="seat") as error:
            make("ludus/Othello-v0", seat=seat)
        says(error, repr(seat), "0", "1", "'random'")


@pytest.mark.parametrize("mode", ["nextstep", "Nextstep", "same", None, 1], ids=repr)
def test_an_autoreset_mode_that_is_none_is_refused(mode):
    with pytest.raises(ValueError, match="autoreset_mode") as error:
        gym.make_vec("ludus/Othello-v0", num_envs=2, autoreset_mode=mode)
    says(error, repr(mode), "'NextStep'", "'SameStep'", "'Disabled'")


@pytest.mark.filterwarnings("ignore:.*not in the possible render_modes:UserWarning")
@pytest.mark.parametrize("mode", ["humans", "RGB_ARRAY", "text", ""], ids=repr)
def test_a_render_mode_that_is_none_is_refused(mode):
    for make in (
        lambda mode: pettingzoo.make("aec", "ludus/othello-v0", render_mode=mode),
        lambda mode: gym.make_vec("ludus/Othello-v0", render_mode=mode),
        lambda mode: gym.make("ludus/Othello-v0", render_mode=mode).unwrapped,
    ):
        with pytest.raises(ValueError, match="render_mode") as error:
            make(mode)
        says(error, repr(mode), "rgb_array", "ansi")


def test_many_boards_have_no_window():
    with pytest.raises(ValueError, match="render_mode") as error:
        gym.make_vec("ludus/Othello-v0", num_envs=2, render_mode="human")
    says(error, "'human'", "rgb_array", "ansi", "svg")


@pytest.mark.parametrize(
    ("opponent", "words"),
    [
        ("randm", ["'randm'", "did you mean 'random'"]),
        ("nim_sum", ["'nim_sum'", "nim", "othello"]),
        ("random:x=1", ["'random'", "'x'"]),
        (7, ["7", "'random'", "None"]),
        (dict, ["dict", "'random'", "None"]),
        (["random"], ["['random']", "ludus.opponents", "None"]),
    ],
    ids=repr,
)
def test_an_opponent_that_is_none_is_refused(opponent, words):
    for make in (gym.make, gym.make_vec):
        with pytest.raises(ValueError, match=r"\w") as error:
            make("ludus/Othello-v0", opponent=opponent)
        says(error, *words)
        env = make("ludus/Othello-v0")
        env.reset(seed=0)
        with pytest.raises(ValueError, match=r"\w") as error:
            env.reset(options={"opponent": opponent})
        says(error, *words)
        env.reset(seed=0)


@pytest.mark.parametrize(("given", "meant"), [("oponent", "opponent"), ("seats", "seat"), ("sise", "size")])
def test_a_keyword_of_an_environment_that_is_misspelt_is_named(given, meant):
    for make in (gym.make, gym.make_vec):
        with pytest.raises(ValueError, match=f"has no setting '{given}'; did you mean '{meant}'"):
            make("ludus/Othello-v0", **{given: 0})


@pytest.mark.parametrize("count", [0, -1, 1.5, "2"], ids=repr)
def test_a_number_of_threads_that_is_none_is_refused(count):
    try:
        with pytest.raises(ValueError, match="thread") as error:
            ludus.set_threads(count)
    finally:
        ludus.set_threads(None)
    says(error, count, "1 thread or more")


@pytest.mark.parametrize("seed", [0.5, "0", [0]], ids=repr)
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    env = aec()
    with pytest.raises((ValueError, TypeError), match="seed") as error:
        env.reset(seed=seed)
    says(error, repr(seed), "whole number")
    env.reset(seed=0)


@pytest.mark.parametrize("seeds", [[0.5, 1], ["0", "1"], 0.5, "ab"], ids=repr)
def test_seeds_of_boards_that_are_no_whole_numbers_are_refused(seeds):
    envs = gym.make_vec("ludus/Nim-v0", num_envs=2)
    with pytest.raises((ValueError, TypeError), match="seed") as error:
        envs.reset(seed=seeds)
    says(error, "whole number")
    envs.reset(seed=0)


@pytest.mark.parametrize("seeds", [[], [1], [1, 2, 3]], ids=repr)
def test_seeds_of_another_count_than_the_boards_are_refused(seeds):
    envs = gym.make_vec("ludus/Nim-v0", num_envs=2)
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="seeds") as error:
        envs.reset(seed=seeds)
    says(error, f"{len(seeds)} seeds", "2 boards")
    envs.step(envs.sample_actions())


# ---- actions

NO_ACTIONS = [
    9,
    -1,
    2**40,
    2**70,
    0.0,
    4.5,
    math.nan,
    math.inf,
    np.float32(4),
    np.nan,
    None,
    "4",
    "b2",
    [4],
    (4,),
    np.array([4]),
    True,
]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused_and_the_game_goes_on(action):
    single = gym.make("ludus/TicTacToe-v0", opponent=None)
    single.reset(seed=0)
    for env in (aec(), single.unwrapped):
        env.step(0)
        with pytest.raises(AssertionError, match="action") as error:
            env.step(action)
        says(error, repr(action), "a whole number from 0 to 8")
        assert env.position == "X-------- O"
        env.step(4)
        assert env.position == "X---O---- X"


NO_BATCHES = [
    ([0], "2 whole numbers"),
    ([0, 1, 2], "2 whole numbers"),
    ([[0, 1]], "2 whole numbers"),
    (0, "2 whole numbers"),
    ([0.0, 1.0], "2 whole numbers"),
    ([0, math.nan], "2 whole numbers"),
    ([True, False], "2 whole numbers"),
    (["0", "1"], "2 whole numbers"),
    ([None, 1], "2 whole numbers"),
    ([0, 9], "board 1 is 9"),
    ([-1, 0], "board 0 is -1"),
    (np.array([0, 2**63], np.uint64), "board 1"),
    ([2**70, 0], "2 whole numbers"),
]


@pytest.mark.parametrize(("actions", "words"), NO_BATCHES, ids=[str(actions) for actions, _ in NO_BATCHES])
def test_what_are_no_actions_for_the_boards_is_refused_and_the_games_go_on(actions, words):
    envs = gym.make_vec("ludus/TicTacToe-v0", num_envs=2, opponent=None)
    envs.reset(seed=0)
    envs.step([3, 5])
    with pytest.raises(AssertionError, match="action") as error:
        envs.step(actions)
    says(error, words)
    assert envs.position == ["---X----- O", "-----X--- O"]
    for kind in (np.int8, np.uint64, np.int32):
        envs.step(np.array([0, 1], kind))
        envs.reset(seed=0)


def test_a_call_before_the_first_reset_says_so():
    single, vector = gym.make("ludus/Nim-v0").unwrapped, gym.make_vec("ludus/Nim-v0", num_envs=2)
    for call in (
        lambda: single.step(0),
        single.action_masks,
        lambda: vector.step([0, 0]),
        vector.action_masks,
        vector.sample_actions,
    ):
        with pytest.raises(gym.error.ResetNeeded, match="reset") as error:
            call()
        says(error, "reset()")


def test_an_action_that_is_not_legal_is_refused_by_the_rules_with_its_name():
    game = ludus.make_game("othello:size=4")
    for action, name in ((0, "a1"), (16, "pass"), (17, "action 17"), (-1, "action -1")):
        with pytest.raises(ValueError, match="not legal") as error:
            game.play(game.start, action)
        says(error, name, "-----OX--XO----- X", "othello:size=4")


@pytest.mark.parametrize("spec", GAMES)
def test_a_move_that_the_game_has_not_is_answered_with_examples(spec):
    game = ludus.make_game(spec)
    for move in ("z9", "", "a1>a1", "give 16", "0-1"):
        with pytest.raises(ValueError, match="no move") as error:
            game.action(move)
        says(error, game.title, repr(move), game.moves[0], game.moves[-1])


def test_a_negative_depth_is_refused():
    with pytest.raises(ValueError, match="depth") as error:
        ludus.make_game("nim").perft(-1)
    says(error, "-1", "a whole number from 0")
