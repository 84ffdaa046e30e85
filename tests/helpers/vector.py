"""What the tests of the vector environment share: environments, actions, and all that happens on the boards as a value."""

import gymnasium as gym
import numpy as np
import pytest

import ludus
from ludus.envs.games.registry import id_name
from ludus.envs.settings import specs

from .games import VARIANTS

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
        if "final_obs" in info:
            parts += [info["final_obs"]["observation"], info["final_obs"]["action_mask"], info["final_info"]["action_mask"]]
        flat = [part.reshape(boards, -1).astype(np.int64) for part in parts]
        each = sum((part * weights * (np.arange(part.shape[1]) + 7 * i + 1)).sum() for i, part in enumerate(flat))
        sums.append(int(each))
    return sums
