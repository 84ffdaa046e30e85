"""# Nim

Heaps of objects lie on the table. In turn, each player takes one or more objects from one heap. Whoever takes
the last object wins; in the misère game, whoever takes it loses. A limit says how many may be taken at once.

| | |
|---|---|
| PettingZoo | `pettingzoo.make("aec", "ludus/nim-v0", heaps=(1, 3, 5, 7), limit=None, misere=False)` |
| Gymnasium | `gym.make("ludus/Nim-v0")`, `gym.make_vec("ludus/Nim-v0", num_envs=4096)` |
| Agents | `player_0` (moves first), `player_1` |
| Actions | `Discrete(heaps · largest take)`, 28 for heaps 1, 3, 5, 7 |
| Observation | `Dict(observation: (2, heaps, largest heap) int8, action_mask: (actions,) int8)` |
| Settings | `heaps`: 1 to 8 heaps of 1 to 255; `limit`: objects taken at most (none); `misere`: the last taker loses (false) |

### Observation
Two planes, a row for each heap and a column for each object of the largest heap; both seats see the same:

| plane | a cell is 1 where |
|---|---|
| 0 | the heap of this row still has an object in this column (it empties from the right) |
| 1 | always (a constant plane) |

### Action mask
1 for every number of objects that may be taken from a heap now. In the AEC environment the mask of the seat
that is not to move is all zeros.

### Actions
Action *heap · largest take + take - 1*, heaps counted from 0; the largest take is the limit, or the largest
heap where there is none or a higher one. The move is named `heap-take` with heaps counted from 1: for heaps 1, 3, 5, 7
action 7·1 + 3 - 1 = 9 is `2-3`, all three objects from the second heap.

### Rewards
+1 to the winner, -1 to the loser; there is no draw. An illegal action loses at once.

### Positions as text
The heaps, `1 3 5 7`. Who is to move is not written, since in Nim it makes no difference to what is best; a game that
is set up from a position starts with player 0.

### State
Two words:

| word | bits | what |
|---|---|---|
| 0 | 0 to 63 | the heaps, eight bits each, the first in the lowest |
| 1 | 0 | the player to move |
| 1 | 1 | 1 in the misère game |
| 1 | 8 to 15 | how many heaps there are |
| 1 | 16 to 23 | the largest take |
| 1 | 24 to 31 | the largest heap at the start |

### Known results
Nim is solved (Bouton 1901): with optimal play the player to move wins where the nim-sum, the exclusive or of the heaps, is
not 0. With a limit *k*, each heap counts modulo *k* + 1. In the misère game the same holds as long as some heap counts more
than 1; then an odd number of ones is lost. The heaps 1, 3, 5, 7 are lost for the player who begins, in both games.

The suite of openings `balanced` has 20 lines of two plies, in turn won and lost by the player to move, since no position is drawn.

### In other libraries
OpenSpiel has `nim`, misère unless it is made as `nim(is_misere=false)`, with other numbers for the actions.

### Version history
* v0: first version
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations as orders
from typing import Annotated, ClassVar

import numpy as np

from ...core.bounds import Length
from ...core.numbers import Range
from ..drawing.clicks import Box, Place
from ..drawing.svg import FAINT, FIELD, FRAME, INK, MARK, SECOND, Pen
from ..game import Game, StateArray, Symmetries
from ..kernels.bits import ONE, number, u64
from ..kernels.rules import ONGOING, Permutation, Planes, State
from ..known import Known
from .known import KNOWN

# Heaps 1, 3, 5, 7: word 0 is 0x07050301, word 1 is 0x07_07_04_00.
MISERE, HEAPS, TAKE, LARGEST = u64(1), u64(8), u64(16), u64(24)
BYTE = u64(0xFF)
LANES, EVEN = u64(0x0001000100010001), u64(0x00FF00FF00FF00FF)
"""One in each lane of 16 bits, and every other byte."""
# Regular expressions of what people write.
HEAP = r"(?:heap|pile|row)(?: number)?[ :=#]{0,3}"
TAKES = r"\b(take|remove|taking|removing|takes|removes|took|removed|count|clear|minus)\b[ :=]{0,3}"
OBJECTS = r"(?:object|stick|stone|item|counter|coin|token|match)(?:es|s)?\b"
AMOUNTS = "count|objects|amount|number|stones|sticks|matches|coins|items"
SPANS = "occasions|times|moves|turns|rounds|games|plies|steps|hours|minutes|seconds|days|ways|options|people|words|sentences|lines"
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


@dataclass(frozen=True)
class Nim(Game):
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
    wordings: ClassVar[tuple[tuple[str, str], ...]] = (
        (rf"\A(?:action [a-z]+ )?{HEAP}(\d+) (?:{AMOUNTS}) (\d+)\Z", r"\1-\2"),
        (rf"\b\d+ ?- ?\d+(?: ?=| {OBJECTS}| (?:{SPANS})\b)", " "),  # a difference or a range is not a move
        (rf"\b(\d+) (?:more )?{OBJECTS}", r"\1"),
        (rf"\A{HEAP}(\d+), (\d+)\W*\Z", r"\1-\2"),
        (r"\b(\d+)(?:st|nd|rd|th) (?:heap|pile|row)\b", r"heap \1"),
        (
            rf"{TAKES}(?:all |the |only |single |last ){{0,3}}(\d+),? (?:away |out )?(?:from |of )?(?:the )?{HEAP}(\d+)\b",
            r"\1 \3-\2",
        ),
        (rf"\b{HEAP}(\d+)\b[,:; -]{{0,3}}\s?(?:and )?(?:i )?{TAKES}(\d+)\b", r"\2 \1-\3"),
        (rf"\b(\d+) (?:from|of|off) (?:the )?{HEAP}(\d+)\b", r"\2-\1"),
    )
    known: ClassVar[Known] = KNOWN
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
    def moves(self) -> tuple[str, ...]:
        return tuple(f"{heap + 1}-{take + 1}" for heap in range(len(self.heaps)) for take in range(self.largest_take))

    @property
    def explanation(self) -> str:
        sizes = ", ".join(map(str, self.heaps[:-1])) + " and " * (len(self.heaps) > 1) + str(self.heaps[-1])
        heaps = (
            f"{len(self.heaps)} heaps of {sizes} objects"
            if len(self.heaps) > 1
            else f"one heap of {sizes} object{'s' * (sizes != '1')}"
        )
        most = f", at most {self.limit}" if self.limit else ""
        example = "1-2 takes two objects" if "1-2" in self.moves else "1-1 takes one object"
        return (
            f"The game starts with {heaps}. Two players take turns; player 0 begins. In a turn a player takes one or more "
            f"objects{most}, all from the same heap. Whoever takes the last object of all {'loses' if self.misere else 'wins'}. "
            "A move is HEAP-COUNT: the number of the heap, counted from 1, and how many objects to take from it. For example, "
            f"{example} from heap 1."
        )

    @property
    def start_words(self) -> tuple[int, ...]:
        return self._state(self.heaps)

    def _state(self, heaps: tuple[int, ...]) -> tuple[int, int]:
        packed = sum(size << 8 * heap for heap, size in enumerate(heaps))
        return packed, self.misere << 1 | len(heaps) << 8 | self.largest_take << 16 | max(self.heaps) << 24

    @cached_property
    def symmetries(self) -> Symmetries:
        """All orders of the heaps up to five; beyond, where all would fill the memory, those that rotate them."""
        count = len(self.heaps)
        some = list(orders(range(count))) if count <= 5 else [tuple((i + k) % count for i in range(count)) for k in range(count)]
        each = [np.arange(width) for width in (max(self.heaps), self.largest_take)]
        cells, actions = ([[to * len(row) + row for to in order] for order in some] for row in each)
        return Symmetries(*(np.array(table, np.int16).reshape(len(some), -1) for table in (cells, actions)))

    def text(self, state: StateArray) -> str:
        return " ".join(map(str, self._heaps(state)))

    def parse(self, text: str) -> StateArray:
        example = " ".join(map(str, self.heaps))
        if not all(part.isascii() and part.isdecimal() for part in text.split()) or len(text.split()) != len(self.heaps):
            raise ValueError(f"{text!r} is not a position of {self.spec}: it takes {len(self.heaps)} heaps, as in {example!r}")
        heaps = tuple(map(int, text.split()))
        if max(heaps) > max(self.heaps):
            raise ValueError(f"{text!r} cannot be in {self.spec}: no heap grows beyond {max(self.heaps)}")
        return np.array(self._state(heaps), np.uint64)

    def _reread(self, state: StateArray) -> StateArray:
        """The text of a position leaves out who moves."""
        return self.parse(self.text(state)) | (state & np.array([0, 1], np.uint64))

    def _heaps(self, state: StateArray) -> list[int]:
        return [int(state[0]) >> 8 * heap & 255 for heap in range(len(self.heaps))]

    def picture(self, state: StateArray, action: int | None = None) -> str:
        touched, _ = (None, 0) if action is None else divmod(action, self.largest_take)
        lines = [
            f"{'>' if heap == touched else ' '}{heap + 1}  {'|' * size:<{max(self.heaps)}}  {size}"
            for heap, size in enumerate(self._heaps(state))
        ]
        return "\n".join([*lines, "", self.status(state)])

    def clicks(self, state: StateArray, action: int) -> tuple[Box, ...]:
        """The leftmost of the matches to take: those to its right go with it."""
        heap, less = divmod(action, self.largest_take)
        return (self._match_box(heap, self._heaps(state)[heap] - less - 1),)

    def places(self, state: StateArray, action: int) -> tuple[Place, ...]:
        heap, less = divmod(action, self.largest_take)
        return (Place(self.clicks(state, action)[0], f"{self.move_name(action)}, take {less + 1} of heap {heap + 1}"),)

    def _match_box(self, heap: int, match: int) -> Box:
        """Where the drawing has a match of a heap."""
        step = max(7, min(30, 600 // max(self.heaps)))
        return Box(70 + step * match, TOP + ROW * heap, step, ROW)

    def svg(self, state: StateArray, action: int | None = None) -> str:
        step, top, row = self._match_box(0, 0).width, TOP, ROW
        width = max(300, 90 + step * max(self.heaps) + 50)
        pen = Pen(width, top * 2 + row * len(self.heaps) + 24)
        pen.rectangle(14, 16, width - 28, row * len(self.heaps) + 24, FRAME, round=8)
        pen.rectangle(20, 22, width - 40, row * len(self.heaps) + 12, FIELD, round=4)
        touched, take = (None, -1) if action is None else divmod(action, self.largest_take)
        for heap, size in enumerate(self._heaps(state)):
            y = top + row * (heap + 0.5)
            pen.text(40, y + 5, str(heap + 1), 14, FAINT)
            pen.text(width - 42, y + 5, str(size), 15, INK)
            for j in range(max(size, self.heaps[heap])):
                x = 70 + step * (j + 0.5)
                gone = heap == touched and size <= j <= size + take
                stroke, colour = min(9, step * 0.5), SECOND if j < size else MARK if gone else "#d8c39a"
                pen.line(x, y - 14, x, y + 14, colour, stroke, stroke_opacity=0.55 if gone else 1)
                if j < size and step >= 14:
                    pen.circle(x, y - 14, stroke * 0.75, "#12324a")
        pen.text(20, top * 2 + row * len(self.heaps) + 6, self.status(state), 15, INK, "start")
        return pen.finish()
