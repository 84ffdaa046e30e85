"""Swiss rounds: who meets whom, what they have then, and that an interruption changes nothing."""

import numpy as np
import pytest

from ludus.agents import FunctionPolicy
from ludus.arena import resume, tournament
from ludus.arena.store.store import Store
from ludus.arena.swiss import BYE, draw_pairs
from ludus.envs import make_game

GAME = make_game("tictactoe")
FIVE = ["greedy", "random", "minimax:depth=2", "minimax:depth=1", "perfect"]


def meetings(contest, each=2):
    """The pairs of each round."""
    rounds = [set() for _ in range(contest.plan.swiss)]
    for record in contest.store.records():
        rounds[record.number // each].add(frozenset(record.players))
    return rounds


def test_twenty_policies_play_fifty_pairs_in_five_rounds():
    policies = [FunctionPolicy(GAME, function=lambda states, keys: GAME.masks(states).argmax(1), title=f"p{n}") for n in range(20)]
    contest = tournament(GAME, policies, swiss=5, seed=1)
    assert [len(pairs) for pairs in meetings(contest)] == [10] * 5
    assert len(frozenset.union(*map(frozenset, meetings(contest)))) == 50 == len(contest.document()["pairs"])
    assert contest.done == contest.total == 100


@pytest.mark.parametrize("count", [2, 3, 4, 7, 10, 13])
def test_nobody_meets_twice_nor_has_two_byes_and_equals_meet(count):
    chance, names = np.random.default_rng(count), [*map(str, range(count)), *[BYE] * (count % 2)]
    for _ in range(20):
        points, met = dict.fromkeys(names, 0), {name: [] for name in names}
        for number in range(len(names) // 2):
            pairs = draw_pairs(points, met, chance)
            assert sorted(name for pair in pairs for name in pair) == sorted(names)
            if number == 1 and count == 10:  # five have won and five have lost
                assert sorted(abs(points[a] - points[b]) for a, b in pairs) == [0, 0, 0, 0, 4]
            for a, b in pairs:
                assert b not in met[a]
                met[a].append(b)
                met[b].append(a)
                points[a if b == BYE or (a != BYE and chance.random() < 0.5) else b] += 4


def test_policies_stand_by_points_then_buchholz_and_a_bye_is_a_won_round():
    contest = tournament("nim", FIVE, 4, swiss=3, seed=2)
    points, opponents = dict.fromkeys(FIVE, 0.0), {name: [] for name in FIVE}
    for pairs in meetings(contest, each=4):
        (left_over,) = {*FIVE}.difference(*pairs)
        points[left_over] += 1
        opponents[left_over].append(left_over)
    for score in (side for both in contest.scores.values() for side in (both, both.turned) if both.games):
        points[score.pairing.a] += score.points
        opponents[score.pairing.a].append(score.pairing.b)
    standing = {name: (points[name], sum(points[other] for other in opponents[name])) for name in FIVE}
    assert contest.swiss == {"nim": standing}
    assert [*contest.document()["swiss"]["nim"].values()] == sorted(map(list, standing.values()), reverse=True)


def test_an_interruption_changes_neither_pairs_nor_games(tmp_path):
    whole = tournament(["nim", "tictactoe"], FIVE, swiss=3, seed=4)
    Store.create(tmp_path / "store", whole.plan).close()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            resume(tmp_path / "store", watch=lambda _: 1 / 0)
    again = resume(tmp_path / "store", workers=2)
    assert (again.done, again.swiss) == (whole.done, whole.swiss) == (24, whole.swiss)
    assert [record.actions for record in again.store.records()] == [record.actions for record in whole.store.records()]
