"""Our own lines, answering; ../engines/own.py describes what an engine reads and writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from ...agents.answers import Forfeits
from ...agents.policy import Policy
from ...agents.registry import make_policy
from ...games.game import StateArray
from ...games.registry import GAMES, make_game
from .served import ServedGame

FEATURES = "features moves new value"
GO = re.compile(r"(-?\d{1,100})?(?:(?:^| )(value))?", re.ASCII)


def answer_own_lines(policy: str | Policy, lines: Iterable[str]) -> Iterator[str]:
    """Answers lines by a policy or its spec."""
    served: ServedGame | None = None
    position: StateArray | None = None
    start: StateArray | None = None
    for line in lines:
        word, rest = [*line.strip().split(maxsplit=1), "", ""][:2]
        try:
            if word == "features":
                yield FEATURES
            elif word == "game":
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
            elif word and word != "new":
                yield f"error {word[:80]!r} is not expected here; first send game SPEC, then position TEXT, then go"
        except (ValueError, OSError, Forfeits) as error:
            yield f"error {' '.join(str(error).split())}"


def _set_line_up(served: ServedGame, start: StateArray | None, moves: str, reached: StateArray) -> None:
    """Sets a game up from its start and its moves, with commas between them."""
    served.set_up(start, [move for move in moves.split(",") if move.strip()])
    led_to, sent = map(served.game.text, (served.state, reached))  # as text, which need not say who is to move
    if led_to != sent:
        raise ValueError(f"the moves lead to {led_to!r}, and the position is {sent!r}; send it again")


def _answer_go(served: ServedGame, options: str) -> str:
    """The answer to `go`.

    Args:
        served: the game.
        options: the number that is the only source of randomness, 0 if there is none; and `value`, if the value is asked for, too.
    """
    served.refuse_end()
    if not (asked := GO.fullmatch(" ".join(options.split()))):
        raise ValueError(f"go {options[:80]!r} has no whole number; send go and a whole number, or only go")
    key, game = int(asked[1] or 0) % 2**64, served.game
    if not asked[2]:
        return f"bestmove {game.move_name(served.choose(key))}"
    analysis = served.policy.analyse(served.state[None], np.array([key], np.uint64))
    move = f"bestmove {game.move_name(int(analysis.actions[0]))}"
    return move if analysis.values is None else f"{move} value {analysis.values[0]:.6g}"
