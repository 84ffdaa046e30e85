"""`disguise`: a game under another face, with the same states, actions, kernels and tree; and the faces that many games can have.

A face is a class with other words. Some suit many games (FACES): other names of cells, other signs, a board that is shown turned. A
game names those of its own in `known.disguises`. The class of a disguise derives from the face and from the game's class.

A board is turned by a symmetry of the rules, and moves are named by where they then stand. The rules hold word for word, since they
are the same under a symmetry. Only the position is another one: that which the symmetry makes of it. The start may be one of these:
in Othello it is not that of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache, cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.native import Compiled, Function
from ...core.numbers import short_repr
from ...core.plugins.loading import load_object
from ...core.specs import nearest
from ...games.board_game import BoardGame
from ...games.drawing.clicks import Box, Place
from ...games.drawing.grid import labelled_grid
from ...games.drawing.layout import Content
from ...games.game import Game, StateArray
from ...games.linking import kernel_of

NAMES = """
vamo bufe dega rapo dobe mefi rupo buze pogi dila niba nare dazo kani diru ribe
nefo dabo roga fanu gubi daki rufo ruzi bugo gove bozi rima feli fiko fabo ropi
legu rito vofe doti runi tuma gebi meti repu zare rodu dafe tiru ginu vobi raki
nelu leto nuro mavi lanu kefi vuno katu dezu lapi pifu lugi zifu nogi tezo degu
"""
"""Words that mean nothing, for boards of up to 64 cells. The order was drawn once."""
COLOURS = ("red", "blue")
"""The names of players whose names are not their signs."""


class Relabelled(BoardGame):
    """The names that moves are made of are made-up words. The position shows each in its place, and no coordinates."""

    label_words: ClassVar[str] = "the word that stands with it in the position"

    @staticmethod
    def suits(game: Game) -> bool:
        """Whether a game can have this face."""
        return isinstance(game, BoardGame) and len(game.labels) > 0

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(NAMES.split()[: len(super().labels)])

    def _draw_cells(self, symbols: list[str], marked: list[int], below: list[str]) -> str:
        return labelled_grid(symbols, self.board[1], self.labels, marked, below)


class OtherSigns(BoardGame):
    """V and Z stand for the pieces of the players, who are called so, too, or by other colours than the game's."""

    signs: ClassVar[str] = "VZ"

    @staticmethod
    def suits(game: Game) -> bool:
        """Whether a game can be written by other signs."""
        return isinstance(game, BoardGame) and game.signs != ""

    @property
    def player_names(self) -> tuple[str, str]:  # pyright: ignore[reportIncompatibleVariableOverride]
        first, second = self.signs
        return (first, second) if super().player_names == (*super().signs,) else COLOURS


class Turned(Game):
    """A game whose positions and moves are shown as a symmetry turns them. The symmetry is its own inverse."""

    straight: Game
    """The game as it is, without its name."""

    @staticmethod
    def turn(cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """The cells of a board (H, W), turned."""
        raise NotImplementedError

    @classmethod
    def symmetry_of(cls, game: Game) -> int | None:
        """The number of the symmetry that turns the board so and changes nothing else; None if no symmetry does."""
        cells = np.arange(game.num_cells).reshape(game.board)
        turned = cls.turn(cells)
        try:
            symmetries = game.symmetries
        except NotImplementedError:
            return None
        if turned.shape != cells.shape or np.array_equal(turned, cells):
            return None
        numbers = np.flatnonzero((symmetries.cells == turned.ravel()).all(axis=1))
        changed = (symmetries.actions[numbers] != np.arange(game.num_actions)).sum(axis=1)
        return int(numbers[changed.argmin()]) if len(numbers) else None

    @classmethod
    def suits(cls, game: Game) -> bool:
        """Whether a game can be turned so."""
        return cls.symmetry_of(game) is not None

    @cached_property
    def _symmetry(self) -> int:
        number = self.symmetry_of(self.straight)
        assert number is not None  # the game suits
        return number

    @cached_property
    def _actions(self) -> list[int]:
        """The action that each action is shown as."""
        return self.straight.symmetries.actions[self._symmetry].tolist()

    def _turn(self, state: StateArray) -> StateArray:
        return self.straight.permuted(state[None], [self._symmetry])[0]

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(self.straight.moves[action] for action in self._actions)

    @cached_property
    def actions_by_name(self) -> dict[str, int]:
        return {name: self._actions[action] for name, action in self.straight.actions_by_name.items()}

    def action(self, move: str, state: StateArray | None = None) -> int:
        return self._actions[self.straight.action(move, None if state is None else self._turn(state))]

    def text(self, state: StateArray) -> str:
        return self.straight.text(self._turn(state))

    def parse(self, text: str) -> StateArray:
        return self._turn(self.straight.parse(text))

    def picture(self, state: StateArray, action: int | None = None) -> str:
        return self.straight.picture(self._turn(state), None if action is None else self._actions[action])

    def contents(self, state: StateArray) -> tuple[Content, ...]:
        return self.straight.contents(self._turn(state))


class Mirrored(Turned):
    """Left and right are exchanged."""

    @staticmethod
    def turn(cells: NDArray[np.intp]) -> NDArray[np.intp]:
        return cells[:, ::-1]


class Transposed(Turned):
    """Rows and columns are exchanged."""

    @staticmethod
    def turn(cells: NDArray[np.intp]) -> NDArray[np.intp]:
        return cells.T


FACES = {"relabelled": Relabelled, "mirrored": Mirrored, "transposed": Transposed, "symbols": OtherSigns}
"""The faces, by their names."""


# ---- a game under a face


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
