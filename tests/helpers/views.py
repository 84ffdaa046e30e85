"""What the tests of the three views share: environments, actions, and all that happens on their boards as a value."""

import gymnasium as gym
import numpy as np
import pytest

import ludus
from ludus.core import specs
from ludus.games.registry import id_name

from .games import VARIANTS

SEATS = ["player_0", "player_1"]
SEATINGS = [(None, 0), ("random", 0), ("random", 1), ("random", "random")]
MODES = ["NextStep", "SameStep", "Disabled"]
GAMES = ["nim", "tictactoe", "quarto", "quixo", "othello", "connect_four"]
every_variant = pytest.mark.parametrize("spec", VARIANTS)
every_game = pytest.mark.parametrize("spec", GAMES)
few_games = pytest.mark.parametrize("spec", ["nim", "othello"])  # where what is tested knows no game
every_seating = pytest.mark.parametrize(("opponent", "seat"), SEATINGS)
every_mode = pytest.mark.parametrize("mode", MODES)


def names_of(spec):
    game = ludus.make_game(spec)
    return f"ludus/{id_name(game.name)}-v{game.version}", specs.changed_settings(game)


def make_aec(spec, **keywords):
    game = ludus.make_game(spec)
    return getattr(ludus, f"{game.name}_v{game.version}").env(**specs.changed_settings(game), **keywords)


def make_single(spec, **keywords):
    id_, settings = names_of(spec)
    return gym.make(id_, **settings, **keywords)


def make_vector(spec, num_envs=4, **keywords):
    id_, settings = names_of(spec)
    return gym.make_vec(id_, num_envs=num_envs, **settings, **keywords)


# ---- one board in any view


class Aec:
    """An AEC environment."""

    def __init__(self, spec, **keywords):
        self.env, self.reward = make_aec(spec, **keywords), 0

    def reset(self, seed=None, **options):
        self.env.reset(seed=seed, options=options)
        self.reward = 0

    def step(self, action):
        actor = self.env.agent_selection
        self.env.step(action)
        self.reward = self.env.rewards[actor]

    def mask(self):
        return self.env.action_mask()

    def shown(self):
        """What the player to move sees, what who acted got, and how the game stands."""
        env = self.env
        ends = {"terminated": any(env.terminations.values()), "truncated": any(env.truncations.values())}
        seen = env.observe(SEATS[env.game.player(env.rules_state)])
        seen["action_mask"] |= any(ends.values())  # as the other views show a finished game
        return {**seen, **ends, "reward": self.reward, "illegal": env.infos[SEATS[0]]["illegal"]}


class Single:
    """A one-seat environment, by default in self-play."""

    def __init__(self, spec, **keywords):
        self.env = make_single(spec, **{"opponent": None} | keywords).unwrapped

    def reset(self, seed=None, **options):
        observation, info = self.env.reset(seed=seed, options=options)
        self.last = observation, 0.0, False, False, info

    def step(self, action):
        self.last = self.env.step(action)

    def mask(self):
        return self.env.action_masks()

    def shown(self):
        """What the learner sees and gets, and how the game stands."""
        observation, reward, terminated, truncated, info = self.last
        ends = {"terminated": terminated, "truncated": truncated, "illegal": info["illegal"]}
        return {**observation, **ends, "reward": reward}


class Vector(Single):
    """The one board of a vector environment, which waits when its game is over."""

    def __init__(self, spec, **keywords):
        usual = {"num_envs": 1, "opponent": None, "autoreset_mode": "Disabled"}
        self.env = make_vector(spec, **usual | keywords)

    def reset(self, seed=None, **options):
        super().reset(seed, **options)
        observation, *ends, info = self.last
        self.last = boards_of(observation, 0), *ends, boards_of(info, 0)

    def step(self, action):
        self.last = boards_of(self.env.step(np.array([action])), 0)

    def mask(self):
        return self.env.action_masks()[0]


VIEWS = {"aec": Aec, "single": Single, "vector": Vector}
every_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


def position_of(board):
    """Where a board stands, as text."""
    position = board.env.position
    return position if isinstance(position, str) else position[0]


def key_of(board):
    """The key by which a policy would choose on a board."""
    return int(board.env.key() if hasattr(board.env, "key") else board.env.ply_keys()[0])


def is_over(board):
    shown = board.shown()
    return shown["terminated"] or shown["truncated"]


def legal_action(board, rng):
    return int(rng.choice(np.flatnonzero(board.mask())))


def play(board, plies, rng):
    """Plays at random, until the game is over at most, and returns the actions."""
    actions = []
    while len(actions) < plies and not is_over(board):
        actions.append(legal_action(board, rng))
        board.step(actions[-1])
    return actions


# ---- many boards


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
