"""Kalah: pits are lists of numbers in a ring, seeds are sown one by one.

The last seed in one's own store moves again; in one's own empty house, with seeds opposite, it captures. When one side's houses are
empty, the other takes what lies in its own.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kalah:
    """A position of Kalah: for each player the seeds in the houses, and in the store."""

    houses: tuple[tuple[int, ...], tuple[int, ...]]
    stores: tuple[int, int] = (0, 0)
    player: int = 0

    @classmethod
    def start(cls, houses: int, seeds: int) -> Kalah:
        return cls(((seeds,) * houses, (seeds,) * houses))

    def legal(self) -> list[str]:
        return [str(number) for number, seeds in enumerate(self.houses[self.player], start=1) if seeds]

    def play(self, move: str) -> Kalah:
        mover, other = self.player, 1 - self.player
        board = {("house", side, i): seeds for side in (0, 1) for i, seeds in enumerate(self.houses[side])}
        board |= {("store", side, 0): self.stores[side] for side in (0, 1)}
        count = len(self.houses[0])
        ring = [
            *(("house", mover, i) for i in range(count)),
            ("store", mover, 0),
            *(("house", other, i) for i in range(count)),
        ]
        place = int(move) - 1
        hand, board[ring[place]] = board[ring[place]], 0
        for _ in range(hand):
            place = (place + 1) % len(ring)
            board[ring[place]] += 1
        kind, side, i = ring[place]
        opposite = ("house", other, count - 1 - i)
        if (kind, side) == ("house", mover) and board[ring[place]] == 1 and board[opposite]:
            board["store", mover, 0] += 1 + board[opposite]
            board[ring[place]] = board[opposite] = 0
        houses = [[board["house", side, i] for i in range(count)] for side in (0, 1)]
        stores = [board["store", side, 0] for side in (0, 1)]
        if not any(houses[0]) or not any(houses[1]):
            stores = [stores[side] + sum(houses[side]) for side in (0, 1)]
            houses = [[0] * count, [0] * count]
        following = mover if kind == "store" else other
        return Kalah((tuple(houses[0]), tuple(houses[1])), (stores[0], stores[1]), following)

    def outcome(self) -> tuple[int, int] | None:
        if any(self.houses[0]) or any(self.houses[1]):
            return None
        first, second = self.stores
        return (1, -1) if first > second else (-1, 1) if first < second else (0, 0)

    def text(self) -> str:
        first, second = (" ".join(map(str, [*self.houses[side], self.stores[side]])) for side in (0, 1))
        return f"{first} / {second} {self.player}"

    def planes(self, seat: int) -> list[list[list[int]]]:
        rows = [[*self.houses[side], self.stores[side]] for side in (seat, 1 - seat)]
        bits = [[[seeds >> place & 1 for seeds in row] for row in rows] for place in range(7)]
        return [*bits, [[1] * len(row) for row in rows]]
