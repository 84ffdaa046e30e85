"""Our own lines, answering; ../engines/own.py describes what an engine reads and writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...agents.answers import Forfeits
from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...games.game import StateArray
from ...games.registry import GAMES, make_game
from .served import ServedGame

KEY = re.compile(r"-?\d{1,100}", re.ASCII)


def answer_own_lines(policy: str | Policy, lines: Iterable[str]) -> Iterator[str]:
    """Answers lines by a policy or its spec."""
    served: ServedGame | None = None
    position: StateArray | None = None
    start: StateArray | None = None
    for line in lines:
        word, rest = [*line.strip().split(maxsplit=1), "", ""][:2]
        try:
            if word == "game":
                served = position = None
                served = ServedGame(make_policy(policy, make_game(GAMES.check_plain(rest))))
            elif word == "position" and served:
                position = start = None
                served.set_up(position := served.game.position(rest))
            elif word == "start" and served and position is not None:
                start = served.game.position(rest)
            elif word == "moves" and served and position is not None:
                reached, position = position, None
                _set_line_up(served, start, rest, reached)
                position = reached
            elif word == "go" and served and position is not None:
                yield _answer_go(served, rest)
            elif word == "quit":
                return
            elif word and word not in ("time", "clock"):  # a policy's own settings say how long it thinks
                yield f"error {word[:80]!r} is not expected here; first send game SPEC, then position TEXT, then go"
        except (ValueError, OSError, Forfeits) as error:
            yield f"error {' '.join(str(error).split())}"


def _set_line_up(served: ServedGame, start: StateArray | None, moves: str, reached: StateArray) -> None:
    """Sets a game up from its start and its moves, with commas between them."""
    served.set_up(start, [move for move in moves.split(",") if move.strip()])
    led_to, sent = map(served.game.text, (served.state, reached))  # as text, which need not say who is to move
    if led_to != sent:
        raise ValueError(f"the moves lead to {led_to!r}, and the position is {sent!r}; send it again")


def _answer_go(served: ServedGame, number: str) -> str:
    """The answer to `go` with a number, which is the only source of randomness; without one it is 0."""
    served.refuse_end()
    if number and not KEY.fullmatch(number):
        raise ValueError(f"go {number[:80]!r} has no whole number; send go and a whole number, or only go")
    return f"bestmove {served.game.move_name(served.choose(int(number or 0) % 2**64))}"
