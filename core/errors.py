"""Errors in words, which exceptions count as a policy's fault, and texts of others made fit to be printed and stored."""

from __future__ import annotations

import traceback
from pathlib import Path

LONGEST_REASON = 300

_policy_errors: tuple[type[BaseException], ...] = (Exception, SystemExit, GeneratorExit)


def policy_errors() -> tuple[type[BaseException], ...]:
    """The exceptions of a policy that do not end the match, for `except policy_errors():`.

    In the caller's process a KeyboardInterrupt counts as Ctrl-C and ends the match: one that a policy raised cannot be
    distinguished from one that the user sent. In a worker every exception is the policy's.
    """
    return _policy_errors


def declare_worker() -> None:
    """Declares this process a worker, which Ctrl-C does not reach: from now on every exception here is a policy's fault."""
    global _policy_errors
    _policy_errors = (BaseException,)


def describe_error(error: BaseException) -> str:
    """An error's type and text."""
    try:
        text = str(error)
    except policy_errors():  # __str__ fails too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def place_of(error: BaseException) -> str:
    """The file and line where an error was raised, in parentheses after a space; nothing where that is not known."""
    last_frame = traceback.extract_tb(error.__traceback__)[-1:]
    return "".join(f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in last_frame)


def escape_unprintable(text: str) -> str:
    """A text in which characters that are not printable are escaped, so that none can control a terminal."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


def sentence(text: str, longest: int = LONGEST_REASON) -> str:
    """A text on one line, of limited length, in characters that every file can hold."""
    line = escape_unprintable(" ".join(text.encode(errors="replace").decode().replace("\0", "").split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"


def shorten(text: str, longest: int) -> str:
    """A text of limited length: of a longer one the beginning and, since the move stands there, more of the end."""
    if len(text) <= longest:
        return text
    begin = longest // 4
    return f"{text[:begin]}\n[… {len(text) - longest:,} characters left out …]\n{text[begin - longest :]}"


def escape_surrogates(text: str) -> str:
    """A text without half characters, which can occur in names of files and which no file can hold."""
    return text.encode(errors="backslashreplace").decode()
