"""`ludus engine --policy SPEC`: a policy as an engine, which other programs ask on its standard input."""

from __future__ import annotations

import argparse
import sys

from ...text.answering import answer_lines, lines_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("--policy", required=True, metavar="SPEC", help="the policy that plays")


def run(chosen: argparse.Namespace) -> None:
    """Answers until the input ends."""
    for answer in answer_lines(chosen.policy, lines_of(sys.stdin.buffer)):
        print(answer, flush=True)
