"""Our own lines, as docs/text.md describes them.

    game othello:size=6       the game, at the start
    position --OX...-- X      a position in the game's notation
    start --OX...-- X         where the game began
    moves c2, b3              the moves from there to the position
    time 0.5                  the seconds to think, where a setting says it
    go 1234                   choose a move there; the number is the only randomness to use
    quit                      end

The program answers `go` with `bestmove d3`, or with `error` and a reason. It ignores the lines that it does not need, as we ignore
all other lines of the program.
"""

from __future__ import annotations

from .process import EngineError
from .protocol import EngineProtocol, Question


class OwnLines(EngineProtocol):
    """Our own lines."""

    def get_ready(self) -> None:
        self.process.write(f"game {self.game.spec}")

    def ask(self, question: Question) -> str:
        game, moves = self.game, ", ".join(map(self.game.move_name, question.moves))
        lines = [f"position {game.text(question.state)}", f"start {game.text(question.start)}", f"moves {moves}".strip()]
        if self.terms.think is not None:
            lines.append(f"time {self.terms.think:g}")
        self.last_question = "\n".join([*lines, f"go {question.key}"])
        self.process.write(self.last_question)
        while True:
            word, _, rest = self.process.line().partition(" ")
            if word == "bestmove":
                return rest
            if word == "error":
                raise EngineError(f"answered: {rest}")
