"""Protocols: tournaments that are fixed under a name, so that numbers from different sources can be compared.

A protocol says which opponents a policy plays in which games, how many games from which openings, and with which seed. Its
opponents have fixed ratings, from a tournament among themselves, and the policy is rated against those. It may say how moves are
graded, too. A protocol never changes after its publication; another one gets another name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ....core.files.documents import convert_document, parse_document
from ....core.files.reading import digest
from ....core.specs import nearest
from ....games.game import Game
from ....games.registry import make_game
from ....records.openings import Openings, load_openings
from ...matches.openings import openings


@dataclass(frozen=True)
class ProtocolGrading:
    """How a protocol grades moves against random ones (arena/grading/floors.py).

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
        opening_plies: how many random plies games begin with, for each game's spec; none with a `suite`.
        openings: the checksum of the openings, for each game's spec.
        games: how many games a policy plays against each opponent.
        seed: the source of all randomness.
        ratings: the opponents' Elo, for each game's spec, from the command in `made_by`.
        made_by: the command that rated the opponents.
        suite: the name of the suites that games begin with; None for random plies.
        zero: the opponent whose Elo is 0; None for a mean of 0.
        grading: how moves are graded; None where they are not.
    """

    name: str
    opponents: dict[str, list[str]]
    opening_plies: dict[str, int]
    openings: dict[str, str]
    games: int
    seed: int
    ratings: dict[str, dict[str, float]]
    made_by: str
    suite: str | None = None
    zero: str | None = None
    grading: ProtocolGrading | None = None

    def choose(self, games: Iterable[str | Game]) -> list[Game]:
        """The games with these specs, by default all of the protocol.

        Raises:
            ValueError: a game is not in the protocol, or this version of ludus makes other openings.
        """
        chosen = [make_game(game) for game in games] or [make_game(spec) for spec in self.opponents]
        for game in chosen:
            if game.spec not in self.opponents:
                raise ValueError(f"the protocol {self.name} does not have {game}; it has {', '.join(self.opponents)}")
            if self.openings_of(game) != self.openings[game.spec]:
                raise ValueError(
                    f"the openings of {game} are not those of the protocol {self.name}; use the version of ludus that it came with"
                )
        return chosen

    def openings_of(self, game: Game) -> str:
        """The checksum of a game's openings as this version makes them."""
        if suite := self.suite_of(game):
            return suite.checksum
        actions, _ = openings(game, self.seed, np.arange(self.games // 2), self.opening_plies[game.spec])
        return digest(actions.astype("<i8").tobytes()).hex()

    def suite_of(self, game: Game) -> Openings | None:
        """The openings that a game's games begin with; None if they begin with random plies."""
        return None if self.suite is None else load_openings(self.suite, game)

    def fixed_ratings(self, game: str, names: Iterable[str]) -> dict[str, float]:
        """The ratings that do not change where these policies play: of all opponents, or of `zero` where only opponents play."""
        if {*names} <= {*self.opponents[game]}:
            return {} if self.zero is None else {self.zero: 0.0}
        return self.ratings[game]


@cache
def protocol(name: str) -> Protocol:
    """A protocol by its name.

    Raises:
        ValueError: there is no protocol of this name.
    """
    known = protocols()
    if name not in known:
        raise ValueError(f"there is no protocol {name!r}; {nearest(name, known)}")
    return parse_protocol((files(__name__) / f"{name}.json").read_bytes(), name)


def parse_protocol(text: str | bytes, name: str) -> Protocol:
    """Reads a protocol from the text of its file.

    Raises:
        ValueError: it is damaged.
    """
    where, advice = f"the protocol {name}", "install ludus anew: its protocols come with it"
    document = parse_document(text, dict[str, Any], where, advice)
    return convert_document({**document, "name": name}, Protocol, where, advice)


def protocols() -> Sequence[str]:
    """The names of all protocols."""
    return sorted(file.name.removesuffix(".json") for file in files(__name__).iterdir() if file.name.endswith(".json"))
