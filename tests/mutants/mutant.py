"""`Mutant`: a fault that is planted to see whether tests notice; and the lists of them, the text files beside this one.

A list holds one mutant after the other, with a blank line between:

    In misère Nim the player who takes the last object wins.      what is wrong then
    @ games/nim/rules.py                                           the file
    - what stands there now, once, in one line or several
    + what takes its place
    > games/test_rules.py::test_one                          the tests, in tests/, of which one must fail
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LISTS = Path(__file__).parent


@dataclass(frozen=True)
class Mutant:
    """One fault, as a list describes it."""

    breaks: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Mutant:
        """The mutant that a few lines describe; a ValueError where they describe none."""
        breaks, *lines = text.strip("\n").split("\n")
        marked = {mark: [line[2:] for line in lines if line[0] == mark] for mark in "@-+>"}
        if len(marked["@"]) != 1 or not all(marked.values()) or sum(map(len, marked.values())) < len(lines):
            raise ValueError(f"the mutant {breaks!r} has one line with @, and lines with -, + and >, and no others")
        return cls(breaks, marked["@"][0], "\n".join(marked["-"]), "\n".join(marked["+"]), tuple(marked[">"]))

    def planted(self, root: Path) -> str:
        """The source file with the fault in it; a ValueError where the piece to change is not there once."""
        text = (root / self.file).read_text(encoding="utf-8")
        if (count := text.count(self.before)) != 1:
            raise ValueError(f"the mutant {self.breaks!r} is out of date: its piece is {count} times in {self.file}, and not once")
        return text.replace(self.before, self.after)


def all_mutants() -> list[Mutant]:
    """Every mutant of the lists, in the order of the files and of their lines."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(LISTS.glob("*.txt")))
    parts = (part for text in texts for part in text.split("\n\n"))
    return [Mutant.of(part) for part in parts if part.strip() and not part.startswith("#")]
