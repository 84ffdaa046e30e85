"""What was said about a move, as lines for a terminal, which nothing in them can control."""

from __future__ import annotations

from collections.abc import Iterator

from ...agents.answers import Attempt, Transcript
from ...core.errors import escape_unprintable
from ...core.numbers import several

MOST_LINES = 8
"""So many lines of a reply are shown where not all is asked for."""


def lines_of(transcript: Transcript, *, whole: bool) -> list[str]:
    """What was said about a move.

    Args:
        transcript: what was said.
        whole: whether to show the instructions, the first question and all lines of replies too.
    """
    lines = [_costs(transcript)]
    if whole and transcript.system:
        lines += ["instructions:", *_indented(transcript.system)]
    for number, attempt in enumerate(transcript.attempts):
        if whole or number:
            lines += ["question:", *_indented(attempt.question)]
        for name, text in (("reasoning", attempt.reasoning), ("reply", attempt.reply)):
            said = [*_indented(text)]
            if len(said) > MOST_LINES and not whole:
                said = [f"   … {several(len(said) - MOST_LINES, 'line')} before", *said[-MOST_LINES:]]  # the move stands at the end
            lines += [f"{name}:", *said] if said else []
        lines += [] if attempt.reply else ["no reply"]
        lines += [*_fault(attempt)]
    return lines


def _costs(transcript: Transcript) -> str:
    attempts = transcript.attempts
    parts = [escape_unprintable(transcript.model), f"{len(attempts)} replies" if len(attempts) > 1 else "1 reply"]
    if any(one.tokens_out is not None for one in attempts):
        tokens_in, tokens_out = (sum(getattr(one, name) or 0 for one in attempts) for name in ("tokens_in", "tokens_out"))
        parts.append(f"{several(tokens_in, 'token')} in, {tokens_out:,} out")
    return ", ".join(filter(None, [*parts, f"{sum(one.milliseconds for one in attempts) / 1000:.2f} s"]))


def _indented(text: str) -> Iterator[str]:
    return (f"   {escape_unprintable(line)}".rstrip() for line in text.expandtabs().strip("\n").split("\n")) if text else iter(())


def _fault(attempt: Attempt) -> Iterator[str]:
    if attempt.fault:
        yield f"{attempt.fault}: {escape_unprintable(' '.join(attempt.reason.split()))}" if attempt.reason else attempt.fault
