"""Games that a policy lost by a fault: counted by reason, and put in words.

A fault is an error that the policy raised, an answer that is no legal action, a move that took too long, or the death of its
process.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, get_args

from .errors import printable
from .games import ENDINGS, FIRST_FAULT, Pairing, PlayedGames

Faults = Literal["raise", "count"]
"""What an error at the first call of a policy does: it is raised, or counted like every other fault."""
LOST_BY: dict[str, str] = dict(
    zip(ENDINGS[FIRST_FAULT:], ("an illegal action", "an error", "running out of time", "its process dying"), strict=True)
)


class Reason(NamedTuple):
    """Games that a policy lost for one reason.

    Args:
        policy: its name.
        ending: one of ENDINGS (arena/matches/games.py).
        text: what went wrong.
        games: how many games ended so.
        first: the lowest number of them, as the store and `GameRecord` number games.
    """

    policy: str
    ending: str
    text: str
    games: int
    first: int


def check_faults(faults: str) -> None:
    """Checks what is to be done about an error at a policy's first call.

    Raises:
        ValueError: it is neither "raise" nor "count".
    """
    if faults not in get_args(Faults):
        raise ValueError(f"faults is 'raise' or 'count', not {faults!r}: raise an error at a policy's first call, or count it")


def reasons_of(pairing: Pairing, played: PlayedGames) -> tuple[Reason, ...]:
    """Why policies lost games by faults, the lowest game number first."""
    losers = (played.results > 0) ^ (played.numbers % 2 == 1)  # b is to blame for a game that a won
    return merged(
        Reason(pairing[1 + int(losers[row])], ENDINGS[played.endings[row]], text, 1, int(played.numbers[row]))
        for row, text in played.reasons.items()
    )


def merged(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Each reason once, with all its games, the lowest game number first."""
    found: dict[tuple[str, str, str], Reason] = {}
    for one in reasons:
        known = found.get(one[:3])
        found[one[:3]] = one if known is None else one._replace(games=known.games + one.games, first=min(known.first, one.first))
    return tuple(sorted(found.values(), key=lambda one: one.first))


def by_kind(reasons: Iterable[Reason]) -> list[Reason]:
    """For each policy and ending one reason, the first, with the games of all; the most frequent first."""
    found: dict[tuple[str, str], Reason] = {}
    for one in merged(reasons):
        known = found.get(one[:2], one._replace(games=0))
        found[one[:2]] = known._replace(games=known.games + one.games)
    return sorted(found.values(), key=lambda one: -one.games)


def in_words(policy: str, games: int, reasons: Sequence[Reason]) -> str:
    """How many of its games a policy lost by faults, and the first reason; empty where there were none.

    Args:
        policy: its name.
        games: how many it played.
        reasons: its own, and others', which are left out.
    """
    own = [one for one in merged(reasons) if one.policy == policy]
    if not own:
        return ""
    kinds = by_kind(own)
    how = [f"{one.games:,} by {LOST_BY[one.ending]}" for one in kinds] if len(kinds) > 1 else [f"by {LOST_BY[kinds[0].ending]}"]
    lost = sum(one.games for one in own)
    return f"{policy} lost {lost:,} of {games:,} games {', '.join(how)}. The first, game {own[0].first}: {printable(own[0].text)}"


def every_policy_in_words(games: int, reasons: Sequence[Reason]) -> list[str]:
    """`in_words` for each policy that there is a reason for, all of them having played the same games."""
    return [in_words(name, games, reasons) for name in dict.fromkeys(one.policy for one in reasons)]
