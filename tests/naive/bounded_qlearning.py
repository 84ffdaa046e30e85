"""Q-learning of Quixo on a bounded table, with boards as lists, and the table as a dictionary of short lists.

A position is the text of what its mover sees, turned as the table turns it. It comes with the number of its list, in which there is
room for four. After a game, for each move of a learner, the last one first,

    Q  <-  Q + rate · (result, after the last move + bonuses + discount · best Q of its next position - Q)

with a bonus for a move after which there are more lines of all but one of its own cubes, and one for a move after which there are
fewer of the other's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .quixo import Board, Quixo, transposed

ROOM = 4
Name = tuple[int, str]


@dataclass
class Entry:
    """A position's row: whose it is, and what each action is worth and how often that was learnt."""

    name: str
    values: dict[int, float]
    visits: dict[int, int]


@dataclass
class Learner:
    """Games played and learnt from one by one.

    Args:
        settings: the trainer's.
        size: cells along a side of the board.
        longest: after how many plies a game is left.
        name: gives a position's list and text, and the number in the table of each legal move.
        draw: gives a number below a bound, by the numbers of its key: the game, and what is drawn in it.
        luck: gives a number from 0 to 1, by the numbers of its key.
        groups: the table.
    """

    settings: Any
    size: int
    longest: int
    name: Callable[[Quixo], tuple[Name, dict[str, int]]]
    draw: Callable[[int, tuple[int, ...]], int]
    luck: Callable[[tuple[int, ...]], float]
    groups: dict[int, list[Entry]] = field(default_factory=dict)

    def play(self, number: int) -> None:
        """Plays a game and learns from it."""
        opponent = self.draw(2, (number, -1)) if self.settings.opponent == "random" else None
        position, moves, plies = Quixo.start(self.size), [], 0
        while position.outcome() is None and plies < self.longest:
            name, actions = self.name(position)
            if position.player == opponent:
                legal = sorted(actions, key=self.order)
                move = legal[self.draw(len(legal), (number, plies, 1))]
            else:
                action = self.choose(self.entered(name, actions), (number, plies))
                move = next(move for move, one in actions.items() if one == action)
                moves.append((position.player, name, action, self.bonus(position, position.play(move))))
            position = position.play(move)
            plies += 1
        for player in {0, 1} - {opponent}:
            result = position.outcome()
            own = [rest for mover, *rest in moves if mover == player and self.entry(rest[0])]
            self.learn(own, None if result is None else result[player])

    def order(self, move: str) -> tuple[int, ...]:
        """Actions are numbered by the cell taken and the cell of re-entry, row by row."""
        return tuple(x for cell in move.split(">") for x in (int(cell[1:]), ord(cell[0])))

    def choose(self, entry: Entry, key: tuple[int, int]) -> int:
        """Any action, now and then; else one of the best."""
        options = sorted(entry.values)
        if self.luck((*key, 0)) >= self.settings.exploration:
            options = [action for action in options if entry.values[action] == max(entry.values.values())]
        return options[self.draw(len(options), (*key, 1))]

    def bonus(self, before: Quixo, after: Quixo) -> float:
        own, other = "XO"[before.player], "XO"[1 - before.player]
        if after.outcome() is not None:
            return 0.0
        made = nearly(after.board, own) > nearly(before.board, own)
        broken = nearly(after.board, other) < nearly(before.board, other)
        return made * self.settings.four_bonus + broken * self.settings.break_bonus

    def learn(self, moves: list[Any], result: int | None) -> None:
        """From the last move to the first; of a game that was left, the last move is worth nothing yet."""
        ahead = None if result is None else float(result)
        for name, action, bonus in reversed(moves):
            entry = self.entry(name)
            if ahead is not None:
                entry.values[action] += self.settings.rate * (bonus + ahead - entry.values[action])
                entry.visits[action] += 1
            ahead = self.settings.discount * max(entry.values.values())

    def entry(self, name: Name) -> Entry | None:
        group, text = name
        return next((entry for entry in self.groups.get(group, []) if entry.name == text), None)

    def entered(self, name: Name, actions: dict[str, int]) -> Entry:
        """A position's entry; a new one in the place of the one that was learnt from least, where there is no room."""
        group = self.groups.setdefault(name[0], [])
        found = self.entry(name)
        if found is None:
            numbers = actions.values()
            found = Entry(name[1], dict.fromkeys(numbers, self.settings.initial), dict.fromkeys(numbers, 0))
            if len(group) < ROOM:
                group.append(found)
            else:
                counts = [sum(entry.visits.values()) for entry in group]
                group[counts.index(min(counts))] = found
        return found


def nearly(board: Board, mark: str) -> int:
    """How many lines have this mark on all cells but one."""
    last = len(board) - 1
    diagonals = [[board[i][i] for i in range(last + 1)], [board[i][last - i] for i in range(last + 1)]]
    return sum(line.count(mark) == last for line in [*board, *transposed(board), *diagonals])
