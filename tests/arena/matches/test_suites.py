"""Games from a list of openings: each from both seats, the same wherever they are played, stored whole, and counted by opening."""

from dataclasses import replace

import numpy as np
import pytest

from ludus.arena import MatchSettings, evaluate, grade, resume, tournament
from ludus.arena.grading import grade_decisions, grade_records
from ludus.arena.grading.decisions import decisions_of
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.record import parse, write
from ludus.arena.planning.planning import make_plan
from ludus.arena.ratings.intervals import wilson
from ludus.arena.ratings.means import mean_interval
from ludus.arena.ratings.ratings import rate
from ludus.arena.ratings.score import Score, repeat_words
from ludus.arena.store.export import row_of
from ludus.arena.store.store import Store
from ludus.envs import make_game
from ludus.records import Openings

from ...helpers.arena.played import chosen, timeless

TICTACTOE = make_game("tictactoe")
LINES = ((0, 4), (4, 0, 8), (1, 4), (3,))
SUITE = Openings("four", "tictactoe", (None,) * 4, LINES, "proven: drawn")
FROM_POSITIONS = replace(
    SUITE, name="placed", starts=tuple(map(TICTACTOE.text, SUITE.arrays.ends)), lines=((),) * len(SUITE), label=""
)
STRONG = "minimax:depth=2"


def choose_first(states, keys):
    """The first legal action."""
    return TICTACTOE.masks(states).argmax(1)


def choose_last(states, keys):
    """The last legal action."""
    return TICTACTOE.num_actions - 1 - TICTACTOE.masks(states)[:, ::-1].argmax(1)


