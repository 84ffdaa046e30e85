"""Policies as engines for other programs, in GTP or our own lines: what other programs write is answered line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...core.numbers import short_repr
from ...games.registry import make_game
from .gtp import answer_gtp
from .own import answer_own_lines
from .served import ServedGame

LONGEST_LINE = 10_000
"""The maximum number of bytes of a line that are read."""
PROTOCOLS = ("ludus", "gtp")


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream. A line that is too long is cut, and bytes that are not UTF-8 are replaced."""
    while line := stream.readline(LONGEST_LINE):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE)
        yield line.decode(errors="replace")


def answer_lines(
    policy: str | Policy, lines: Iterable[str], protocol: str = "ludus", game: str | None = None, *, seed: int = 0
) -> Iterator[str]:
    """Answers the lines that an engine reads, by a policy.

    Args:
        policy: its spec, or itself.
        lines: the lines. They may name only games that come with ludus, are installed or were plugged in.
        protocol: `ludus` for our own lines, or `gtp`.
        game: the game's spec; our own lines name it themselves.
        seed: the source of the policy's randomness; our own lines bring their own.

    Yields:
        The engine's answers, each of one or more lines.

    Raises:
        ValueError: there is no such protocol, game or policy; or a game is missing, or needless.
    """
    if protocol not in PROTOCOLS:
        raise ValueError(f"there is no protocol {short_repr(protocol)}; there are {', '.join(PROTOCOLS)}")
    if (protocol == "ludus") != (game is None):
        raise ValueError(
            "in ludus's own lines the program that asks names the game; leave --game out"
            if game
            else f"{protocol} does not name the game; --game GAME says which one is played"
        )
    if game is None:
        yield from answer_own_lines(policy, lines)
    else:
        yield from answer_gtp(ServedGame(make_policy(policy, make_game(game)), seed), lines)
