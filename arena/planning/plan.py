"""`Plan`: the pairings, games and seed of a tournament, fixed before its first game. It determines every game by its number."""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from msgspec import Struct, to_builtins

from ...core.bounds import Bounded
from ...core.numbers import LARGEST_SEED, Range, several
from ...core.plugins import PolicySpec
from ...games.game import Game
from ...games.registry import make_game
from ...records.openings import Openings
from ..matches.faults import Faults
from ..matches.games import Pairing
from ..matches.settings import MatchSettings

MOST_GAMES = 100_000_000
"""The most games of a pairing."""
MOST_TESTED = 1_000_000
"""The most games of a pair that is tested: what each of its openings gave is kept."""
FURTHEST = 2000
"""The largest Elo difference of a hypothesis."""

EloDifference = Annotated[float, Range(-FURTHEST, FURTHEST)]
ErrorRate = Annotated[float, Range(above=0, below=0.5)]


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
        spec: its spec; None for an object, which must be given again to resume. In a plan from a file it is an `UntrustedSpec` if
            it names code, or something that is not installed.
    """

    name: str
    spec: PolicySpec | None


class Sprt(Bounded, Struct, frozen=True, forbid_unknown_fields=True):
    """A sequential probability ratio test: games are played until they tell which of two hypotheses about a pair is true.

    Elo is logistic: a policy that is d points ahead is expected to make 1 / (1 + 10^(-d/400)) of the points, a draw being half a
    point. arena/ratings/sprt.py has the method and its sources.

    Args:
        elo0: the hypothesis H0: the first policy of the pair is this many points ahead of the second, or fewer.
        elo1: the hypothesis H1: it is this many points ahead, or more. What lies between the two may be called either way.
        alpha: how often H1 may be accepted where the difference is elo0.
        beta: how often H0 may be accepted where the difference is elo1.

    Raises:
        ValueError: a number is out of its range, or elo0 is not less than elo1.
    """

    elo0: EloDifference = 0.0
    elo1: EloDifference = 10.0
    alpha: ErrorRate = 0.05
    beta: ErrorRate = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}; elo0 must be the smaller one, as in 0 and 10")

    @property
    def points(self) -> tuple[float, float]:
        """The share of the points that each hypothesis expects."""
        return 1 / (1 + 10 ** (-self.elo0 / 400)), 1 / (1 + 10 ** (-self.elo1 / 400))

    @property
    def bounds(self) -> tuple[float, float]:
        """A. Wald's bounds of the log-likelihood ratio: at the lower one H0 is accepted, at the upper one H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def __str__(self) -> str:
        return f"Elo {self.elo0:g} against {self.elo1:g}, alpha {self.alpha:g}, beta {self.beta:g}"


class Plan(Bounded, Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything that the results of a tournament depend on.

    Args:
        pairings: the pairings, in the order of play.
        entrants: the policies that take part.
        games: how many games each pairing plays, an even number: the games 2j and 2j + 1 begin with the same opening, and
            the first of the two policies has seat 0 in the even one, seat 1 in the odd one.
        seed: the source of all randomness.
        opening_plies: for each game's spec, how many random plies an opening has; 0 where there are `openings`.
        move_time, ask_again, start_time, common_keys, game_time: as in `MatchSettings`.
        protocol: the name of the protocol that it follows, if any.
        openings: for each game's spec, the openings that its games begin with; none for games that begin with random plies.
        needs: the names of games and policies that do not come with ludus, each with its module.
        swiss: the number of Swiss rounds, in each of which a pair that meets plays `games / swiss` games; None for all pairs.
        sprt: the sequential test that ends a pairing before it has played this many games; None for no test.

    Raises:
        ValueError: a number is out of its range, or a name is missing or not unique.
    """

    pairings: tuple[Pairing, ...]
    entrants: tuple[Entrant, ...]
    games: Annotated[int, Even(2, MOST_GAMES)]
    seed: Annotated[int, Range(0, LARGEST_SEED)]
    opening_plies: dict[str, int]
    move_time: float | None
    protocol: str | None
    ask_again: bool
    needs: dict[str, str]
    start_time: float | None
    common_keys: bool
    openings: dict[str, Openings]
    sprt: Sprt | None
    game_time: float | None = None  # stores of before have none
    swiss: Annotated[int, Range(1)] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.pairings:
            raise ValueError("there are no pairings; a tournament has at least one")
        if self.sprt and self.games > MOST_TESTED:
            raise ValueError(f"games is {self.games:,}; with a sequential test, a pair plays {MOST_TESTED:,} games at most")
        if self.swiss and self.games % (2 * self.swiss):
            raise ValueError(f"games is {self.games / self.swiss:g} in a Swiss round; it must be even, half of them in each seat")
        for game in self.opening_plies if self.swiss else ():
            count = len({name for pairing in self.pairings if pairing.game == game for name in pairing[1:]})
            if count and self.swiss and self.swiss > (most := (count + 1) // 2):
                raise ValueError(
                    f"swiss is {self.swiss}; {count} policies in {game} play {several(most, 'round')} at most, none meeting twice"
                )
        names = [entrant.name for entrant in self.entrants]
        for items in (self.pairings, names):
            if (twice := Counter(items).most_common(1)[0])[1] > 1:
                raise ValueError(f"{twice[0]} is listed twice; once is enough")
        for pairing in self.pairings:
            if missing := {*pairing[1:]} - {*names}:
                raise ValueError(f"{pairing} is a pairing, and {missing.pop()!r} is not among the entrants")
            if pairing.game not in self.opening_plies:
                raise ValueError(f"opening_plies has no entry for {pairing.game!r}")
        for game in self.opening_plies:
            self.settings_of(game)  # which checks them
        for game, openings in self.openings.items():
            if openings.game != game or self.opening_plies.get(game) != 0:
                raise ValueError(
                    f"openings has an entry of {openings.game} for {game!r}, which needs its own, without opening_plies"
                )

    @cached_property
    def rules(self) -> dict[str, Game]:
        """The games, by their specs."""
        return {spec: make_game(spec) for spec in self.opening_plies}

    def settings_of(self, game: str, faults: Faults = "raise") -> MatchSettings:
        """How the games of a pairing are played; no game depends on `faults`, which says what happens to an error at a policy's
        first call."""
        openings = self.openings.get(game)
        return MatchSettings(
            opening_plies=None if openings else self.opening_plies[game],
            openings=openings,
            move_time=self.move_time,
            start_time=self.start_time,
            faults=faults,
            ask_again=self.ask_again,
            common_keys=self.common_keys,
            game_time=self.game_time,
        )

    def document(self) -> dict[str, Any]:
        """The plan for JSON."""
        return to_builtins(self)
