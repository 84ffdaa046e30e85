"""Conversations with programs, saved as text files: what is written to the program, after `>`, and what it writes, after `<`."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from ludus import Policy
from ludus.text.answering import answer_lines

TRANSCRIPTS = Path(__file__).parents[1] / "text" / "transcripts"


def lines_of_transcript(name: str) -> list[tuple[str, str]]:
    """The lines of a conversation, each with its sign, `>` or `<`."""
    return [(line[0], line[2:]) for line in (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()]


class RepeatingProcess:
    """Stands for the running program that a conversation names: it says the same, and must be written the same."""

    def __init__(self, words: list[str], _: float) -> None:
        self.lines, self.complaint, self.begun, self.has_ended = deque[str](), "", "", False
        self.left = lines_of_transcript(words[0])

    def write(self, lines: str) -> None:
        for line in lines.split("\n"):
            assert self.left.pop(0) == (">", line)
            while self.left and self.left[0][0] == "<":
                self.lines.append(self.left.pop(0)[1])

    def read(self, until: float, pause: float) -> None:
        if not self.lines and monotonic() > until:
            raise TimeoutError

    def has_unread(self) -> bool:
        return False

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
        self.lines, self.complaint, self.begun, self.has_ended = deque[str](), "", "", False
        self._sent, self._answers = SimpleQueue[str | None](), SimpleQueue[str]()
        self._answering = Thread(target=self._answer, args=(policy, protocol, game), daemon=True)
        self._answering.start()

    def _answer(self, policy: Policy, protocol: str, game: str | None) -> None:
        for answer in answer_lines(policy, iter(self._sent.get, None), protocol, game):
            self._answers.put(answer)

    def write(self, lines: str) -> None:
        for line in lines.split("\n"):
            self._sent.put(line)

    def read(self, until: float, pause: float) -> None:
        with suppress(Empty):
            self.lines += self._answers.get(timeout=pause).split("\n")
        if monotonic() > until:
            raise TimeoutError

    def has_unread(self) -> bool:
        return not self._sent.empty()

    def processor_seconds(self) -> float:
        return 0.0

    def end(self) -> None:
        self.write("quit")
        self._answering.join()
