"""The one-seat environment: Gymnasium's and Stable-Baselines3's own checks, then what the learner sees and gets."""

import copy
import json
import pickle
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

import ludus
from ludus.envs.games.registry import id_name
from ludus.envs.settings import specs

from ..helpers.games import VARIANTS
from ..helpers.values import same

SEATINGS = [(None, 0), ("random", 0), ("random", 1), ("random", "random")]
every_variant = pytest.mark.parametrize("spec", VARIANTS)
every_seating = pytest.mark.parametrize(("opponent", "seat"), SEATINGS)
IMAGE_WARNINGS = (
    "It seems that your observation observation is an image but its `dtype`",
    "It seems that your observation space observation is an image but the upper and lower bounds",
    "The minimal resolution for an image is 36x36",
)
MORE_PLANES_THAN_ROWS = "Treating image space as channels-last"


def make(spec, **keywords):
    game = ludus.make_game(spec)
    return gym.make(f"ludus/{id_name(game.name)}-v{game.version}", **specs.changed(game), **keywords)


def pick(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


def episode(env, rng, **reset):
    """One game of random actions: what reset and each step returned."""
    observation, info = env.reset(**reset)
    trace = [(observation, 0.0, False, False, info)]
    while not (trace[-1][2] or trace[-1][3]):
        trace.append(env.step(pick(trace[-1][0]["action_mask"], rng)))
    return trace


def seen_from(env, seat):
    """The planes of a running environment's position as a seat sees them."""
    inner = env.unwrapped
    return inner.game.observations(inner.rules_state[None], [seat])[0]


# ---- the checks of others


@every_variant
@every_seating
def test_gymnasiums_checker_has_nothing_to_say(spec, opponent, seat):
    check_env(make(spec, opponent=opponent, seat=seat).unwrapped, skip_render_check=True)


@pytest.mark.parametrize("name", ["nim", "tictactoe", "quarto", "quixo", "othello"])
def test_gymnasiums_checker_draws_every_game(name, monkeypatch):
    for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(variable, raising=False)
    check_env(make(name).unwrapped)


@every_variant
@every_seating
def test_stable_baselines3s_checker_warns_only_of_small_images(spec, opponent, seat):
    from stable_baselines3.common.env_checker import check_env as check

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(make(spec, opponent=opponent, seat=seat))
    planes, height, width = ludus.make_game(spec).shape
    expected = [*IMAGE_WARNINGS, *[MORE_PLANES_THAN_ROWS] * (planes > min(height, width))]
    assert len(caught) == len(expected)
    for start in expected:
        assert any(str(warning.message).startswith(start) for warning in caught)


@every_variant
@every_seating
def test_the_spec_survives_json_and_makes_the_same_environment(spec, opponent, seat):
    env = make(spec, opponent=opponent, seat=seat)
    text = env.spec.to_json()
    again = gym.make(EnvSpec.from_json(json.dumps(json.loads(text))))
    assert again.unwrapped.game == env.unwrapped.game
    one, other = (episode(made, np.random.default_rng(0), seed=5) for made in (env, again))
    assert same(one, other)


def test_an_id_that_names_the_module_registers_by_itself():
    assert gym.make("ludus:ludus/Quarto-v0").unwrapped.game == ludus.make_game("quarto")


def test_the_games_are_listed_before_and_after_one_is_made():
    ludus.make_game("nim")
    assert set(ludus.game_names()) >= {"nim", "tictactoe", "quarto", "quixo", "othello"}


def test_maskable_ppo_learns_without_one_illegal_action():
    from sb3_contrib import MaskablePPO

    env = make("tictactoe")
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=32, n_epochs=1, seed=0, device="cpu")
    illegal = []
    model.learn(256, callback=lambda here, _: illegal.extend(info["illegal"] for info in here["infos"]) or True)
    assert len(illegal) >= 256
    assert not any(illegal)
    observation, _ = env.reset(seed=0)
    action, _ = model.predict(observation, action_masks=env.unwrapped.action_masks(), deterministic=True)
    assert observation["action_mask"][action]


# ---- what the learner gets


