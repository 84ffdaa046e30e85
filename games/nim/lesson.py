"""How Nim is taught, whatever the heaps."""

from __future__ import annotations

from ..lesson import Exercise, Illustration, Lesson
from .rules import Nim


def lesson_of(game: Nim) -> Lesson:
    """The lesson of a variant."""
    count, most = len(game.heaps), game.largest_take
    heaps = f"There are {count} heaps of matches" if count > 1 else f"There is one heap of {_matches(game.heaps[0])}"
    some = (
        "as many matches as you like, at least one" if game.limit is None else f"one to {most} matches" if most > 1 else "one match"
    )
    taken = min(2, most, game.heaps[-1])
    return Lesson(
        goal="Make the other side take the last match." if game.misere else "Take the last match to win.",
        sentences=(
            f"{heaps}, and two players take turns.",
            f"In your turn, take {some}{', all from the same heap' * (count > 1 and most > 1)}.",
            "On the board, choose a match: it goes, and with it all matches to its right.",
            "Nobody may leave out a turn.",
            f"Whoever takes the last match of all {'loses' if game.misere else 'wins'}, so there is no draw.",
        ),
        illustrations=(
            Illustration(caption=f"The start. At the right stands how many matches {'each' if count > 1 else 'the'} heap has."),
            Illustration(
                caption=f"The first player took {_matches(taken)} from heap {count}.",
                moves=(f"{count}-{taken}",),
            ),
            Illustration(
                caption=f"The last match was taken: who took it {'loses' if game.misere else 'wins'}.",
                position=_text(*(0,) * (count - 1), 1),
                moves=(f"{count}-1",),
            ),
        ),
        exercises=(
            Exercise(
                text="Take matches: choose one, and it goes with all that lie to its right.",
                right="Now the other side would take some. Let us look at the end of a game.",
            ),
            *_last_heap(game),
            *_two_heaps(game),
        ),
        farewell="You know the game. It is solved: the page can show what each move is worth.",
    )


def _last_heap(game: Nim) -> list[Exercise]:
    """What to do with the last heap, if it can be as large as that takes."""
    heap, left = len(game.heaps), int(game.misere)
    size = min(3, game.largest_take + left, max(game.heaps))
    if size == left:
        return []
    wrong = "Leave one match, so that the other side must take it." if left else "Take all, or the other side takes the last match."
    return [
        Exercise(
            text=f"Only {_matches(size)} {'is' if size == 1 else 'are'} left. How do you win?",
            position=_text(*(0,) * (heap - 1), size),
            asked=(f"{heap}-{size - left}",),
            right="The other side has to take the last match: you win." if left else "You took the last match: you win.",
            wrong=wrong,
        )
    ]


def _two_heaps(game: Nim) -> list[Exercise]:
    """What to do with two heaps, if there are two."""
    size = min(3, game.largest_take, max(game.heaps))
    if len(game.heaps) == 1 or size == 1:
        return []
    position = _text(1, size, *(0,) * (len(game.heaps) - 2))
    if game.misere:
        return [
            Exercise(
                text="Two heaps are left. Find the move after which the other side must take the last match.",
                position=position,
                asked=(f"2-{size}",),
                right="One match is left, and the other side must take it.",
                wrong="Take all of heap 2, so that one match is left.",
            )
        ]
    return [
        Exercise(
            text="Two heaps are left. Make them equal: then you can answer each move with the same one in the other heap.",
            position=position,
            asked=(f"2-{size - 1}",),
            right="Whatever the other side takes from one heap, you take from the other, and so the last match is yours.",
            wrong="Take from heap 2, so that both heaps have one match.",
        )
    ]


def _matches(count: int) -> str:
    return "one match" if count == 1 else f"{count} matches"


def _text(*heaps: int) -> str:
    return " ".join(map(str, heaps))
