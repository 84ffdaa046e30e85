"""Kalah, a game of counters and extra moves, in one file: besides Hex, a second game to copy from.

Each player has a row of houses and a store at its right end. A move takes all seeds of one of the mover's houses and sows them
one by one counter-clockwise: into the next houses, the mover's store, and the opponent's houses; the opponent's store is
skipped. The last seed decides what follows:

- in the mover's own store: the same player moves again;
- in an empty house of the mover's, if the opposite house is not empty: the seed and all seeds opposite go to the mover's store
  (a capture; with an empty house opposite nothing is captured);
- anywhere else: nothing more.

The game ends when a player has no seed in their houses, after either player's move; the opponent keeps the seeds of their houses.
The player with more seeds wins. A game is always played to this end, even if a store already has more than half of the seeds.

Rules: https://en.wikipedia.org/wiki/Kalah

              6  5  4  3  2  1           houses are counted in the order of sowing, so that
           +--------------------+        a move is named by its house, `3`; house i lies
    store  |  4  4  4  4  4  4  |        opposite to house 7 - i
    of     |                    |  store
    player |  4  4  4  4  4  4  |  of
    1      +--------------------+  player 0
              1  2  3  4  5  6

    gym.make("kalah:ludus/Kalah-v0", houses=4)
    ludus --import kalah perft kalah 3
    ludus --import kalah check kalah
    ludus --import kalah train qlearning kalah:houses=3,seeds=2 --run runs/kalah
    ludus --import kalah grade kalah:houses=3,seeds=2 --policy run:runs/kalah --exact
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from ludus.rules import (
    FAINT,
    FIELD,
    FRAME,
    INK,
    MARK,
    ONE,
    ONGOING,
    Box,
    Game,
    Known,
    Pen,
    Permutation,
    Planes,
    State,
    StateArray,
    Symmetries,
    number,
    register_game,
    u64,
)

# Word p holds the seeds of player p, eight bits a pit: houses 1, 2, … in the order of sowing, then the store.
# Bits 56 to 63 of word 0 hold the player to move, those of word 1 the number of houses.
#
#     bit   0-7       8-15      …   8n-8n+7   …   56-63
#           house 1   house 2       store         player, or n
TOP, BYTE, SEEDS = u64(56), u64(0xFF), u64(0x00FF_FFFF_FFFF_FFFF)


def player(state: State) -> int:
    return number(state[0] >> TOP)


def legal(state: State, word: int) -> np.uint64:
    own, bits = state[0] if player(state) == 0 else state[1], u64(0)
    for house in range(houses_of(state)):
        if seeds_in(own, house) > 0:
            bits |= ONE << u64(house)
    return bits


def houses_of(state: State) -> int:
    """The number of houses of each player."""
    return number(state[1] >> TOP)


def seeds_in(side: np.uint64, pit: int) -> int:
    """The number of seeds in a pit of one side."""
    return number((side >> u64(8 * pit)) & BYTE)


def play(state: State, action: int) -> State:
    houses, mover = houses_of(state), player(state)
    own, other = (state[0], state[1]) if mover == 0 else (state[1], state[0])
    own, other = own & SEEDS, other & SEEDS
    left, pit = seeds_in(own, action), action
    own -= u64(left) << u64(8 * action)
    while left > 0:
        pit = pit + 1 if pit < 2 * houses else 0  # own houses, own store, the other's houses
        if pit <= houses:
            own += ONE << u64(8 * pit)
        else:
            other += ONE << u64(8 * (pit - houses - 1))
        left -= 1
    if pit < houses and seeds_in(own, pit) == 1:
        own, other = captured(own, other, pit, houses)
    following = mover if pit == houses else 1 - mover
    own, other = swept(own, other, houses)
    first, second = (own, other) if mover == 0 else (other, own)
    return first | (u64(following) << TOP), second | (u64(houses) << TOP)


def captured(own: np.uint64, other: np.uint64, house: int, houses: int) -> tuple[np.uint64, np.uint64]:
    """Both sides after the last seed fell into an empty house of the mover's."""
    opposite = houses - 1 - house
    seeds = u64(seeds_in(other, opposite))
    if seeds == u64(0):
        return own, other
    own = own - (ONE << u64(8 * house)) + ((seeds + ONE) << u64(8 * houses))
    return own, other - (seeds << u64(8 * opposite))


