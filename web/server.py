"""The server of the page: files over HTTP, and one WebSocket per page for its requests and their answers.

It stores nothing about a game: each request contains the game from its start. So after a reload, from a shared address or with a
new server, the game goes on from the same position.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..arena.pages.guarded import GuardedApp
from ..arena.pages.messages import read_message, texts
from ..arena.pages.single import SHARED
from ..core.plugins import RefusedSpecError
from .offers import Offers, lesson_document, puzzles_document
from .positions import position_view
from .questions import Verdict, answer_move, best_verdict, check_policy, judge_moves, opinion
from .requests import (
    Answerable,
    AnswerRequest,
    FollowRequest,
    GamesRequest,
    JudgeRequest,
    OfferRequest,
    OpineRequest,
    PuzzlesRequest,
    ReplayRequest,
    Request,
    ShowRequest,
    StopRequest,
    TeachRequest,
)
from .stores import games_of, replay_of
from .thinkers import MEMORY, Thinkers
from .watch_list import WatchList

PAGE = Path(__file__).parent / "page"
SECONDS = 60.0
"""How long a policy or an oracle may think about one request."""
LARGEST = 64 << 10
"""Bytes of a message from the page."""
MOST_PAGES = 200
"""Pages that may be connected at once."""
MOST_REQUESTS = 32
"""Requests of one page that may be without an answer at once."""
NUMBER = re.compile(r'"id"\s*:\s*(\d{1,15})(?![\d.eE])')
"""Finds the number of a request in a message that cannot be read, so that the page knows which of its requests failed."""
T = TypeVar("T")
log = logging.getLogger("ludus")


def application(
    offers: Offers, watched: WatchList, thinkers: int = 2, token: str | None = None, name: str = "localhost"
) -> GuardedApp:
    """The application, for any ASGI server.

    Args:
        offers: the choices on the page.
        watched: the stores and runs that it shows.
        thinkers: the number of processes in which policies and oracles run.
        token: the token that browsers must send; None if only this machine can reach the server.
    """
    desk = Desk(offers, watched, thinkers)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        yield
        desk.close()

    async def page(request: HttpRequest) -> Response:
        return FileResponse(PAGE / ("index.html" if request.url.path == "/" else "watch.html"))

    pages = [Route("/", page), Route("/watch", page), WebSocketRoute("/socket", desk.serve)]
    files = [Mount(path, StaticFiles(directory=folder)) for path, folder in {"/page": PAGE, "/shared": SHARED}.items()]
    return GuardedApp(Starlette(routes=[*pages, *files], lifespan=lifespan), token, name=name)


class Desk:
    """Answers the requests of all pages; see `application`."""

    def __init__(self, offers: Offers, watched: WatchList, thinkers: int) -> None:
        self._offers, self._watched, self._thinkers = offers, watched, Thinkers(thinkers)
        self._pages = 0

    def close(self) -> None:
        """Ends the processes."""
        self._thinkers.close()

    async def serve(self, socket: WebSocket) -> None:
        """Answers a page until it is closed. Its requests run at the same time, and are stopped when the page is closed."""
        await socket.accept()
        if self._pages >= MOST_PAGES:
            await socket.close(1013, f"{MOST_PAGES} pages are open; close one")
            return
        self._pages += 1
        tasks = dict[int, asyncio.Task[None]]()
        try:
            async for text in texts(socket):
                if problem := self._start(socket, text, tasks):
                    await self._send(socket, {"id": int(number[1]) if (number := NUMBER.search(text)) else None, "error": problem})
        finally:
            self._pages -= 1
            for task in tasks.values():
                task.cancel()

    def _start(self, socket: WebSocket, text: str, tasks: dict[int, asyncio.Task[None]]) -> str:
        """Starts or stops what a message asks for, or returns a sentence about what is wrong with the message."""
        try:
            request: Request = read_message(text, Request)
        except msgspec.DecodeError as error:
            return f"this message cannot be read: {error}"
        except RefusedSpecError as error:
            return str(error)
        if isinstance(request, StopRequest):
            if task := tasks.pop(request.id, None):
                task.cancel()
        elif request.id in tasks:
            return f"request {request.id} has no answer yet; give each request its own number"
        elif len(tasks) >= MOST_REQUESTS:
            return f"{MOST_REQUESTS} requests of this page have no answer yet; wait for the answers"
        else:
            tasks[request.id] = task = asyncio.create_task(self._reply(socket, request))
            # a request that was stopped may have a successor with the same number, which must stay
            task.add_done_callback(lambda task: tasks.pop(request.id) if tasks.get(request.id) is task else None)
        return ""

    async def _reply(self, socket: WebSocket, request: Answerable | FollowRequest) -> None:
        """Sends the answer to a request, or a sentence about what is wrong with it."""
        try:
            if isinstance(request, FollowRequest):
                async for news in self._watched.follow(request.name, self._thinkers):
                    await self._send(socket, {"id": request.id, **news})
                return
            answer = await self._answer(socket, request)
        except (TimeoutError, asyncio.TimeoutError):
            answer = {"error": f"no answer after {SECONDS:g} seconds; choose lighter settings"}
        except ChildProcessError as error:
            answer = {"error": f"the process that worked on it {error}"}
        except (ValueError, OSError) as error:
            answer = {"error": str(error)}
        except MemoryError:
            answer = {"error": f"this takes more than {MEMORY >> 30} GiB of memory; choose lighter settings"}
        except Exception as error:  # a policy may raise any error
            log.warning("a request of the page failed", exc_info=True)
            answer = {"error": f"{type(error).__name__}: {error}"}
        await self._send(socket, {"id": request.id, **answer})

    async def _send(self, socket: WebSocket, message: dict[str, Any]) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the page is gone
            await socket.send_text(json.dumps(message))

    async def _judge(self, socket: WebSocket, request: JudgeRequest) -> dict[str, Any]:
        """Sends the verdicts on moves as they come; returns all of them, with the verdict on the position."""
        moves = dict[str, Verdict]()
        while True:
            answer = await self._ask(judge_moves, *request.line, [*moves])
            moves |= answer["moves"]
            if not answer["left"]:
                return {"moves": moves, "reach": answer["reach"], **best_verdict(moves)}
            await self._send(socket, {"id": request.id, "left": answer["left"], "moves": answer["moves"]})

    async def _answer(self, socket: WebSocket, request: Answerable) -> dict[str, Any]:
        match request:
            case OfferRequest():
                return {**self._offers.document(), "watched": self._watched.document()}
            case TeachRequest():
                return lesson_document(request.game)
            case PuzzlesRequest():
                return puzzles_document(request.game)
            case ShowRequest():
                for policy in map(self._offers.policy, request.policies):
                    await self._ask(check_policy, policy, request.game)
                return await asyncio.to_thread(position_view, *request.line)
            case AnswerRequest():
                return await self._ask(answer_move, *request.line, self._offers.policy(request.policy), request.seed)
            case OpineRequest():
                return await self._ask(opinion, *request.line, self._offers.policy(request.policy))
            case JudgeRequest():
                return await asyncio.wait_for(self._judge(socket, request), SECONDS)
            case GamesRequest():
                return await self._ask(games_of, self._watched.path(request.store), request)
            case ReplayRequest():
                return await self._ask(replay_of, self._watched.path(request.store), request.pairing, request.number)

    async def _ask(self, function: Callable[..., T], *arguments: Any) -> T:
        return await self._thinkers.ask(SECONDS, function, *arguments)
