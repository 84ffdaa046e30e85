"""What the page may ask for, as types that msgspec checks: a message that does not fit is answered by a sentence."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..core.plugins import Sender
from ..games.registry import GameSpec

BROWSER = Sender("the page")
Name = Annotated[str, Meta(max_length=200)]
Label = Annotated[str, Meta(max_length=10_000)]
"""The name of a policy in a store, which may be anything."""
Number = Annotated[int, Meta(ge=0, le=2**53)]
Move = Annotated[str, Meta(max_length=40)]


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game from its start to a position.

    Args:
        id: the number of the request, which every answer to it carries.
        game: the game's spec.
        start: the position that it starts from, as text; None for the game's own.
        moves: the names of the moves since.
    """

    id: int
    game: GameSpec
    start: Name | None = None
    moves: Annotated[list[Move], Meta(max_length=1000)] = []


class Offer(Struct, tag="offer", frozen=True, forbid_unknown_fields=True):
    """Which games there are, and who plays them."""

    id: int


class Show(Line, tag="show", frozen=True, kw_only=True):
    """The position, its drawing and its legal moves.

    Args:
        policies: the specs of those who are to play on from it; what is wrong with one is said at once.
    """

    policies: Annotated[list[Name], Meta(max_length=2)] = []


class Answer(Line, tag="answer", frozen=True, kw_only=True):
    """The move that a policy plays.

    Args:
        policy: its spec.
        seed: the source of its randomness.
    """

    policy: Name
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0


class Opine(Line, tag="opine", frozen=True, kw_only=True):
    """What a policy thinks of each move, without playing.

    Args:
        policy: its spec.
    """

    policy: Name


class Judge(Line, tag="judge", frozen=True, kw_only=True):
    """What perfect play says about each legal move.

    Answers come one after the other, with the moves judged so far; the last one has no `left`.
    """


class Follow(Struct, tag="follow", frozen=True, forbid_unknown_fields=True):
    """How a store or a run stands, now and whenever that changes, until it is stopped.

    Args:
        id: as for `Line`.
        name: of the store or the run.
    """

    id: int
    name: Name


class Games(Struct, tag="games", frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Some games of a store.

    Args:
        id: as for `Line`.
        store: its name.
        game: only games of this spec.
        policy, against: only games in which these policies play.
        result: only games with this result, for `policy`, or else for the first player.
        lost: only games in which a move lost so much value.
        after: the pairing and the number of the game after which to begin.
    """

    id: int
    store: Name
    game: Name | None = None
    policy: Label | None = None
    against: Label | None = None
    result: Literal["won", "drawn", "lost"] | None = None
    lost: Annotated[int, Meta(ge=0, le=2)] = 0
    after: tuple[Number, Number] | None = None


class Replay(Struct, tag="replay", frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One game of a store, to step through.

    Args:
        id: as for `Line`.
        store: its name.
        pairing: the number of its pairing.
        number: its number in the pairing.
    """

    id: int
    store: Name
    pairing: Number
    number: Number


class Stop(Struct, tag="stop", frozen=True, forbid_unknown_fields=True):
    """Nothing more is wanted of what is still being thought about."""

    id: int


Request = Offer | Show | Answer | Opine | Judge | Follow | Games | Replay | Stop
