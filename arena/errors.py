"""What a policy may raise, and how an error is put in words."""

from __future__ import annotations

WRONG = (Exception, SystemExit)
"""What a policy may raise without ending the match; Ctrl-C does end it."""
LONGEST_REASON = 300


def said(error: BaseException) -> str:
    """An error's type and text."""
    try:
        text = str(error)
    except Exception:  # its own text is broken too
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def sentence(text: str, longest: int = LONGEST_REASON) -> str:
    """A text on one line, not too long, in characters that every file can hold."""
    line = " ".join(text.encode(errors="replace").decode().replace("\0", "").split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
