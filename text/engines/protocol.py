"""`EngineProtocol`: how a program is asked for a move; own.py, gtp.py and ugi.py are the three."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from ...core.bounds import Count, OneOf
from ...core.numbers import Range
from ...games.game import Game, StateArray
from .process import Process


@dataclass(frozen=True, kw_only=True)
class Terms:
    """How a program is asked.

    Args:
        protocol: what it speaks: gtp, ugi, or ludus for the lines of docs/text.md.
        start: the seconds that it may take to start and, the first time, for its move.
        seconds: the time limit for a move; then it is stopped, and the move is forfeited.
        think: the seconds that it is asked to think about a move, which GTP has no command for; UGI: 1 if neither is given.
        nodes: the nodes that it is asked to search for a move, in UGI, in place of a time.
    """

    protocol: Annotated[str, OneOf("ludus", "gtp", "ugi")] = "ludus"
    start: Annotated[float, Range(above=0)] = 10.0
    seconds: Annotated[float, Range(above=0)] = 60.0
    think: Annotated[float, Range(above=0)] | None = None
    nodes: Count | None = None


UNUSABLE = {"gtp": ("think", "nodes"), "ugi": (), "ludus": ("nodes",)}
"""The settings that each protocol has no command for."""


def check_terms(terms: Terms) -> None:
    """Checks that a program that speaks this protocol can be asked so.

    Raises:
        ValueError: a setting is given that the protocol has no command for.
    """
    for name in UNUSABLE[terms.protocol]:
        if getattr(terms, name) is not None:
            raise ValueError(
                f"protocol={terms.protocol} has no command for {name}=; leave it out; the program's arguments may limit it"
            )


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


class EngineProtocol(ABC):
    """A protocol in which a program is asked.

    Args:
        game: the game.
        terms: how it is asked.
        process: the running program.

    Attributes:
        last_question: the lines of the last question.
    """

    def __init__(self, game: Game, terms: Terms, process: Process) -> None:
        self.game, self.terms, self.process, self.last_question = game, terms, process, ""

    @abstractmethod
    def get_ready(self) -> None:
        """Prepares the program for the game.

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
