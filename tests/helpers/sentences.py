"""Shared by tests of bad input: checks that an error is a sentence, and an environment."""

import pettingzoo

import ludus

GAMES = ("nim", "tictactoe", "quarto", "quixo", "othello", "connect_four")


def says(error, *words):
    """Checks that an error is a sentence in one line that contains these words."""
    text = str(error.value)
    assert len(text.split()) >= 4, text
    assert "\n" not in text
    for word in words:
        assert str(word) in text, f"{word!r} is not in {text!r}"


def aec(spec="tictactoe"):
    env = pettingzoo.make("aec", f"ludus/{ludus.make_game(spec).name}-v0", game=spec)
    env.reset(seed=0)
    return env
