"""A policy as an engine for other programs; engines.py describes what an engine reads and writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO

import numpy as np

from ..agents.policy import Forfeits, Policy
from ..agents.registry import make_policy
from ..core.plugins import Sender
from ..games.game import StateArray
from ..games.registry import GAMES, make_game

LONGEST_LINE = 10_000
"""The maximum number of bytes of a line that are read."""
ASKER = Sender("the program that asks")


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream. A line that is too long is cut, and bytes that are not UTF-8 are replaced."""
    while line := stream.readline(LONGEST_LINE):
        rest = line
        while rest and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST_LINE)
        yield line.decode(errors="replace")


def answer_lines(policy: str, lines: Iterable[str]) -> Iterator[str]:
    """Answers the lines that an engine reads, by a policy.

    Args:
        policy: its spec.
        lines: the lines. They may name only games that come with ludus, are installed or were plugged in.

    Yields:
        The engine's answers.
    """
    player, state = None, None
    for line in lines:
        word, rest = [*line.strip().split(maxsplit=1), "", ""][:2]
        try:
            if word == "game":
                player = state = None
                player = make_policy(policy, make_game(ASKER.spec(GAMES, rest)))
            elif word == "position" and player:
                state = None
                state = player.game.position(rest)
            elif word == "go" and player and state is not None:
                yield f"bestmove {_choose_move(player, state, rest)}"
            elif word == "quit":
                return
            elif word:
                yield f"error {word[:80]!r} is not expected here; first send game SPEC, then position TEXT, then go"
        except (ValueError, OSError, Forfeits) as error:
            yield f"error {' '.join(str(error).split())}"


def _choose_move(player: Policy, state: StateArray, number: str) -> str:
    """The name of the move that a policy chooses.

    Args:
        player: the policy.
        state: the position (W,).
        number: the only source of randomness of the choice, as text; empty for 0.

    Raises:
        ValueError: the game is over, or the text is no whole number.
        Forfeits: the policy has no move.
    """
    game = player.game
    if game.outcome(state) is not None:
        raise ValueError(f"the game is over in {game.text(state)!r}; send another position")
    if not re.fullmatch(r"-?\d{1,100}|", number, re.ASCII):
        raise ValueError(f"go {number[:80]!r} has no whole number; send go and a whole number, or only go")
    key = np.array([int(number or 0) % 2**64], np.uint64)
    return game.move_name(int(player.act(state[None], key)[0]))
