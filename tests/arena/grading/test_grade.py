"""Sampled grades: which decisions are graded, what is said of them, and how they compare with exact ones; the command."""

import json
import re
import shlex

import numpy as np
import pytest

import ludus
from ludus.arena.grading import grade, grade_exact, grade_games, grade_records
from ludus.arena.grading.decisions import decisions_in, decisions_of
from ludus.arena.grading.sampled import grade_decisions
from ludus.arena.grading.verdict import judge_of
from ludus.arena.matches.games import Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.settings import MatchSettings
from ludus.envs import make_game
from ludus.oracles import make_oracle

from ...helpers.games import VARIANTS
from ...helpers.recorded import random_game
from ...helpers.system.processes import ROOT
from ...naive.search import solved

every_variant = pytest.mark.parametrize("spec", VARIANTS)


def played(spec, a, b, games):
    """Games as a tournament plays them, and their records."""
    game, pairing = make_game(spec), Pairing(spec, a, b)
    policies = tuple(ludus.make_policy(policy, game) for policy in (a, b))
    found = play_job(Job(pairing, policies, np.arange(games), 0, MatchSettings(2)))
    return game, found, found.records(pairing)


def one_by_one(game, record, name):
    """The decisions of a policy in a game, replayed action by action: (ply, state, action)."""
    state = game.start
    for ply, action in enumerate(record.actions):
        if ply >= record.opening and record.players[game.player(state)] == name:
            yield ply, state, action
        state = game.play(state, action)


# ---- which decisions


@every_variant
def test_the_decisions_are_those_of_the_policy_after_the_opening(spec):
    game, games, records = played(spec, "random", "greedy", 6)
    for first, name in ((True, "random"), (False, "greedy")):
        expected = sorted((p, s.tobytes(), a) for record in records for p, s, a in one_by_one(game, record, name))
        for found in (decisions_of(game, games, first), decisions_in(game, records, name)):
            reported = zip(found.plies.tolist(), map(np.ndarray.tobytes, found.states), found.actions.tolist(), strict=True)
            assert sorted(reported) == expected


# ---- what is said of them


@pytest.mark.parametrize(
    "spec",
    ["tictactoe", "nim", "nim:misere=true", "quixo:size=3", "othello:size=4", "quarto", "othello", "connect_four:rows=4,columns=4"],
)
def test_a_grade_counts_what_brute_force_or_the_oracle_says_of_each_move(spec):
    game, _, records = played(spec, "random", "greedy", 6)
    reach = {"othello:size=4": 6, "othello": 55, "connect_four:rows=4,columns=4": 7}  # of brute force in Python
    first = reach.get(spec, 2)
    oracle = make_oracle(game) if game.name in ("quixo", "quarto") else None
    known: dict = {}

    def value(state):
        return oracle.value(state) if oracle else solved(game, state, known)

    decisions = decisions_in(game, records, "greedy")
    late = type(decisions)(*(part[decisions.plies >= first] for part in decisions))
    found = grade_decisions(game, "greedy", late, most=None)
    expected = np.zeros_like(found.blunders)
    for state, action, ply, _ in zip(*late, strict=True):
        after = game.play(state, int(action))
        left = value(after) if game.player(after) == game.player(state) else -value(after)
        change = (value(state), left)
        assert change[1] <= change[0]
        if change[1] < change[0]:
            expected[ply, [(1, 0), (0, -1), (1, -1)].index(change)] += 1
    assert np.array_equal(found.blunders, expected)
    assert found.graded.sum() == len(late.plies) > 10
    assert found.value_lost == pytest.approx((expected @ [1, 1, 2]).sum() / len(late.plies))
    assert found.optimal_rate == pytest.approx(1 - expected.sum() / len(late.plies))


def test_what_the_oracle_does_not_reach_is_not_graded():
    game, _, records = played("othello:size=6", "random", "greedy", 10)
    found, every = grade_records(game, records, "greedy"), decisions_in(game, records, "greedy")
    assert 0 < found.graded.sum() < found.moves.sum()
    early = grade_decisions(game, "greedy", type(every)(*(part[every.plies < 10] for part in every)))
    assert (early.optimal_rate, early.value_lost, int(early.graded.sum())) == (None, None, 0)
    assert early.moves.sum() == found.moves[:10].sum() > 20


def test_as_many_are_graded_as_asked_for_and_the_seed_draws_which():
    game, _, records = played("othello:size=6", "random", "random", 20)
    whole = grade_records(game, records, "random", most=None)
    assert whole.graded.sum() > 100
    shuffled = np.random.default_rng(0).permutation(len(records)).tolist()
    orders = (records, [records[i] for i in shuffled], records)
    some = [grade_records(game, order, "random", most=50, seed=seed) for order, seed in zip(orders, (1, 1, 2), strict=True)]
    assert [int(one.graded.sum()) for one in some] == [50, 50, 50]
    assert np.array_equal(some[0].graded, some[1].graded)  # whatever the order of the games
    assert np.array_equal(some[0].blunders, some[1].blunders)
    assert not np.array_equal(some[0].graded, some[2].graded)
    assert all((one.graded <= whole.graded).all() for one in some)


def test_as_many_games_are_played_as_it_takes_to_grade_so_many_moves():
    said = list[str]()
    found = grade("random", "tictactoe", most=5000, progress=said.append)
    assert (found.score.games, found.graded.sum() >= 5000) == (2000, True)
    assert [line for line in said if line.startswith("2,000 games, ")]
    assert re.fullmatch(r"([\d,]+) of \1 different moves graded, 0 s left", said[-1])
    alone = grade("random", "tictactoe", games=2000)
    assert json.dumps(found.document()) == json.dumps(alone.document())


