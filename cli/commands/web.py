"""`ludus web`: play against any policy in the browser, and see what perfect play says."""

from __future__ import annotations

import argparse
import os
import socket
import sys
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from secrets import token_urlsafe

from ...core.files.writing import path_of
from ...core.plugins.loading import check_installed
from ..terminal.options import whole
from ..terminal.output import print_json

PORT = 8000
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Hosts that mean all addresses of a machine, each with this machine's own address of the kind."""
HOST = "the address to serve at (default: 127.0.0.1, this machine only; elsewhere clients need the token that is printed)"
NUM_PORTS = 20
"""How many ports are tried, from PORT upwards."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options."""
    parser.add_argument("shown", nargs="*", metavar="STORE|RUN", help="stores of tournaments and folders of training runs to watch")
    parser.add_argument(
        "--policies", nargs="+", default=[], metavar="SPEC", help="policies to offer besides, such as a table or a model in a file"
    )
    parser.add_argument("--port", action=whole(0, 65535), metavar="N", help=f"the port (default: {PORT}, or the next that is free)")
    parser.add_argument("--host", default="127.0.0.1", help=HOST)
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")


def run(chosen: argparse.Namespace) -> None:
    """Serves the page until it is interrupted."""
    if os.name != "posix":
        raise OSError(
            "ludus web runs policies in separate processes, which need Linux or macOS; "
            "on Windows start it in WSL, or play in the terminal with ludus play"
        )
    check_installed("ludus web", "web")
    from ...arena.pages.guarded import server_of
    from ...web.offers import Offers
    from ...web.server import LARGEST, application
    from ...web.watch_list import WatchList

    watched = WatchList(chosen.shown)
    for path in map(path_of, chosen.shown):
        check_watchable(path)
    listening = listening_socket(chosen.host, chosen.port)
    token = token_for(listening)
    app = application(
        Offers(watched.runs() | {spec: spec for spec in chosen.policies}, networks()), watched, token=token, name=chosen.host
    )
    page, _, fragment = watched.first.partition("#")
    address = f"{address_of(listening)}/{page}{f'?token={token}' if token else ''}{f'#{fragment}' if fragment else ''}"
    if chosen.json:
        print_json({"address": address})
        sys.stdout.flush()
    else:
        print(f"Ludus is at {address} (Ctrl-C ends it)", flush=True)
        if listening.getsockname()[0] in EVERYWHERE:
            print("On other machines, use the name or the address of this machine instead.", flush=True)
    if not chosen.no_open:
        with suppress(webbrowser.Error):
            webbrowser.open(address)
    server_of(app, LARGEST).run(sockets=[listening])


def check_watchable(path: Path) -> None:
    """Checks that a path is a store, the folder of a run, or an empty folder, in which a run may begin."""
    from ...arena.store.database import Database
    from ...baselines.runs.folder import Folder

    if not path.is_dir():
        Database.open(path).close()
    elif any(path.iterdir()):
        Folder.open(path)


def networks() -> list[str]:
    """The specs of the games that `alphazero` plays with a shipped network; none without torch."""
    if find_spec("torch") is None:
        return []
    from ...baselines.alphazero.networks.shipped import games_with_networks

    return games_with_networks()


def token_for(listening: socket.socket) -> str | None:
    """A new token for a server that other machines can reach; None if only this machine can."""
    return None if ip_address(listening.getsockname()[0]).is_loopback else token_urlsafe(24)


def address_of(listening: socket.socket) -> str:
    """The address of a server, as this machine calls it: `http://127.0.0.1:8000`."""
    host, port = listening.getsockname()[:2]
    name = EVERYWHERE.get(str(host), str(host))
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def listening_socket(host: str, port: int | None) -> socket.socket:
    """A socket that listens at the given port, or without one at the first free port from PORT upwards."""
    ports = [port] if port is not None else [*range(PORT, PORT + NUM_PORTS), 0]  # 0 is any free port
    for number in ports:
        listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if os.name == "posix":  # reuses a port that a server has just left; on Windows it would take the port of a running server
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, number))
            listening.listen()
            return listening
        except OSError as error:
            listening.close()
            if number == ports[-1]:
                raise OSError(f"cannot listen at {host}:{number} ({error.strerror}); choose another --port or --host") from error
    raise AssertionError("there is always a last port")
