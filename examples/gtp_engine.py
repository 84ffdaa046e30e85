"""A program that speaks GTP, the Go Text Protocol, as an engine: `engine:python examples/gtp_engine.py PROGRAM ARGUMENTS`.

Othello on 8×8 with GRhino (`apt install grhino`), level 1 to 5, without its opening book:

    ludus arena othello --policies minimax:depth=4 "engine:python examples/gtp_engine.py gtp-rhino --level 2 --book 0"

GTP has no command of its own for a position; GRhino's is used here (docs/text.md#engines).
"""

import subprocess
import sys

PIPE = subprocess.PIPE
program = subprocess.Popen(sys.argv[1:], stdin=PIPE, stdout=PIPE, text=True)
to_it, from_it = program.stdin, program.stdout


def ask(command: str) -> str:
    """What the program answers: `= ANSWER` or `? REASON`, and an empty line."""
    assert to_it is not None
    assert from_it is not None
    print(command, file=to_it, flush=True)
    first = from_it.readline()
    for line in from_it:
        if not line.strip():
            break
    if not first.startswith("="):
        raise SystemExit(f"{sys.argv[1]} answered {command!r} with {first!r}")
    return first[1:].strip().lower()


player = ""
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "game" and rest != "othello":
        raise SystemExit(f"this plays othello on 8×8, not {rest}")
    elif word == "position":
        cells, player = rest.split()
        ask(f"grhino-setup_board {cells} {player}")
    elif word == "go":
        print("bestmove", ask(f"genmove {'black' if player == 'X' else 'white'}"), flush=True)
    elif word == "quit":
        break
program.terminate()
