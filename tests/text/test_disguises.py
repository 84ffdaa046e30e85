"""A disguise shows the same game: to somebody who reads only its words, every move has the value that it has in the game."""

from __future__ import annotations

import pickle

import pytest

import ludus
from ludus.rewards import score
from ludus.text import prompt, read_move
from ludus.text.disguises import disguise, disguise_names, undisguise

SPECS = ["tictactoe", "nim", "nim:misere=true", "quixo:size=3", "quixo", "quarto", "othello:size=6", "connect_four"]
DISGUISES = [(spec, name) for spec in SPECS for name in disguise_names(ludus.make_game(spec))]


@pytest.mark.parametrize(("spec", "name"), DISGUISES)
def test_a_disguise_is_another_game_to_look_at_and_the_same_to_play(spec: str, name: str) -> None:
    game = ludus.make_game(spec)
    face = disguise(game, name)
    assert face != game == undisguise(face)
    assert pickle.loads(pickle.dumps(face)) == face == disguise(game, name)
    assert face.spec == game.spec
    assert game.title not in prompt(face, face.start)


def test_names_of_the_game_mean_nothing_in_other_labels() -> None:
    game = disguise(ludus.make_game("tictactoe"), "relabelled")
    assert read_move(game, game.start, "<move>b2</move>").fault == "unknown"
    assert read_move(game, game.start, "I play dobe, in the middle.").action == 4
    assert score(game, "X-O------ X", "I play dobe.").value_lost == 1


def test_a_disguise_that_a_game_does_not_have_is_an_error_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"tictactoe has no disguise 'relabeled'; did you mean 'relabelled'\?"):
        disguise(ludus.make_game("tictactoe"), "relabeled")
    with pytest.raises(ValueError, match="has no disguise 'relabelled'"):
        disguise(disguise(ludus.make_game("tictactoe"), "relabelled"), "relabelled")
