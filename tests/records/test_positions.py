"""Positions as others write them are read in one way, wherever one is given: positions.json says what is read, or refused."""

import json
from pathlib import Path

import pytest

from ludus.envs import aec, make_game
from ludus.records import read_games
from ludus.records.positions import read_position, state_of

from ..helpers.games import VARIANTS
from ..helpers.recorded import random_game

CASES = json.loads(Path(__file__).with_name("positions.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['game']}: {case['text'][:30]}")
def test_a_position_is_read_alike_by_itself_in_a_file_and_as_an_option(tmp_path, case):
    game, text = make_game(case["game"]), case["text"]
    env = aec.env(game)
    if "error" in case:
        with pytest.raises(ValueError, match=r"(?s).") as error:
            read_position(game, text)
        assert case["error"] in str(error.value)
        with pytest.raises(ValueError, match=r"(?s)."):
            env.reset(options={"position": text})
        return
    line = read_position(game, text)
    assert game.text(line.state) == case["position"]
    assert " ".join(game.move_name(action) for action in line.actions) == case.get("moves", "")
    assert line.score == case.get("score", "")
    if "\n" not in text:
        (tmp_path / "a.positions").write_text(f"{text}\n")
        [record] = read_games(tmp_path / "a.positions", game)
        assert game.text(record.states()[-1]) == case["position"]
        assert record.header == ({"Score": line.score} if line.score else {})
    env.reset(options={"position": text})
    assert env.position == case["position"]


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_position_in_the_games_own_notation_is_itself(spec):
    for plies in (0, 3, None):
        game, state = make_game(spec), random_game(spec, 1, plies).states()[-1]
        assert game.text(state_of(game, game.text(state))) == game.text(state)
        assert (state_of(game, state) == state).all()
