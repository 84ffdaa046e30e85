"""UGI, the Universal Game Interface: UCI, the protocol of chess programs, for any game.

Positions are written as ludus writes them, moves by their names without spaces.

https://github.com/kz04px/cutegames/blob/master/ugi.md
"""

from __future__ import annotations

import numpy as np

from ...games.game import Game, StateArray
from .protocol import EngineProtocol, Question

SECONDS = 1.0
"""How long a program is asked to think where no setting says it: UGI has no question without a limit."""


def token(move: str) -> str:
    """A move as a word."""
    return move.replace(" ", "")


def position_line(game: Game, start: StateArray, moves: tuple[int, ...]) -> str:
    """The line that sets a position up."""
    begin = "startpos" if np.array_equal(start, game.start) else f"fen {game.text(start)}"
    return " ".join(["position", begin, *["moves"][: len(moves)], *(token(game.move_name(action)) for action in moves)])


class UniversalLines(EngineProtocol):
    """UGI, asking."""

    def get_ready(self) -> None:
        self.process.write("ugi")
        self._wait_for("ugiok")
        self._names = {token(name).lower(): name for name in self.game.moves}
        self._synchronize("isready")

    def ask(self, question: Question) -> str:
        terms = self.terms
        limit = f"nodes {terms.nodes}" if terms.nodes else f"movetime {1000 * (terms.think or SECONDS):.0f}"
        position, go = position_line(self.game, question.start, question.moves), f"go {limit}"
        self.last_question = f"{position}\n{go}"
        self._synchronize(f"uginewgame\n{position}\nisready")
        self.process.write(go)
        rest = self._wait_for("bestmove").removeprefix("bestmove").strip()
        move = rest.partition(" ")[0]
        return self._names.get(move.lower(), move)

    def _synchronize(self, lines: str) -> None:
        """Sends lines, the last one `isready`, and waits until the program has done them."""
        self.process.write(lines)
        self._wait_for("readyok")

    def _wait_for(self, word: str) -> str:
        """Its next line that begins with a word."""
        while True:
            line = self.process.line()
            if line.partition(" ")[0] == word:
                return line
