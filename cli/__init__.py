"""The command line: `ludus COMMAND …`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .last_resort import answered, check_streams


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status. Whatever goes wrong is a sentence on stderr (last_resort.py).

    The status is 0 when done, 1 for a check that found something or an error that nobody foresaw, 2 for a mistake that the user can
    correct, and 130 when interrupted.
    """
    try:
        check_streams()
        from .parser import run  # which takes a while, and may be interrupted

        try:
            return run([*(sys.argv[1:] if arguments is None else arguments)])
        finally:
            sys.stdout.flush()
    except SystemExit:  # of argparse, which has said all
        raise
    except BaseException as error:
        return answered(error)
