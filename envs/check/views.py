"""Facts about the environments over a game: that all of them show what the rules say, and pass the checkers of others.

Each check is a function over a game and a seed; the first line of its docstring is the fact.
"""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import check_env, data_equivalence

from ...core.plugins.loading import missing_library
from ...games.game import Game
from ..aec import SEATS, AECGame
from ..single import SingleEnv
from ..vector import BoardsEnv
from ..views import RENDER_MODES
from .finding import Wrong, facts_of

Check = Callable[[Game, int], Iterator[Wrong]]
BOARDS, STEPS = 4, 60


def _legal(mask: Any, random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(mask)))


def the_aec_environment_shows_what_the_rules_say(game: Game, seed: int) -> Iterator[Wrong]:
    """The AEC environment shows each seat its planes, a mask to the mover alone, and rewards that sum to zero."""
    env, random = AECGame(game), np.random.default_rng(seed)
    env.reset(seed=seed)
    while True:
        state = env.rules_state
        over = any(env.terminations.values()) or any(env.truncations.values())
        for i, seat in enumerate(SEATS):
            seen = env.observe(seat)
            if not np.array_equal(seen["observation"], game.observations(state[None], [i])[0]):
                yield Wrong("observe", f"in {game.text(state)!r} the environment shows {seat} other planes")
            moves = not over and game.player(state) == i
            if not np.array_equal(seen["action_mask"], game.masks(state[None])[0] * moves):
                yield Wrong("legal", f"in {game.text(state)!r} the mask of {seat} is not that of the rules")
        if over:
            break
        env.step(_legal(env.action_mask(), random))
    rewards = env.rewards[SEATS[0]], env.rewards[SEATS[1]]
    if rewards != (game.outcome(env.rules_state) or (0, 0)) or sum(rewards):
        yield Wrong("outcome", f"at the end in {env.position!r} the rewards are {rewards}")


def a_copy_of_a_running_game_continues_as_the_original(game: Game, seed: int) -> Iterator[Wrong]:
    """A running game copied, pickled, or restored from its snapshot continues as the original."""
    env, random = AECGame(game), np.random.default_rng(seed)
    env.reset(seed=seed)
    env.step(_legal(env.action_mask(), random))
    restored = AECGame(game)
    restored.reset(seed=seed + 1)
    restored.restore(env.snapshot())
    copies = {"copied": copy.deepcopy(env), "pickled": pickle.loads(pickle.dumps(env)), "restored": restored}
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        action = _legal(env.action_mask(), random)
        for how, twin in copies.items():
            if twin.position != env.position or not data_equivalence(twin.last(), env.last(), exact=True):
                yield Wrong(type(game).__name__, f"{how}, a game went another way than {env.position!r}")
                return
            twin.step(action)
        env.step(action)


def the_one_seat_environment_shows_the_learners_side(game: Game, seed: int) -> Iterator[Wrong]:
    """The one-seat environment shows the learner's planes and gives its result as the reward."""
    for seat in (0, 1):
        env, random = SingleEnv(game, opponent="random", seat=seat), np.random.default_rng(seed)
        (seen, _), over, reward = env.reset(seed=seed), False, 0.0
        while not over:
            if not np.array_equal(seen["observation"], game.observations(env.rules_state[None], [seat])[0]):
                yield Wrong("observe", f"in {env.position!r} the environment shows seat {seat} other planes")
            seen, reward, terminated, truncated, _ = env.step(_legal(seen["action_mask"], random))
            over = terminated or truncated
        if reward != (game.outcome(env.rules_state) or (0, 0))[seat]:
            yield Wrong("outcome", f"at the end in {env.position!r} the reward of seat {seat} is {reward}")


def boards_play_as_they_would_alone(game: Game, seed: int) -> Iterator[Wrong]:
    """Many boards play the games of as many environments of one board."""
    boards, random = BoardsEnv(BOARDS, game, autoreset_mode="Disabled"), np.random.default_rng(seed)
    alone = [SingleEnv(game) for _ in range(BOARDS)]
    seen, _ = boards.reset(seed=seed)
    ones = [env.reset(seed=seed + i)[0] for i, env in enumerate(alone)]
    for _ in range(STEPS):
        if not all(data_equivalence({key: seen[key][i] for key in seen}, one, exact=True) for i, one in enumerate(ones)):
            yield Wrong("observe", f"boards and single environments part in {boards.position[0]!r}")
            return
        actions = [_legal(mask, random) for mask in seen["action_mask"]]
        seen, rewards, terminated, truncated, _ = boards.step(np.array(actions))
        steps = [env.step(action) for env, action in zip(alone, actions, strict=True)]
        ones = [step[0] for step in steps]
        if [step[1:4] for step in steps] != list(zip(rewards.tolist(), terminated.tolist(), truncated.tolist(), strict=True)):
            yield Wrong("outcome", "boards and single environments end with other rewards")
            return
        if (over := terminated | truncated).any():
            seen, _ = boards.reset(options={"reset_mask": over})
            for i in np.flatnonzero(over):
                ones[i] = alone[i].reset()[0]


def it_renders_in_every_mode(game: Game, seed: int) -> Iterator[Wrong]:
    """The environment renders in every mode that needs no screen; as pixels if what draws them is installed."""
    for mode in RENDER_MODES:
        if mode == "human" or (mode == "rgb_array" and missing_library("render")):
            continue
        env = AECGame(game, render_mode=mode)
        env.reset(seed=seed)
        image = env.render()
        wanted = np.ndarray if mode == "rgb_array" else str
        if not isinstance(image, wanted) or not len(image):
            yield Wrong("picture" if mode == "ansi" else "svg", f"render mode {mode!r} gives {image!r}")


def pettingzoos_api_test_passes(game: Game, seed: int) -> Iterator[Wrong]:
    """PettingZoo's `api_test` passes."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # it warns of every observation that is a dictionary, ours among them
        from pettingzoo.test import api_test

        try:
            api_test(AECGame(game), num_cycles=50)
        except Exception as error:
            yield Wrong(type(game).__name__, f"{type(error).__name__}: {error}")


def gymnasiums_checker_passes(game: Game, seed: int) -> Iterator[Wrong]:
    """Gymnasium's `check_env` passes without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            check_env(SingleEnv(game), skip_render_check=True)
        except Exception as error:
            yield Wrong(type(game).__name__, f"{type(error).__name__}: {error}")


VIEWS: tuple[Check, ...] = facts_of(globals())
"""The facts about the environments."""
