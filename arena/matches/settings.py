"""`MatchSettings`: how the games of a match are played; and the keywords that `evaluate`, `grade` and `tournament` share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeAlias, TypedDict

from ...core.bounds import Bounded
from ...core.numbers import LONGEST, Range, short_repr
from ...core.workers.pool import check_engine
from ...games.game import Game
from ...games.registry import make_game
from ...records.openings import Openings, load_openings
from .faults import Faults, check_faults
from .openings import default_opening_plies

LONGEST_OPENING = 1000
"""The largest number of random plies of an opening."""

OpeningSource: TypeAlias = str | Path | Openings | Mapping[str, str | Path | Openings]
"""What names openings: a suite, a file, openings themselves, or any of these for each game."""


@dataclass(frozen=True)
class MatchSettings(Bounded):
    """How the games of a match are played.

    A policy loses a game by a fault: an error, an illegal action, a move that takes too long, or a process that dies.

    Args:
        opening_plies: how many random plies games begin with; None for the default, which is the game's own, and 0 in a grade.
        move_time: seconds that a policy may take for a move; None for no limit. With a limit, policies run in processes of their
            own.
        game_time: seconds that a policy may take for all its moves of a game together, as on a chess clock; None for no limit. It
            can stand beside a `move_time`, has the same processes, and is told to engines, and to policies that ask.
        start_time: seconds that a policy with a `move_time` or a `game_time` may take until it is ready for its first move; None
            for the longest of 120, 20 times the `move_time`, and the `game_time`. If it fails to start three times in a row, it
            loses all further games.
        faults: "raise" raises an error at a policy's first call, with its traceback; "count" counts it like every other fault.
        ask_again: whether a policy that fails on a batch (with an error, or an answer that is not one whole number per position)
            is queried again position by position, so that it loses only the games in which it fails. With False nothing is
            queried twice, which suits a policy that is slow or costs money, and it loses all games of the batch.
        common_keys: whether the policies' keys depend on the seed and the game's number alone, and not on the policies' names. Then
            two candidates meet the same dice: in game 7 the opponent has the same key at the same ply against both, and so do they.
        openings: what games begin with in place of random plies, each opening from both seats: the name of a suite that comes with
            the game, as "balanced", a file, or `Openings`; for several games a name, or a mapping from each game's spec.

    Raises:
        ValueError: a setting is out of its bounds, there is a start_time without another limit on time, or there are both openings
            and opening_plies.
    """

    opening_plies: Annotated[int, Range(0, LONGEST_OPENING)] | None = None
    move_time: Annotated[float, Range(above=0, most=LONGEST)] | None = None
    start_time: Annotated[float, Range(above=0, most=LONGEST)] | None = None
    faults: Faults = "raise"
    ask_again: bool = True
    common_keys: bool = False
    openings: OpeningSource | None = None
    game_time: Annotated[float, Range(above=0, most=LONGEST)] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_faults(self.faults)
        if self.openings is not None and self.opening_plies is not None:
            raise ValueError(
                f"openings are given, and opening_plies is {self.opening_plies}; games begin with the one or the other, so give one"
            )
        if self.start_time is not None and not self.limits_time:
            raise ValueError(f"start_time is {self.start_time:g} s, without a move_time or a game_time; give one of them, too")

    @property
    def limits_time(self) -> bool:
        """Whether there is a limit on the time for moves, for which each policy has a process of its own."""
        return self.move_time is not None or self.game_time is not None

    def opening_plies_in(self, game: Game) -> int:
        """How many random plies a game begins with."""
        return default_opening_plies(game) if self.opening_plies is None else int(self.opening_plies)

    def openings_in(self, game: Game) -> Openings | None:
        """The openings that games begin with; None where they begin with random plies. ValueError where the file has none of this
        game, or one that cannot be."""
        source = self.openings
        if source is None:
            return None
        if isinstance(source, Mapping):
            by_game = {make_game(spec): given for spec, given in source.items()}
            if game not in by_game:
                raise ValueError(f"openings are given for {', '.join(source)}, and {game} is played, too; give openings for it")
            source = by_game[game]
        return load_openings(source, game)


DEFAULT_SETTINGS = MatchSettings()


class MatchKeywords(TypedDict, total=False):
    """The keywords by which `evaluate`, `grade` and `tournament` say how games are played.

    Args:
        settings: the settings of the matches.
        openings, opening_plies, move_time, game_time, faults, common_keys: these six of the settings, without a record.
        workers: how many processes play; 1, the default, for this one. The results do not depend on it.
        engine: "local", the default, or "ray" for the Ray cluster that this process is connected to, or a local one.
    """

    settings: MatchSettings
    openings: OpeningSource | None
    opening_plies: int | None
    move_time: float | None
    game_time: float | None
    faults: Faults
    common_keys: bool
    workers: int
    engine: str


def split_keywords(keywords: Mapping[str, Any]) -> tuple[MatchSettings, dict[str, Any]]:
    """The settings that `MatchKeywords` give, and the arguments of `play_plan` (arena/planning/schedule.py). TypeError for another
    keyword, ValueError where one contradicts the settings, or is out of its bounds."""
    where = {name: keywords[name] for name in ("workers", "engine") if name in keywords}
    check_engine(where.get("engine", "local"), where.get("workers", 1))
    settings = keywords.get("settings", DEFAULT_SETTINGS)
    given = {name: value for name, value in keywords.items() if name not in (*where, "settings")}
    for name, value in given.items():
        if name not in MatchKeywords.__annotations__:
            raise TypeError(f"there is no keyword {short_repr(name)}; {_advice(name)}")
        stated = getattr(settings, name)
        if stated not in (value, getattr(DEFAULT_SETTINGS, name)):
            raise ValueError(f"{name} is {short_repr(value)}, and {stated!r} in the settings; give one of them")
    settings = replace(settings, **given)
    return settings, {**where, "faults": settings.faults}


def _advice(name: str) -> str:
    if name in MatchSettings.__dataclass_fields__:
        return f"give settings=MatchSettings({name}=…), from ludus.arena"
    return f"how games are played is said by {', '.join(MatchKeywords.__annotations__)}"
