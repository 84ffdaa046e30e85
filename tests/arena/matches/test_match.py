"""Matches: openings, seats, keys, scores, settings; and that a game is what it is whatever else is played beside it."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest

import ludus
from ludus.arena import evaluate, grade, tournament
from ludus.arena.matches.games import ENDINGS, Pairing
from ludus.arena.matches.job import Job, play_job
from ludus.arena.matches.openings import openings
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.ratings.score import DRAW, LOSS, WIN, Score, total
from ludus.envs import make_game

from ...helpers.arena.played import matched, timeless


def played(spec, a, b, numbers, seed=0, plies=2):
    """Games as a job plays them."""
    game = make_game(spec)
    policies = tuple(ludus.make_policy(policy, game) for policy in (a, b))
    job = Job(Pairing(spec, str(a), str(b)), policies, np.asarray(numbers), seed, MatchSettings(plies))
    return play_job(job)


def records(spec, a, b, numbers, **settings):
    return timeless(matched(a, b, spec, numbers, names=(str(a), str(b)), **settings))


# ---- openings


def test_each_legal_sequence_opens_equally_often():
    game = make_game("tictactoe")
    counts = Counter(map(tuple, openings(game, 3, np.arange(14_400), 2)[0].tolist()))
    assert len(counts) == 9 * 8
    assert abs(np.array([*counts.values()]) - 200).max() < 5 * sqrt(200)


def test_an_opening_never_ends_the_game(game):
    for actions in openings(game, 0, np.arange(200), 12)[0].tolist():
        assert game.outcome(game.play_line([action for action in actions if action >= 0])[-1]) is None


def test_the_openings_of_a_seed_are_what_they_were():
    game = make_game("othello")
    made, _ = openings(game, 1, np.arange(3), 4)
    assert [" ".join(map(game.move_name, row)) for row in made.tolist()] == ["f5 f4 c3 g6", "d3 c3 c4 c5", "c4 c5 e6 c3"]


def test_both_games_of_an_opening_begin_with_it_and_every_pairing_draws_from_one_list():
    for a, b in (("random", "greedy"), ("minimax:depth=1", "random")):
        games = records("othello:size=6", a, b, 40, plies=4)
        begun = [record.actions[: record.opening] for record in games]
        assert begun[0::2] == begun[1::2]
        expected = openings(make_game("othello:size=6"), 0, np.arange(20), 4)[0]
        assert np.array_equal(begun[0::2], expected)


# ---- games


def test_games_are_played_by_the_rules_to_their_ends(game):
    for record in records(game.spec, "random", "random", 20):
        *before, state = game.play_line(record.actions)
        assert {game.outcome(state) for state in before} == {None}
        if record.ending == "max_plies":
            assert len(record.actions) == game.max_plies
            assert record.result == 0
        else:
            assert record.ending == "rules"
            assert game.outcome(state) == (record.result, -record.result)
        assert sum(record.moves) == len(record.actions) - record.opening


def test_seats_are_swapped_from_game_to_game():
    for record in records("nim", "nim_sum", "random", 100, plies=0):
        seat = record.players.index("nim_sum")
        assert seat == record.number % 2
        if seat == 1:  # 1+3+5+7 is lost for who begins
            assert record.result == -1


def test_a_game_follows_from_the_seed_the_pairing_and_its_number_alone(game):
    whole = records(game.spec, "random", "greedy", 30)
    first, rest = (records(game.spec, "random", "greedy", numbers) for numbers in (np.arange(20), np.arange(20, 30)))
    assert first + rest == whole
    assert records(game.spec, "random", "greedy", 30, seed=1) != whole
    assert records(game.spec, "greedy", "random", 30) != whole


# ---- scores


def test_a_score_counts_what_the_records_say():
    pairing = Pairing("tictactoe", "random", "greedy")
    games = played(*pairing, np.arange(400))
    score = Score.of(pairing, games)
    kept = games.records(pairing)
    results = [record.result if record.number % 2 == 0 else -record.result for record in kept]
    assert (score.wins, score.draws, score.losses) == tuple(results.count(value) for value in (1, 0, -1))
    assert score.games == 400
    assert score.points == (score.wins + score.draws / 2) / 400
    assert score.draws
    for seat in (0, 1):
        assert score.by_seat[seat].tolist() == [results[seat::2].count(value) for value in (1, 0, -1)]
    for first, row in zip((1, 0, -1), score.evidence.openings, strict=True):
        for second, count in zip((1, 0, -1), row, strict=True):
            assert count == sum((a, b) == (first, second) for a, b in zip(results[0::2], results[1::2], strict=True))
    ended = Counter((r.number % 2, 1 - result, len(r.actions)) for r, result in zip(kept, results, strict=True))
    assert {tuple(place): score.plies[tuple(place)] for place in np.argwhere(score.plies)} == ended
    assert score.moves.sum() == sum(len(record.actions) - record.opening for record in kept)


NAMED = "error", "time", "illegal", "died", "rules", "max_plies", "resigned", "rules"


def test_a_fault_counts_against_the_policy_that_lost_by_it():
    pairing, numbers = Pairing("tictactoe", "random", "greedy"), np.arange(8)
    results = np.array([-1, 1, 1, -1, 1, 0, 1, -1], np.int8)  # of player 0, who is the first policy in games of an even number
    endings = np.array([ENDINGS.index(name) for name in NAMED], np.int8)
    score = Score.of(pairing, played(*pairing, numbers)._replace(results=results, endings=endings))
    reported = [{ENDINGS[ending]: int(count) for ending, count in enumerate(row) if count} for row in score.faults]
    assert reported == [{"error": 1, "time": 1}, {"illegal": 1, "died": 1}]


def test_games_of_one_seed_are_not_counted_twice():
    first, second = (evaluate("random", "tictactoe", games=10, seed=seed) for seed in (0, 1))
    assert sum([first, second]).games == (first + second).games == 20
    contest = tournament("tictactoe", ["random", "greedy"], 2, seed=1)
    (stored,) = contest.store.scores()
    for one, other in ((first, first), (first, first.turned), (first + second, second), (stored, contest.scores[stored.pairing])):
        with pytest.raises(ValueError, match=r"both scores have games of seed [01], which would count twice"):
            one + other
    with pytest.raises(ValueError, match=r"one score is of .*, the other of .*; scores of one pairing add up"):
        first + stored


def test_scores_add_up_and_turn():
    pairing = Pairing("quarto", "easy", "random")
    whole = Score.of(pairing, played(*pairing, np.arange(60)))
    parts = [Score.of(pairing, played(*pairing, numbers)) for numbers in (np.arange(10), np.arange(10, 60))]
    both = parts[0] + parts[1]
    assert np.array_equal(both.evidence.openings, whole.evidence.openings)
    assert np.array_equal(both.plies, whole.plies)
    turned = whole.turned
    assert (turned.wins, turned.draws, turned.losses) == (whole.losses, whole.draws, whole.wins)
    assert turned.pairing == ("quarto", "random", "easy")
    assert turned.by_seat[0, WIN] == whole.by_seat[1, LOSS]  # random wins in seat 0 where easy loses in seat 1
    assert turned.evidence.openings[WIN, DRAW] == whole.evidence.openings[DRAW, LOSS]
    assert np.array_equal(turned.turned.evidence.openings, whole.evidence.openings)
    assert turned.seconds_a_move == whole.seconds_a_move[::-1]
    assert total([whole], "random").wins == whole.losses


# ---- settings


def records_against_random(policy, **how):
    return [*tournament("tictactoe", [policy], 20, against=["random"], **how).store.records()]


def test_the_keys_of_a_game_depend_on_its_number_and_not_on_the_names():
    pairs = zip(*(records_against_random(policy, common_keys=True) for policy in ("minimax:depth=2", "greedy")), strict=True)
    assert all(first.key == second.key and first.actions[:2] == second.actions[:2] for first, second in pairs)
    first, second = (records_against_random(policy) for policy in ("minimax:depth=2", "greedy"))
    assert not {game.key for game in first} & {game.key for game in second}
    assert len({game.key for game in first}) == 20


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"opening_plies": -1}, "opening_plies is -1; it must be a whole number from 0 to 1,000"),
        ({"move_time": 0.0}, "move_time is 0.0; it must be a number, more than 0"),
        ({"move_time": 1.0, "start_time": float("nan")}, "start_time is nan; it must be a number, more than 0"),
        ({"game_time": -1.0}, "game_time is -1.0; it must be a number, more than 0"),
        ({"start_time": 9.0}, "start_time is 9 s, without a move_time or a game_time; give one of them, too"),
    ],
)
def test_settings_out_of_their_bounds_are_refused_in_a_sentence(settings, words):
    with pytest.raises(ValueError, match=words):
        MatchSettings(**settings)


PLAYS = {
    "evaluate": lambda **how: evaluate("random", "nim", games=8, **how).plies.tolist(),
    "grade": lambda **how: grade("random", "nim", games=8, **how).document(),
    "tournament": lambda **how: tournament("nim", ["random", "greedy"], 8, **how).plan.document(),
}


@pytest.mark.parametrize("play", PLAYS.values(), ids=PLAYS)
def test_a_setting_is_given_in_the_record_or_as_a_keyword(play):
    longer = play(opening_plies=3)
    assert longer == play(settings=MatchSettings(opening_plies=3)) == play(opening_plies=3, settings=MatchSettings(faults="count"))
    assert longer != play()


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"opening_plies": 3, "settings": MatchSettings(opening_plies=2)}, "opening_plies is 3, and 2 in the settings; give one"),
        ({"start_time": 3}, r"no keyword 'start_time'; give settings=MatchSettings\(start_time=…\)"),
        ({"opening": 3}, "no keyword 'opening'; .* move_time, game_time, faults, common_keys, workers"),
        ({"openings": 3}, "openings are 3; give a file, the name of a suite, as 'balanced', or Openings"),
        ({"openings": "balanced", "opening_plies": 2}, "openings are given, and opening_plies is 2; games begin with the one or"),
        ({"largest": 10, "games": 4}, r"call grade_exact\(policy, game, …\)"),
    ],
)
def test_a_keyword_that_is_no_setting_or_contradicts_one_is_refused(keywords, words):
    with pytest.raises((ValueError, TypeError), match=words):
        grade("random", "nim", **keywords)
