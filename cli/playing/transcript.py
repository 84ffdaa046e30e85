"""The transcript of a move as lines for a terminal, without characters that could control the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from ...agents.answers import Attempt, Transcript
from ...core.errors import escape_unprintable
from ...core.numbers import several

MOST_LINES = 8
"""The number of lines of a reply that are shown, unless the whole transcript is asked for."""


def lines_of(transcript: Transcript, *, whole: bool) -> list[str]:
    """The lines of a transcript.

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
