"""A recorded game page by page: each move, the oracle's verdict on it, and the board."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from ...agents.answers import Attempt, Transcript
from ...arena.grading.verdict import Judge, Verdict
from ...arena.matches.faults import LOST_BY
from ...arena.matches.games import DECLARED, ENDINGS, RESIGNED, UNFINISHED, GameRecord
from ...core.errors import escape_unprintable
from ...core.numbers import several
from ...games.game import Game, StateArray

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
"""How many pages each key turns; arrow keys, Home and End send three characters."""
QUIT = ("q", "\x1b", "\x04", "")
TRANSCRIPT = "s"
"""The key that shows the whole transcript of a move, or only the replies."""
HELP = "next: Enter →   back: p ←   first: f   last: l   quit: q"
HELP_TRANSCRIPT = f"{HELP}   whole transcript: {TRANSCRIPT}"
CLEAR = "\x1b[H\x1b[2J"
MOST_LINES = 8
"""The number of lines of a reply that are shown, unless the whole transcript is asked for."""


@dataclass(frozen=True)
class Steps:
    """A game as pages: page 0 shows the start, page n the position after the n-th action.

    Args:
        record: the game that was played.
        game: its rules.
        judge: gives the verdict on each move; None for no verdicts.
    """

    record: GameRecord
    game: Game
    judge: Judge | None

    @cached_property
    def states(self) -> StateArray:
        """All states from the start.

        Raises:
            ValueError: an action is not legal.
        """
        return self.record.states(self.game)

    @property
    def pages(self) -> int:
        """The number of pages."""
        return len(self.record.actions) + 1

    def title(self) -> str:
        """The game, its number and its players."""
        sides = " – ".join(map(self.who, (0, 1)))
        return f"{self.record.pairing.game}, game {self.record.number}: {sides}"

    def who(self, player: int) -> str:
        """A policy, and the name of its side."""
        return f"{escape_unprintable(self.record.players[player])} ({self.game.player_names[player]})"

    def move(self, page: int) -> str:
        """The move that led to a page, and who played it."""
        if page == 0:
            return "the start"
        player, name = self.game.player(self.states[page - 1]), self.game.move_name(self.record.actions[page - 1])
        by = f"the opening ({self.game.player_names[player]})" if page <= self.record.opening else self.who(player)
        return f"{page}. {name}, by {by}"

    def board(self, page: int) -> str:
        """The position."""
        return self.game.picture(self.states[page], self.record.actions[page - 1] if page else None)

    def verdict(self, page: int) -> Verdict | None:
        """The oracle's verdict on the move that led to a page."""
        return self.judge.verdict(self.states[page - 1], self.record.actions[page - 1]) if self.judge and page else None

    def comment(self, page: int) -> str:
        """The verdict as a sentence; empty for the opening, whose moves no policy chose."""
        verdict = self.verdict(page) if page > self.record.opening else None
        return verdict.sentence(self.game) if verdict else ""

    def transcript_lines(self, page: int, *, whole: bool = False) -> list[str]:
        """The transcript of the move that led to a page; on the last page also of a move that the policy failed to make."""
        plies = [page - 1, *([page] if page == self.pages - 1 else [])]
        transcripts = filter(None, map(self.record.transcripts.get, plies))
        return [line for transcript in transcripts for line in lines_of(transcript, whole=whole)]

    def end(self) -> str:
        """How the game ended."""
        if self.record.ending == UNFINISHED:
            return f"The game is unfinished: {self.game.status(self.states[-1])}."
        if self.record.result == 0:
            cut = f", cut short after {several(self.pages - 1, 'ply', 'plies')}" if self.record.ending == "max_plies" else ""
            return f"A draw{cut}."
        winner = 0 if self.record.result == 1 else 1
        if self.record.ending == DECLARED:
            return f"{self.who(winner)} wins, as the file says."
        if self.record.ending not in LOST_BY:
            resigned = f", since {self.who(1 - winner)} resigned" if self.record.ending == ENDINGS[RESIGNED] else ""
            return f"{self.who(winner)} wins{resigned}."
        reason = f": {escape_unprintable(' '.join(self.record.reason.split()))}" if self.record.reason else ""
        return f"{self.who(winner)} wins by a fault of {self.who(1 - winner)} ({self.record.ending}){reason}"


