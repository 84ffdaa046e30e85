"""`Plan`: the pairings, games and seed of a tournament, fixed before its first game. It determines every game by its number."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, NamedTuple

from msgspec import Struct, field, to_builtins

from ...agents.registry import PolicySpec
from ...core.bounds import Bounded
from ...core.numbers import LARGEST_SEED, LONGEST, Range, is_whole, short_repr
from ..matches.games import Pairing

MOST_GAMES, LONGEST_OPENING = 100_000_000, 1000
"""Limits of the games of a pairing, and of the random plies of an opening."""


class Even(Range):
    """Even numbers in a range."""

    def holds(self, value: Any) -> bool:
        return super().holds(value) and value % 2 == 0

    def words(self, given: Any = None) -> str:
        return f"{super().words(given)}, and even: half of the games are played in each seat"


class Entrant(NamedTuple):
    """A policy that takes part.

    Args:
        name: its name in tables, unique in a tournament.
        spec: its spec; None for an object, which must be given again to resume; `Refused` if the plan is from a file and the spec
            names code, or something that is not installed.
    """

    name: str
    spec: PolicySpec | None


class Plan(Bounded, Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that the results of a tournament depend on.

    Args:
        pairings: the pairings, in the order of play.
        entrants: the policies that take part.
        games: how many games each pairing plays, an even number: the games 2j and 2j + 1 begin with the same opening, and
            the first of the two policies has seat 0 in the even one, seat 1 in the odd one.
        seed: the source of all randomness.
        opening_plies: for each game's spec, how many random plies an opening has.
        move_time: seconds that a policy may take for a move; None for no limit.
        protocol: the name of the protocol that it follows, if any.
        ask_again: whether a policy that fails on a batch is queried again position by position. If not, it loses all games of
            the batch.
        needs: the games and policies that do not come with ludus, and their origins, as `needs_of` gives them.
        start_time: seconds that a policy with a `move_time` may take to start; None for the default (engines/separate_player.py).

    Raises:
        ValueError: a number is out of its range, or a name is missing or not unique.
    """

    pairings: tuple[Pairing, ...]
    entrants: tuple[Entrant, ...]
    games: Annotated[int, Even(2, MOST_GAMES)]
    seed: Annotated[int, Range(0, LARGEST_SEED)]
    opening_plies: dict[str, int]
    move_time: Annotated[float, Range(above=0, most=LONGEST)] | None = None
    protocol: str | None = None
    ask_again: bool = True
    needs: list[dict[str, str | None]] = field(default_factory=list[dict[str, "str | None"]])
    start_time: Annotated[float, Range(above=0, most=LONGEST)] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.start_time is not None and self.move_time is None:
            raise ValueError(f"start_time is {self.start_time:g} s, without a move_time; give both")
        for game, plies in self.opening_plies.items():
            if not is_whole(plies, 0, LONGEST_OPENING):
                raise ValueError(f"openings of {game} have 0 to {LONGEST_OPENING} random plies, not {short_repr(plies)}")
        if not self.pairings:
            raise ValueError("there are no pairings; a tournament has at least one")
        names = [entrant.name for entrant in self.entrants]
        for items in (self.pairings, names):
            if (twice := Counter(items).most_common(1)[0])[1] > 1:
                raise ValueError(f"{twice[0]} is listed twice; once is enough")
        for pairing in self.pairings:
            if missing := {*pairing[1:]} - {*names}:
                raise ValueError(f"{pairing} is a pairing, and {missing.pop()!r} is not among the entrants")
            if pairing.game not in self.opening_plies:
                raise ValueError(f"opening_plies has no entry for {pairing.game!r}")

    def document(self) -> dict[str, Any]:
        """The plan for JSON."""
        return to_builtins(self)
