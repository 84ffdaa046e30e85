"""How many nodes policies visited: counted move by move, added up by game, stored, and alike however the games are played."""

from dataclasses import dataclass

import numpy as np
import pytest

from ludus.agents import make_policy
from ludus.agents.answers import Answer
from ludus.agents.minimax import Minimax
from ludus.agents.policy import Playing
from ludus.arena import evaluate, tournament
from ludus.envs import make_game
from ludus.envs.boards import Boards

OTHELLO = "othello:size=6"


def moves_of(record, player):
    """The positions in which a player chose, and the keys."""
    game, every, states, keys = make_game(record.pairing.game), np.ones(1, np.bool_), [], []
    boards = Boards(game, 1, None, 0)
    boards.seed(every, [record.key], np.random.default_rng(0))
    boards.reset(every, game.start[None])
    for ply, action in enumerate(record.actions):
        if ply >= record.opening and boards.players[0] == player:
            states.append(boards.states[0].copy())
            keys.append(boards.ply_keys(np.arange(1))[0])
        boards.advance(np.arange(1), np.array([action]))
    return np.array(states), np.array(keys)


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        (OTHELLO, "minimax:depth=3"),
        (OTHELLO, "minimax:depth=2,prune=false,table=false"),
        (OTHELLO, "minimax:depth=2,endings=8"),
        (OTHELLO, "minimax:nodes=300,endings=10"),
        ("quixo", "minimax:depth=4,opening=4,table_bits=8"),
    ],
)
def test_the_nodes_of_a_game_are_those_that_the_search_visits_in_its_positions_one_by_one(game, spec):
    policy, contest = make_policy(spec, game), tournament(game, [spec, "random"], 4)
    total = 0
    for record in contest.store.records():
        seat = record.players.index(spec)
        states, keys = moves_of(record, seat)
        one_by_one = [int(policy.count(state[None], key[None])[1][0]) for state, key in zip(states, keys, strict=True)]
        assert policy.count(states, keys)[1].tolist() == one_by_one
        assert (record.nodes[seat], record.nodes[1 - seat]) == (sum(one_by_one), None)
        total += sum(one_by_one)
    (score,) = contest.scores.values()
    assert score.nodes_a_game == (total / 4, None)
    assert score.turned.nodes_a_game == (None, total / 4)
    assert evaluate(spec, game, "random", 4, workers=2).nodes_a_game == score.nodes_a_game


@dataclass(frozen=True)
class Counting(Minimax):
    """Counts as it is given."""

    nodes_of: object = None

    def begin(self, games):
        playing = Playing(self)
        playing.answer = lambda states, keys, games: Answer(playing.act(states, keys, games), nodes=self.nodes_of(len(states)))
        return playing


@pytest.mark.parametrize(
    "nodes",
    [
        lambda n: np.full(n, -1),
        lambda n: np.full(n, 2**49),
        lambda n: np.zeros(n + 1, np.int64),
        lambda n: np.zeros(n),
        lambda n: "many",
    ],
)
def test_counts_that_are_no_numbers_of_nodes_are_a_fault(nodes):
    score = evaluate(Counting(make_game("tictactoe"), depth=1, nodes_of=nodes), "tictactoe", "random", 4)
    assert score.faults[0].sum() == 4
    assert "nodes" in score.reasons[0].text
    assert score.nodes_a_game == (None, None)
