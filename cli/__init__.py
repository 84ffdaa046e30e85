"""The command line: `ludus COMMAND …`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .errors import check_streams, report_error


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status. Errors are reported in a sentence on stderr (errors.py).

    The status is 0 for success, 1 for a check that failed or an unexpected error, 2 for a mistake that the user can correct, 3 for
    games that were lost by faults where that was asked for, and 130 for an interrupt.
    """
    try:
        check_streams()
        from .parser import run  # slow to import, so Ctrl-C must be handled already

        try:
            return run([*(sys.argv[1:] if arguments is None else arguments)])
        finally:
            sys.stdout.flush()
    except SystemExit:  # argparse has printed its message
        raise
    except BaseException as error:
        return report_error(error)
