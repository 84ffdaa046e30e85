"""`Plan`: what a tournament plays, settled before its first game; with it, every game follows from its number."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple


class Pairing(NamedTuple):
    """Two policies that meet in a game.

    Args:
        game: the game's spec.
        a, b: the policies' names, which for built-in ones are their specs.
    """

    game: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.game}: {self.a} – {self.b}"


class Entrant(NamedTuple):
    """A policy that takes part.

    Args:
        name: what it is called in tables, once in a tournament.
        spec: how it is made anew, in another process or another year; None for an object that only its owner can give again.
    """

    name: str
    spec: str | None


@dataclass(frozen=True)
class Plan:
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

    def document(self) -> dict[str, Any]:
        """The plan as JSON knows it."""
        return asdict(self) | {"pairings": [list(p) for p in self.pairings], "entrants": [list(e) for e in self.entrants]}

    @classmethod
    def of(cls, document: dict[str, Any]) -> Plan:
        """The plan of a document.

        Raises:
            TypeError, KeyError: it is none.
        """
        settings: dict[str, Any] = {**document}
        settings["pairings"] = tuple(Pairing(*pairing) for pairing in document["pairings"])
        settings["entrants"] = tuple(Entrant(*entrant) for entrant in document["entrants"])
        return cls(**settings)
