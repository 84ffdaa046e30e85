"""How many nodes policies visited: counted move by move, added up by game, stored, and alike however the games are played."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from ludus.agents import make_policy
from ludus.agents.answers import Answer
from ludus.agents.minimax import Minimax
from ludus.agents.policy import Playing
from ludus.arena import evaluate, resume, tournament
from ludus.arena.results import Results
from ludus.arena.store.store import Store
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


@pytest.mark.parametrize("spec", ["minimax:depth=3", "minimax:depth=2,prune=false,table=false"])
def test_the_nodes_of_a_game_are_those_that_the_search_visits_in_its_positions(spec):
    contest = tournament(OTHELLO, [spec, "random"], 4)
    searcher = make_policy(spec, OTHELLO).searcher
    total = 0
    for record in contest.store.records():
        seat = record.players.index(spec)
        nodes = int(searcher.search(*moves_of(record, seat)).nodes.sum())
        assert (record.nodes[seat], record.nodes[1 - seat]) == (nodes, None)
        total += nodes
    (score,) = contest.scores.values()
    assert score.nodes_a_game == (total / 4, None)
    assert score.turned.nodes_a_game == (None, total / 4)


@pytest.mark.parametrize(
    ("game", "spec"),
    [
        (OTHELLO, "minimax:depth=3"),
        (OTHELLO, "minimax:depth=2,endings=8"),
        (OTHELLO, "minimax:nodes=300,endings=10"),
        ("quixo", "minimax:depth=4,opening=4,table_bits=8"),
    ],
)
def test_nodes_do_not_depend_on_what_is_in_the_batch_nor_on_workers(game, spec):
    alone = evaluate(spec, game, "random", 8)
    assert alone.nodes[0] > 0
    assert evaluate(spec, game, "random", 8, workers=2).nodes.tolist() == alone.nodes.tolist()
    policy, (record, *_) = make_policy(spec, game), tournament(game, [spec, "random"], 2).store.records()
    states, keys = moves_of(record, 0)
    one_by_one = [int(policy.count(state[None], key[None])[1][0]) for state, key in zip(states, keys, strict=True)]
    assert policy.count(states, keys)[1].tolist() == one_by_one
    assert sum(one_by_one) == record.nodes[0]


def test_a_tournament_that_was_interrupted_counts_the_same_nodes(tmp_path):
    def stop(contest):
        raise KeyboardInterrupt

    whole = tournament(OTHELLO, ["minimax:depth=2", "random"], 40)
    with pytest.raises(KeyboardInterrupt):
        tournament(OTHELLO, ["minimax:depth=2", "random"], 40, store=tmp_path / "a", watch=stop)
    assert 0 < Results(Store.open(tmp_path / "a")).done < 40
    later = resume(tmp_path / "a")
    for one in (later, Results(Store.open(tmp_path / "a"))):
        assert [score.nodes_a_game for score in one.scores.values()] == [score.nodes_a_game for score in whole.scores.values()]


def test_the_moves_of_the_book_take_no_nodes():
    policy = make_policy("minimax:evaluation=patterns,depth=2,book=true", "othello")
    actions, nodes = policy.count(policy.game.start[None], np.array([7], np.uint64))
    assert (nodes.tolist(), policy.game.legal_actions(policy.game.start).count(actions[0])) == ([0], 1)


@dataclass(frozen=True)
class Otherwise(Minimax):
    """Acts in a way of its own."""

    name: ClassVar[str] = "otherwise"

    def act(self, states, keys):
        return np.array([self.game.legal_actions(state)[0] for state in states])


def test_a_minimax_that_acts_in_another_way_has_no_nodes():
    policy = Otherwise(make_game("tictactoe"))
    assert policy.begin(1).answer(policy.game.start[None], np.zeros(1, np.uint64), np.arange(1)).actions.tolist() == [0]
    assert evaluate(policy, "tictactoe", "random", 4).nodes_a_game == (None, None)


class Counts(Playing):
    """Counts as it is given."""

    def __init__(self, policy, nodes):
        super().__init__(policy)
        self.nodes = nodes

    def answer(self, states, keys, games):
        return Answer(self.act(states, keys, games), nodes=self.nodes(len(states)))


@dataclass(frozen=True)
class Counting(Minimax):
    """Counts as it is given."""

    nodes_of: object = None

    def begin(self, games):
        return Counts(self, self.nodes_of)


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


def test_nodes_are_absent_where_they_are_known_of_some_games_only():
    policy = Counting(make_game("tictactoe"), depth=1, nodes_of=lambda n: np.ones(1, np.int64) if n == 1 else None)
    first, second = (evaluate(policy, "tictactoe", "random", games, opening_plies=0) for games in (2, 4))
    assert first.nodes.tolist() == [first.moves[0], -1]  # one of the two games at a time
    assert second.nodes.tolist() == [-1, -1]
