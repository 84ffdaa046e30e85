"""A game that was played, page by page: who moved, what the oracle says of it, and the board."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from ...arena.grading.verdict import Judge, Verdict
from ...arena.matches.games import ENDINGS, FIRST_FAULT, GameRecord
from ...envs.games.game import Game, StateArray

try:
    import termios
    import tty
except ImportError:  # Windows
    termios = tty = None

KEYS = {
    **dict.fromkeys(("\n", "\r", " ", "n", "\x1b[C", "\x1b[B"), 1),
    **dict.fromkeys(("p", "b", "\x7f", "\x1b[D", "\x1b[A"), -1),
    **dict.fromkeys(("f", "\x1b[H"), -(10**6)),
    **dict.fromkeys(("l", "\x1b[F"), 10**6),
}
"""How many pages a key turns; arrows, Home and End come as three characters."""
QUIT = ("q", "\x1b", "\x04", "")
HELP = "next: Enter →   back: p ←   first: f   last: l   quit: q"
CLEAR = "\x1b[H\x1b[2J"


@dataclass(frozen=True)
class Steps:
    """A game as pages: page 0 shows the start, page n what the n-th action led to.

    Args:
        record: the game that was played.
        game: its rules.
        judge: who says what each move is worth; None for nobody.
    """

    record: GameRecord
    game: Game
    judge: Judge | None

    @cached_property
    def states(self) -> list[StateArray]:
        """Every state from the start on.

        Raises:
            ValueError: an action is not legal.
        """
        states = [self.game.start]
        for action in self.record.actions:
            states.append(self.game.play(states[-1], action))
        return states

    @property
    def pages(self) -> int:
        """How many there are."""
        return len(self.record.actions) + 1

    def title(self) -> str:
        """Which game this is."""
        sides = " – ".join(map(self.who, (0, 1)))
        return f"{self.record.pairing.game}, game {self.record.number}: {sides}"

    def who(self, player: int) -> str:
        """A player: the policy, and what people call that side."""
        return f"{self.record.players[player]} ({self.game.player_names[player]})"

    def move(self, page: int) -> str:
        """The move that led to a page, and whose it was."""
        if page == 0:
            return "the start"
        player, name = self.game.player(self.states[page - 1]), self.game.move_name(self.record.actions[page - 1])
        by = f"the opening ({self.game.player_names[player]})" if page <= self.record.opening else self.who(player)
        return f"{page}. {name}, by {by}"

    def board(self, page: int) -> str:
        """The position."""
        return self.game.picture(self.states[page], self.record.actions[page - 1] if page else None)

    def verdict(self, page: int) -> Verdict | None:
        """What the oracle says of the move that led to a page."""
        return self.judge.verdict(self.states[page - 1], self.record.actions[page - 1]) if self.judge and page else None

    def comment(self, page: int) -> str:
        """The verdict in words; nothing of the opening, which nobody chose."""
        verdict = self.verdict(page) if page > self.record.opening else None
        return verdict.sentence(self.game) if verdict else ""

    def end(self) -> str:
        """How the game ended."""
        if self.record.result == 0:
            cut = f", cut short after {self.pages - 1} plies" if self.record.ending == "max_plies" else ""
            return f"A draw{cut}."
        winner = 0 if self.record.result == 1 else 1
        if ENDINGS.index(self.record.ending) < FIRST_FAULT:
            return f"{self.who(winner)} wins."
        reason = f": {self.record.reason}" if self.record.reason else ""
        return f"{self.who(winner)} wins by a fault of {self.who(1 - winner)} ({self.record.ending}){reason}"


def show_all(steps: Steps, out: Any) -> None:
    """Prints all pages one after another."""
    print(steps.title(), file=out)
    for page in range(steps.pages):
        comment = steps.comment(page)
        lines = [f"\n{steps.move(page)}", *([f"   {comment}"] if comment else []), "", steps.board(page)]
        print("\n".join(lines), file=out)
    print(f"\n{steps.end()}", file=out)


def walk(steps: Steps, out: Any, key: Callable[[], str]) -> None:
    """Shows one page at a time, as keys say, until one of QUIT comes.

    Args:
        steps: the game.
        out: the terminal.
        key: gives the next key that is pressed.
    """
    page, pressed = 0, ""
    while True:
        where = f"{steps.title()}   {page}/{steps.pages - 1}"
        print(f"{CLEAR}{where}\n\n{steps.board(page)}\n\n{steps.move(page)}", file=out, flush=True)
        print(steps.comment(page), file=out)  # which may take a while
        print(steps.end() if page == steps.pages - 1 else "", f"\n{HELP}", sep="\n", file=out, flush=True)
        while (pressed := key()) not in KEYS:
            if pressed in QUIT:
                return
        page = min(max(page + KEYS[pressed], 0), steps.pages - 1)


def at_terminal() -> bool:
    """Whether a person sits there, whose keys can be read one by one."""
    return sys.stdin.isatty() and sys.stdout.isatty() and termios is not None


@contextmanager
def keyboard() -> Generator[Callable[[], str]]:
    """Gives what waits for the next key: its characters, or none where there will be no key any more."""
    assert termios is not None
    assert tty is not None
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)  # which keeps what was typed already
        yield partial(_key, handle)
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _key(handle: int) -> str:
    pressed = os.read(handle, 1)
    if pressed == b"\x1b" and select.select([handle], [], [], 0.05)[0]:
        pressed += os.read(handle, 2)
    return pressed.decode(errors="replace")
