"""The requests of the page, as types that msgspec checks: the answer to a message that does not fit is a sentence.

The type of a message is the class's name without `Request`, in small letters: `{"type": "show", "id": 1, "game": "nim"}`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..core.plugins import CheckedSpec

Name = Annotated[str, Meta(max_length=200)]
Label = Annotated[str, Meta(max_length=10_000)]
"""The name of a policy in a store, which may be anything."""
Number = Annotated[int, Meta(ge=0, le=2**53)]
Move = Annotated[str, Meta(max_length=40)]


class PageRequest(Struct, kw_only=True, forbid_unknown_fields=True, tag=lambda name: name.removesuffix("Request").lower()):
    """What all requests have: `id`, the number of the request, which every answer to it carries."""

    id: int


class GameRequest(PageRequest):
    """A request about a game, which is given by its spec."""

    game: CheckedSpec


class LineRequest(GameRequest, kw_only=True):
    """A request about a position: `start`, as text, None for the game's own, and the names of the `moves` since."""

    start: Name | None = None
    moves: Annotated[list[Move], Meta(max_length=1000)] = []

    @property
    def line(self) -> tuple[str, str | None, list[str]]:
        """The game, the start and the moves."""
        return self.game, self.start, self.moves


class OfferRequest(PageRequest):
    """Asks for the games, and the policies that play them."""


class ShowRequest(LineRequest):
    """Asks for a position, its drawing and its legal moves.

    `policies` will play on from it; a wrong spec among them is reported at once.
    """

    policies: Annotated[list[Name], Meta(max_length=2)] = []


class TeachRequest(GameRequest):
    """Asks how a variant of a game is taught."""


class PuzzlesRequest(GameRequest):
    """Asks for the puzzles of a game, positions in which exactly one move wins."""


class AnswerRequest(LineRequest, kw_only=True):
    """Asks for the move that a policy plays; `seed` is the source of its randomness."""

    policy: Name
    seed: Number = 0


class OpineRequest(LineRequest, kw_only=True):
    """Asks for a policy's opinion of each move; it does not play."""

    policy: Name


class JudgeRequest(LineRequest):
    """Asks for the verdict of perfect play on each legal move.

    Several answers follow, each with the moves judged so far; the last one has no `left`.
    """


class FollowRequest(PageRequest):
    """Asks for the state of a store or a run, by its name, now and after each change, until it is stopped."""

    name: Name


class GamesRequest(PageRequest, kw_only=True):
    """Asks for some games of a store.

    Args:
        store: its name.
        game: only games of this spec.
        policy, against: only games in which these policies play.
        result: only games with this result, for `policy`, or without it for the first player.
        lost: only games in which a move lost at least this value.
        after: the pairing and the number of the game after which the list begins.
    """

    store: Name
    game: Name | None = None
    policy: Label | None = None
    against: Label | None = None
    result: Literal["won", "drawn", "lost"] | None = None
    lost: Annotated[int, Meta(ge=0, le=2)] = 0
    after: tuple[Number, Number] | None = None


class ReplayRequest(PageRequest):
    """Asks for a game of a store, to step through, by the number of its pairing and its number there."""

    store: Name
    pairing: Number
    number: Number


class StopRequest(PageRequest):
    """Stops the request with this number: its answer is no longer wanted."""


Answerable = (
    OfferRequest
    | ShowRequest
    | TeachRequest
    | AnswerRequest
    | OpineRequest
    | JudgeRequest
    | PuzzlesRequest
    | GamesRequest
    | ReplayRequest
)
"""The requests that have one last answer."""
Request = Answerable | FollowRequest | StopRequest