def test_each_opening_is_played_from_both_seats_and_after_the_last_comes_the_first():
    contest = tournament("tictactoe", ["random", "greedy"], 12, openings=SUITE)
    records = [*contest.store.records()]
    assert [record.actions[: record.opening] for record in records] == [LINES[number // 2 % 4] for number in range(12)]
    assert {record.players for record in records[0::2]} == {("random", "greedy")}
    assert {record.players for record in records[1::2]} == {("greedy", "random")}
    assert [sum(record.moves) + record.opening for record in records] == [len(record.actions) for record in records]


def test_lines_and_the_positions_that_they_lead_to_give_the_same_games():
    by_lines, by_positions = (
        [*tournament("tictactoe", [choose_first, choose_last], openings=suite).store.records()] for suite in (SUITE, FROM_POSITIONS)
    )
    for played, placed in zip(by_lines, by_positions, strict=True):
        assert placed.start == TICTACTOE.text(played.states(TICTACTOE)[played.opening])
        assert (placed.opening, placed.actions) == (0, played.actions[played.opening :])
        assert (placed.result, placed.moves, placed.players) == (played.result, played.moves, played.players)
        assert np.array_equal(placed.states(TICTACTOE), played.states(TICTACTOE)[played.opening :])


def test_a_tournament_resumes_with_the_same_games_when_its_file_is_gone(tmp_path):
    file = tmp_path / "mine.openings"
    file.write_text("# by hand\na1 b2\nXO------- X :\nc3\n")
    whole = tournament("tictactoe", ["random", "greedy"], 12, openings=file)
    plan, cast = make_plan(["tictactoe"], ["random", "greedy"], 12, settings=MatchSettings(openings=file))
    with Store.create(tmp_path / "games.sqlite", plan) as store:
        (pairing,) = plan.pairings
        job = Job(pairing, tuple(cast.values()), np.arange(4), plan.seed, plan.settings_of("tictactoe"))
        store.add(pairing, play_job(job))
    file.unlink()
    again = resume(tmp_path / "games.sqlite")
    assert again.plan.openings == whole.plan.openings
    assert timeless(again.store.records()) == timeless(whole.store.records())
    assert again.store.record(pairing, 2).start == "XO------- X"
    suite = again.document()["suites"]["tictactoe"]
    assert (suite["name"], suite["label"], suite["count"]) == ("mine.openings", "by hand", 3)
    again.store.close()


def test_games_from_positions_are_exported_written_and_graded_from_there():
    contest = tournament("tictactoe", [STRONG, "random"], openings=FROM_POSITIONS)
    records = [*contest.store.records()]
    for record in records:
        assert row_of(record).start == record.start in FROM_POSITIONS.starts
        (again,) = parse(write(record))
        assert timeless([again]) == timeless([record])
    (pairing,) = contest.plan.pairings
    by_records = grade_records(TICTACTOE, records, STRONG)
    by_store = grade_decisions(TICTACTOE, STRONG, decisions_of(TICTACTOE, contest.store.played(pairing)))
    assert by_records.document() == by_store.document()
    assert by_records.moves.sum() == by_records.graded.sum() == sum(r.moves[r.players.index(STRONG)] for r in records)
    graded = grade(STRONG, "tictactoe", openings=FROM_POSITIONS)
    assert (graded.score.games, graded.moves.sum()) == (8, by_records.moves.sum())
    assert graded.beatable is None
    assert graded.document()["suite"]["name"] == "placed"


# ---- what scores say of openings that were repeated


def test_all_games_of_an_opening_are_one_observation():
    score = evaluate("greedy", "tictactoe", "random", 80, openings=SUITE)
    assert score.evidence.is_suite_repeated
    assert score.evidence.by_opening.sum((1, 2)).tolist() == [20] * 4
    assert np.array_equal(score.evidence.by_opening.sum(0), score.by_seat)
    wins, draws = score.evidence.by_opening.sum(1)[:, :2].T
    shares, counts = np.unique((wins + draws / 2) / 20, return_counts=True)
    assert score.points_interval() == mean_interval(shares, counts.astype(float))
    assert score.turned.points_interval() == pytest.approx([1 - bound for bound in score.points_interval()[::-1]], abs=1e-6)
    assert "They were repeated; the intervals count all games of an opening once." in str(score)
    assert "They were repeated" not in str(evaluate("greedy", "tictactoe", "random", openings=SUITE))


def test_openings_that_are_repeated_by_deterministic_policies_tell_nothing_new():
    once, often = (evaluate(choose_first, "tictactoe", choose_last, games, openings=SUITE) for games in (8, 80))
    assert often.independent == once.games == 8
    assert often.points_interval() == once.points_interval()
    assert often.p_value() == once.p_value()
    assert "only 8 of 80 games differ" in str(often)
    assert "a longer list of openings gives more games" in str(often)
    widths = [np.subtract(*rate([score]).difference("choose_first", "choose_last")[:0:-1]) for score in (once, often)]
    assert widths[1] > 0.7 * widths[0]  # as of ten times as many openings they would be a third as wide


# ---- games that two policies without randomness repeat


def test_two_policies_without_chance_play_two_games_from_the_start_and_the_interval_is_of_two(tmp_path):
    contest = tournament("tictactoe", [choose_first, choose_last, "random"], 500, opening_plies=0, store=tmp_path / "games.db")
    score, *others = contest.scores.values()
    assert (score.games, score.independent) == (500, 2)
    assert score.interval() == wilson(score.wins * 2 / 500, 2)
    assert score.document()["different_games"] == 2
    (sentence,) = repeat_words([score, *others])
    assert sentence.startswith("choose_first against choose_last: only 2 of 500 games differ")
    assert sentence in [*score._parts()]
    assert sentence in [*contest._parts()]
    assert [score.independent for score in contest.store.scores()] == [2, 500, 500]


@pytest.mark.parametrize("first", [2, 50])
def test_parts_of_a_match_count_as_the_whole(first):
    whole = tournament("tictactoe", [choose_first, choose_last], 100, opening_plies=1)
    (pairing,) = whole.plan.pairings
    parts = [chosen(whole.store.played(pairing), rows) for rows in (range(first), range(first, 100))]
    both = Score.of(pairing, parts[0]) + Score.of(pairing, parts[1])
    assert both.independent == whole.scores[pairing].independent <= 18
    assert both.evidence.lines == whole.scores[pairing].evidence.lines