@every_variant
@pytest.mark.parametrize("seat", [0, 1, "random"])
def test_the_learner_is_told_its_result_once_whoever_moved_last(spec, seat):
    env, rng = make(spec, seat=seat), np.random.default_rng(0)
    results = []
    for seed in range(60):
        trace = episode(env, rng, seed=seed)
        rewards = [step[1] for step in trace]
        sits = trace[0][4]["seat"]
        assert seat in ("random", sits)
        outcome = env.unwrapped.game.outcome(env.unwrapped.rules_state) or (0, 0)
        assert rewards[-1] == sum(rewards) == outcome[sits]
        assert not any(rewards[:-1])
        assert all(step[4]["seat"] == sits for step in trace)
        results.append(rewards[-1])
    assert {-1.0, 1.0} <= set(results) <= {-1.0, 0.0, 1.0}


@every_variant
def test_the_opponent_moves_inside_reset_where_it_is_first(spec):
    for seat in (0, 1, "random"):
        env, rng = make(spec, seat=seat), np.random.default_rng(1)
        seats = set()
        for seed in range(40):
            observation, info = env.reset(seed=seed)
            inner = env.unwrapped
            assert (info["seat"] == 0) == same(inner.rules_state, inner.game.start)
            seats.add(info["seat"])
            over = False
            while not over:
                assert inner.game.player(inner.rules_state) == info["seat"]
                assert same(observation["action_mask"], inner.game.masks(inner.rules_state[None])[0])
                observation, _, terminated, truncated, _ = env.step(pick(observation["action_mask"], rng))
                over = terminated or truncated
        assert seats == ({0, 1} if seat == "random" else {seat})


@every_variant
@every_seating
def test_observations_are_the_learners_also_at_the_end(spec, opponent, seat):
    env, rng = make(spec, opponent=opponent, seat=seat), np.random.default_rng(2)
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        over = False
        while not over:
            sits = info["player"] if opponent is None else info["seat"]
            assert env.observation_space.contains(observation)
            assert same(observation["observation"], seen_from(env, sits))
            assert same(info["action_mask"], observation["action_mask"])
            assert not np.shares_memory(info["action_mask"], observation["action_mask"])
            assert same(env.unwrapped.action_masks(), observation["action_mask"].astype(bool))
            observation, _, terminated, truncated, info = env.step(pick(observation["action_mask"], rng))
            over = terminated or truncated
        assert same(observation["observation"], seen_from(env, info["player"] if opponent is None else sits))
        assert observation["action_mask"].all()
        assert info["action_mask"].all()
        assert env.unwrapped.action_masks().all()


@every_variant
def test_in_self_play_the_reward_is_of_who_just_acted(spec):
    env, rng = make(spec, opponent=None), np.random.default_rng(3)
    results = set()
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        assert info["player"] == env.unwrapped.game.player(env.unwrapped.game.start)
        over = False
        while not over:
            actor = info["player"]
            observation, reward, terminated, truncated, info = env.step(pick(observation["action_mask"], rng))
            assert info["player"] == env.unwrapped.game.player(env.unwrapped.rules_state)
            assert reward == info["rewards"][actor]
            over = terminated or truncated
            if not over:
                assert same(info["rewards"], np.zeros(2))
        assert tuple(info["rewards"]) == (env.unwrapped.game.outcome(env.unwrapped.rules_state) or (0, 0))
        results.add(tuple(info["rewards"]))
    assert {(1, -1), (-1, 1)} <= results


@every_variant
@every_seating
def test_an_illegal_action_loses(spec, opponent, seat):
    env, rng = make(spec, opponent=opponent, seat=seat), np.random.default_rng(4)
    observation, info = env.reset(seed=4)
    while observation["action_mask"].all():
        observation, _, _, _, info = env.step(pick(observation["action_mask"], rng))
    sits = info["player"] if opponent is None else info["seat"]
    position = env.unwrapped.position
    observation, reward, terminated, truncated, info = env.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert (reward, terminated, truncated, info["illegal"]) == (-1.0, True, False, True)
    assert observation["action_mask"].all()
    assert env.unwrapped.position == position
    if opponent is None:
        assert tuple(info["rewards"]) == ((-1, 1) if sits == 0 else (1, -1))
    with pytest.raises(gym.error.ResetNeeded):
        env.unwrapped.step(0)


