"""Swiss rounds: who meets whom, what they have then, and that an interruption changes nothing."""

from collections import Counter, defaultdict

import numpy as np
import pytest

from ludus.agents import FunctionPolicy
from ludus.arena import resume, tournament
from ludus.arena.swiss import BYE, draw_pairs
from ludus.envs import make_game

GAME = make_game("tictactoe")
FIVE = ["greedy", "random", "minimax:depth=2", "minimax:depth=1", "perfect"]


def meetings(contest):
    """The pairs of each round."""
    each, rounds = contest.plan.games // contest.plan.swiss, defaultdict(list)
    for record in contest.store.records():
        rounds[record.number // each].append(frozenset(record.players))
    assert all({*Counter(pairs).values()} == {each} for pairs in rounds.values())
    return [{*pairs} for _, pairs in sorted(rounds.items())]


def test_twenty_policies_play_fifty_pairs_in_five_rounds():
    policies = [FunctionPolicy(GAME, function=lambda states, keys: GAME.masks(states).argmax(1), title=f"p{n}") for n in range(20)]
    contest = tournament(GAME, policies, swiss=5, seed=1)
    assert [len(pairs) for pairs in meetings(contest)] == [10] * 5
    assert len({pair for pairs in meetings(contest) for pair in pairs}) == 50 == len(contest.document()["pairs"])
    assert contest.done == contest.total == 100
    points, buchholz = map(sum, zip(*contest.swiss["tictactoe"].values(), strict=True))
    assert points == 50
    assert buchholz == sum(5 * of for of, _ in contest.swiss["tictactoe"].values())


@pytest.mark.parametrize("count", [2, 3, 4, 7, 10, 13])
def test_nobody_meets_twice_nor_has_two_byes_and_equals_meet_where_they_can(count):
    chance = np.random.default_rng(count)
    for _ in range(20):
        names = [*map(str, range(count)), *[BYE] * (count % 2)]
        points, met = dict.fromkeys(names, 0), {name: [] for name in names}
        for number in range(len(names) // 2):
            pairs = draw_pairs(points, met, chance)
            assert sorted(name for pair in pairs for name in pair) == sorted(names)
            if number == 1 and count == 10:  # five have won and five have lost, and all others are open to each
                assert sorted(abs(points[a] - points[b]) for a, b in pairs) == [0, 0, 0, 0, 4]
            for a, b in pairs:
                assert b not in met[a]
                met[a].append(b)
                met[b].append(a)
                points[a if b == BYE or (a != BYE and chance.random() < 0.5) else b] += 4


def test_policies_stand_by_points_then_buchholz_and_a_bye_is_a_won_round():
    contest = tournament("nim", FIVE, 4, swiss=3, seed=2)
    assert [len(pairs) for pairs in meetings(contest)] == [2, 2, 2]
    points, opponents = dict.fromkeys(FIVE, 0.0), {name: [] for name in FIVE}
    for pairs in meetings(contest):
        for name in {*FIVE} - {name for pair in pairs for name in pair}:
            points[name] += 1
            opponents[name].append(name)
    for score in contest.scores.values():
        if score.games:
            a, b = score.pairing[1:]
            points[a], points[b] = points[a] + score.points, points[b] + 1 - score.points
            opponents[a].append(b)
            opponents[b].append(a)
    standing = {name: (points[name], sum(points[other] for other in opponents[name])) for name in FIVE}
    assert contest.swiss == {"nim": standing}
    order = [*contest.standing("nim")]
    assert [standing[name] for name in order] == sorted(standing.values(), reverse=True)
    assert contest.document()["swiss"]["nim"] == {name: [*standing[name]] for name in order}
    assert "Buchholz" in str(contest)
    elo = contest.ratings["nim"]
    assert elo.difference(order[0], order[-1]).elo == pytest.approx(elo.elo[order[0]].elo - elo.elo[order[-1]].elo)


class Stop(Exception):
    """An interruption."""


def test_an_interruption_changes_neither_pairs_nor_games(tmp_path):
    whole = tournament(["nim", "tictactoe"], FIVE, swiss=3, seed=4)
    path = tmp_path / "store"

    def stop(contest):
        raise Stop

    with pytest.raises(Stop):
        tournament(["nim", "tictactoe"], FIVE, swiss=3, seed=4, store=path, watch=stop)
    for _ in range(5):
        with pytest.raises(Stop):
            resume(path, watch=stop)
    again = resume(path, workers=2)
    assert again.done == whole.done == 24
    assert [record.actions for record in again.store.records()] == [record.actions for record in whole.store.records()]
    assert again.swiss == whole.swiss
