"""Errors that end a command: each becomes one sentence on stderr and an exit status, never a traceback.

Only the standard library is imported here, because errors during all other imports are reported, too.
"""

from __future__ import annotations

import errno
import io
import os
import select
import sys
import tempfile
import traceback
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TextIO

UNEXPECTED, MISTAKE, FAULTS, INTERRUPTED = 1, 2, 3, 130
"""Exit statuses; `FAULTS` is that of --fail-on-faults."""
WRITE_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)
MAX_MESSAGE = 200
"""Longer messages of unexpected errors are cut to this many characters."""
_format_as_python = warnings.formatwarning


def report_error(error: BaseException) -> int:
    """Prints why a command ended, and returns its exit status."""
    if isinstance(error, KeyboardInterrupt):
        return _print("interrupted", INTERRUPTED)
    if isinstance(error, BrokenPipeError) and _stdout_has_no_reader():  # `head` has closed the pipe, for example
        _discard_stdout()
        return 0
    if isinstance(error, OSError) and _is_of_stdout(error):
        _discard_stdout()
        return _print(f"stdout cannot be written ({error.strerror}); the output is incomplete", MISTAKE)
    if isinstance(error, OSError):
        return _print(_system_message(error), MISTAKE)
    if isinstance(error, (ValueError, MemoryError)):
        return _print(str(error) or "there is not enough memory", MISTAKE)
    return _print(f"{_short_message(error)}. This is a bug in ludus or a plug-in; {_keep_traceback(error)}", UNEXPECTED)


def exit_if_command(error: BaseException) -> None:
    """Reports an error in the imports of `ludus` and ends the process, if the process is the command `ludus`.

    Raises:
        SystemExit: it is.
    """
    name = sys.argv[0] if sys.argv else ""
    is_script = Path(name).stem == "ludus" and name in sys.orig_argv
    is_module = name == "-m" and "ludus.cli" in sys.orig_argv
    if (is_script or is_module) and not isinstance(error, SystemExit):
        raise SystemExit(report_error(error))


def check_streams() -> None:
    """Prepares the streams, on which warnings of the package are sentences.

    A closed stdin or stderr is replaced by /dev/null, so that no file that is opened later gets its number. Characters that the
    console does not know, for example on Windows or in the locale C, are replaced by `?`, in output and input.

    Raises:
        OSError: stdout is closed.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the system gives the lowest free number
    sys.stdin = _or_null(sys.stdin, "r")
    sys.stderr = _or_null(sys.stderr, "w")
    if _is_closed(sys.stdout):
        sys.stdout = _or_null(None, "w")
        raise OSError("stdout is closed, so nothing can be printed; redirect it, for example: ludus … > /dev/null")
    warnings.formatwarning = _format_warning
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):  # the latter in the locale C
            stream.reconfigure(errors="replace")


def _format_warning(message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None) -> str:
    is_ours = Path(filename).is_relative_to(Path(__file__).parents[1])
    return f"ludus: {message}\n" if is_ours else _format_as_python(message, category, filename, lineno, line)


def _or_null(stream: TextIO | None, mode: str) -> TextIO:
    return open(os.devnull, mode, encoding="utf-8") if stream is None or _is_closed(stream) else stream  # pyright: ignore


def _is_closed(stream: TextIO | None) -> bool:
    """Whether a stream is closed; one that was closed when Python started is None."""
    return stream is None or stream.closed


def _print(sentence: str, status: int) -> int:
    """Prints a sentence on stderr if it can be written, and returns the status."""
    # A sentence may quote a file or another machine, and such text must not control the terminal.
    text = "".join(sign if sign.isprintable() or sign == "\n" else sign.encode("unicode_escape").decode() for sign in sentence)
    with suppress(OSError, ValueError):
        print(f"ludus: {text}", file=sys.stderr, flush=True)
    return status


def _system_message(error: OSError) -> str:
    """The message of an error of the operating system, with its file."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return "the current folder no longer exists; change to another one"
    if error.strerror is None:
        return str(error)
    return f"{error.filename} cannot be used ({error.strerror})" if error.filename else f"operating system error: {error.strerror}"


def _short_message(error: BaseException) -> str:
    """The type and the message of an error, in one line."""
    message = " ".join(str(error).split())
    short = message if len(message) <= MAX_MESSAGE else message[: MAX_MESSAGE - 1] + "…"
    return f"{type(error).__name__}: {short}" if short else type(error).__name__


def _keep_traceback(error: BaseException) -> str:
    """Writes the traceback to a temporary file, or prints it if that fails, and says where it is."""
    text = "".join([f"{sys.orig_argv}\n", *traceback.format_exception(error)])
    try:
        handle, path = tempfile.mkstemp(prefix="ludus-", suffix=".traceback")
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError as other:
        with suppress(OSError, ValueError):
            print(text, file=sys.stderr)
        return f"its traceback is printed above, because no file could be written ({other.strerror})"
    return f"its traceback is in {path}"


def _is_of_stdout(error: OSError) -> bool:
    """Whether stdout cannot be written; errors of other files name them (core/files/writing.py)."""
    return error.errno in WRITE_ERRORS and error.strerror is not None and error.filename is None


def _stdout_has_no_reader() -> bool:
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), select.POLLERR)
        return bool(poll.poll(0))
    except (OSError, ValueError, AttributeError):  # stdout is not a file, or this system has no poll (Windows)
        return True


def _discard_stdout() -> None:
    """Sends whatever is still written to stdout, also at the end of the process, to /dev/null."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
