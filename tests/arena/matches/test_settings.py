"""How matches are played: one record, which the functions that play them take whole, or as four keywords."""

import pytest

from ludus.arena import MatchSettings, evaluate, grade, tournament


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
    with pytest.raises(ValueError, match="opening_plies is 3, and 2 in the settings; give one of them"):
        play(opening_plies=3, settings=MatchSettings(opening_plies=2))
    with pytest.raises(TypeError, match=r"no keyword 'start_time'; give settings=MatchSettings\(start_time=…\)"):
        play(start_time=3)
    with pytest.raises(
        TypeError,
        match=r"no keyword 'opening'; .* settings, openings, opening_plies, move_time, faults, common_keys, workers, engine",
    ):
        play(opening=3)
    with pytest.raises(ValueError, match="openings are 3; give a file, the name of a suite, as 'balanced', or Openings"):
        play(openings=3)
    with pytest.raises(ValueError, match="openings are given, and opening_plies is 2; games begin with the one or the other"):
        play(openings="balanced", opening_plies=2)


def test_a_sample_refuses_what_goes_with_every_position():
    for words in ({"exact": True}, {"largest": 10, "games": 4}):
        with pytest.raises(TypeError, match=r"call grade_exact\(policy, game, …\)"):
            grade("greedy", "tictactoe", **words)
