"""Facts about what a game's class states: names, planes, moves, symmetries, variants, and that a game is a value.

Each check is a function over a game; the first line of its docstring is the fact. None of them runs the rules.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from ...core import specs
from ...core.numbers import is_whole
from ...games.game import Game
from .finding import Wrong, facts_of

Check = Callable[[Game], Iterator[Wrong]]


def variant(cls: type[Game], spec: str) -> Game:
    """A variant by its spec, of a class that need not be registered.

    Raises:
        ValueError: the spec is of another game, or names no variant of this one.
    """
    name, texts = specs.parse(spec)
    if name != cls.name:
        raise ValueError(f"the spec {spec!r} does not begin with the game's name, {cls.name!r}")
    return cls(**specs.read(cls, texts, cls.title))


# ---- the class and its attributes


def _are_names(names: Any) -> bool:
    """Whether these are texts, all different."""
    return len({*names}) == len(names) > 0 and all(isinstance(name, str) and name.strip() for name in names)


FORMS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("one word in lower case, for specs and ids", lambda name: re.fullmatch(r"[a-z][a-z0-9_]*", str(name)) is not None),
    "title": ("the name as people write it", lambda title: _are_names([title])),
    "player_names": ("two different names", lambda names: len(names) == 2 and _are_names(names)),
    "planes": ("names, each plane's its own", _are_names),
    "board": ("a height and a width, each 1 or more", lambda board: len(board) == 2 and all(is_whole(side, 1) for side in board)),
    "num_words": ("a whole number, 1 or more", lambda words: is_whole(words, 1)),
    "version": ("a whole number, 0 or more", lambda version: is_whole(version, 0)),
    "max_plies": ("a whole number, 0 where the rules end every game", lambda plies: is_whole(plies, 0)),
}
"""For each attribute what it must be, and whether a value is that."""


def games_are_frozen_dataclasses(game: Game) -> Iterator[Wrong]:
    """The class is a frozen dataclass, whose fields are the settings."""
    decorated = vars(type(game)).get("__dataclass_params__")
    if not (decorated and decorated.frozen):
        yield Wrong(type(game).__name__, "it is decorated otherwise than by @dataclass(frozen=True)")


def every_setting_has_a_default(game: Game) -> Iterator[Wrong]:
    """Every setting has a default."""
    for field in fields(game):
        if field.default is MISSING and field.default_factory is MISSING:
            yield Wrong(field.name, f"{field.name} has no default, so that {game.name!r} alone names no game")


def attributes_have_their_form(game: Game) -> Iterator[Wrong]:
    """Each attribute has the form that the contract asks for."""
    for name, (form, has_form) in FORMS.items():
        value = getattr(game, name)
        if not has_form(value):
            yield Wrong(name, f"it is {value!r}, and must be {form}")


# ---- the start, the moves


def the_start_has_as_many_words_as_a_state(game: Game) -> Iterator[Wrong]:
    """The start is as many 64-bit words as `num_words` says."""
    if len(game.start_words) != game.num_words or not all(is_whole(word, 0, 2**64 - 1) for word in game.start_words):
        yield Wrong("start_words", f"it is {game.start_words!r}, and num_words is {game.num_words}")


def every_action_has_a_name_of_its_own(game: Game) -> Iterator[Wrong]:
    """Every action has a name of its own."""
    if not game.moves or not all(isinstance(move, str) and move for move in game.moves):
        yield Wrong("moves", f"they are {game.moves!r}")
    first: dict[str, int] = {}
    for action, move in enumerate(game.moves):
        if first.setdefault(move, action) != action:
            yield Wrong("moves", f"actions {first[move]} and {action} are both {move!r}", action)
            return


def moves_can_be_typed(game: Game) -> Iterator[Wrong]:
    """A move's name is in lower case, its words one space apart, as people's input is read."""
    for action, move in enumerate(game.moves):
        if move != " ".join(move.lower().split()):
            yield Wrong("moves", f"action {action} is {move!r}, which cannot be typed", action)
            return


# ---- symmetries


def symmetries_have_a_column_for_each_cell_and_action(game: Game) -> Iterator[Wrong]:
    """`symmetries` has a row a symmetry, with a column for each cell and for each action, int16."""
    cells, actions = game.symmetries
    height, width = game.board
    shapes = cells.shape[1:], actions.shape[1:]
    if shapes != ((height * width,), (game.num_actions,)) or len(cells) != len(actions) or not len(cells):
        yield Wrong(
            "symmetries",
            f"the shapes are {cells.shape} and {actions.shape}; there are {height * width} cells and {game.num_actions} actions",
        )
    elif {cells.dtype, actions.dtype} != {np.dtype(np.int16)}:
        yield Wrong("symmetries", f"the dtypes are {cells.dtype} and {actions.dtype}, not int16")


def symmetries_are_permutations(game: Game) -> Iterator[Wrong]:
    """Each row of `symmetries` is a permutation."""
    for what, table in game.symmetries._asdict().items():
        wrong = (np.sort(table, axis=1) != np.arange(table.shape[1])).any(axis=1)
        if wrong.any():
            which = int(np.flatnonzero(wrong)[0])
            yield Wrong("symmetries", f"row {which} of {what} is not a permutation: {table[which].tolist()}")


def the_first_symmetry_is_the_identity(game: Game) -> Iterator[Wrong]:
    """The first symmetry changes nothing."""
    for what, table in game.symmetries._asdict().items():
        if not np.array_equal(table[0], np.arange(table.shape[1])):
            yield Wrong("symmetries", f"its first row of {what} is {table[0].tolist()}")


def symmetries_differ(game: Game) -> Iterator[Wrong]:
    """No symmetry is there twice."""
    if len(np.unique(np.hstack(game.symmetries), axis=0)) != len(game.symmetries.cells):
        yield Wrong("symmetries", "two rows are the same in cells and actions")


# ---- the variant as a value


def a_game_is_made_again_by_its_spec(game: Game) -> Iterator[Wrong]:
    """A game is made again by its spec and by its settings."""
    again = variant(type(game), game.spec)
    if again != game:
        yield Wrong(type(game).__name__, f"{game.spec!r} makes {again!r}, not {game!r}")
    settings = {field.name: getattr(game, field.name) for field in fields(game)}
    if type(game)(**settings) != game:
        yield Wrong(type(game).__name__, f"its own settings, {settings!r}, make another game")


def copies_are_equal(game: Game) -> Iterator[Wrong]:
    """A copy of a game, pickled or not, is equal and hashes the same."""
    ways: dict[str, Callable[[Any], Any]] = {
        "copied": copy.copy,
        "copied deeply": copy.deepcopy,
        "pickled": lambda one: pickle.loads(pickle.dumps(one)),
    }
    for how, way in ways.items():
        again = way(game)
        if again != game or hash(again) != hash(game) or again.moves != game.moves:
            yield Wrong(type(game).__name__, f"{how}, it is another game: {again!r}")


def variants_differ_and_the_default_is_first(game: Game) -> Iterator[Wrong]:
    """`variants` are specs of the game, all different, the default one first."""
    games = [variant(type(game), spec) for spec in game.variants]
    if not games or games[0] != type(game)():
        yield Wrong("variants", f"they are {game.variants!r}; the first is to be {type(game)().spec!r}")
    if len(set(games)) < len(games):
        yield Wrong("variants", f"two of {game.variants!r} are the same game")


DECLARED: tuple[Check, ...] = facts_of(globals())
"""The facts about what a class states; each of them may rely on those before it."""
