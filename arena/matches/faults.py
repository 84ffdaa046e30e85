"""Games that a policy lost by a fault: counted by reason, and described in sentences.

A fault is an error that the policy raised, an illegal action, a move that took too long, or a process that died.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple, get_args

from ...core.errors import escape_unprintable
from ...core.numbers import several
from .games import ENDINGS, FIRST_FAULT, RESIGNED, Pairing, PlayedGames

Faults = Literal["raise", "count"]
"""What happens to an error at the first call of a policy: it is raised, or counted like every other fault."""
LOST_BY: dict[str, str] = dict(
    zip(ENDINGS[FIRST_FAULT:RESIGNED], ("an illegal action", "an error", "running out of time", "its process dying"), strict=True)
)


class Reason(NamedTuple):
    """The games that a policy lost for one reason.

    Args:
        policy: its name.
        ending: one of ENDINGS (arena/matches/games.py).
        text: what went wrong.
        games: their number.
        first: the lowest of their numbers in the pairing.
    """

    policy: str
    ending: str
    text: str
    games: int
    first: int


def check_faults(faults: str) -> None:
    """Checks the setting `faults`; ValueError if it is neither "raise" nor "count"."""
    if faults not in get_args(Faults):
        raise ValueError(
            f"faults is {faults!r}; it must be 'raise' or 'count': raise an error at a policy's first call, or count it as a fault"
        )


def reasons_of(pairing: Pairing, played: PlayedGames) -> tuple[Reason, ...]:
    """The faults by which policies lost games, in the order of the games' numbers."""
    losers = (played.results > 0) ^ (played.numbers % 2 == 1)  # 1 where a won, so that b is at fault
    return merge_reasons(
        Reason(
            policy=pairing[1 + int(losers[row])],
            ending=ENDINGS[played.endings[row]],
            text=text,
            games=1,
            first=int(played.numbers[row]),
        )
        for row, text in played.reasons.items()
    )


def merge_reasons(reasons: Iterable[Reason], by: int = 3) -> tuple[Reason, ...]:
    """Each reason once, with the number of all its games, in the order of their first game; `by` of its first fields tell reasons
    apart: 3 for every different text, 2 for one reason per policy and ending."""
    by_key: dict[tuple[Any, ...], Reason] = {}
    for reason in sorted(reasons, key=lambda reason: reason.first):
        first = by_key.get(reason[:by], reason._replace(games=0))
        by_key[reason[:by]] = first._replace(games=first.games + reason.games)
    return tuple(by_key.values())


def by_kind(reasons: Iterable[Reason]) -> list[Reason]:
    """For each policy and ending the first reason, with the number of games of all; the most frequent first."""
    return sorted(merge_reasons(reasons, 2), key=lambda reason: -reason.games)


def fault_sentence(policy: str, games: int, reasons: Iterable[Reason]) -> str:
    """A sentence: how many of its games a policy lost by faults, and the first reason; empty if there were none.

    Args:
        policy: its name.
        games: how many it played.
        reasons: its own; those of other policies are ignored.
    """
    kinds = by_kind(reason for reason in reasons if reason.policy == policy)
    if not kinds:
        return ""
    how = [f"{kind.games:,} by {LOST_BY[kind.ending]}" for kind in kinds] if len(kinds) > 1 else [f"by {LOST_BY[kinds[0].ending]}"]
    lost, first = sum(kind.games for kind in kinds), min(kinds, key=lambda kind: kind.first)
    of = f"{lost:,} of {several(games, 'game')}"
    return f"{policy} lost {of} {', '.join(how)}. The first, game {first.first}: {escape_unprintable(first.text)}"


def fault_sentences(games: int, reasons: Sequence[Reason]) -> list[str]:
    """A sentence for each policy with a reason, where all policies played the same number of games."""
    return [fault_sentence(name, games, reasons) for name in dict.fromkeys(reason.policy for reason in reasons)]
