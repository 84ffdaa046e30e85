"""What all three views have in common: where games start, keys from seeds, actions, copies, drawings, and what can be kept."""

import copy
import pickle
import re
import warnings

import numpy as np
import pytest

import ludus
from ludus.envs import views
from ludus.opponents import Mixture

from ..helpers.values import same
from ..helpers.views import (
    VIEWS,
    Aec,
    every_game,
    every_variant,
    every_view,
    is_over,
    key_of,
    make_single,
    make_vector,
    play,
    position_of,
)


def seen(board):
    """All that can be seen of a running board, as a value."""
    return copy.deepcopy((board.shown(), board.mask(), position_of(board), key_of(board)))


@every_view
@every_variant
def test_a_game_starts_from_a_position_as_text_or_state(view, spec):
    board, game = view(spec), ludus.make_game(spec)
    board.reset(seed=5)
    play(board, 2, np.random.default_rng(5))
    position, state = position_of(board), board.env.rules_state.reshape(-1)
    for given in (state, position):
        board.reset(seed=6, position=given)
        assert position_of(board) == position
        assert same(board.env.rules_state.reshape(-1), game.position(given))
        assert same(board.mask().astype(bool), game.masks(game.position(given)[None])[0].astype(bool))
    board.reset(seed=6, position=None)
    assert same(board.env.rules_state.reshape(-1), game.start)


@every_view
def test_a_game_won_at_the_last_ply_allowed_is_won(view):
    board = view("quixo:size=3,max_plies=1")
    board.reset(position="XX-OO---- X")
    board.step(board.env.game.action("c1>a1"))
    shown = board.shown()
    assert (shown["reward"], shown["terminated"], shown["truncated"]) == (1, True, False)


@pytest.mark.parametrize("opponent", [None, "random", Mixture("nim", ["random"])], ids=["self-play", "one", "several"])
@pytest.mark.parametrize("make", [make_single, make_vector])
def test_info_has_the_same_keys_and_shapes_after_a_reset_and_after_each_step(make, opponent):
    env = make("nim", opponent=opponent).unwrapped
    infos = [env.reset(seed=0)[1]]
    for _ in range(30):
        *_, terminated, truncated, info = env.step(env.action_masks().argmax(-1))
        infos.append(info)
        if np.all(terminated | truncated):
            infos.append(env.reset()[1])
            assert not np.any(infos[-1]["illegal"])
            assert not np.any(infos[-1].get("rewards", 0))
    kinds = [{key: (np.asarray(value).dtype, np.shape(value)) for key, value in info.items()} for info in infos]
    assert kinds == [kinds[0]] * len(kinds)


def keys_of_games(board, seed, games=3):
    keys = []
    for game in range(games):
        board.reset(seed=None if game else seed)
        keys.append(key_of(board))
        board.step(0)
        keys.append(key_of(board))
    return keys


def test_keys_follow_from_the_seed_the_game_and_the_ply_alike_in_all_views():
    boards = [view("nim") for view in VIEWS.values()]
    one, other, third = (keys_of_games(board, 7) for board in boards)
    assert one == other == third
    assert all(keys_of_games(board, 7) == one for board in boards)  # a seed begins anew
    assert len({*one, *keys_of_games(Aec("nim"), 8)}) == 12


@pytest.mark.parametrize(
    ("view", "known"),
    [("aec", "position"), ("single", "position, opponent, seat"), ("vector", "position, opponent, seat, reset_mask")],
)
def test_an_option_that_is_nearly_one_or_one_of_another_view_is_warned_of_once(view, known):
    board = VIEWS[view]("tictactoe")
    slips = {"fen": "did you mean 'position'? ", "Position": "did you mean 'position'? "}
    slips |= {"oponent": "did you mean 'opponent'? "} if "opponent" in known else {"seat": ""}
    for slip, advice in slips.items():
        views._warn_of.cache_clear()
        sentence = f"reset() ignores the option {slip!r}; {advice}the options of this environment are: {known}"
        with pytest.warns(UserWarning, match=re.escape(sentence)):
            board.reset(**{slip: "X-------- O"})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            board.reset(**{slip: "-X------- O", "side": 7, "wrapper": None})


# ---- copies


def through_pickle(board):
    return pickle.loads(pickle.dumps(board))


def into_another(board):
    other = Aec(board.env.game.spec)
    other.reset(seed=99)
    play(other, 3, np.random.default_rng(9))
    other.env.restore(board.env.snapshot())
    other.reward = board.reward
    return other


WAYS = [(view, way) for view in VIEWS for way in (copy.deepcopy, through_pickle)] + [("aec", into_another)]
in_each_way = pytest.mark.parametrize(("view", "way"), WAYS, ids=[f"{view}-{way.__name__}" for view, way in WAYS])


def opposed(view, spec):
    """A board of a view, where it has opponents against one at random."""
    return VIEWS[view](spec, **({} if view == "aec" else {"opponent": "random", "seat": "random"}))


def story(board, seed):
    """What is shown in the rest of a game and in two more, played at random."""
    rng, trace = np.random.default_rng(seed), []
    for _ in range(3):
        while not is_over(board):
            play(board, 1, rng)
            trace.append(seen(board))
        board.reset()
    return trace


@every_game
@in_each_way
def test_a_copy_continues_as_the_original_and_neither_touches_the_other(spec, view, way):
    for plies in (0, 1, 4, 500):
        board = opposed(view, spec)
        board.reset(seed=plies)
        play(board, plies, np.random.default_rng(plies))
        twin, shown = way(board), copy.deepcopy(board.shown())
        assert same(twin.shown(), shown)
        trace = story(board, 6)
        assert same(twin.shown(), shown)
        assert same(story(twin, 6), trace)


# ---- what was returned


def arrays(board):
    """All arrays that a step returned."""
    shown, info = board.shown(), board.last[-1] if hasattr(board, "last") else board.env.infos[board.env.agent_selection]
    return [shown["observation"], shown["action_mask"], info["action_mask"], board.mask(), board.env.rules_state]


@every_view
@every_game
def test_what_was_returned_never_changes_and_can_be_changed(view, spec):
    board, twin, rng, kept = view(spec), view(spec), np.random.default_rng(2), []
    board.reset(seed=2)
    twin.reset(seed=2)
    while not is_over(board):
        kept += arrays(board)
        copies = copy.deepcopy(kept)
        board.step(action := int(rng.choice(np.flatnonzero(twin.mask()))))
        assert same(kept, copies)
        for array in arrays(twin):
            array[:] = 0
        twin.step(action)
        assert same(seen(twin), seen(board))


@every_view
def test_the_drawing_marks_the_last_move_also_in_a_copy(view):
    board = view("tictactoe", render_mode="ansi")
    board.reset(seed=0)
    board.step(4)
    assert "[X]" in str(board.env.render())
    assert copy.deepcopy(board).env.render() == through_pickle(board).env.render() == board.env.render()
    board.reset(seed=0)
    assert "[X]" not in str(board.env.render())