def show_all(steps: Steps, out: Any) -> None:
    """Prints all pages."""
    print(steps.title(), file=out)
    for page in range(steps.pages):
        comment = steps.comment(page)
        transcript = [f"   {line}" for line in steps.transcript_lines(page)]
        lines = [f"\n{steps.move(page)}", *([f"   {comment}"] if comment else []), *transcript, "", steps.board(page)]
        print("\n".join(lines), file=out)
    print(f"\n{steps.end()}", file=out)


def walk(steps: Steps, out: Any, key: Callable[[], str]) -> None:
    """Shows one page at a time; keys turn pages until one of QUIT is pressed.

    Args:
        steps: the game.
        out: the terminal.
        key: waits for the next key and returns it.
    """
    page, pressed, whole, keys = 0, "", False, HELP_TRANSCRIPT if steps.record.transcripts else HELP
    while True:
        where = f"{steps.title()}   {page}/{steps.pages - 1}"
        print(f"{CLEAR}{where}\n\n{steps.board(page)}\n\n{steps.move(page)}", file=out, flush=True)
        print(steps.comment(page), file=out)  # may take a while
        end = steps.end() if page == steps.pages - 1 else ""
        print(*steps.transcript_lines(page, whole=whole), end, f"\n{keys}", sep="\n", file=out, flush=True)
        while (pressed := key()) not in KEYS and pressed != TRANSCRIPT:
            if pressed in QUIT:
                return
        if pressed == TRANSCRIPT:
            whole = not whole
            continue
        page = min(max(page + KEYS[pressed], 0), steps.pages - 1)


def at_terminal() -> bool:
    """Whether stdin and stdout are a terminal whose keys can be read one by one."""
    return sys.stdin.isatty() and sys.stdout.isatty() and termios is not None


@contextmanager
def keyboard() -> Generator[Callable[[], str]]:
    """Yields a function that waits for the next key and returns its characters, or "" at the end of the input."""
    assert termios is not None
    assert tty is not None
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)  # TCSADRAIN keeps what was typed already
        yield partial(_key, handle)
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _key(handle: int) -> str:
    pressed = os.read(handle, 1)
    if pressed == b"\x1b" and select.select([handle], [], [], 0.05)[0]:
        pressed += os.read(handle, 2)
    return pressed.decode(errors="replace")


# ---- transcripts


def lines_of(transcript: Transcript, *, whole: bool) -> list[str]:
    """The lines of a transcript, without characters that could control the terminal.

    Args:
        transcript: the questions about a move, and the replies.
        whole: whether to show the instructions, the first question and all lines of replies too.
    """
    lines = [_costs(transcript)]
    if whole and transcript.system:
        lines += ["instructions:", *_indent(transcript.system)]
    for number, attempt in enumerate(transcript.attempts):
        if whole or number:
            lines += ["question:", *_indent(attempt.question)]
        for name, text in (("reasoning", attempt.reasoning), ("reply", attempt.reply)):
            block = [*_indent(text)]
            if len(block) > MOST_LINES and not whole:
                block = [f"   … {several(len(block) - MOST_LINES, 'line')} before", *block[-MOST_LINES:]]  # the move is at the end
            lines += [f"{name}:", *block] if block else []
        lines += [] if attempt.reply else ["no reply"]
        lines += [*_fault(attempt)]
    return lines


def _costs(transcript: Transcript) -> str:
    attempts = transcript.attempts
    parts = [escape_unprintable(transcript.model), f"{len(attempts)} replies" if len(attempts) > 1 else "1 reply"]
    if any(attempt.tokens_out is not None for attempt in attempts):
        tokens_in, tokens_out = (sum(getattr(attempt, name) or 0 for attempt in attempts) for name in ("tokens_in", "tokens_out"))
        parts.append(f"{several(tokens_in, 'token')} in, {tokens_out:,} out")
    return ", ".join(filter(None, [*parts, f"{sum(attempt.milliseconds for attempt in attempts) / 1000:.2f} s"]))


def _indent(text: str) -> Iterator[str]:
    return (f"   {escape_unprintable(line)}".rstrip() for line in text.expandtabs().strip("\n").split("\n")) if text else iter(())


def _fault(attempt: Attempt) -> Iterator[str]:
    if attempt.fault:
        yield f"{attempt.fault}: {escape_unprintable(' '.join(attempt.reason.split()))}" if attempt.reason else attempt.fault
