"""Games that two policies without randomness repeat: the arena counts them, says so, and takes no comfort from them."""

import pytest

from ludus.agents.policy import FunctionPolicy
from ludus.arena import evaluate, tournament
from ludus.arena.ratings.intervals import wilson
from ludus.arena.ratings.score import Score, repeat_words
from ludus.arena.store.store import Store
from ludus.envs import make_game

from ...helpers.arena.played import chosen

GAME = make_game("tictactoe")


def first_legal(states, keys):
    return (GAME.masks(states) != 0).argmax(axis=1)


def last_legal(states, keys):
    return GAME.num_actions - 1 - (GAME.masks(states) != 0)[:, ::-1].argmax(axis=1)


FIRST, LAST = (FunctionPolicy(GAME, function=one, title=one.__name__) for one in (first_legal, last_legal))


def test_two_policies_without_chance_play_two_games_from_the_start_and_the_interval_is_of_two():
    score = evaluate(FIRST, GAME, LAST, 500, opening_plies=0)
    assert (score.games, score.independent) == (500, 2)
    assert score.interval() == wilson(score.wins * 2 / 500, 2)
    assert score.document()["different_games"] == 2
    (sentence,) = repeat_words([score])
    assert sentence.startswith("first_legal against last_legal: only 2 of 500 games differ")
    assert sentence in [*score._parts()]


def test_each_opening_brings_one_game_a_seat_however_often_it_comes():
    score = evaluate(FIRST, GAME, LAST, 2000, opening_plies=1)
    assert score.independent == 2 * 9
    assert evaluate(FIRST, GAME, LAST, 2, opening_plies=1).independent == 2  # nothing was repeated
    assert repeat_words([evaluate(FIRST, GAME, LAST, 2, opening_plies=1)]) == []


def test_a_tournament_says_so_and_so_does_its_store(tmp_path):
    played = tournament("tictactoe", [FIRST, LAST, "random"], 100, opening_plies=0, store=tmp_path / "games.db")
    words = [part for part in played._parts() if isinstance(part, str) and " only " in part]
    assert words == repeat_words(played.scores.values())
    assert len(words) == 1
    played.store.close()
    with Store.open(tmp_path / "games.db") as store:
        assert [score.independent for score in store.scores()] == [2, 100, 100]
    assert [score.independent for score in played.scores.values()] == [2, 100, 100]


@pytest.mark.parametrize("first", [2, 50])
def test_parts_of_a_match_count_as_the_whole(first):
    whole = tournament(GAME, [FIRST, LAST], 100, opening_plies=1)
    (pairing,) = whole.plan.pairings
    parts = [chosen(whole.store.played(pairing), rows) for rows in (range(first), range(first, 100))]
    both = Score.of(pairing, parts[0]) + Score.of(pairing, parts[1])
    assert both.independent == whole.scores[pairing].independent <= 18
    assert both.evidence.lines == whole.scores[pairing].evidence.lines
