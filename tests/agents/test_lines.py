"""A policy that sees the moves of its games sees all of them, wherever it plays."""

import io

import cloudpickle
import gymnasium as gym
import numpy as np
import pettingzoo
import pytest

import ludus
from ludus.arena.engines.packing import pack
from ludus.arena.engines.remote import RemotePolicy
from ludus.arena.matches.players import Player
from ludus.cli.commands.play import run_line
from ludus.cli.playing.live_game import LiveGame
from ludus.core.workers.worker import Worker
from ludus.data import games
from ludus.games.lines import GameLines
from ludus.text.environments.episodes import Episode

from ..helpers.arena.played import matched, timeless
from ..helpers.outside import following
from ..helpers.outside.following import Following, follow

SPEC = "quixo:size=3"
GAME = ludus.make_game(SPEC)
LONG = "nim:heaps=100+100,limit=1"
KEY = np.zeros(1, np.uint64)


@pytest.fixture
def apart():
    cloudpickle.register_pickle_by_value(following)  # other processes cannot import it
    yield
    cloudpickle.unregister_pickle_by_value(following)


def check_follows(moves, plies, start=GAME.start):
    """At these plies of a game, the moves are those that follow from the moves before."""
    moves, states = [*map(int, moves)], GAME.play_line(moves, start)
    assert plies
    assert [moves[ply] for ply in plies] == [follow(GAME, states[ply], moves[:ply]) for ply in plies]


def plies_of(player, moves, start=GAME.start, after=0):
    """The plies at which a player moves, but for the first ones."""
    return [ply for ply, state in enumerate(GAME.play_line(moves, start)[:-1]) if ply >= after and GAME.player(state) == player]


def test_in_a_match_the_line_has_the_opening_and_the_moves_of_both():
    long = matched(Following(ludus.make_game(LONG)), "random", LONG, games=2)  # there was room for 64 moves at first
    assert [(record.ending, len(record.actions)) for record in long] == [("rules", 200)] * 2
    for record in matched(Following(GAME), Following(GAME), SPEC, games=8, plies=3):
        check_follows(record.actions, range(record.opening, len(record.actions)))


@pytest.mark.parametrize("where", [{"parts": 3}, {"parts": 2, "workers": 2}, {"move_time": 60}])
def test_the_line_is_the_same_in_parts_in_workers_and_in_processes(where, apart):
    follows = Following(GAME)
    assert timeless(matched(follows, follows, SPEC, games=4, **where)) == timeless(matched(follows, follows, SPEC, games=4))


def test_in_games_by_the_million_the_line_has_the_opening_and_the_moves_of_both():
    for moves in games(GAME, 5, policies=(Following(GAME), "random"), opening_plies=3):
        check_follows(moves, plies_of(0, moves, after=3))


def test_against_a_person_the_line_is_the_one_that_is_played():
    live_game = LiveGame(GAME, Following(GAME), "following", 0, 0, GAME.position("--------- X"))
    for line in (0, "undo", 3, 0):
        first = GAME.legal_actions(live_game.state)
        run_line(live_game, line if line == "undo" else GAME.move_name(first[line]), io.StringIO())
    assert len(live_game.actions) == 4
    check_follows(live_game.actions, (1, 3))


def test_the_opponent_of_a_player_in_words_sees_the_line():
    episode = Episode(GAME, GAME.start, 0, Following(GAME))
    first = GAME.legal_actions(GAME.start)[3]
    episode.take(GAME.move_name(first))
    answer = follow(GAME, GAME.play(GAME.start, first), [first])
    assert (episode.state == GAME.play_line([first, answer])[-1]).all()


def test_a_process_that_was_killed_sees_the_whole_line_again(apart):
    with Worker() as worker:
        policy = RemotePolicy(GAME, title="one", worker=worker, packed=pack(Following(GAME)), sees_moves=True)
        player, moves = Player(policy, 1), GAME.legal_actions(GAME.start)[2:3]
        state = GAME.play_line(moves)[-1]
        asked = state[None], KEY, np.zeros(1, np.int64), GameLines.of(GAME.start, moves)
        first = player.act(*asked)
        worker.kill()
        assert player.act(*asked).actions.tolist() == first.actions.tolist() == [follow(GAME, state, moves)]


@pytest.mark.parametrize("seat", [0, 1])
def test_the_opponent_of_an_environment_sees_the_line(seat):
    env = gym.make("ludus/Quixo-v0", size=3, opponent=Following(GAME), seat=seat, opening_plies=2, disable_env_checker=True)
    for seed in range(3):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, ended, cut, _ = env.step(GAME.legal_actions(env.unwrapped.rules_state)[-1])
            over = ended or cut
        line = env.unwrapped.line
        moves, start = line.moves[0].tolist(), line.starts[0]
        check_follows(moves, plies_of(1 - seat, moves, start, after=2), start)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("opening_plies", [0, 70])
def test_on_many_boards_the_opponent_sees_the_line_of_each_game(mode, opening_plies):
    envs = gym.make_vec(
        "ludus/Quixo-v0", num_envs=8, size=3, opponent=Following(GAME), autoreset_mode=mode, opening_plies=opening_plies
    )
    envs.reset(seed=0)
    games = 0
    for _ in range(150):
        _, _, ended, cut, _ = envs.step(envs.sample_actions())
        games += int((ended | cut).sum())
        if mode == "Disabled" and (ended | cut).any():
            envs.reset(options={"reset_mask": ended | cut})
    assert games > 8


def test_in_the_loop_of_two_players_a_policy_sees_the_line_also_in_a_copy():
    env, policy = pettingzoo.make("aec", "ludus/quixo-v0", size=3, opening_plies=2), Following(GAME)
    env.reset(seed=1)
    for _ in env.agent_iter():
        *_, ended, cut, _ = env.last()
        if ended or cut:
            break
        snapshot = env.unwrapped.snapshot()
        action = policy(env)
        env.step(action)
        env.unwrapped.restore(snapshot)
        assert policy(env) == action
        env.step(action)
    moves = env.unwrapped.line.moves[0].tolist()
    check_follows(moves, range(2, len(moves)))


def test_a_position_alone_is_where_its_line_starts():
    state = GAME.position("OXOXXOOOX X")
    alone = Following(GAME).act(state[None], KEY)
    assert alone.tolist() == [follow(GAME, state, [])]
    graded = ludus.arena.grade_exact(Following(GAME), GAME)
    assert "graded without that" in str(graded)
