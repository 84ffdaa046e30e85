"""`engine:COMMAND`: any program as a policy, over its standard input and output.

Before the command may stand settings: `engine:protocol=gtp start=30 gtp-rhino --level 2`. A program speaks our own lines
(protocol.py) or GTP (gtp.py).
"""

from __future__ import annotations

import os
import re
import shlex
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Answer, Attempt, Transcript
from ...agents.policy import Playing, Speaking, settings_of
from ...core import specs
from ...core.numbers import short_repr
from ...games.game import Game, StateArray
from ...games.lines import GameLines
from ..reading import read_move
from .gtp import check_gtp
from .process import EngineError
from .program import EngineProgram
from .protocol import Question, Terms

SETTING = re.compile(r"\s*([a-z_]+)=")
"""How a setting before the command begins."""
WORD = re.compile(r"""(?:[^\s'"]|'[^']*'|"[^"]*")*""")
"""A word, as a shell reads it, without backslashes."""


@dataclass(frozen=True)
class EnginePolicy(Terms, Speaking):
    """A program that plays. Each process that asks it has its own copy, started at the first question and after a failure.

    Args:
        game: the game and variant.
        command: the program and its arguments, split as by a shell, with `~` for the home folder; no shell runs it.

    Raises:
        ValueError: the command is empty, or has an open quotation; or the protocol cannot play the game, or has no command for a
            setting.
    """

    name: ClassVar[str] = "engine"
    sees_moves: ClassVar[bool] = True
    command: str = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise ValueError(f"the command {short_repr(self.command)} cannot be split into words: {error}") from None
        if not words:
            raise ValueError("engine: needs a command, as in engine:./my_engine --level 3")
        if self.protocol == "gtp":
            check_gtp(self.game)
            if self.think is not None:
                raise ValueError("GTP has no command for think=; leave it out, and limit the time by the program's arguments")

    @property
    def spec(self) -> str:
        settings = {name: value for name, value in specs.changed_settings(self).items() if name != "command"}
        words = [f"{name}={shlex.quote(specs.value_text(value))} " for name, value in settings.items()]
        return self.title or f"engine:{''.join(words)}{self.command}"

    def answer(self, states: StateArray, keys: NDArray[np.uint64]) -> Answer:
        """The program's answer for each state, of whose game nothing else is known. A game is forfeited if it fails, is too slow,
        or gives no legal move."""
        return self.answer_on(states, keys, GameLines.without_moves(states), None)

    def answer_on(
        self, states: StateArray, keys: NDArray[np.uint64], lines: GameLines, seconds_left: NDArray[np.float64] | None
    ) -> Answer:
        """The program's answer for each state, one after the other, given how the games came to them, and the time left of each."""
        clock = [None] * len(states) if seconds_left is None else seconds_left.tolist()
        moves = [tuple(move for move in line if move >= 0) for line in lines.moves.tolist()]
        replies = [*map(self._ask, map(Question, states, lines.starts, moves, keys.tolist(), clock))]
        actions = np.array([action for action, _ in replies], np.int64)
        return Answer.from_transcripts(actions, {row: transcript for row, (_, transcript) in enumerate(replies)})

    def begin(self, games: int) -> Playing:
        return EngineGames(self)

    @property
    def seconds_elsewhere(self) -> float:
        """The processor time that this process's copies of the program have used so far; 0 where the system does not say it, which
        Linux does. What they start themselves does not count."""
        return self._program.processor_seconds

    def _ask(self, question: Question) -> tuple[int, Transcript]:
        """The action, or -1, and the transcript."""
        action, text, began = None, "", time.perf_counter()
        try:
            text = self._program.ask(question)
            if text.lower() == "resign":
                raise EngineError("resigned", "resigned")
            action, fault, reason = read_move(self.game, question.state, f"<move>{text}</move>")
            reason = reason and f"answered {text[:80]!r}: {reason}"
        except EngineError as error:
            fault, reason = error.fault, str(error)
        milliseconds, asked = 1000 * (time.perf_counter() - began), self._program.last_question
        if fault in ("late", "failed"):
            self._program.stop()
        attempt = Attempt(question=asked, reply=text, fault=fault, reason=reason, milliseconds=milliseconds)
        return -1 if action is None else action, Transcript((attempt,))

    @cached_property
    def _program(self) -> EngineProgram:
        return EngineProgram([*map(os.path.expanduser, shlex.split(self.command))], self.game, self)


class EngineGames(Playing):
    """Games of a program, which is given their moves, if it takes them."""

    def __init__(self, policy: EnginePolicy) -> None:
        super().__init__(policy)
        self._engine = policy

    @property
    def remembers(self) -> bool:
        return False

    def act(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.answer(states, keys, games).every_action(self._engine.spec)

    def answer(self, states: StateArray, keys: NDArray[np.uint64], games: NDArray[np.int64]) -> Answer:
        return self._engine.answer_on(states, keys, self.lines, self.seconds_left)


def make_engine(text: str, game: Game) -> EnginePolicy:
    """The policy of `engine:COMMAND` or `engine:KEY=VALUE … COMMAND`; ValueError where there is no such setting, the command cannot
    be used, or the system has no pipes to wait on."""
    if os.name != "posix":
        raise ValueError("engine: needs Linux or macOS; on Windows start ludus in WSL")
    settings = dict[str, str]()
    while setting := SETTING.match(text):
        value = WORD.match(text, setting.end())
        assert value is not None  # it matches any text
        if setting[1] == "command":
            raise ValueError("engine: the command stands last, without a name, as in engine:seconds=10 ./my_engine --level 3")
        if setting[1] in settings:
            raise ValueError(f"engine: {setting[1]} is set twice; once is enough")
        settings[setting[1]], text = "".join(shlex.split(value[0])), text[value.end() :]
    return EnginePolicy(game, command=text.strip(), **settings_of(EnginePolicy, settings))
