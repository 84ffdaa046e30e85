"""What the tests of the AEC environment share: environments, random moves, and all that can be seen as a value."""

import copy

import numpy as np
import pytest

import ludus
from ludus.envs.settings import specs

from .games import VARIANTS

SEATS = ["player_0", "player_1"]
every_variant = pytest.mark.parametrize("spec", VARIANTS)


def make(spec, **keywords):
    game = ludus.make_game(spec)
    return getattr(ludus, f"{game.name}_v{game.version}").env(**specs.changed(game), **keywords)


def legal_action(env, rng):
    return int(rng.choice(np.flatnonzero(env.action_mask())))


def play(env, plies, rng):
    """Plays at random, until the game is over at most, and returns the actions."""
    actions = []
    while len(actions) < plies and not is_over(env):
        actions.append(legal_action(env, rng))
        env.step(actions[-1])
    return actions


def is_over(env):
    return any(env.terminations.values()) or any(env.truncations.values()) or not env.agents


def seen(env):
    """All that agents and policies can tell of a running environment, as a value."""
    return copy.deepcopy(
        {
            "agents": env.agents,
            "agent_selection": env.agent_selection,
            "last": env.last() if env.agents else None,
            "observations": {seat: env.observe(seat) for seat in SEATS},
            "state": env.state(),
            "rewards": env.rewards,
            "terminations": env.terminations,
            "truncations": env.truncations,
            "infos": env.infos,
            "position": env.position,
            "rules_state": env.rules_state,
            "key": int(env.key()),
        }
    )
