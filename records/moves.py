"""Moves as people and programs write them in a row: `f5 d6 c3`, `f5d6c3`, `F5 D6`, with passes or without them.

Where a game has a move named `pass`, and it alone is legal, a record may leave it out: it is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np

from ..core.numbers import short_repr
from ..games.game import Game, StateArray

PASS = "pass"
"""The move that a record may leave out."""
BETWEEN = re.compile(r"[\s,;]+")
"""What stands between moves."""
LONGEST_WORD = 64
"""Words that are longer are no moves."""
WORD = re.compile(rf"[^\s,;]{{1,{LONGEST_WORD + 1}}}")
"""The rest of a word, as far as it matters."""


@lru_cache(maxsize=64)
def _name_pattern(game: Game) -> re.Pattern[str]:
    """Any move of a game; of two that fit, the longer one. A number in a name is whole."""
    names = sorted(game.moves, key=len, reverse=True)
    return re.compile("|".join(r"\s+".join(map(re.escape, name.split())) + r"(?!\d)" * name[-1].isdigit() for name in names))


def split_moves(game: Game, text: str) -> Iterator[str]:
    """The moves of a text, in capitals or not, with spaces between them or run together, by their names where the text has other
    words for them. Words that are no moves are given as they are."""
    text, names = text.lower(), _name_pattern(game)
    at, begun = 0, 0
    while at < len(text):
        if gap := BETWEEN.match(text, at):
            at = begun = gap.end()
            continue
        match, word = names.match(text, at), WORD.match(text, at)
        assert word is not None
        if not match and word[0].isdecimal() and not has_wording(game, word[0]) and has_wording(game, word[0][0]):
            word = re.compile(".").match(text, at)  # columns by their numbers, run together
            assert word is not None
        if not match or (at == begun and match.end() < word.end() and plain_name(game, word[0]) in game.moves):
            match = word  # other words for a move, whatever name they begin with, as `d1` of Connect Four does with `d`
        at = match.end()
        yield plain_name(game, match[0])


@lru_cache(maxsize=4096)
def has_wording(game: Game, word: str) -> bool:
    """Whether a word has the form of other words for a move."""
    return any(re.fullmatch(pattern, word) for pattern, _ in game.wordings)


def plain_name(game: Game, word: str) -> str:
    """The name of a move that is written in other words (`Game.wordings`); other text in lower case as it is."""
    return word if len(word) > LONGEST_WORD else _plain_name(game, word)


@lru_cache(maxsize=4096)
def _plain_name(game: Game, word: str) -> str:
    matches = ((re.fullmatch(pattern, word), name) for pattern, name in game.wordings)
    names = (match.expand(name) for match, name in matches if match)
    return next((name for name in names if name in game.moves), word)


def play_moves(game: Game, moves: Iterable[str], state: StateArray, before: int = 0) -> tuple[tuple[int, ...], StateArray]:
    """Plays moves by their names: the actions, passes that were left out among them, and the state after the last one.

    Args:
        game: the game.
        moves: the names.
        state: the state in which the first of them is played.
        before: how many moves the game had before, for the errors.

    Raises:
        ValueError: a move is not one of the game, or not legal; the message begins with its number.
    """
    actions = list[int]()
    for number, move in enumerate(moves, before + 1):
        try:
            action = game.action(move, state)
            if game.masks(state[None])[0, action]:
                state = game.plays(state[None], np.array([action]))[0]
            else:
                legal = game.legal_actions(state)
                if len(legal) == 1 and legal[0] != action and game.moves[legal[0]] == PASS:  # which was left out
                    actions.append(legal[0])
                    state = game.play(state, legal[0])
                state = game.play(state, action)  # or the error that says why not
        except ValueError as error:
            raise ValueError(f"move {number}, {short_repr(move)}: {error}") from None
        actions.append(action)
    return tuple(actions), state
