"""Nim: heaps are numbers in a tuple, and what may be taken is counted out.

Players take one or more objects, up to a limit, from one heap. The last object wins, or loses in the misère game.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Nim:
    """A position of Nim."""

    heaps: tuple[int, ...]
    limit: int | None
    misere: bool
    columns: int
    player: int = 0

    @classmethod
    def start(cls, heaps: tuple[int, ...], limit: int | None, misere: bool) -> Nim:
        return cls(heaps, limit, misere, columns=max(heaps))

    def legal(self) -> list[str]:
        return [*after_each(self.heaps, self.limit)]

    def play(self, move: str) -> Nim:
        return replace(self, heaps=after_each(self.heaps, self.limit)[move], player=1 - self.player)

    def outcome(self) -> tuple[int, int] | None:
        if any(self.heaps):
            return None
        took_the_last = 1 - self.player
        winner = 1 - took_the_last if self.misere else took_the_last
        return (1, -1) if winner == 0 else (-1, 1)

    def text(self) -> str:
        return " ".join(map(str, self.heaps))

    def planes(self, seat: int) -> list[list[list[int]]]:
        still_there = [[1] * heap + [0] * (self.columns - heap) for heap in self.heaps]
        ones = [[1] * self.columns for _ in self.heaps]
        return [still_there, ones]


def after_each(heaps: tuple[int, ...], limit: int | None) -> dict[str, tuple[int, ...]]:
    """The heaps after each move."""
    return {
        f"{i + 1}-{take}": (*heaps[:i], heap - take, *heaps[i + 1 :])
        for i, heap in enumerate(heaps)
        for take in range(1, min(heap, limit or heap) + 1)
    }


def is_won(heaps: tuple[int, ...], limit: int | None, misere: bool, known: dict[tuple[int, ...], bool]) -> bool:
    """Whether the player to move wins, by trying everything; `known` is for one limit, normal or misère."""
    heaps = tuple(sorted(heaps))
    if heaps not in known:
        afters = after_each(heaps, limit).values()
        known[heaps] = any(not is_won(after, limit, misere, known) for after in afters) if afters else misere
    return known[heaps]
