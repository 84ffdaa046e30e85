"""What a policy may raise, and how an error is put in words."""

from __future__ import annotations

LONGEST_REASON = 300

_wrong: tuple[type[BaseException], ...] = (Exception, SystemExit, GeneratorExit)


def wrong() -> tuple[type[BaseException], ...]:
    """What a policy may raise without ending the match, for `except wrong():`.

    In the caller's process a KeyboardInterrupt counts as Ctrl-C and ends the match: nothing tells one that a policy raised from
    one that the user sent. In a worker, everything is the policy's.
    """
    return _wrong


def no_user_here() -> None:
    """Says that this process is a worker, which Ctrl-C does not reach: from now on whatever is raised here is a policy's fault."""
    global _wrong
    _wrong = (BaseException,)


def said(error: BaseException) -> str:
    """An error's type and text."""
    try:
        text = str(error)
    except wrong():  # its own text is broken too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def printable(text: str) -> str:
    """A text whose every other character is written as Python writes it, so that no terminal obeys one of them."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


def sentence(text: str, longest: int = LONGEST_REASON) -> str:
    """A text on one line, not too long, in characters that every file can hold."""
    line = printable(" ".join(text.encode(errors="replace").decode().replace("\0", "").split()))
    return line if len(line) <= longest else line[: longest - 1] + "…"
