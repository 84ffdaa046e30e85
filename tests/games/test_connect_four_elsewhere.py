"""Connect Four of PettingZoo and pgx: the same random games there and here, ply by ply.

`ELSEWHERE_GAMES=2000 python -m pytest tests/games/test_connect_four_elsewhere.py` plays that many. For pgx: `make apart-pgx`.
"""

import os

import numpy as np
import pytest
from pettingzoo.classic.connect_four import connect_four

import ludus
from ludus import connect_four_v0
from ludus.games.kernels.rules import ONGOING

GAMES = int(os.environ.get("ELSEWHERE_GAMES", "200"))


def test_random_games_go_as_pettingzoo_has_them():
    ours, theirs, random = connect_four_v0.env(), connect_four.env(), np.random.default_rng(3)
    for _ in range(GAMES):
        ours.reset()
        theirs.reset()
        while not any(theirs.terminations.values()):
            assert not any(ours.terminations.values())
            assert ours.agent_selection == theirs.agent_selection
            for agent in theirs.agents:
                mine, other = ours.observe(agent), theirs.observe(agent)
                assert np.array_equal(mine["action_mask"], other["action_mask"])
                assert np.array_equal(mine["observation"][:2], np.moveaxis(other["observation"], -1, 0))
            mask = theirs.observe(theirs.agent_selection)["action_mask"]
            action = int(random.choice(np.flatnonzero(mask)))
            ours.step(action)
            theirs.step(action)
        assert ours.terminations == theirs.terminations
        assert ours.rewards == theirs.rewards


@pytest.mark.apart(name="pgx")
def test_random_games_go_as_pgx_has_them():
    jax, pgx = pytest.importorskip("jax"), pytest.importorskip("pgx")
    game, env, random = ludus.make_game("connect_four"), pgx.make("connect_four"), np.random.default_rng(4)
    boards = jax.vmap(env.init)(jax.random.split(jax.random.key(0), GAMES))
    step, first = jax.jit(jax.vmap(env.step)), np.asarray(boards.current_player)  # pgx draws which player moves first
    states, going = np.tile(game.start, (GAMES, 1)), np.full(GAMES, True)
    while going.any():
        players, masks = game.players(states), game.masks(states)
        assert np.array_equal(players[going], (boards.current_player ^ first)[going])
        assert np.array_equal(masks[going], boards.legal_action_mask[going])
        planes = game.observations(states, players)[:, :2]
        assert np.array_equal(planes[going], np.moveaxis(boards.observation, -1, 1)[going])
        actions = (random.random(masks.shape) * masks).argmax(axis=1)
        states[going], boards = game.plays(states[going], actions[going]), step(boards, actions)
        outcomes, over = game.outcomes(states), game.outcomes(states) != ONGOING
        assert np.array_equal(over, boards.terminated)
        rewards = np.asarray(boards.rewards)[np.arange(GAMES), first]  # of our player 0, in the step that ends a game
        assert np.array_equal(rewards, np.where(going & over, outcomes, 0))
        going &= ~over
