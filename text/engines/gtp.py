"""GTP, the Go Text Protocol, version 2, as programs for Othello speak it: Edax, Egaroucid, GRhino, and those for Quarry.

Each command has one response: `= ANSWER` or `? REASON`, and an empty line. A program is given the moves of the game, or a position
by a command of its own. Cells are named as in ludus, black moves first.

https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html
"""

from __future__ import annotations

import re
from contextlib import nullcontext, suppress

import numpy as np

from ...games.game import Game
from .process import EngineError
from .protocol import EngineProtocol, Question

COLOURS = "black", "white"
CELL = re.compile(r"[a-z]\d+")
STATUS = re.compile(r"[=?]\d*(?: |$)")
"""How a response begins."""
SETUPS = "ludus-setup_board", "grhino-setup_board"
"""Commands of known programs that take a position as ludus writes it."""


def check_gtp(game: Game) -> None:
    """Checks that a game can be played in GTP; ValueError where its moves are other than cells and passes, or its board is no
    square."""
    others = [move for move in game.moves if not CELL.fullmatch(move) and move != "pass"]
    if others:
        raise ValueError(
            f"GTP has moves to one cell and passes, and no such move as {others[0]!r} of {game.spec}; ludus's own lines have"
        )
    if len(set(game.board)) > 1:
        raise ValueError(
            f"GTP has square boards, and {game.spec} has {game.board[0]} rows of {game.board[1]}; ludus's own lines have any"
        )


class GoText(EngineProtocol):
    """GTP, asking."""

    def get_ready(self) -> None:
        self._ask("protocol_version")
        commands = list[str]()
        with suppress(EngineError):
            commands += self._ask("list_commands").replace("=", " ").split()
        self._setup = next((command for command in SETUPS if command in commands), None)
        self._has_clock, self._game_time = "time_left" in commands, 0
        if "set_game" in commands:
            self._ask(f"set_game {self.game.title}")
        try:
            self._ask(f"boardsize {self.game.board[0]}")
        except EngineError as error:
            if "unknown command" not in str(error):  # a program of one size may have no such command
                raise

    def ask(self, question: Question) -> str:
        *before, last = commands = self._commands(question)
        self.last_question = "\n".join(commands)
        if [self.game.move_name(action) for action in self.game.legal_actions(question.state)] == ["pass"]:
            return "pass"  # some programs answer a question for a pass with the opponent's move
        self.process.write("\n".join(before))  # at once, since a response of its own takes longer than a move
        for command in before:
            # programs for Othello pass by themselves, and some know no command for it
            with suppress(EngineError) if command.endswith(" pass") else nullcontext():
                self.read_response(command)
        return self._ask(last).lower()

    def _commands(self, question: Question) -> list[str]:
        """The commands that bring the program to a position, and ask for its move there."""
        game, state = self.game, question.start
        commands = ["clear_board"]
        if not np.array_equal(state, game.start):
            if self._setup is None:
                raise EngineError(f"is given the moves of a game, and those to {game.text(state)!r} are not known")
            commands.append(f"{self._setup} {game.text(state)}")
        for action in question.moves:
            commands.append(f"play {COLOURS[game.player(state)]} {game.move_name(action)}")
            state = game.play(state, action)
        colour = COLOURS[game.player(state)]
        if question.seconds_left is not None and self._has_clock:
            seconds = int(question.seconds_left)  # GTP has whole ones
            if seconds > self._game_time:  # in the first question nothing of it is used
                self._game_time = seconds
                commands.append(f"time_settings {seconds} 0 0")
            commands.append(f"time_left {colour} {seconds} 0")
        return [*commands, f"genmove {colour}"]

    def _ask(self, command: str) -> str:
        """The answer to a command."""
        self.process.write(command)
        return self.read_response(command)

    def read_response(self, command: str) -> str:
        """The response to a command that was sent; EngineError where it is an error."""
        while not STATUS.match(first := self.process.line()):
            pass
        lines = [first]
        while line := self.process.line():
            lines.append(line)
        if first.startswith("?"):
            raise EngineError(f"answered {command!r} with {' '.join(lines)!r}")
        return " ".join(lines).lstrip("=0123456789" if first[1:2].isdigit() else "=").strip()