@pytest.mark.parametrize(("misere", "result"), [(False, -1.0), (True, 1.0)])
def test_a_game_that_ends_inside_reset_is_told_by_the_first_step_and_once(misere, result):
    env = gym.make("ludus/Nim-v0", heaps=(1,), misere=misere, seat=1)
    for seed in range(3):
        observation, info = env.reset(seed=seed)
        assert env.unwrapped.position == "0"
        assert observation["action_mask"].all()
        assert info["action_mask"].all()
        observation, reward, terminated, truncated, info = env.step(0)
        assert (reward, terminated, truncated, info["illegal"]) == (result, True, False, False)
        assert observation["action_mask"].all()
        with pytest.raises(gym.error.ResetNeeded, match="reset"):
            env.step(0)


@pytest.mark.parametrize("opponent", [None, "random"])
def test_quixo_is_truncated_as_a_draw_after_max_plies(opponent):
    env = gym.make("ludus/Quixo-v0", max_plies=3, opponent=opponent, seat=0)
    trace = episode(env, np.random.default_rng(5), seed=5)
    assert [step[3] for step in trace[1:]] == ([False, False, True] if opponent is None else [False, True])
    assert not any(step[2] for step in trace)
    assert not any(step[1] for step in trace)
    assert trace[-1][0]["action_mask"].all()


def test_a_game_won_at_the_last_ply_allowed_is_won():
    env = gym.make("ludus/Quixo-v0", size=3, max_plies=1, opponent=None)
    env.reset(options={"position": "XX-OO---- X"})
    _, reward, terminated, truncated, _ = env.step(env.unwrapped.game.action("c1>a1"))
    assert (reward, terminated, truncated) == (1.0, True, False)


# ---- opponents


class Answers:
    """An opponent that gives the same answer everywhere."""

    def __init__(self, answer):
        self.answer = answer

    def act(self, states, keys):
        return np.asarray(self.answer)


@pytest.mark.parametrize("answer", [[0], [-1], [10**6], [2**40]])
def test_an_opponent_that_cheats_is_named_with_what_it_did(answer):
    env = gym.make("ludus/Othello-v0", opponent=Answers(answer), seat=1)
    with pytest.raises(ValueError, match=r"Answers.*'-{27}OX-{6}XO-{27} X'.*not legal"):
        env.reset(seed=0)


@pytest.mark.parametrize("answer", [[19, 19], [], [[19]]])
def test_an_opponent_that_answers_in_another_shape_is_told_so(answer):
    env = gym.make("ludus/Othello-v0", opponent=Answers(answer), seat=1)
    with pytest.raises(ValueError, match="asked for 1 actions and gave an array of shape"):
        env.reset(seed=0)


def test_an_error_of_the_opponents_leaves_no_half_taken_step():
    class Fails:
        def act(self, states, keys):
            raise RuntimeError("the net is missing")

    env = gym.make("ludus/TicTacToe-v0", opponent=Fails(), seat=0).unwrapped
    env.reset(seed=0)
    with pytest.raises(RuntimeError, match="the net is missing"):
        env.step(4)
    with pytest.raises(gym.error.ResetNeeded):
        env.step(0)
    env.reset(seed=0, options={"opponent": "random"})
    env.step(4)
    assert env.position.count("X") == 2  # a mark, and the turn


def test_an_opponent_can_be_a_policy_and_can_change_at_reset():
    env = gym.make("ludus/Nim-v0", opponent=ludus.make_policy("random", "nim"), seat=0)
    env.reset(seed=0, options={"opponent": "nim_sum"})
    lost = [episode(env, np.random.default_rng(seed), seed=seed)[-1][1] for seed in range(30)]
    assert lost == [-1.0] * 30  # 1, 3, 5, 7 is lost for who moves first
    env.reset(seed=0, options={"opponent": None})
    assert "player" in env.step(0)[4]


def test_an_opponent_made_for_another_game_is_refused():
    for other in ("othello:size=6", "nim:misere=true", "quarto"):
        policy = ludus.make_policy("random", other)
        with pytest.raises(ValueError, match=r"random.*made for"):
            gym.make("ludus/Othello-v0", opponent=policy)


# ---- reset


