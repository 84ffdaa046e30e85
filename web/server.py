"""The server of the page: files by HTTP, and one WebSocket a page, over which it asks and is answered.

It keeps nothing about a game: a request carries the game from its start. So a reload, a shared address and a new server all
go on where the game stands.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..arena.pages import SHARED, connections
from ..arena.pages.guarded import Guarded
from ..arena.pages.messages import read_message, texts
from ..core.plugins import RefusedSpecError
from .offers import Offers
from .positions import shown
from .questions import Verdict, answered, best_verdict, check_policy, judged, opinion
from .requests import BROWSER, Answer, Follow, Games, Judge, Offer, Opine, Replay, Request, Show, Stop
from .thinkers import MEMORY, Thinkers
from .watched import Watched

PAGE = Path(__file__).parent / "page"
SECONDS = 60.0
"""How long a policy or an oracle may think about one request."""
LARGEST = 64 << 10
"""Bytes of a message from the page."""
MOST_PAGES = 200
"""Pages that may be connected at once."""
MOST_QUESTIONS = 32
"""Questions of one page that may be open at once."""
NUMBER = re.compile(r'"id"\s*:\s*(\d{1,15})(?![\d.eE])')
"""The number of a question in a message that is not understood, so that the page knows which of its questions failed."""
Asked = Offer | Show | Answer | Opine | Judge | Follow | Games | Replay
log = logging.getLogger("ludus")


def application(offers: Offers, watched: Watched, thinkers: int = 2, token: str | None = None) -> Guarded:
    """The application, for any ASGI server.

    Args:
        offers: what the page may choose from.
        watched: the stores and runs that it shows.
        thinkers: how many processes think.
        token: what browsers must bring; None where only this machine reaches the server.
    """
    desk = Desk(offers, watched, thinkers)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        yield
        desk.close()

    async def index(_: HttpRequest) -> Response:
        return FileResponse(PAGE / "index.html")

    async def watch(_: HttpRequest) -> Response:
        return FileResponse(PAGE / "watch.html")

    files = {"/page": PAGE, "/shared": SHARED}
    mounts = [Mount(path, StaticFiles(directory=folder)) for path, folder in files.items()]
    routes = [Route("/", index), Route("/watch", watch), WebSocketRoute("/socket", desk.serve), *mounts]
    return Guarded(Starlette(routes=routes, lifespan=lifespan), token)


def configured(app: Guarded) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return connections.configured(app, LARGEST, "on")


class Desk:
    """Answers the requests of all pages.

    Args:
        offers: what they may choose from.
        watched: the stores and runs that they show.
        thinkers: how many processes think for them.
    """

    def __init__(self, offers: Offers, watched: Watched, thinkers: int) -> None:
        self._offers, self._watched, self._count = offers, watched, thinkers
        self._thinkers: Thinkers | None = None
        self._pages = 0

    def close(self) -> None:
        """Ends what still thinks."""
        if self._thinkers is not None:
            self._thinkers.close()

    async def serve(self, socket: WebSocket) -> None:
        """Answers one page until it is closed. What it asks runs side by side; a page that goes away stops what it asked for."""
        await socket.accept()
        if self._pages >= MOST_PAGES:
            await socket.close(1013, f"{MOST_PAGES} pages are open; close one")
            return
        self._pages += 1
        self._thinkers = self._thinkers or Thinkers(self._count)
        asked = dict[int, asyncio.Task[None]]()
        try:
            async for text in texts(socket):
                if problem := self._take(socket, text, asked):
                    await self._send(socket, {"id": int(number[1]) if (number := NUMBER.search(text)) else None, "error": problem})
        finally:
            self._pages -= 1
            for task in asked.values():
                task.cancel()

    def _take(self, socket: WebSocket, text: str, asked: dict[int, asyncio.Task[None]]) -> str:
        """Starts what a message asks for, or says what is wrong with the message."""
        try:
            request: Request = read_message(text, Request, BROWSER)
        except msgspec.DecodeError as error:
            return f"this message is not understood: {error}"
        except RefusedSpecError as error:
            return str(error)
        if isinstance(request, Stop):
            if task := asked.pop(request.id, None):
                task.cancel()
        elif request.id in asked:
            return f"the question {request.id} is open already; give each a number of its own"
        elif len(asked) >= MOST_QUESTIONS:
            return f"{MOST_QUESTIONS} questions of this page are open; wait for their answers"
        else:
            asked[request.id] = task = asyncio.create_task(self._reply(socket, request))
            task.add_done_callback(lambda task: asked.pop(request.id) if asked.get(request.id) is task else None)
        return ""

    async def _reply(self, socket: WebSocket, request: Asked) -> None:
        """Sends the answer to a request, or a sentence about what is wrong with it."""
        try:
            if isinstance(request, Follow):
                await self._follow(socket, request)
                return
            if isinstance(request, Judge):
                answer = await asyncio.wait_for(self._judge(socket, request), SECONDS)
            else:
                answer = await self._answer(request)
        except (TimeoutError, asyncio.TimeoutError):
            answer = {"error": f"no answer after {SECONDS:g} seconds; choose lighter settings"}
        except ChildProcessError as error:
            answer = {"error": f"the process that thought about it {error}"}
        except (ValueError, OSError) as error:
            answer = {"error": str(error)}
        except MemoryError:
            answer = {"error": f"this takes more than {MEMORY >> 30} GiB of memory; choose lighter settings"}
        except Exception as error:  # of a policy, which may raise anything
            log.warning("a request of the page failed", exc_info=True)
            answer = {"error": f"{type(error).__name__}: {error}"}
        await self._send(socket, {"id": request.id, **answer})

    async def _follow(self, socket: WebSocket, request: Follow) -> None:
        """Sends how a store or a run stands, again and again, until the page stops it or goes away."""
        assert self._thinkers is not None
        with suppress(WebSocketDisconnect, RuntimeError):  # the page is gone
            async for news in self._watched.follow(request.name, self._thinkers):
                await socket.send_text(json.dumps({"id": request.id, **news}))

    async def _send(self, socket: WebSocket, message: dict[str, Any]) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the page is gone
            await socket.send_text(json.dumps(message))

    async def _judge(self, socket: WebSocket, request: Judge) -> dict[str, Any]:
        """Sends what perfect play says about each move as it comes; returns all of it, and the verdict on the position."""
        assert self._thinkers is not None
        moves = dict[str, Verdict]()
        while True:
            some = await self._thinkers.ask(SECONDS, judged, request.game, request.start, request.moves, [*moves])
            moves |= some["moves"]
            if not some["left"]:
                return {"moves": moves, "reach": some["reach"], **best_verdict(moves)}
            await self._send(socket, {"id": request.id, "left": some["left"], "moves": some["moves"]})

    async def _answer(self, request: Offer | Show | Answer | Opine | Games | Replay) -> dict[str, Any]:
        if isinstance(request, Offer):
            return {**self._offers.document(), "watched": self._watched.document()}
        assert self._thinkers is not None
        if isinstance(request, Games):
            return await self._watched.games(request, self._thinkers)
        if isinstance(request, Replay):
            return await self._watched.replay(request, self._thinkers)
        line = request.game, request.start, request.moves
        if isinstance(request, Show):
            for policy in map(self._offers.policy, request.policies):
                await self._thinkers.ask(SECONDS, check_policy, policy, request.game)
            return await asyncio.to_thread(shown, *line)
        policy = self._offers.policy(request.policy)
        if isinstance(request, Opine):
            return await self._thinkers.ask(SECONDS, opinion, *line, policy)
        return await self._thinkers.ask(SECONDS, answered, *line, policy, request.seed)
