"""`Plan`: what a tournament plays, settled before its first game; with it, every game follows from its number."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from msgspec import Struct, field, to_builtins

from ...agents.registry import PolicySpec
from ...envs.settings.numbers import is_whole, seconds_of, seed_of, shown
from ..matches.games import Pairing

MOST_GAMES, LONGEST_OPENING = 100_000_000, 1000
"""The most games of a pairing, and the most random plies of an opening."""


class Entrant(NamedTuple):
    """A policy that takes part.

    Args:
        name: what it is called in tables, once in a tournament.
        spec: how it is made anew, in another process or another year; None for an object that only its owner can give again;
            `Refused` where the plan is from a file that names code, or what is not known here.
    """

    name: str
    spec: PolicySpec | None


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """All that the results of a tournament depend on.

    Args:
        pairings: who meets whom in what, in the order of play.
        entrants: the policies that take part.
        games: how many games each pairing plays, an even number: the games 2j and 2j + 1 begin with the same opening, and
            the first of the two policies has seat 0 in the even one, seat 1 in the odd one.
        seed: the source of all randomness.
        opening_plies: for each game's spec, how many random plies an opening has.
        move_time: seconds that a policy may take for a move; None for no limit.
        protocol: the name of the protocol that all this follows; None for none.
        ask_again: whether a batch that a policy answers badly is asked again position by position. If not, all games of the
            batch are lost.
        needs: what it takes of games and policies that do not come with ludus, and from where, as `needs_of` says it.
        start_time: seconds that a policy with a `move_time` may take to start; None for the usual time (arena/engines/apart.py).

    Raises:
        ValueError: these are not the numbers and names of a tournament.
    """

    pairings: tuple[Pairing, ...]
    entrants: tuple[Entrant, ...]
    games: int
    seed: int
    opening_plies: dict[str, int]
    move_time: float | None = None
    protocol: str | None = None
    ask_again: bool = True
    needs: list[dict[str, str | None]] = field(default_factory=list[dict[str, "str | None"]])
    start_time: float | None = None

    def __post_init__(self) -> None:
        check_games(self.games)
        seed_of(self.seed)
        if self.start_time is not None and self.move_time is None:
            raise ValueError(f"a time to start, {self.start_time:g} s, is given without a time for a move; give both")
        for name, seconds in (("move_time", self.move_time), ("start_time", self.start_time)):
            if seconds is not None:
                seconds_of(seconds, name)
        for game, plies in self.opening_plies.items():
            if not is_whole(plies, 0, LONGEST_OPENING):
                raise ValueError(f"openings of {game} have 0 to {LONGEST_OPENING} random plies, not {shown(plies)}")
        if not self.pairings:
            raise ValueError("there are no pairings, and a tournament has one or more")
        for things in (self.pairings, [entrant.name for entrant in self.entrants]):
            if (twice := Counter(things).most_common(1)[0])[1] > 1:
                raise ValueError(f"{twice[0]} stands there twice")
        names = {entrant.name for entrant in self.entrants}
        for pairing in self.pairings:
            if missing := {pairing.a, pairing.b} - names:
                raise ValueError(f"{pairing} meets, and {missing.pop()!r} is not among the entrants")
            if pairing.game not in self.opening_plies:
                raise ValueError(f"how many plies the openings of {pairing.game} have is missing")

    def document(self) -> dict[str, Any]:
        """The plan as JSON knows it."""
        return to_builtins(self)


def check_games(games: Any) -> None:
    """Checks how many games two policies play.

    Raises:
        ValueError: it is no even number, or out of range.
    """
    if not is_whole(games, 2, MOST_GAMES) or games % 2:
        raise ValueError(
            f"two policies play an even number of games, half of them in each seat: 2 to {MOST_GAMES:,}, not {shown(games)}"
        )
