"""What a command says to whatever ended it: one sentence on stderr, and an exit status; never a traceback.

It needs the standard library alone, since it also answers what goes wrong while everything else is imported.
"""

from __future__ import annotations

import errno
import os
import select
import sys
import tempfile
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TextIO

UNFORESEEN, MISTAKE, INTERRUPTED = 1, 2, 130
"""Exit statuses."""
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
SHOWN = 200
"""So many characters of an error that nobody foresaw are shown."""


def answered(error: BaseException) -> int:
    """Says what ended a command, and returns the exit status."""
    if isinstance(error, KeyboardInterrupt):
        return _say("interrupted", INTERRUPTED)
    if isinstance(error, BrokenPipeError) and _nobody_reads_stdout():  # as when `head` has seen enough
        _discard_stdout()
        return 0
    if isinstance(error, OSError) and _of_stdout(error):
        _discard_stdout()
        return _say(f"stdout cannot be written ({error.strerror}); what was printed is not whole", MISTAKE)
    if isinstance(error, OSError):
        return _say(_sentence(error), MISTAKE)
    if isinstance(error, (ValueError, MemoryError)):
        return _say(str(error) or "there is not enough memory", MISTAKE)
    return _say(f"{_named(error)}. This is a fault; {_where_kept(error)}", UNFORESEEN)


def leave(error: BaseException) -> None:
    """Ends the process for an error in the imports of `ludus`, if it is the command `ludus` that starts.

    Raises:
        SystemExit: it is; all is said.
    """
    name = sys.argv[0] if sys.argv else ""
    script = Path(name).stem == "ludus" and name in sys.orig_argv
    module = name == "-m" and "ludus.cli" in sys.orig_argv
    if (script or module) and not isinstance(error, SystemExit):
        raise SystemExit(answered(error))


def check_streams() -> None:
    """Puts /dev/null in the place of a stdin or stderr that is closed, so that no file that is opened later takes its number.

    Raises:
        OSError: stdout is closed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the system gives the lowest number that is free
    sys.stdin = _there(sys.stdin, "r")
    sys.stderr = _there(sys.stderr, "w")
    if _closed(sys.stdout):
        sys.stdout = _there(None, "w")
        raise OSError("stdout is closed, so nothing can be printed; send it somewhere, as by: ludus … > /dev/null")


def _there(stream: TextIO | None, mode: str) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8") if stream is None or _closed(stream) else stream  # pyright: ignore


def _closed(stream: TextIO | None) -> bool:
    """Whether a stream is not there; Python has None for one that was closed when it started."""
    return stream is None or stream.closed


def _say(sentence: str, status: int) -> int:
    """Prints a sentence in one line, if there is somebody to read it."""
    with suppress(OSError, ValueError):
        print(f"ludus: {sentence}", file=sys.stderr, flush=True)
    return status


def _sentence(error: OSError) -> str:
    """What an error of the system says, with its file."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return "the folder that this command runs in is not there any more; change to one that is"
    if error.strerror is None:
        return str(error)
    return f"{error.filename} cannot be used ({error.strerror})" if error.filename else f"the system said: {error.strerror}"


def _named(error: BaseException) -> str:
    """An error by its kind and its words, in one line."""
    words = " ".join(str(error).split())
    shown = words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__


def _where_kept(error: BaseException) -> str:
    """Keeps the traceback of an error in a file of the user's own, or prints it where there is no room: where it is."""
    text = "".join([f"{sys.orig_argv}\n", *traceback.format_exception(error)])
    try:
        handle, path = tempfile.mkstemp(prefix="ludus-", suffix=".traceback")
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as other:
        with suppress(OSError, ValueError):
            print(text, file=sys.stderr)
        return f"its traceback is above, since it cannot be kept in a file ({other.strerror})"
    return f"its traceback is in {path}"


def _of_stdout(error: OSError) -> bool:
    """Whether stdout cannot be written; errors of other files name them (envs/files/writing.py)."""
    return error.errno in NO_ROOM and error.strerror is not None and error.filename is None


def _nobody_reads_stdout() -> bool:
    try:
        watch = select.poll()
        watch.register(sys.stdout.fileno(), select.POLLERR)
        return bool(watch.poll(0))
    except (OSError, ValueError, AttributeError):  # stdout is no file, or there is no poll here, as on Windows
        return True


def _discard_stdout() -> None:
    """Has nothing more written to stdout, also not at the end of the process."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
