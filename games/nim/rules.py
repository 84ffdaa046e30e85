"""The rules of Nim, which [its page](../../docs/games/nim.md) describes.

A state is two words:

| word | bits | what |
|---|---|---|
| 0 | 0 to 63 | the heaps, eight bits each, the first in the lowest |
| 1 | 0 | the player to move |
| 1 | 1 | 1 in the misère game |
| 1 | 8 to 15 | how many heaps there are |
| 1 | 16 to 23 | the largest take |
| 1 | 24 to 31 | the largest heap at the start |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations as orders
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from ...core.bounds import Length
from ...core.numbers import Range
from ..board_game import BoardGame
from ..drawing.clicks import Box
from ..drawing.layout import Layout, Notation, Site, Symbol, Wording
from ..drawing.svg import FAINT, FIELD, FRAME, MARK, SECOND, Pen, caption_at, element
from ..game import StateArray, Symmetries
from ..kernels.arrays import Numbers
from ..kernels.bits import ONE, number, u64
from ..kernels.rules import ONGOING, Permutation, Planes, Sites, State
from ..known import Known, read_known

# Heaps 1, 3, 5, 7: word 0 is 0x07050301, word 1 is 0x07_07_04_00.
MISERE, HEAPS, TAKE, LARGEST = u64(1), u64(8), u64(16), u64(24)
BYTE = u64(0xFF)
LANES, EVEN = u64(0x0001000100010001), u64(0x00FF00FF00FF00FF)
"""One in each lane of 16 bits, and every other byte."""
TOP, ROW = 28, 48
"""In pixels of the drawing: above the first heap, and the height of each."""


def player(state: State) -> int:
    return number(state[1] & ONE)


def legal(state: State, word: int) -> np.uint64:
    take = number((state[1] >> TAKE) & BYTE)
    bits = u64(0)
    for heap in range(number((state[1] >> HEAPS) & BYTE)):
        start = heap * take - 64 * word
        bits |= bits_between(start, start + min(size_of(state, heap), take))
    return bits


def size_of(state: State, heap: int) -> int:
    """How many objects a heap has."""
    return number((state[0] >> u64(8 * heap)) & BYTE)


def bits_between(start: int, stop: int) -> np.uint64:
    """The bits from start to stop - 1, as far as they are in one word."""
    start, stop = max(start, 0), min(stop, 64)
    if start >= stop:
        return u64(0)
    return (~u64(0) >> u64(64 - stop + start)) << u64(start)


def play(state: State, action: int) -> State:
    take = number((state[1] >> TAKE) & BYTE)
    heap = action // take
    taken = u64(action - heap * take + 1)
    return state[0] - (taken << u64(8 * heap)), state[1] ^ ONE


def outcome(state: State) -> int:
    if state[0] != u64(0):
        return ONGOING
    mover_wins = (state[1] >> MISERE) & ONE
    return 1 if player(state) != number(mover_wins) else -1


def observe(state: State, seat: int, planes: Planes) -> None:
    largest = number((state[1] >> LARGEST) & BYTE)
    for heap in range(number((state[1] >> HEAPS) & BYTE)):
        size = size_of(state, heap)
        for j in range(largest):
            planes[0, heap * largest + j] = j < size
    planes[1] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    largest = number((state[1] >> LARGEST) & BYTE)
    moved = u64(0)
    for heap in range(number((state[1] >> HEAPS) & BYTE)):
        to = cells[heap * largest] // largest
        moved |= u64(size_of(state, heap)) << u64(8 * to)
    return moved, state[1]


def is_state(state: State, start: State) -> bool:
    used = ~u64(0) >> (u64(64) - u64(8) * ((start[1] >> HEAPS) & BYTE))
    room = EVEN - ((start[1] >> LARGEST) & BYTE) * LANES  # what takes a heap of the largest size up to 255
    larger = ((state[0] & EVEN) + room) | (((state[0] >> u64(8)) & EVEN) + room)
    return ((state[0] & ~used) | (larger & ~EVEN) | ((state[1] ^ start[1]) & ~ONE)) == u64(0)


def contents(state: State, sites: Sites) -> None:
    largest = number((state[1] >> LARGEST) & BYTE)
    for heap in range(number((state[1] >> HEAPS) & BYTE)):
        for match in range(size_of(state, heap)):
            sites[heap * largest + match] = 1


def trace(state: State, action: int, sites: Sites) -> None:
    """The matches that were taken."""
    take, largest = number((state[1] >> TAKE) & BYTE), number((state[1] >> LARGEST) & BYTE)
    heap, size = action // take, size_of(state, action // take)
    for match in range(size, min(size + action - heap * take + 1, largest)):
        sites[heap * largest + match] = 1


def arrange(sites: Sites, mover: int, start: State, fault: Numbers) -> State:
    largest, heaps = number((start[1] >> LARGEST) & BYTE), u64(0)
    for site in range(sites.shape[0]):
        heaps += u64(sites[site]) << u64(8 * (site // largest))
    return heaps, start[1] | u64(mover)


@dataclass(frozen=True)
class Nim(BoardGame):
    """Nim over heaps of objects.

    Args:
        heaps: objects in each heap at the start.
        limit: how many objects may be taken at once; None for as many as there are.
        misere: whether the player who takes the last object loses.
    """

    name: ClassVar[str] = "nim"
    title: ClassVar[str] = "Nim"
    num_words: ClassVar[int] = 2
    planes: ClassVar[tuple[str, ...]] = ("objects still there", "ones")
    known: ClassVar[Known] = read_known(Path(__file__).parent)
    variants: ClassVar[tuple[str, ...]] = (
        "nim",
        "nim:misere=true",
        "nim:limit=3",
        "nim:heaps=1+3+5,limit=3,misere=true",
        "nim:heaps=12+40",
    )

    heaps: Annotated[tuple[Annotated[int, Range(1, 255)], ...], Length(1, 8)] = (1, 3, 5, 7)
    limit: Annotated[int, Range(1)] | None = None
    misere: bool = False

    @property
    def largest_take(self) -> int:
        """How many objects can be taken at once at most."""
        return min(max(self.heaps), self.limit or 255)

    @property
    def board(self) -> tuple[int, int]:
        return len(self.heaps), max(self.heaps)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of the heaps."""
        return tuple(str(heap + 1) for heap in range(len(self.heaps)))

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(f"{label}-{take + 1}" for label in self.labels for take in range(self.largest_take))

    @property
    def explanation(self) -> str:
        sizes = ", ".join(map(str, self.heaps[:-1])) + " and " * (len(self.heaps) > 1) + str(self.heaps[-1])
        heaps = (
            f"{len(self.heaps)} heaps of {sizes} objects"
            if len(self.heaps) > 1
            else f"one heap of {sizes} object{'s' * (sizes != '1')}"
        )
        most = f", at most {self.limit}" if self.limit else ""
        first = self.labels[0]
        example = f"{first}-2 takes two objects" if self.largest_take > 1 else f"{first}-1 takes one object"
        heap = f"the name of the heap, {self.label_words}," if self.label_words else "the number of the heap, counted from 1,"
        return (
            f"The game starts with {heaps}. Two players take turns; player 0 begins. In a turn a player takes one or more "
            f"objects{most}, all from the same heap. Whoever takes the last object of all {'loses' if self.misere else 'wins'}. "
            f"A move is HEAP-COUNT: {heap} and how many objects to take from it. For example, {example} from heap {first}."
        )

    @property
    def start_words(self) -> tuple[int, ...]:
        packed = sum(size << 8 * heap for heap, size in enumerate(self.heaps))
        heaps = self.heaps
        return packed, self.misere << 1 | len(heaps) << 8 | self.largest_take << 16 | max(self.heaps) << 24

    @cached_property
    def symmetries(self) -> Symmetries:
        """All orders of the heaps up to five; beyond, where all would fill the memory, those that rotate them."""
        count = len(self.heaps)
        some = list(orders(range(count))) if count <= 5 else [tuple((i + k) % count for i in range(count)) for k in range(count)]
        each = [np.arange(width) for width in (max(self.heaps), self.largest_take)]
        cells, actions = ([[to * len(row) + row for to in order] for order in some] for row in each)
        return Symmetries(*(np.array(table, np.int16).reshape(len(some), -1) for table in (cells, actions)))

    def sizes(self, state: StateArray) -> tuple[int, ...]:
        """How many objects each heap has."""
        heaps = int(self.single(state)[0])
        return tuple(heaps >> 8 * heap & 0xFF for heap in range(len(self.heaps)))

    def picture(self, state: StateArray, action: int | None = None) -> str:
        touched, _ = (None, 0) if action is None else divmod(action, self.largest_take)
        lines = [
            f"{'>' if heap == touched else ' '}{self.labels[heap]}  {'|' * size:<{max(self.heaps)}}  {size}"
            for heap, size in enumerate(self.sizes(state))
        ]
        return "\n".join([*lines, "", self.status(state)])

    @cached_property
    def layout(self) -> Layout:
        largest, count = max(self.heaps), len(self.heaps)
        heaps, step = range(count), max(7, min(30, 600 // largest))
        width, bottom = max(300, 90 + step * largest + 50), ROW * count
        pen = Pen(width, TOP * 2 + bottom + 24)
        pen.rectangle(14, 16, width - 28, bottom + 24, FRAME, round=8)
        pen.rectangle(20, 22, width - 40, bottom + 12, FIELD, round=4)
        captions = [caption_at(20, TOP * 2 + bottom + 6)]
        for heap, size in enumerate(self.heaps):
            y = TOP + ROW * (heap + 0.5)
            pen.text(40, y + 5, self.labels[heap], 14, FAINT)
            for match in range(size):
                x = 70 + step * (match + 0.5)
                pen.line(x, y - 14, x, y + 14, "#d8c39a", min(9, step * 0.5))
            captions.append(caption_at(width - 42, y + 5, f"{{count{heap + 1}}}", "middle"))
        example = " ".join(map(str, self.heaps))
        won = "{winner} wins: the last match loses" if self.misere else "{winner} wins with the last match"
        return Layout(
            width=width,
            height=pen.height,
            sites=tuple(
                Site(f"heap {self.labels[heap]}, match {match + 1}", Box(70 + step * match, TOP + ROW * heap, step, ROW))
                for heap in heaps
                for match in range(largest)
            ),
            symbols=(Symbol("-", "empty"), Symbol("|", "match", draw_match(step))),
            notation=Notation(
                groups=tuple(tuple(range(heap * largest, (heap + 1) * largest)) for heap in heaps),
                patterns=(
                    (
                        rf"[0-9]+(\s+[0-9]+){{{count - 1}}}",
                        f"{{text}} is not a position of {self.spec}: it takes {count} heaps, as in {example!r}",
                    ),
                ),
                faults=(f"{{text}} cannot be in {self.spec}: no heap grows beyond {largest}",),
                counts=True,
            ),
            words=Wording(
                wins=(won, won),
                places=tuple(
                    f"{{move}}, take {take + 1} of heap {label}" for label in self.labels for take in range(self.largest_take)
                ),
            ),
            behind="".join(pen.elements),
            marks=(stick(step, MARK, stroke_opacity=0.55),),
            caption="".join(captions),
        )


def stick(step: float, colour: str, **more: Any) -> str:
    """A match without its head."""
    width = min(9, step * 0.5)
    return element("line", x1=0, y1=-14, x2=0, y2=14, stroke=colour, stroke_width=width, stroke_linecap="round", **more)


def draw_match(step: float) -> str:
    """A match; its head where there is room for it."""
    head = element("circle", cx=0, cy=-14, r=min(9, step * 0.5) * 0.75, fill="#12324a")
    return stick(step, SECOND) + head * (step >= 14)
