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
from numpy.typing import NDArray

from ...core.plugins.loading import missing_library
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from ..aec import SEATS, AECGame
from ..single import SingleEnv
from ..vector import BoardsEnv
from ..views import RENDER_MODES
from .finding import Wrong, facts_of

Check = Callable[[Game, int], Iterator[Wrong]]
BOARDS, STEPS = 4, 60
GAMES_SEEN, MOST_SEEN = 300, 20_000
"""Random games, and the most of their states, that are searched for what observations hide."""


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


def nothing_is_hidden(game: Game, seed: int) -> Iterator[Wrong]:
    """What the player to move sees decides which actions are legal and how each ends: nothing is hidden."""
    states = states_at_random(game, seed)
    movers, masks = game.players(states), game.masks(states)
    seen = game.observations(states, movers).reshape(len(states), -1)
    _, first, group = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    twins = first[group.reshape(-1)]  # for each state one that looks the same
    if len(rows := np.flatnonzero((masks != masks[twins]).any(1))):
        yield Wrong("observe", _alike(game, states[rows[0]], states[twins[rows[0]]], "not the same actions are legal"))
        return
    rows, actions = np.nonzero(masks)

    def results(of: NDArray[np.int64]) -> NDArray[np.int64]:
        """How the actions end, for those who take them; 2 where the game goes on."""
        outcomes = game.outcomes(game.plays(states[of], actions)).astype(np.int64)
        return np.where(outcomes == ONGOING, ONGOING, outcomes * (1 - 2 * movers[of]))

    if len(wrong := np.flatnonzero(results(rows) != results(twins[rows]))):
        row, action = rows[wrong[0]], int(actions[wrong[0]])
        move = f"{game.move_name(action)} does not end the same way"
        yield Wrong("observe", _alike(game, states[row], states[twins[row]], move), action)


def states_at_random(game: Game, seed: int) -> StateArray:
    """Unfinished states of random games, at most MOST_SEEN (B, W)."""
    random, states, found = np.random.default_rng(seed), np.repeat(game.start[None], GAMES_SEEN, axis=0), list[StateArray]()
    while len(states) and sum(map(len, found)) < MOST_SEEN:
        found.append(states)
        masks = game.masks(states)
        nth = random.integers(masks.sum(1))
        states = game.plays(states, (masks.cumsum(1) > nth[:, None]).argmax(1))
        states = states[game.outcomes(states) == ONGOING]
    return np.concatenate(found)


def _alike(game: Game, one: StateArray, other: StateArray, what: str) -> str:
    """That two states look alike and differ."""
    return f"the player to move sees the same in {game.text(one)!r} and {game.text(other)!r}, and {what}"


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
