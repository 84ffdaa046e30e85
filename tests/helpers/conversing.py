"""Conversations with programs, saved as text files: what is written to the program, after `>`, and what it writes, after `<`."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

TRANSCRIPTS = Path(__file__).parents[1] / "text" / "transcripts"


def lines_of_transcript(name: str) -> list[tuple[str, str]]:
    """The lines of a conversation, each with its sign, `>` or `<`."""
    return [(line[0], line[2:]) for line in (TRANSCRIPTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()]


class RepeatingProcess:
    """Stands for the running program that a conversation names: it says the same, and must be written the same."""

    def __init__(self, words: list[str], _: float) -> None:
        self.lines, self.complaint, self.complaints, self.begun = list[str](), "", "", ""
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

    def is_idle(self) -> bool:
        return False

    def processor_seconds(self) -> float:
        return 0.0

    def end(self) -> None:
        self.write("quit")
