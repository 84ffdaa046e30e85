"""A policy that remembers something in a game does so against a person: of the line that is played, and of nothing else."""

import io

import pytest

import ludus
from ludus.arena.engines.remote import guard_policy
from ludus.cli.commands.play import run_line
from ludus.cli.playing.live_game import LiveGame
from ludus.core.workers.worker import Worker

from ..helpers.outside.careful import CIRCLE, SPEC

GAME = ludus.make_game("quixo:size=3")
START, (MOVE, ANSWER, _) = CIRCLE


@pytest.fixture(params=["here", "in a process"])
def live_game(request):
    with Worker() as worker:
        policy = ludus.make_policy(SPEC if request.param == "here" else guard_policy(SPEC, GAME, worker), GAME)
        yield LiveGame(GAME, policy, SPEC, seat=0, seed=0, start=GAME.position(START))


def play(live_game, *lines):
    for line in lines:
        run_line(live_game, line, io.StringIO())
    return [GAME.move_name(action) for action in live_game.actions]


def test_a_policy_remembers_what_it_left_in_the_game(live_game):
    *line, last = play(live_game, MOVE, MOVE)
    assert (line, last) == ([MOVE, ANSWER, MOVE], last)
    assert last != ANSWER


def test_moves_that_are_taken_back_are_not_remembered(live_game):
    assert play(live_game, MOVE, "undo", MOVE) == [MOVE, ANSWER]


def test_after_moves_are_taken_back_the_rest_of_the_line_is_remembered(live_game):
    line = play(live_game, MOVE, MOVE)
    assert play(live_game, "undo", MOVE) == line
    assert play(live_game, "undo", "undo", MOVE, MOVE) == line


def test_a_game_that_is_resumed_is_remembered(live_game):
    line = play(live_game, MOVE, MOVE)
    resumed = LiveGame(GAME, live_game.policy, SPEC, 0, 0, live_game.start, live_game.actions[:2])
    assert play(resumed, MOVE) == line