def test_the_first_error_is_the_median_of_the_first_moves_that_lost_value_of_games_that_are_graded_whole():
    game, _, records = played("tictactoe", "random", "random", 40)
    firsts = []
    for record in records:
        lost = [verdict.value_lost for verdict in judge_of(game).verdicts(record.actions)]
        worse = [ply for ply, _, _ in one_by_one(game, record, "random") if lost[ply]]
        firsts.append(worse[0] if worse else np.inf)
    found = grade_records(game, records, "random", most=None)
    assert found.games_without_errors == firsts.count(np.inf) > 0
    assert found.first_errors.tolist() == [firsts.count(ply) for ply in range(len(found.moves))]
    assert found.first_error == np.median(firsts)
    assert "40 games graded whole: the first error" in str(found)


def test_games_that_are_graded_in_part_say_nothing_of_first_errors():
    game, _, records = played("othello", "random", "greedy", 10)
    found = grade_records(game, records, "greedy", most=None)
    assert found.blunders.sum() > 0
    assert (found.first_errors.sum(), found.games_without_errors, found.first_error) == (0, 0, None)
    assert "graded whole" not in str(found)


# ---- beside exact grades


@pytest.mark.parametrize(("spec", "policy"), [("tictactoe", "random"), ("connect_four:rows=4,columns=4", "greedy")])
def test_a_sample_tells_what_the_exact_grade_tells_within_its_error(spec, policy):
    exactly, sampled = grade_exact(policy, spec), grade(policy, spec, games=4000, seed=1)
    moves = sampled.graded.sum()
    assert abs(sampled.optimal_rate - exactly.optimal_rate) < 5 * np.sqrt(0.25 / moves) * 2  # moves of a game hang together
    assert abs(sampled.value_lost - exactly.value_lost) < 5 * np.sqrt(1 / moves) * 2
    assert abs(moves / 4000 - sum(seat.vs_random.moves for seat in exactly.seats) / 2) < 0.2
    document, whole = sampled.document(), exactly.document()
    for name in ("win_rate_vs_random", "draw_rate_vs_random", "loss_rate_vs_random"):
        for seen, truth in zip(document[name], whole[name], strict=True):
            assert abs(seen - truth) <= 5 * np.sqrt(max(truth * (1 - truth), 1e-4) / 2000)


@pytest.mark.parametrize(
    ("policy", "opening_plies", "beatable"),
    [("random", 0, True), ("perfect", 0, None), ("random", 2, None)],  # the last did not choose its first moves itself
)
def test_a_sample_shows_that_a_policy_can_be_beaten_and_never_that_it_cannot(policy, opening_plies, beatable):
    found = grade(policy, "tictactoe", games=100, opening_plies=opening_plies)
    assert (found.score.losses > 0, found.beatable) == (policy == "random", beatable)


# ---- the command


def test_the_command_tells_a_grade(run):
    out = run("grade", "othello:size=6", "--policy", "greedy", "--games", 20, "--against", "greedy")[1]
    assert all(words in out for words in ("20 games against greedy", "25–29"))
    out = run("grade", "quixo:size=3", "--policy", "mcts:simulations=10", "--exact", "--seed", 2)[1]
    assert all(words in out for words in ("frozen by seed 2", "As O it loses "))


def test_the_best_answer_is_kept_and_plays(run, document, tmp_path):
    path = tmp_path / "answer to greedy.npz"
    spec = f"table:path={path}"
    out = run("grade", "tictactoe", "--policy", "greedy", "--exact", "--best-response", path)[1]
    assert f"ludus play tictactoe --against {shlex.quote(spec)}" in out
    reported = document("grade", "tictactoe", "--policy", "greedy", "--exact")["exploitability_by_seat"]
    met = document("grade", "tictactoe", "--policy", spec, "--games", 2000, "--against", "greedy")
    for seat in (0, 1):
        assert abs(met["win_rate_by_seat"][seat] - met["loss_rate_by_seat"][seat] - reported[1 - seat]) < 0.1


# ---- one name for each number: in documents, in frames, as an attribute, and on the page


def attribute_of(seat, name):
    """The attribute of a seat that the document calls so: `win_rate_vs_random` is `vs_random.win_rate`."""
    number, versus, whom = name.partition("_vs_")
    return getattr(getattr(seat, f"vs_{whom}"), number) if versus else getattr(seat, name)


def test_a_number_of_a_seat_has_one_name():
    exactly = grade_exact("greedy", "tictactoe")
    document, rows = exactly.document(), exactly.to_frame().to_dict("records")
    for number, (seat, row) in enumerate(zip(exactly.seats, rows, strict=True)):
        for name in seat.document(exactly.game).keys() - {"line"}:
            value = attribute_of(seat, name)
            assert document[f"{name}_by_seat" if f"{name}_by_seat" in document else name][number] == value, name
            assert row[name] == value or (value is None and np.isnan(row[name])), name
        assert row["line"] == " ".join(document["line"][number])


def test_the_page_has_every_name():
    section = (ROOT / "docs" / "grading.md").read_text().partition("## The names of a grade")[2].partition("\n## ")[0]
    names = re.findall(r"`(\w+)`", section)
    recorded = grade_games([random_game("othello:size=6", 0)]).document()
    whole = grade("greedy", "tictactoe", games=20), grade_exact("greedy", "tictactoe")
    documents = *(one.document() for one in whole), recorded, recorded["players"][0], recorded["moves"][0]

    def stem(name):
        return re.sub("^(draw|loss)_", "win_", re.sub("_(vs_random|vs_perfect|vs_best_response|by_seat)$", "", name))

    assert not {stem(name) for document in documents for name in document} - {stem(name) for name in names}
