"""Answers of a bench, made by hand, for tests of its reports."""

import numpy as np

from ludus.text.bench.answers import BenchAnswer

ASKS = ("win now", "stop a loss", "quiet")


def an_answer(number=0, **fields):
    """An answer that loses nothing, in a won position where random play loses a half."""
    common = {"model": "m", "game": "tictactoe", "disguise": "none", "variant": "plain", "repeat": 0, "number": number}
    position = {"position": f"p{number}", "asks": ASKS[number % 3], "group": number, "value": 1, "distance": 1, "random_loses": 0.5}
    reply = {"move": "a1", "legal_first": True, "attempts": 1, "faults": (), "value_lost": 0.0, "distance_lost": 0}
    cost = {"tokens_in": 100, "tokens_out": 10, "milliseconds": 20, "reply": "I play a1."}
    return BenchAnswer(**{**common, **position, **reply, **cost, **fields})


def answers_of(losses, **fields):
    """Answers that lose so much in positions 0, 1, …"""
    return [an_answer(number, value_lost=float(lost), **fields) for number, lost in enumerate(losses)]


def noisy(model, errs, count=120, seed=0, **fields):
    """Answers of a model that errs in this share of positions, by as much as can be lost."""
    random = np.random.default_rng(seed)
    return answers_of(2 * (random.random(count) < errs), model=model, **fields)
