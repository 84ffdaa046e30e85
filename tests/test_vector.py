"""The vector environment: the games of as many single environments, however many boards, threads and processes there are."""

import copy
import functools
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

import ludus
from ludus.envs import specs
from ludus.envs.registry import id_name

from .conftest import VARIANTS

SEATINGS = [(None, 0), ("random", 0), ("random", 1), ("random", "random")]
MODES = ["NextStep", "SameStep", "Disabled"]
GAMES = ["nim", "tictactoe", "quarto", "quixo", "othello"]
every_variant = pytest.mark.parametrize("spec", VARIANTS)
every_game = pytest.mark.parametrize("spec", GAMES)
every_seating = pytest.mark.parametrize(("opponent", "seat"), SEATINGS)
every_mode = pytest.mark.parametrize("mode", MODES)


def names_of(spec):
    game = ludus.make_game(spec)
    return f"ludus/{id_name(game.name)}-v{game.version}", specs.changed(game)


def make(spec, num_envs=4, **keywords):
    id_, settings = names_of(spec)
    return gym.make_vec(id_, num_envs=num_envs, **settings, **keywords)


def same(one, other):
    return data_equivalence(one, other, exact=True)


def pick(masks, rng, illegal=0.0):
    """One legal action a board, and with a small probability any action."""
    numbers = [int(rng.choice(np.flatnonzero(mask))) for mask in masks]
    wild = [rng.random() < illegal for _ in masks]
    return np.array([rng.integers(len(masks[0])) if w else n for n, w in zip(numbers, wild, strict=True)])


def story(envs, steps, seed):
    """All that happens on the boards in some steps of their own sampled actions, as a value."""
    trace = [envs.reset(seed=seed)]
    for _ in range(steps):
        actions = envs.sample_actions()
        trace.append((actions, envs.step(actions)))
    return trace


