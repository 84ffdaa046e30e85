"""`EngineProtocol`: how a program is asked for a move; gtp.py, ugi.py and own.py are the three."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from ...core.bounds import Count, OneOf
from ...core.numbers import Range
from ...games.game import Game, StateArray
from .talk import Talk


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How a program is asked.

    Args:
        protocol: what it speaks: gtp, ugi, or ludus for the lines of docs/text.md; auto finds out.
        start: the seconds that it may take to start, and for its first move as long as nothing shows what it speaks.
        seconds: the time limit for a move; then it is stopped, and the move is forfeited.
        setup: the command that sets up a position, of a program that speaks GTP and has one; it is given the position as text.
        think: the seconds that it is asked to think about a move, which GTP has no command for; UGI: 1 if neither is given.
        nodes: the nodes that it is asked to search for a move, in UGI, in place of a time.
    """

    protocol: Annotated[str, OneOf("auto", "gtp", "ugi", "ludus")] = "auto"
    start: Annotated[float, Range(above=0)] = 10.0
    seconds: Annotated[float, Range(above=0)] = 60.0
    setup: str | None = None
    think: Annotated[float, Range(above=0)] | None = None
    nodes: Count | None = None


TITLES = {"gtp": "GTP", "ugi": "UGI", "ludus": "the protocol ludus"}
UNUSABLE = {"gtp": ("nodes",), "ugi": ("setup",), "ludus": ("setup", "nodes")}
"""The settings that each protocol has no command for."""


def check_terms(protocol: str, terms: Terms) -> None:
    """Checks that a program that speaks this protocol can be asked so.

    Raises:
        ValueError: a setting is given that the protocol has no command for.
    """
    for name in UNUSABLE[protocol]:
        if getattr(terms, name) is not None:
            instead = ", and set a limit by the program's own arguments" if name in ("think", "nodes") else ""
            raise ValueError(f"{TITLES[protocol]} has no command for {name}=; leave it out{instead}")


class Question(NamedTuple):
    """A position in which a move is asked for.

    Args:
        state: the position (W,).
        start: where its game began (W,); the position itself if nothing is known of its game.
        moves: the actions since then.
        key: the only randomness to use.
    """

    state: StateArray
    start: StateArray
    moves: tuple[int, ...]
    key: int


class Spoken(NamedTuple):
    """What a program speaks.

    Args:
        protocol: `gtp`, `ugi` or `ludus`.
        features: in our own lines, what it has announced.
    """

    protocol: str
    features: frozenset[str] = frozenset()


SILENT = Spoken("ludus")
"""A program that answers no greeting reads our own lines, without features."""
GTP_STATUS = re.compile(r"[=?]\d*(?: |$)")
"""How a response in GTP begins."""


def recognize(line: str) -> Spoken | None:
    """What a program speaks that answers a greeting with this line; None if the line does not show it."""
    word, _, rest = line.partition(" ")
    if word == "ugiok":
        return Spoken("ugi")
    if word == "features" and rest:
        return Spoken("ludus", frozenset(rest.split()))
    return Spoken("gtp") if GTP_STATUS.match(line) else None


class EngineProtocol(ABC):
    """A protocol in which a program is asked.

    Args:
        game: the game.
        terms: how it is asked.
        talk: the lines to and from the program.
        features: what it has announced, in our own lines.

    Attributes:
        last_question: the lines of the last question.
    """

    def __init__(self, game: Game, terms: Terms, talk: Talk, features: frozenset[str] = frozenset()) -> None:
        self.game, self.terms, self.talk, self.features, self.last_question = game, terms, talk, features, ""

    @abstractmethod
    def get_ready(self, is_greeted: bool) -> None:
        """Prepares the program for the game.

        Args:
            is_greeted: whether it has just begun to answer the lines `ugi` and `features`.

        Raises:
            TimeoutError: it does not answer in time.
            EngineError: it does not play this game, or fails.
        """

    @abstractmethod
    def ask(self, question: Question) -> str:
        """The name of the program's move.

        Raises:
            TimeoutError: its time is up.
            EngineError: it gives none.
        """
