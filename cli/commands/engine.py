"""`ludus engine --policy SPEC`: a policy as an engine, which other programs ask on its standard input."""

from __future__ import annotations

import argparse
import sys

from ...text.answering import PROTOCOLS, answer_lines, lines_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("--policy", required=True, metavar="SPEC", help="the policy that plays")
    parser.add_argument(
        "--protocol", choices=PROTOCOLS, default="ludus", help="what the other program speaks (default: ludus's own lines)"
    )
    parser.add_argument("--game", metavar="SPEC", help="the game, which GTP does not name")


def run(chosen: argparse.Namespace) -> None:
    """Answers until the input ends."""
    lines = lines_of(sys.stdin.buffer)
    for answer in answer_lines(chosen.policy, lines, chosen.protocol, chosen.game, seed=chosen.seed):
        print(answer, flush=True)