def swept(own: np.uint64, other: np.uint64, houses: int) -> tuple[np.uint64, np.uint64]:
    """Both sides after the game has ended and each player has taken the seeds of their own houses."""
    if in_houses(own, houses) > 0 and in_houses(other, houses) > 0:
        return own, other
    store = u64(8 * houses)
    return (
        u64(seeds_in(own, houses) + in_houses(own, houses)) << store,
        u64(seeds_in(other, houses) + in_houses(other, houses)) << store,
    )


def in_houses(side: np.uint64, houses: int) -> int:
    """The number of seeds in the houses of a side."""
    total = 0
    for house in range(houses):
        total += seeds_in(side, house)
    return total


def outcome(state: State) -> int:
    houses = houses_of(state)
    if in_houses(state[0], houses) + in_houses(state[1], houses) > 0:
        return ONGOING
    lead = seeds_in(state[0], houses) - seeds_in(state[1], houses)
    return 1 if lead > 0 else -1 if lead < 0 else 0


def observe(state: State, seat: int, planes: Planes) -> None:
    pits = houses_of(state) + 1
    for row in range(2):
        side = state[0] if row == seat else state[1]
        for pit in range(pits):
            seeds = seeds_in(side, pit)
            for place in range(7):
                planes[place, row * pits + pit] = (seeds >> place) & 1
    planes[7] = 1


def permute(state: State, cells: Permutation, actions: Permutation) -> State:
    return state  # the only symmetry is the identity


