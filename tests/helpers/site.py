"""The board in the browser, served for tests, and a connection to it without a browser."""

import itertools
import json
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from ludus.arena.pages.guarded import server_of
from ludus.cli.commands.web import listening_socket
from ludus.web.offers import Offers
from ludus.web.server import LARGEST, application
from ludus.web.watch_list import WatchList

from .system.browser import PATIENCE


@contextmanager
def served(
    port: int = 0,
    thinkers: int = 1,
    watched: Iterable[str] = (),
    networks: Collection[str] = (),
    token: str | None = None,
    **named: str,
) -> Iterator[str]:
    """Serves the page from a thread, with stores and runs to watch; gives its host, as `127.0.0.1:8000`."""
    listening = listening_socket("127.0.0.1", port)
    host = "{}:{}".format(*listening.getsockname())
    shown = WatchList(watched)
    app = application(Offers(shown.runs() | named, networks), shown, thinkers, token)
    server = server_of(app, LARGEST)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        yield host
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


@contextmanager
def connected(host: str) -> Iterator["Client"]:
    """A page's connection, without the page."""
    with connect(f"ws://{host}/socket", origin=Origin(f"http://{host}")) as socket:
        yield Client(socket)


class Client:
    """A page's connection, spoken to by tests."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)

    def send(self, kind: str, **fields: Any) -> int:
        """Asks, and gives the number of the request."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"type": kind, "id": number, **fields}))
        return number

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """What the server answers; of an answer in parts, the last one, which is the whole."""
        number = self.send(kind, **fields)
        while (answer := self.next())["id"] != number or "left" in answer:
            pass
        return answer

    def next(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next message of the server."""
        return json.loads(self._socket.recv(seconds))

    def say(self, text: str | bytes) -> None:
        """Sends anything."""
        self._socket.send(text)
