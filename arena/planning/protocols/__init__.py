"""Protocols: tournaments that are fixed under a name, so that numbers from different sources can be compared.

A protocol says which opponents a policy plays in which games, how many games from which openings, with which seed, and how moves
are graded. Its opponents have fixed ratings, from a tournament among themselves, and the policy is rated against those. A protocol
never changes after its publication; another one gets another name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from ....core.files.documents import convert_document, parse_document
from ....core.numbers import short_repr
from ....core.specs import nearest
from ....games.game import Game
from ....games.registry import make_game
from ....records.openings import Openings, load_openings


@dataclass(frozen=True)
class ProtocolGrading:
    """How a protocol grades moves against random ones (arena/grading/decisions.py).

    Args:
        most: how many moves of a policy are graded in a game at most.
        reach: for each game's spec, the settings of its oracle.
        undecided: for the games of which the oracle knows forced wins alone, the value that other positions count as.
    """

    most: int
    reach: dict[str, dict[str, int]]
    undecided: dict[str, int]


@dataclass(frozen=True)
class Protocol:
    """A tournament that is fixed under a name.

    Args:
        name: its name, which papers quote.
        opponents: the specs of the ladder, for each game's spec.
        suite: the name of the suites that games begin with.
        openings: the checksum of the suite, for each game's spec.
        games: how many games a policy plays against each opponent.
        seed: the source of all randomness.
        ratings: the opponents' Elo, for each game's spec, from the command in `made_by`.
        made_by: the command that rated the opponents.
        zero: the opponent whose Elo is 0.
        grading: how moves are graded.
    """

    name: str
    opponents: dict[str, list[str]]
    suite: str
    openings: dict[str, str]
    games: int
    seed: int
    ratings: dict[str, dict[str, float]]
    made_by: str
    zero: str
    grading: ProtocolGrading

    def choose(self, games: Iterable[str | Game]) -> dict[Game, Openings]:
        """The games with these specs, by default all of the protocol, each with the openings that its games begin with. ValueError
        where a game is not in the protocol, or other openings ship with this version of ludus."""
        chosen: dict[Game, Openings] = {}
        for game in map(make_game, [*games] or self.opponents):
            if game.spec not in self.opponents:
                raise ValueError(f"the protocol {self.name} does not have {game}; it has {', '.join(self.opponents)}")
            chosen[game] = load_openings(self.suite, game)
            if chosen[game].checksum != self.openings[game.spec]:
                raise ValueError(
                    f"the openings of {game} are not those of the protocol {self.name}; use the version of ludus that it came with"
                )
        return chosen

    def fixed_ratings(self, game: str, names: Iterable[str]) -> dict[str, float]:
        """The ratings that do not change where these policies play: of all opponents, or of `zero` where only opponents play."""
        return {self.zero: 0.0} if {*names} <= {*self.opponents[game]} else self.ratings[game]


@cache
def protocol(name: str) -> Protocol:
    """A protocol by its name; ValueError where there is none."""
    known = protocols()
    if name not in known:
        raise ValueError(f"there is no protocol {short_repr(name)}; {nearest(name, known)}")
    return parse_protocol((files(__name__) / f"{name}.json").read_bytes(), name)


def parse_protocol(text: str | bytes, name: str) -> Protocol:
    """Reads a protocol from the text of its file; ValueError where it is damaged."""
    where, advice = f"the protocol {name}", "install ludus anew: its protocols come with it"
    document = parse_document(text, dict[str, Any], where, advice)
    return convert_document({**document, "name": name}, Protocol, where, advice)


def protocols() -> Sequence[str]:
    """The names of all protocols."""
    return sorted(file.name.removesuffix(".json") for file in files(__name__).iterdir() if file.name.endswith(".json"))
