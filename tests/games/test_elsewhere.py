"""The same random games here and in other libraries, ply by ply: OpenSpiel, and Connect Four of PettingZoo and pgx.

`ELSEWHERE_GAMES=2000 python -m pytest tests/games/test_elsewhere.py` plays that many with the last two. For pgx: `make apart-pgx`.
"""

import os
import re

import numpy as np
import pytest
from pettingzoo.classic.connect_four import connect_four as connect_four_of_pettingzoo

import ludus
from ludus.envs import make_game
from ludus.games.kernels.rules import ONGOING

from ..helpers.games import VARIANTS

pytestmark = pytest.mark.usefixtures("hexes")


def by_number(game, state, action):
    """OpenSpiel numbers cells and columns in the same order, and its last action of Othello is the pass."""
    return game.moves[action]


def by_words(game, state, action):
    """OpenSpiel's Nim says `pile:2, take:3;` for `2-3`."""
    return "-".join(re.findall(r"\d+", state.action_to_string(state.current_player(), action)))


def connect_four(rows, columns, line):
    return f"connect_four(rows={rows},columns={columns},x_in_row={line})"


GAMES = [
    ("tictactoe", "tic_tac_toe", by_number, 500),
    ("othello", "othello", by_number, 200),
    ("nim", "nim(is_misere=False)", by_words, 500),
    ("nim:misere=true", "nim(is_misere=True)", by_words, 500),
    ("nim:heaps=12+40", "nim(pile_sizes=12;40,is_misere=False)", by_words, 200),
    ("nim:heaps=2+2+9+1+1,misere=true", "nim(pile_sizes=2;2;9;1;1,is_misere=True)", by_words, 200),
    *((f"hex:size={size}", f"hex(board_size={size})", by_number, 30) for size in range(3, 9)),
    *((spec, connect_four(**vars(make_game(spec))), by_number, 200) for spec in VARIANTS if spec.startswith("connect_four")),
]


@pytest.mark.parametrize(("spec", "theirs", "name", "count"), GAMES, ids=[spec for spec, *_ in GAMES])
def test_random_games_go_as_openspiel_has_them(spec, theirs, name, count):
    game, referee, random = make_game(spec), pytest.importorskip("pyspiel").load_game(theirs), np.random.default_rng(7)
    for _ in range(count):
        ours, judged = game.start, referee.new_initial_state()
        while not judged.is_terminal():
            assert game.outcome(ours) is None
            assert game.player(ours) == judged.current_player()
            actions = {name(game, judged, action): action for action in judged.legal_actions()}
            assert {game.moves[action] for action in game.legal_actions(ours)} == set(actions)
            move = random.choice(sorted(actions))
            ours = game.play(ours, game.action(move))
            judged.apply_action(actions[move])
        assert game.outcome(ours) == tuple(judged.returns())


# ---- Connect Four

COUNT = int(os.environ.get("ELSEWHERE_GAMES", "200"))


def test_random_games_go_as_pettingzoo_has_them():
    ours, theirs, random = ludus.connect_four_v0.env(), connect_four_of_pettingzoo.env(), np.random.default_rng(3)
    for _ in range(COUNT):
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
    boards = jax.vmap(env.init)(jax.random.split(jax.random.key(0), COUNT))
    step, first = jax.jit(jax.vmap(env.step)), np.asarray(boards.current_player)  # pgx draws which player moves first
    states, going = np.tile(game.start, (COUNT, 1)), np.full(COUNT, True)
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
        rewards = np.asarray(boards.rewards)[np.arange(COUNT), first]  # of our player 0, in the step that ends a game
        assert np.array_equal(rewards, np.where(going & over, outcomes, 0))
        going &= ~over