@every_variant
@pytest.mark.parametrize("seat", [0, 1])
def test_a_game_starts_from_a_position_as_text_or_state(spec, seat):
    other = make(spec, opponent=None)
    observation, _ = other.reset(seed=6)
    observation, *_ = other.step(pick(observation["action_mask"], np.random.default_rng(6)))
    inner = other.unwrapped
    env = make(spec, seat=seat)
    for position in (inner.position, inner.rules_state):
        _, info = env.reset(seed=6, options={"position": position})
        mover = env.unwrapped.game.player(inner.game.position(position))
        assert info["seat"] == seat
        assert (env.unwrapped.position == inner.position) == (mover == seat)
        env.reset(seed=6)
        assert same(env.unwrapped.rules_state, inner.game.start) == (seat == 0)


@pytest.mark.parametrize("options", [{"options": 1}, {"position": None}, {"seat": 7}, {}, None])
def test_options_that_are_not_ours_pass(options):
    env = make("tictactoe", opponent=None)
    env.reset(seed=0, options=options)
    assert env.unwrapped.position == "--------- X"


@every_variant
@every_seating
def test_the_same_seed_gives_the_same_games(spec, opponent, seat):
    one, other = (make(spec, opponent=opponent, seat=seat) for _ in range(2))
    for seed in (7, None, None):
        first, second = (episode(env, np.random.default_rng(8), seed=seed) for env in (one, other))
        assert same(first, second)


@every_variant
def test_other_seeds_give_other_games(spec):
    env = make(spec, seat="random")
    answers = {str(episode(env, np.random.default_rng(9), seed=seed)) for seed in range(20)}
    assert len(answers) >= 10
    env.reset(seed=0)
    answers = {str(episode(env, np.random.default_rng(9))) for _ in range(20)}
    assert len(answers) >= 10


def test_environments_without_a_seed_differ():
    keys = set()
    for _ in range(20):
        env = make("nim")
        env.reset()
        keys.add(int(env.unwrapped.key()))
    assert len(keys) == 20


# ---- the rest


@every_variant
@every_seating
@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_a_copy_goes_on_as_the_original_and_neither_touches_the_other(spec, opponent, seat, way):
    env = make(spec, opponent=opponent, seat=seat).unwrapped
    fresh = way(env)
    observation, _ = env.reset(seed=10)
    assert same(fresh.reset(seed=10)[0], observation)
    env.step(pick(observation["action_mask"], np.random.default_rng(10)))
    twin = way(env)
    assert twin.position == env.position
    assert twin.key() == env.key()
    assert same(twin.action_masks(), env.action_masks())
    key, position = twin.key(), twin.position
    one = [episode(env, np.random.default_rng(11)) for _ in range(3)]
    assert (twin.key(), twin.position) == (key, position)
    assert same(one, [episode(twin, np.random.default_rng(11)) for _ in range(3)])


@every_variant
def test_what_was_returned_can_be_kept_and_changed(spec):
    env, rng = make(spec), np.random.default_rng(12)
    traces = [episode(env, rng, seed=seed) for seed in range(3)]
    copies = copy.deepcopy(traces)
    episode(env, rng, seed=9)
    assert same(traces, copies)

    observation, info = env.reset(seed=12)
    legal = int(np.flatnonzero(observation["action_mask"])[0])
    observation["action_mask"][:], observation["observation"][:], info["action_mask"][:] = 0, 0, 0
    assert not env.step(legal)[4]["illegal"]


def test_action_masks_do_not_follow_what_is_done_to_the_masks_in_observation_and_info():
    env = make("tictactoe", opponent=None)
    observation, info = env.reset(seed=0)
    observation["action_mask"][:], info["action_mask"][:] = 0, 0
    assert env.unwrapped.action_masks().all()
    env.unwrapped.action_masks()[:] = False
    assert env.unwrapped.action_masks().all()


def test_numpys_whole_numbers_are_actions():
    for kind in (np.int8, np.int32, np.int64, np.uint8, np.uint64, np.array):
        env = make("tictactoe", opponent=None)
        env.reset(seed=0)
        env.step(kind(4))
        assert env.unwrapped.position == "----X---- O"


def test_self_play_marks_the_last_move_in_the_drawing():
    env = make("tictactoe", opponent=None, render_mode="ansi")
    env.reset(seed=0)
    env.step(4)
    assert "[X]" in env.render()
    env.reset(seed=0)
    assert "[X]" not in env.render()
