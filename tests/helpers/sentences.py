"""What the tests of bad input share: whether an error is a sentence, and environments to make mistakes with."""

import pettingzoo

import ludus

GAMES = ("nim", "tictactoe", "quarto", "quixo", "othello")


def says(error, *words):
    """Whether an error is a sentence, of one line, with these words in it."""
    text = str(error.value)
    assert len(text.split()) >= 4, text
    assert "\n" not in text
    for word in words:
        assert str(word) in text, f"{word!r} is not in {text!r}"


def aec(spec="tictactoe"):
    env = pettingzoo.make("aec", f"ludus/{ludus.make_game(spec).name}-v0", game=spec)
    env.reset(seed=0)
    return env