def boards_of(value, which):
    """What a value says of some boards; every array's first axis is the board."""
    if isinstance(value, dict):
        return {key: boards_of(part, which) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(boards_of(part, which) for part in value)
    return value[which]


@pytest.fixture
def threads():
    yield ludus.set_threads
    ludus.set_threads(None)


# ---- shapes


@every_variant
@every_seating
@every_mode
def test_what_is_returned_has_its_shape_and_dtype_and_lies_in_its_space(spec, opponent, seat, mode):
    envs = make(spec, 5, opponent=opponent, seat=seat, autoreset_mode=mode)
    game = ludus.make_game(spec)
    assert envs.num_envs == 5
    assert envs.single_action_space == gym.spaces.Discrete(game.actions)
    assert envs.single_observation_space["observation"] == gym.spaces.Box(0, 1, game.shape, np.int8)
    assert envs.single_observation_space["action_mask"] == gym.spaces.Box(0, 1, (game.actions,), np.int8)
    assert envs.metadata["autoreset_mode"] is AutoresetMode(mode)
    observation, info = envs.reset(seed=0)
    for _ in range(40):
        assert envs.observation_space.contains(observation)
        assert observation["observation"].dtype == observation["action_mask"].dtype == np.int8
        assert observation["observation"].shape == (5, *game.shape)
        assert observation["action_mask"].shape == info["action_mask"].shape == (5, game.actions)
        assert (observation["observation"][:, -1] == 1).all()
        assert observation["action_mask"].any(axis=1).all()
        assert same(observation["action_mask"], info["action_mask"])
        assert not np.shares_memory(observation["action_mask"], info["action_mask"])
        assert same(envs.action_masks(), observation["action_mask"].astype(bool))
        who = info["player" if opponent is None else "seat"]
        assert who.shape == (5,)
        assert set(who.tolist()) <= {0, 1}
        actions = envs.sample_actions()
        assert actions.dtype == np.int64
        assert envs.action_space.contains(actions)
        observation, rewards, terminated, truncated, info = envs.step(actions)
        assert rewards.dtype == np.float64
        assert terminated.dtype == truncated.dtype == np.bool_
        assert rewards.shape == terminated.shape == truncated.shape == (5,)
        if opponent is None:
            assert info["rewards"].shape == (5, 2)
            assert same(info["rewards"][:, 0], 0 - info["rewards"][:, 1])
        if mode == "Disabled" and (terminated | truncated).any():
            observation, info = envs.reset(options={"reset_mask": terminated | truncated})


# ---- as single environments


def row(values, board):
    """What one board's info or view says, whether it stands in arrays or in an array of dicts."""
    if isinstance(values, dict):
        return {key: row(part, board) for key, part in values.items() if key[0] != "_"}
    return values[board]


def assert_info_says_at_least(ours, theirs):
    """All that single environments say in their info stands in ours, board by board."""
    for key in [key for key in theirs if key[0] != "_"]:
        for board in np.flatnonzero(theirs[f"_{key}"]):
            assert ours[f"_{key}"][board]
            one, other = row(ours[key], board), row(theirs[key], board)
            if not isinstance(other, dict):
                one, other = {key: one}, {key: other}
            for part in other:
                assert np.array_equal(one[part], other[part]), f"{key}: {part}"


@every_variant
@every_seating
@every_mode
def test_the_boards_play_the_games_of_single_environments(spec, opponent, seat, mode):
    id_, settings = names_of(spec)
    one = functools.partial(gym.make, id_, **settings, opponent=opponent, seat=seat)
    theirs = SyncVectorEnv([one] * 4, autoreset_mode=mode)
    ours = make(spec, opponent=opponent, seat=seat, autoreset_mode=mode)
    rng = np.random.default_rng(0)
    our_view, our_info = ours.reset(seed=11)
    their_view, their_info = theirs.reset(seed=11)
    ended = 0
    for _ in range(60):
        assert same(our_view, their_view)
        assert_info_says_at_least(our_info, their_info)
        actions = pick(our_view["action_mask"], rng, illegal=0.02)
        our_view, *our_news, our_info = ours.step(actions)
        their_view, *their_news, their_info = theirs.step(actions)
        assert same(our_news, their_news)
        over = our_news[1] | our_news[2]
        ended += over.sum()
        if mode == "SameStep":
            assert ("final_obs" in our_info) == bool(over.any()) == ("final_obs" in their_info)
            if over.any():
                assert same(our_info["_final_obs"], over)
                assert same(our_info["_final_info"], over)
        elif mode == "Disabled" and over.any():
            assert_info_says_at_least(our_info, their_info)
            our_view, our_info = ours.reset(options={"reset_mask": over})
            their_view, their_info = theirs.reset(options={"reset_mask": over.copy()})
    assert ended >= 4


@every_variant
@every_seating
def test_in_same_step_mode_the_final_view_is_the_ended_games(spec, opponent, seat):
    envs = make(spec, 16, opponent=opponent, seat=seat, autoreset_mode="SameStep")
    twin = make(spec, 16, opponent=opponent, seat=seat, autoreset_mode="Disabled")
    envs.reset(seed=3)
    twin.reset(seed=3)
    ended = 0
    for _ in range(80):
        actions = envs.sample_actions()
        _, _, terminated, truncated, info = envs.step(actions)
        last, _, _, _, last_info = twin.step(actions)
        if (over := terminated | truncated).any():
            final = info["final_obs"]
            assert same(boards_of(final, over), boards_of(last, over))
            assert final["action_mask"][over].all()
            assert not final["observation"][~over].any()
            assert not final["action_mask"][~over].any()
            for key in [key for key in last_info if key[0] != "_"]:
                assert same(info["final_info"][key][over], last_info[key][over])
            twin.reset(options={"reset_mask": over})
            ended += over.sum()
    assert ended >= 8


@every_mode
@pytest.mark.parametrize(("misere", "result"), [(False, -1.0), (True, 1.0)])
def test_a_game_that_ends_inside_reset_is_told_by_the_first_step_and_once(mode, misere, result):
    envs = gym.make_vec("ludus/Nim-v0", num_envs=3, heaps=(1,), misere=misere, seat=1, autoreset_mode=mode)
    observation, _ = envs.reset(seed=0)
    for _ in range(3):
        assert observation["action_mask"].all()
        observation, rewards, terminated, truncated, _ = envs.step(np.zeros(3, int))
        assert rewards.tolist() == [result] * 3
        assert terminated.all()
        assert not truncated.any()
        if mode == "NextStep":
            observation, rewards, terminated, _, _ = envs.step(np.zeros(3, int))
            assert not rewards.any()
            assert not terminated.any()
        elif mode == "Disabled":
            observation, _ = envs.reset()


def test_an_illegal_action_loses_on_its_board_alone():
    envs = make("tictactoe", 3, opponent=None, autoreset_mode="Disabled")
    envs.reset(seed=0)
    envs.step(np.array([4, 0, 4]))
    observation, rewards, terminated, truncated, info = envs.step(np.array([4, 4, 0]))
    assert rewards.tolist() == [-1, 0, 0]
    assert info["rewards"].tolist() == [[1, -1], [0, 0], [0, 0]]
    assert terminated.tolist() == info["illegal"].tolist() == [True, False, False]
    assert not truncated.any()
    assert observation["action_mask"][0].all()
    assert envs.position(0) == "----X---- O"


def test_quixo_is_truncated_as_a_draw_after_max_plies():
    envs = make("quixo:max_plies=3", 4, opponent=None)
    envs.reset(seed=0)
    for last in (False, False, True):
        _, rewards, terminated, truncated, _ = envs.step(envs.sample_actions())
        assert not rewards.any()
        assert not terminated.any()
        assert truncated.all() == truncated.any() == last


# ---- seeds, boards, threads


@every_game
@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_seed_for_all_is_one_more_for_each_board(spec, opponent):
    one, other = (make(spec, 3, opponent=opponent) for _ in range(2))
    first = story(one, 20, seed=7)
    assert same(first, story(other, 20, seed=[7, 8, 9]))
    backwards = story(other, 20, seed=[9, 8, 7])
    assert same(boards_of(first, [2, 1, 0]), backwards)


@every_game
def test_boards_without_a_seed_go_on_with_theirs(spec):
    one, other = (make(spec, 3) for _ in range(2))
    for seed in (7, None, None):
        assert same(story(one, 5, seed), story(other, 5, seed))
    mixed = make(spec, 3)
    mixed.reset(seed=7)
    one.reset(seed=7)
    mixed.reset(seed=[None, 50, None])
    one.reset()
    one_view, mixed_view = one.step(one.sample_actions() * 0), mixed.step(mixed.sample_actions() * 0)
    assert same(boards_of(one_view, [0, 2]), boards_of(mixed_view, [0, 2]))


@every_game
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("way", [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=["deepcopy", "pickle"])
def test_a_copy_goes_on_as_the_original(spec, opponent, way):
    envs = make(spec, 3, opponent=opponent, autoreset_mode="SameStep")
    story(envs, 5, seed=0)
    twin = way(envs)
    for _ in range(20):
        actions = envs.sample_actions()
        assert same(twin.sample_actions(), actions)
        assert same(twin.step(actions), envs.step(actions))
    assert same(story(twin, 5, None), story(envs, 5, None))


def test_boards_that_were_never_seeded_differ():
    envs = make("othello", 64, seat=1)
    positions = set()
    envs.reset()
    for _ in range(4):
        envs.step(envs.sample_actions())
    positions = {envs.position(board) for board in range(64)}
    assert len(positions) > 30


@pytest.mark.parametrize("seeds", [np.arange(3), list(np.arange(3)), (0, 1, 2), [0, 2**64 + 1, 2]], ids=repr)
def test_seeds_are_whole_numbers_of_any_kind(seeds):
    one, other = make("nim", 3), make("nim", 3)
    numbers = [int(seed) for seed in seeds]
    assert same(story(one, 3, seeds), story(other, 3, numbers))


@every_game
@pytest.mark.parametrize("opponent", [None, "random"])
def test_a_board_plays_the_same_among_few_and_many(spec, opponent):
    few, many = (make(spec, boards, opponent=opponent, autoreset_mode="SameStep") for boards in (3, 40))
    one, other = few.reset(seed=5), many.reset(seed=5)
    for _ in range(30):
        assert same(one[0], boards_of(other[0], slice(3)))
        one, other = few.step(few.sample_actions()), many.step(many.sample_actions())
        assert same(list(one[1:4]), [part[:3] for part in other[1:4]])


def digest(spec, boards=4096, steps=12, **keywords):
    """What happens on many boards, in one number each step."""
    envs = make(spec, boards, **keywords)
    view, _ = envs.reset(seed=1)
    weights = np.random.default_rng(0).integers(2**32, size=(boards, 1))
    sums = []
    for _ in range(steps):
        actions = envs.sample_actions()
        view, rewards, terminated, truncated, info = envs.step(actions)
        parts = [actions, rewards, terminated, truncated, view["observation"], view["action_mask"], info["action_mask"]]
        flat = [part.reshape(boards, -1).astype(np.int64) for part in parts]
        each = sum((part * weights * (np.arange(part.shape[1]) + 7 * i + 1)).sum() for i, part in enumerate(flat))
        sums.append(int(each))
    return sums


@every_game
@every_mode
def test_the_number_of_threads_changes_nothing(spec, mode, threads):
    if mode == "Disabled":
        keywords = {"opponent": None, "autoreset_mode": "SameStep"}
    else:
        keywords = {"opponent": "random", "autoreset_mode": mode}
    digests = []
    for count in (1, 2, 3):
        threads(count)
        digests.append(digest(spec, **keywords))
    assert digests[0] == digests[1] == digests[2]


def test_the_opponents_seats_and_all_randomness_follow_from_the_seed_of_a_board():
    seats = make("othello", 1000).reset(seed=0)[1]["seat"]
    assert 420 < seats.sum() < 580
    assert same(seats, make("othello", 1000).reset(seed=0)[1]["seat"])


# ---- sampling


@every_variant
@pytest.mark.parametrize("opponent", [None, "random"])
def test_sampled_actions_are_legal_and_the_same_from_the_same_seed(spec, opponent):
    one, other = (make(spec, 32, opponent=opponent, autoreset_mode="SameStep") for _ in range(2))
    view, _ = one.reset(seed=2)
    other.reset(seed=2)
    for _ in range(60):
        actions = one.sample_actions()
        assert view["action_mask"][np.arange(32), actions].all()
        assert same(actions, other.sample_actions())
        view, *_ = one.step(actions)
        other.step(actions)


@pytest.mark.parametrize("spec", ["tictactoe", "othello", "nim:heaps=12+40", "quarto"])
def test_sampled_actions_are_equally_likely(spec):
    envs = make(spec, 3000, opponent=None)
    legal = ludus.make_game(spec).legal_actions(ludus.make_game(spec).start)
    envs.reset(seed=0)
    counts = sum(np.bincount(envs.sample_actions(), minlength=envs.single_action_space.n) for _ in range(3))
    assert counts.sum() == counts[legal].sum() == 9000
    expected = 9000 / len(legal)
    chi_square = ((counts[legal] - expected) ** 2 / expected).sum()
    freedom = len(legal) - 1
    assert abs(chi_square - freedom) < 4 * np.sqrt(2 * freedom)
    one_board = make(spec, 1, opponent=None)
    one_board.reset(seed=0)
    assert len({int(one_board.sample_actions()[0]) for _ in range(40 * len(legal))}) == len(legal)


def test_sampled_actions_are_new_at_each_call_and_begin_anew_at_reset():
    envs = make("othello", 64, opponent=None)
    envs.reset(seed=0)
    first, second = envs.sample_actions(), envs.sample_actions()
    assert not same(first, second)
    envs.reset(seed=0)
    assert same(envs.sample_actions(), first)


# ---- fresh arrays


def arrays_in(value):
    if isinstance(value, dict):
        return [array for part in value.values() for array in arrays_in(part)]
    if isinstance(value, tuple):
        return [array for part in value for array in arrays_in(part)]
    return [value]


@every_game
@pytest.mark.parametrize("opponent", [None, "random"])
@pytest.mark.parametrize("boards", [3, 3000])
@pytest.mark.parametrize(
    "part", [lambda array: array, lambda array: array[1:2], lambda array: array[0].T], ids=["all", "rows", "one"]
)
def test_what_was_returned_never_changes_however_little_is_kept(spec, opponent, boards, part):
    envs = make(spec, boards, opponent=opponent, autoreset_mode="SameStep")
    kept = [part(array) for array in arrays_in(envs.reset(seed=0))]
    copies = copy.deepcopy(kept)
    for step in range(10):
        new = [part(array) for array in arrays_in(envs.step(envs.sample_actions()))]
        kept, copies = kept + new, copies + copy.deepcopy(new)
        if step == 4:
            new = [part(array) for array in arrays_in(envs.reset())]
            kept, copies = kept + new, copies + copy.deepcopy(new)
    for _ in range(10):
        envs.step(envs.sample_actions())
    assert same(kept, copies)


def test_tensors_and_buffers_made_of_what_was_returned_never_change():
    import torch

    envs = make("othello", 3000, autoreset_mode="SameStep")
    envs.reset(seed=0)
    kept, copies = [], []
    for _ in range(10):
        view, rewards, *_ = envs.step(envs.sample_actions())
        kept.append((torch.from_numpy(view["observation"]), memoryview(view["action_mask"]), rewards.view(np.int64)))
        copies.append((kept[-1][0].clone(), kept[-1][1].tobytes(), kept[-1][2].copy()))
        del view, rewards
    for (tensor, buffer, words), (tensor_then, bytes_then, words_then) in zip(kept, copies, strict=True):
        assert torch.equal(tensor, tensor_then)
        assert buffer.tobytes() == bytes_then
        assert same(words, words_then)


def test_what_was_returned_can_be_changed():
    one, other = (make("othello", 8, opponent=None) for _ in range(2))
    view, info = one.reset(seed=0)
    other.reset(seed=0)
    for _ in range(10):
        for array in arrays_in((view, info)):
            array[:] = 0
        actions = one.sample_actions()
        assert same(actions, other.sample_actions())
        view, *news, info = one.step(actions)
        other_view, *other_news, _ = other.step(actions)
        assert same(view, other_view)
        assert same(news, other_news)
        for array in arrays_in(tuple(news)):
            array[:] = 1


def test_action_masks_do_not_follow_what_is_done_to_the_masks_in_observation_and_info():
    envs = make("tictactoe", 2, opponent=None)
    view, info = envs.reset(seed=0)
    view["action_mask"][:], info["action_mask"][:] = 0, 0
    assert envs.action_masks().all()


# ---- autoreset disabled


def test_with_autoreset_disabled_a_finished_board_waits_for_its_reset():
    envs = make("tictactoe", 2, opponent=None, autoreset_mode="Disabled")
    envs.reset(seed=0)
    for actions in ([0, 0], [3, 3], [1, 1], [4, 4], [2, 5]):
        view, _, terminated, _, _ = envs.step(np.array(actions))
    assert terminated.tolist() == [True, False]
    with pytest.raises(gym.error.ResetNeeded, match=r"1 games are over, on board 0 first.*reset_mask"):
        envs.step(np.array([8, 8]))
    assert [envs.position(board) for board in (0, 1)] == ["XXXOO---- O", "XX-OOX--- O"]
    view, info = envs.reset(options={"reset_mask": terminated})
    assert [envs.position(board) for board in (0, 1)] == ["--------- X", "XX-OOX--- O"]
    assert view["action_mask"].tolist() == [[1] * 9, [0, 0, 1, 0, 0, 0, 1, 1, 1]]
    assert info["player"].tolist() == [0, 1]
    envs.step(np.array([0, 2]))
    assert [envs.position(board) for board in (0, 1)] == ["X-------- O", "XXOOOX--- X"]


def test_the_reset_mask_may_be_given_to_a_wrapper_too():
    envs = RecordEpisodeStatistics(make("nim", 8, opponent=None, autoreset_mode="Disabled"))
    envs.reset(seed=0)
    for _ in range(60):
        _, _, terminated, truncated, info = envs.step(envs.unwrapped.sample_actions())
        if (over := terminated | truncated).any():
            assert same(info["_episode"], over)
            envs.reset(options={"reset_mask": over})
    assert envs.episode_count > 20


@pytest.mark.parametrize("mask", [[False, False], [True], [1, 0], np.array([0.0, 1.0]), "all", None], ids=repr)
def test_a_reset_mask_that_marks_no_board_is_refused(mask):
    envs = make("tictactoe", 2, opponent=None, autoreset_mode="Disabled")
    envs.reset(seed=0)
    envs.step(np.array([0, 1]))
    with pytest.raises(ValueError, match=r"reset_mask must be 2 booleans with at least one true; got "):
        envs.reset(options={"reset_mask": mask})
    assert envs.position(1) == "-X------- O"


def test_the_first_reset_leaves_no_board_without_a_game():
    envs = make("othello", 2, opponent=None)
    try:
        envs.reset(seed=0, options={"reset_mask": np.array([True, False])})
        envs.step(np.array([19, 19]))
    except (ValueError, gym.error.ResetNeeded):
        return
    assert same(envs.game.text(envs.game.position(envs.position(1))), envs.position(1))


# ---- gymnasium's wrappers


@every_game
@every_seating
@every_mode
def test_info_turns_into_a_list(spec, opponent, seat, mode):
    envs = DictInfoToList(make(spec, 4, opponent=opponent, seat=seat, autoreset_mode=mode))
    _, infos = envs.reset(seed=0)
    assert [set(info) for info in infos] == [{"action_mask", "player" if opponent is None else "seat"}] * 4
    finals = 0
    for _ in range(60):
        view, _, terminated, truncated, infos = envs.step(envs.unwrapped.sample_actions())
        over = terminated | truncated
        for board, info in enumerate(infos):
            assert same(info["action_mask"], view["action_mask"][board])
            assert ("final_obs" in info) == ("final_info" in info) == (mode == "SameStep" and bool(over[board]))
            if "final_obs" in info:
                assert envs.single_observation_space.contains(info["final_obs"])
                assert info["final_info"]["action_mask"].all()
                finals += 1
        if mode == "Disabled" and over.any():
            envs.reset(options={"reset_mask": over})
    assert bool(finals) == (mode == "SameStep")


@every_game
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_episode_statistics_are_recorded(spec, mode):
    envs = RecordEpisodeStatistics(make(spec, 8, autoreset_mode=mode))
    envs.reset(seed=0)
    returns = []
    for _ in range(150):
        _, rewards, terminated, truncated, _ = envs.step(envs.unwrapped.sample_actions())
        returns += rewards[terminated | truncated].tolist()
    assert envs.episode_count == len(returns) >= 8
    assert list(envs.return_queue) == returns[-100:]
    assert set(returns) <= {-1.0, 0.0, 1.0}
    assert all(length >= 1 for length in envs.length_queue)


# ---- options


@pytest.mark.parametrize("opponent", [None, "random"])
def test_games_start_from_one_position_or_one_each(opponent):
    envs = make("tictactoe", 2, opponent=opponent, seat=0)
    game = ludus.make_game("tictactoe")
    one, other = "XO------- X", "OXXO----- X"
    for position, expected in [
        (one, [one, one]),
        ([one, other], [one, other]),
        ((other, one), [other, one]),
        (game.position(one), [one, one]),
        (np.array([game.position(one), game.position(other)]), [one, other]),
        (None, ["--------- X"] * 2),
    ]:
        envs.reset(seed=0, options={"position": position})
        assert [envs.position(board) for board in (0, 1)] == expected


def test_positions_one_each_may_be_some_of_them_text_and_some_states():
    envs = make("tictactoe", 2, opponent=None)
    envs.reset(options={"position": [ludus.make_game("tictactoe").position("XO------- X"), "OXXO----- X"]})
    assert [envs.position(board) for board in (0, 1)] == ["XO------- X", "OXXO----- X"]


def test_the_opponent_moves_first_where_the_position_says_so():
    envs = make("tictactoe", 64, seat=0)
    envs.reset(seed=0, options={"position": "X-------- O"})
    positions = {envs.position(board) for board in range(64)}
    assert len(positions) == 8
    assert all(position.startswith("X") and position.endswith(" X") for position in positions)


def test_another_opponent_comes_with_reset():
    envs = make("nim", 50, seat=0)
    envs.reset(seed=0, options={"opponent": "nim_sum"})
    results = []
    for _ in range(60):
        _, rewards, terminated, _, _ = envs.step(envs.sample_actions())
        results += rewards[terminated].tolist()
    assert len(results) > 100
    assert set(results) == {-1.0}  # 1, 3, 5, 7 is lost for who moves first
    envs.reset(seed=0, options={"opponent": None})
    assert "rewards" in envs.step(envs.sample_actions())[4]


@pytest.mark.parametrize("mode", ["rgb_array", "ansi", "svg"])
def test_every_board_is_drawn(mode):
    envs = make("tictactoe", 3, opponent=None, render_mode=mode)
    envs.reset(seed=0)
    before = envs.render()
    envs.step(np.array([0, 4, 0]))
    after = envs.render()
    assert len(before) == len(after) == 3
    assert np.array_equal(after[0], after[2])
    assert not np.array_equal(after[0], after[1])
    assert not np.array_equal(after[0], before[0])


# ---- threads and processes


@every_game
def test_environments_in_concurrent_threads_play_as_they_do_alone(spec):
    alone = digest(spec, boards=3000, steps=8)
    with ThreadPoolExecutor(4) as pool:
        together = [future.result() for future in [pool.submit(digest, spec, 3000, 8) for _ in range(8)]]
    assert together == [alone] * 8


def test_many_callers_wake_many_workers_at_once(threads):
    threads(8)
    interval, deadline = sys.getswitchinterval(), time.monotonic() + 3

    def step_and_pause(pause):
        envs = make("tictactoe", 600, opponent=None, autoreset_mode="SameStep")
        envs.reset(seed=0)
        while time.monotonic() < deadline:
            envs.step(envs.sample_actions())
            time.sleep(pause)

    try:
        sys.setswitchinterval(1e-6)
        with ThreadPoolExecutor(6) as pool:
            for future in [pool.submit(step_and_pause, 0.0005 * (i % 3)) for i in range(6)]:
                future.result()
    finally:
        sys.setswitchinterval(interval)


def in_a_fork(work):
    """Whether work, done in a forked process, comes out true within a minute."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
let_it_fork = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


@needs_fork
@let_it_fork
@pytest.mark.parametrize("spec", ["othello", "quarto"])
def test_a_fork_after_threads_were_used_plays_on(spec, threads):
    threads(3)
    expected = digest(spec)
    running = make(spec, 4096)
    running.reset(seed=0)
    assert in_a_fork(lambda: digest(spec) == expected)
    assert in_a_fork(lambda: running.step(running.sample_actions())[1].shape == (4096,))
    assert digest(spec) == expected


@needs_fork
@let_it_fork
@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_gymnasiums_async_environment_plays_as_its_sync_one(context, threads):
    threads(2)
    digest("othello", steps=2)
    one = functools.partial(gym.make, "ludus:ludus/Othello-v0", size=6)
    alone = SyncVectorEnv([one] * 2)
    beside = AsyncVectorEnv([one] * 2, context=context)
    try:
        rng = np.random.default_rng(0)
        view, other = alone.reset(seed=4)[0], beside.reset(seed=4)[0]
        for _ in range(25):
            assert same(view, other)
            actions = pick(view["action_mask"], rng)
            view, *news, _ = alone.step(actions)
            other, *others_news, _ = beside.step(actions)
            assert same(news, others_news)
        masks = beside.call("action_masks")
        assert all(same(mask, row.astype(bool)) for mask, row in zip(masks, other["action_mask"], strict=True))
    finally:
        beside.close()


def test_one_board_starts_no_thread():
    code = (
        "import threading, gymnasium as gym, pettingzoo, ludus\n"
        "env = gym.make('ludus/Othello-v0'); env.reset(seed=0); env.step(0)\n"
        "envs = gym.make_vec('ludus/Othello-v0', num_envs=64); envs.reset(seed=0); envs.step(envs.sample_actions())\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
