"""The requests of the page, as types that msgspec checks: the answer to a message that does not fit is a sentence."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..core.plugins import CheckedSpec

Name = Annotated[str, Meta(max_length=200)]
Label = Annotated[str, Meta(max_length=10_000)]
"""The name of a policy in a store, which may be anything."""
Number = Annotated[int, Meta(ge=0, le=2**53)]
Move = Annotated[str, Meta(max_length=40)]


class LineRequest(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request about a position, which is given by a game and the moves from its start.

    Args:
        id: the number of the request, which every answer to it carries.
        game: the game's spec.
        start: the position that it starts from, as text; None for the game's own.
        moves: the names of the moves since.
    """

    id: int
    game: CheckedSpec
    start: Name | None = None
    moves: Annotated[list[Move], Meta(max_length=1000)] = []


class OfferRequest(Struct, tag="offer", frozen=True, forbid_unknown_fields=True):
    """Asks for the games, and the policies that play them."""

    id: int


class ShowRequest(LineRequest, tag="show", frozen=True, kw_only=True):
    """Asks for a position, its drawing and its legal moves.

    Args:
        policies: the specs of the policies that will play on from it; a wrong one is reported at once.
    """

    policies: Annotated[list[Name], Meta(max_length=2)] = []


class TeachRequest(Struct, tag="teach", frozen=True, forbid_unknown_fields=True):
    """Asks how a variant of a game is taught.

    Args:
        id: see `LineRequest`.
        game: the game's spec.
    """

    id: int
    game: CheckedSpec


class AnswerRequest(LineRequest, tag="answer", frozen=True, kw_only=True):
    """Asks for the move that a policy plays.

    Args:
        policy: its spec.
        seed: the source of its randomness.
    """

    policy: Name
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0


class OpineRequest(LineRequest, tag="opine", frozen=True, kw_only=True):
    """Asks for a policy's opinion of each move; it does not play.

    Args:
        policy: its spec.
    """

    policy: Name


class JudgeRequest(LineRequest, tag="judge", frozen=True, kw_only=True):
    """Asks for the verdict of perfect play on each legal move.

    Several answers follow, each with the moves judged so far; the last one has no `left`.
    """


class PuzzlesRequest(Struct, tag="puzzles", frozen=True, forbid_unknown_fields=True):
    """Asks for the puzzles of a game, positions in which exactly one move wins.

    Args:
        id: see `LineRequest`.
        game: the game's spec.
    """

    id: int
    game: CheckedSpec


class FollowRequest(Struct, tag="follow", frozen=True, forbid_unknown_fields=True):
    """Asks for the state of a store or a run, now and after each change, until it is stopped.

    Args:
        id: see `LineRequest`.
        name: the name of the store or the run.
    """

    id: int
    name: Name


class GamesRequest(Struct, tag="games", frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Asks for some games of a store.

    Args:
        id: see `LineRequest`.
        store: its name.
        game: only games of this spec.
        policy, against: only games in which these policies play.
        result: only games with this result, for `policy`, or without it for the first player.
        lost: only games in which a move lost at least this value.
        after: the pairing and the number of the game after which the list begins.
    """

    id: int
    store: Name
    game: Name | None = None
    policy: Label | None = None
    against: Label | None = None
    result: Literal["won", "drawn", "lost"] | None = None
    lost: Annotated[int, Meta(ge=0, le=2)] = 0
    after: tuple[Number, Number] | None = None


class ReplayRequest(Struct, tag="replay", frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Asks for a game of a store, to step through.

    Args:
        id: see `LineRequest`.
        store: its name.
        pairing: the number of its pairing.
        number: its number in the pairing.
    """

    id: int
    store: Name
    pairing: Number
    number: Number


class StopRequest(Struct, tag="stop", frozen=True, forbid_unknown_fields=True):
    """Stops the request with this number: its answer is no longer wanted."""

    id: int


Request = (
    OfferRequest
    | ShowRequest
    | TeachRequest
    | AnswerRequest
    | OpineRequest
    | JudgeRequest
    | PuzzlesRequest
    | FollowRequest
    | GamesRequest
    | ReplayRequest
    | StopRequest
)
