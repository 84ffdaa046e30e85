"""`ludus serve GAME`: single moves and whole games as an environment over a WebSocket, for trainers of language models."""

from __future__ import annotations

import argparse
import sys

from ...core.plugins.loading import check_installed
from ...text.scoring import REWARDS
from ..terminal.options import whole
from ..terminal.output import print_json
from .web import HOST, address_of, listening_socket, token_for


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    add = parser.add_argument
    add("game", help="spec of the game, for example quixo:size=4")
    add("--opponent", metavar="SPEC", help="the policy that plays the other side of whole games (default: single moves)")
    add("--count", action=whole(1, 10**6), default=1000, metavar="N", help="number of tasks (default: 1000)")
    add(
        "--retries",
        action=whole(0, 1000),
        default=2,
        metavar="N",
        help="answers without a legal move that a game allows (default: 2)",
    )
    add("--legal", action="store_true", help="list the legal moves")
    add("--variant", metavar="NAME|FILE", default="plain", help="a variant of the prompt, such as grid+legal (default: plain)")
    add(
        "--reward",
        choices=("result", *REWARDS),
        help="what is rewarded (default: the result of a game, and the regret of a single move)",
    )
    add("--port", action=whole(0, 65535), metavar="N", help="the port (default: 8000, or the next that is free)")
    add("--host", default="127.0.0.1", help=HOST)


def run(chosen: argparse.Namespace) -> None:
    """Serves until it is interrupted."""
    check_installed("ludus serve", "web")
    from ...arena.pages.guarded import server_of
    from ...text.environments import Tasks
    from ...text.environments.serving import LARGEST, application

    tasks = Tasks.from_settings(chosen)
    counts = {"train": len(tasks.train), "test": len(tasks.test)}
    listening = listening_socket(chosen.host, chosen.port)
    token, address = token_for(listening), address_of(listening)
    if chosen.json:
        print_json({"address": address, **({"token": token} if token else {}), **counts})
        sys.stdout.flush()
    else:
        print(f"{counts['train']} tasks for training and {counts['test']} for testing at {address} (Ctrl-C ends it)", flush=True)
        if token:
            print(f"Clients send the header Authorization: Bearer {token}, or add ?token={token} to each address.", flush=True)
    server_of(application(tasks, token, chosen.host), LARGEST).run(sockets=[listening])
