"""Conversations with programs, saved as text files: what is written to the program, after `>`, and what it writes, after `<`."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from queue import SimpleQueue
from threading import Thread

from ludus import Policy
from ludus.text.answering import answer_lines

TRANSCRIPTS = Path(__file__).parents[1] / "text" / "transcripts"


def lines_of_transcript(name: str) -> list[tuple[str, str]]:
    """The lines of a conversation, each with its sign, `>` or `<`."""
    return [(line[0], line[2:]) for line in (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()]


class RepeatingProcess:
    """Stands for the running program that a conversation names: it says the same, and must be written the same."""

    def __init__(self, words: list[str], until: float, _: float) -> None:
        self.until, self.last_words, self._lines = until, "", deque[str]()
        self.left = lines_of_transcript(words[0])

    def write(self, lines: str) -> None:
        for line in lines.split("\n"):
            assert self.left.pop(0) == (">", line)
            while self.left and self.left[0][0] == "<":
                self._lines.append(self.left.pop(0)[1])

    def line(self) -> str:
        if not self._lines:
            raise TimeoutError
        return self._lines.popleft()

    def processor_seconds(self) -> float:
        return 0.0

    def end(self) -> None:
        self.write("quit")


class ServingProcess:
    """Stands for a running `ludus engine`, which is a thread here.

    Args:
        policy: the policy.
        protocol: what it speaks.
        game: the game, where the protocol does not name it.
    """

    def __init__(self, policy: Policy, protocol: str, game: str | None) -> None:
        self.until, self.last_words = 0.0, ""
        self._sent, self._answers = SimpleQueue[str | None](), SimpleQueue[str]()
        self._answering = Thread(target=self._answer, args=(policy, protocol, game), daemon=True)
        self._answering.start()

    def _answer(self, policy: Policy, protocol: str, game: str | None) -> None:
        for answer in answer_lines(policy, iter(self._sent.get, None), protocol, game):
            for line in answer.split("\n"):
                self._answers.put(line)

    def write(self, lines: str) -> None:
        for line in lines.split("\n"):
            self._sent.put(line)

    def line(self) -> str:
        return self._answers.get(timeout=600)

    def processor_seconds(self) -> float:
        return 0.0

    def end(self) -> None:
        self.write("quit")
        self._answering.join()
