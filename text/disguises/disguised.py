"""`disguise`: a game under another face, with the same states, actions, kernels and tree.

A face is a class with other words. Some suit many games (FACES), and a game names those of its own in `known.disguises`. The class
of a disguise derives from the face and from the game's class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache, cached_property
from typing import Any, ClassVar

from ...core.native import Compiled, Function
from ...core.numbers import short_repr
from ...core.plugins.loading import load_object
from ...core.specs import nearest
from ...games.drawing.clicks import Box, Place
from ...games.game import Game, StateArray
from ...games.linking import kernel_of
from .faces import FACES


class Disguised(Game):
    """What all disguises share: they do not say the name of the game, have its kernels, and are drawn as they are written."""

    title: ClassVar[str] = "this game"
    plain: ClassVar[type[Game]]
    """The class of the game."""
    face: ClassVar[str]
    """The name of the disguise; empty where only the game's name is not said."""

    def kernel(self, kernel: Function, plugs: Mapping[Function, Function] | None = None) -> Compiled:
        return kernel_of(self.plain, kernel, tuple(plugs.items()) if plugs else ())

    @cached_property
    def straight(self) -> Game:
        """The game as it is, without its name."""
        return _with_settings(_class_of(self.plain, ""), self)

    def svg(self, state: StateArray, action: int | None = None) -> str:
        return Game.svg(self, state, action)

    def clicks(self, state: StateArray, action: int) -> tuple[Box, ...]:
        return ()

    def places(self, state: StateArray, action: int) -> tuple[Place, ...]:
        return ()

    @property
    def panels(self) -> tuple[Box, ...]:
        return ()

    def __reduce__(self) -> tuple[Any, ...]:
        return disguise, (undisguise(self), self.face)


def disguise_names(game: Game) -> tuple[str, ...]:
    """The names of the disguises that a game has; a disguise has none."""
    if isinstance(game, Disguised):
        return ()
    return (*dict.fromkeys([*(name for name, face in FACES.items() if face.suits(game)), *game.known.disguises]),)


def disguise(game: Game, name: str) -> Game:
    """A game under another face, one of `disguise_names`, or as it is for "none"; ValueError where it has no such face. States,
    actions, kernels, values and the spec are those of the game."""
    if name == "none":
        return game
    if name not in (names := disguise_names(game)):
        raise ValueError(f"{game.spec} has no disguise {short_repr(name)}; {nearest(name, ['none', *names])}")
    return _with_settings(_class_of(type(game), name), game)


def undisguise(game: Game) -> Game:
    """The game that a disguise shows; any other game as it is."""
    return _with_settings(game.plain, game) if isinstance(game, Disguised) else game


@cache
def _class_of(plain: type[Game], name: str) -> type[Game]:
    """The class of a disguise."""
    own = plain.known.disguises.get(name)
    faces = [] if not name else [FACES[name] if own is None else load_object(own)]
    return type(f"{plain.__name__}_{name}", (*faces, Disguised, plain), {"plain": plain, "face": name, "__module__": __name__})


def _with_settings(cls: type[Game], game: Game) -> Game:
    """A game of this class with the settings of another."""
    return cls(**{field.name: getattr(game, field.name) for field in fields(game) if field.init})
