"""How Nim is taught, whatever the heaps: the words of `lesson.json` that follow from them."""

from __future__ import annotations

from pathlib import Path

from ..lesson import Lesson, read_lesson
from .rules import Nim


def lesson_of(game: Nim) -> Lesson:
    """The lesson of a variant."""
    count, most, left = len(game.heaps), game.largest_take, int(game.misere)
    take, empty = min(2, most, game.heaps[-1]), (0,) * (count - 1)
    last = min(3, most + left, max(game.heaps))  # the last heap of an exercise, as large as one move can win with
    pair = min(3, most, max(game.heaps))
    some = "one match" if most == 1 else f"one to {most} matches"
    return read_lesson(
        Path(__file__).with_name("lesson.json"),
        game,
        heaps=f"There are {count} heaps of matches" if count > 1 else f"There is one heap of {_matches(game.heaps[0])}",
        some=(some if game.limit else "as many matches as you like, at least one")
        + ", all from the same heap" * (count > 1 and most > 1),
        each="each" if count > 1 else "the",
        heap=count,
        take=take,
        taken=_matches(take),
        last_match=_position(*empty, 1),
        last_heap=_position(*empty, last),
        last_take=last - left,
        left=f"{_matches(last)} {'is' if last == 1 else 'are'}",
        pair=_position(1, pair, *empty[1:]),
        # two heaps made equal; in the misère game one of them taken whole, so that one match is left
        pair_take=0 if count == 1 or pair == 1 else pair - 1 + left,
    )


def _matches(count: int) -> str:
    return "one match" if count == 1 else f"{count} matches"


def _position(*heaps: int) -> str:
    return " ".join(map(str, heaps))