@register_game
@dataclass(frozen=True)
class Kalah(Game):
    """Kalah.

    Args:
        houses: houses of each player, 1 to 6.
        seeds: seeds in each house at the start, 1 to 10.
    """

    name: ClassVar[str] = "kalah"
    title: ClassVar[str] = "Kalah"
    num_words: ClassVar[int] = 2
    planes: ClassVar[tuple[str, ...]] = (*(f"seeds, the bit of {1 << place}" for place in range(7)), "ones")
    variants: ClassVar[tuple[str, ...]] = ("kalah", "kalah:houses=4,seeds=3", "kalah:houses=1,seeds=1", "kalah:seeds=10")
    known: ClassVar[Known] = Known(
        exact_cells=10,  # four houses and a store in each row; with two seeds in each house that is 303,327 positions
        presets={"qlearning": {"kalah": {"games": 50_000}}},  # enough for three houses with two seeds
    )

    houses: int = 6
    seeds: int = 4

    def __post_init__(self) -> None:
        if not 1 <= self.houses <= 6:
            raise ValueError(f"Kalah is played with 1 to 6 houses a player, not {self.houses}")
        if not 1 <= self.seeds <= 10:
            raise ValueError(f"a house of Kalah starts with 1 to 10 seeds, not {self.seeds}")

    @property
    def board(self) -> tuple[int, int]:
        return 2, self.houses + 1

    @cached_property
    def moves(self) -> tuple[str, ...]:
        return tuple(str(house + 1) for house in range(self.houses))

    @property
    def start_words(self) -> tuple[int, ...]:
        side = [self.seeds] * self.houses + [0]
        return self._state([side, side], 0)

    def _state(self, sides: list[list[int]], mover: int) -> tuple[int, int]:
        first, second = (sum(seeds << 8 * pit for pit, seeds in enumerate(side)) for side in sides)
        return first | mover << 56, second | self.houses << 56

    @cached_property
    def symmetries(self) -> Symmetries:
        return Symmetries(*(np.arange(count, dtype=np.int16)[None] for count in (2 * (self.houses + 1), self.houses)))

    def _sides(self, state: StateArray) -> list[list[int]]:
        """The seeds in the pits of each player, the store last."""
        return [[int(word) >> 8 * pit & 255 for pit in range(self.houses + 1)] for word in state]

    def text(self, state: StateArray) -> str:
        sides = (" ".join(map(str, side)) for side in self._sides(state))
        return f"{' / '.join(sides)} {int(state[0]) >> 56}"

    def parse(self, text: str) -> StateArray:
        sides, _, mover = text.strip().rpartition(" ")
        pits = [side.split() for side in sides.split(" / ")]
        example = self.text(self.start)
        plain = all(seeds.isascii() and seeds.isdecimal() and len(seeds) < 4 for side in pits for seeds in side)
        if [len(side) for side in pits] != [self.houses + 1] * 2 or not plain or mover not in ("0", "1"):
            raise ValueError(
                f"{text!r} is not a position of {self.spec}: it takes the pits of both players and who moves, as {example!r}"
            )
        seeds = [list(map(int, side)) for side in pits]
        if (total := sum(map(sum, seeds))) != 2 * self.houses * self.seeds:
            raise ValueError(f"{text!r} holds {total} seeds; {self.spec} is played with {2 * self.houses * self.seeds}")
        empty = [not any(side[:-1]) for side in seeds]
        if any(empty) and not all(empty):
            raise ValueError(f"{text!r} cannot be: a player's houses are empty, so the other's seeds are in the store")
        return np.array(self._state(seeds, int(mover)), np.uint64)

    def picture(self, state: StateArray, action: int | None = None) -> str:
        (*own, store), (*other, other_store) = self._sides(state)
        width = 3 * self.houses
        numbers = "".join(f"{house + 1:3}" for house in range(self.houses))
        back = "".join(f"{house + 1:3}" for house in reversed(range(self.houses)))
        rows = [
            f"   {back}   player 1",
            f"   {''.join(f'{seeds:3}' for seeds in reversed(other))}",
            f"{other_store:3}{'':{width}}{store:4}",
            f"   {''.join(f'{seeds:3}' for seeds in own)}",
            f"   {numbers}   player 0",
        ]
        last = [] if action is None else [f"house {self.move_name(action)} was sown"]
        return "\n".join([*rows, "", *last, self.status(state)])

    def clicks(self, state: StateArray, action: int) -> tuple[Box, ...]:
        return (self._house_box(self.player(state), action),)

    def _house_box(self, who: int, house: int) -> Box:
        """The place of a house in the drawing: those of player 1 are at the top, from right to left."""
        column = house if who == 0 else self.houses - 1 - house
        return Box(72 + 62 * column, 106 if who == 0 else 22, 62, 62)

    def svg(self, state: StateArray, action: int | None = None) -> str:
        step, width = 62, 62 * (self.houses + 2) + 20
        pen = Pen(width, 230)
        pen.rectangle(10, 10, width - 20, 170, FRAME, round=18)
        for who, (*houses, store) in enumerate(self._sides(state)):
            for house, seeds in enumerate(houses):
                box = self._house_box(who, house)
                x, y = box.x + box.width / 2, box.y + box.height / 2
                pen.circle(x, y, 27, FIELD)
                pen.text(x, y + 7, str(seeds), 20, INK)
                pen.text(x, y + 40 if who == 0 else y - 30, str(house + 1), 10, FAINT)
            x = width - 10 - step / 2 if who == 0 else 10 + step / 2
            pen.rectangle(x - 22, 35, 44, 120, FIELD, round=20)
            pen.text(x, 103, str(store), 22, INK)
        last = "" if action is None else f"house {self.move_name(action)} was sown; "
        pen.text(14, 212, last + self.status(state), 15, INK if action is None else MARK, "start")
        return pen.finish()


if __name__ == "__main__":
    import ludus

    game = ludus.make_game("kalah:houses=3,seeds=2")
    print("perft 1 to 8:", [game.perft(depth) for depth in range(1, 9)])
    print(game.picture(game.start))
    print(ludus.check_game(game))
