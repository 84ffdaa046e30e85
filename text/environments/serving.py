"""Episodes over HTTP and WebSocket, as JSON: reset, step, state. The clients of openenv-core understand it.

    WebSocket /ws      {"type": "reset", "data": {…}}, {"type": "step", "data": {"answer": …}}, {"type": "state"}, {"type": "close"}
    POST /reset        {"seed": 1, "split": "test"}, all of it optional; the answer names the episode
    POST /step         {"episode_id": …, "action": {"answer": "I play c2"}}
    GET  /state        ?episode_id=…
    GET  /health  /metadata  /schema

A connection has one episode at a time, and over HTTP each reset begins another. Nothing that a client sends names a policy or a
file.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Annotated, Any, Literal
from uuid import uuid4

import msgspec
import uvicorn
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ... import __version__
from ...arena.pages import connections
from ...arena.pages.guarded import Guarded
from ...arena.pages.messages import read_message, texts
from ...core.plugins import Sender
from .episodes import Episode
from .tasks import Task, Tasks

LARGEST = 256 << 10
"""Bytes of a message or a body."""
MOST_EPISODES = 256
"""Connections, and episodes over HTTP, that are kept at once. One more over HTTP ends the one that was silent for longest."""
SECONDS_TO_SEND = 30.0
"""How long the body of a request may take to come."""
MOST_THREADS = 8
"""Requests that are worked on at once."""
CLIENT = Sender("the client")
log = logging.getLogger("ludus")


class Reset(Struct, frozen=True, forbid_unknown_fields=True):
    """What an episode begins with.

    Args:
        seed: which task; None for the next one.
        split: of which split.
        position: a position of one's own, as text; the player to move answers.
        episode_id: a name for the episode.
    """

    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    split: Literal["train", "test"] = "train"
    position: Annotated[str, Meta(max_length=1000)] | None = None
    episode_id: Annotated[str, Meta(max_length=255)] | None = None


class Action(Struct, frozen=True):
    """What the player does.

    Args:
        answer: its answer, in any form.
    """

    answer: str


class Step(Struct, frozen=True):
    """An action in an episode over HTTP."""

    episode_id: str
    action: Action


class Message(Struct, frozen=True):
    """What comes by WebSocket; `data` is a `Reset` or an `Action`."""

    type: Literal["reset", "step", "state", "close"]
    data: msgspec.Raw = msgspec.Raw(b"{}")


class Session:
    """One episode after the other, for one client.

    Args:
        begin: gives the episode of a reset.
        threads: bounds how many requests are worked on at once.
    """

    def __init__(self, begin: Callable[[Reset], Episode], threads: asyncio.Semaphore) -> None:
        self._begin, self._threads, self._lock = begin, threads, asyncio.Lock()
        self._episode: Episode | None = None
        self.name = ""

    async def reset(self, asked: Reset) -> dict[str, Any]:
        """Begins an episode.

        Raises:
            ValueError: the position cannot be, or is finished.
        """
        async with self._lock, self._threads:
            self._episode = await asyncio.to_thread(self._begin, asked)
            self.name = asked.episode_id or uuid4().hex
            return {"observation": self._seen(self._episode), "reward": None, "done": self._episode.over}

    async def step(self, action: Action) -> dict[str, Any]:
        """Takes an answer.

        Raises:
            ValueError: there is no episode, or it is over.
        """
        async with self._lock, self._threads:
            episode = self._running()
            found = await asyncio.to_thread(episode.take, action.answer)
            reward = episode.reward if episode.over else None
            return {
                "observation": {**self._seen(episode), "score": episode.score_document(found)},
                "reward": reward,
                "done": episode.over,
            }

    def state(self) -> dict[str, Any]:
        """The episode so far.

        Raises:
            ValueError: there is no episode.
        """
        episode = self._running()
        return {"episode_id": self.name, "step_count": len(episode.scores), **episode.document(), "metrics": episode.metrics}

    def _running(self) -> Episode:
        if self._episode is None:
            raise ValueError("there is no episode; reset first")
        return self._episode

    def _seen(self, episode: Episode) -> dict[str, Any]:
        game = episode.game
        return {"question": episode.question, "game": game.spec, "position": game.text(episode.state), "score": None}


class Host:
    """Answers all clients.

    Args:
        tasks: what they are given to do.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks, self._numbers, self._threads = tasks, count(), asyncio.Semaphore(MOST_THREADS)
        self._sessions = dict[str, Session]()
        self._connections = 0

    def session(self) -> Session:
        """Room for a client's episodes."""
        return Session(self._begin, self._threads)

    def _begin(self, asked: Reset) -> Episode:
        number = next(self._numbers) if asked.seed is None else asked.seed
        if asked.position is None:
            tasks = self._tasks.train if asked.split == "train" else self._tasks.test
            return self._tasks.episode(tasks[number % len(tasks)])
        game = self._tasks.played
        state = game.position(asked.position)
        if game.outcome(state) is not None:
            raise ValueError(f"the game is over in {asked.position!r}; give an unfinished position")
        return self._tasks.episode(Task(asked.position, game.player(state), number))

    # ---- by HTTP

    async def reset(self, request: Request) -> Response:
        """Begins an episode, which the answer names."""
        session = self.session()
        answer = await session.reset(read_message(await _body(request) or b"{}", Reset, CLIENT))
        self._sessions.pop(session.name, None)
        while len(self._sessions) >= MOST_EPISODES:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[session.name] = session
        return JSONResponse({**answer, "episode_id": session.name})

    async def step(self, request: Request) -> Response:
        """Takes an answer in an episode."""
        asked: Step = read_message(await _body(request), Step, CLIENT)
        return JSONResponse(await self._of(asked.episode_id).step(asked.action))

    async def state(self, request: Request) -> Response:
        """An episode so far."""
        return JSONResponse(self._of(request.query_params.get("episode_id", "")).state())

    async def health(self, _: Request) -> Response:
        """Whether the server answers."""
        return JSONResponse({"status": "healthy"})

    async def metadata(self, _: Request) -> Response:
        """What is served."""
        tasks = self._tasks
        name = f"ludus {tasks.game}"
        kind = "single moves" if tasks.opponent is None else f"whole games against {tasks.opponent}"
        return JSONResponse({"name": name, "description": f"{tasks.played.title}: {kind}", "version": __version__})

    async def schema(self, _: Request) -> Response:
        """What an action, an observation and a state are."""
        answer = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"], "title": "Answer"}
        anything = {"type": "object"}
        return JSONResponse({"action": answer, "observation": anything, "state": anything})

    def _of(self, name: str) -> Session:
        if (session := self._sessions.pop(name, None)) is None:
            raise ValueError(f"there is no episode {name[:80]!r}; it was never begun, or others came since; reset again")
        self._sessions[name] = session  # the last one now
        return session

    # ---- by WebSocket

    async def serve(self, socket: WebSocket) -> None:
        """Answers one client until it goes."""
        await socket.accept()
        if self._connections >= MOST_EPISODES:
            await socket.send_json(_refusal("CAPACITY_REACHED", f"{MOST_EPISODES} clients are connected; try again later"))
            await socket.close(1013)
            return
        self._connections += 1
        session = self.session()
        try:
            with suppress(WebSocketDisconnect, RuntimeError):  # the client is gone
                async for text in texts(socket):
                    if (answer := await _answered(session, text)) is None:
                        await socket.close()
                        return
                    await socket.send_json(answer)
        finally:
            self._connections -= 1


def application(tasks: Tasks, token: str | None = None) -> Guarded:
    """The application, for any ASGI server.

    Args:
        tasks: what clients are given to do.
        token: what clients must bring; None where only this machine reaches the server.
    """
    host = Host(tasks)
    routes = [
        WebSocketRoute("/ws", host.serve),
        Route("/reset", host.reset, methods=["POST"]),
        Route("/step", host.step, methods=["POST"]),
        *(Route(f"/{name}", getattr(host, name)) for name in ("state", "health", "metadata", "schema")),
    ]
    refusals: Any = dict.fromkeys((ValueError, msgspec.MsgspecError, ClientDisconnect), _refused)
    return Guarded(Starlette(routes=routes, exception_handlers=refusals | {Exception: _failed}), token, programs=True)


def configured(app: Guarded) -> uvicorn.Config:
    """How uvicorn serves the application."""
    return connections.configured(app, LARGEST)


async def _answered(session: Session, text: str) -> dict[str, Any] | None:
    """The answer to a message; None where the client says goodbye."""
    try:
        message: Message = read_message(text, Message, CLIENT)
        if message.type == "close":
            return None
        if message.type == "state":
            return {"type": "state", "data": session.state()}
        if message.type == "reset":
            data = await session.reset(read_message(message.data, Reset, CLIENT))
        else:
            data = await session.step(read_message(message.data, Action, CLIENT))
        return {"type": "observation", "data": data}
    except msgspec.ValidationError as error:
        return _refusal("VALIDATION_ERROR", str(error))
    except msgspec.DecodeError as error:
        return _refusal("INVALID_JSON", str(error))
    except ValueError as error:
        return _refusal("EXECUTION_ERROR", str(error))
    except Exception as error:  # of a policy, which may raise anything
        log.warning("a request failed", exc_info=True)
        return _refusal("EXECUTION_ERROR", f"{type(error).__name__}: {error}")


def _refusal(code: str, message: str) -> dict[str, Any]:
    return {"type": "error", "data": {"code": code, "message": message}}


async def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 422)  # which nobody reads if the client is gone


async def _failed(_: Request, error: Exception) -> Response:
    """The answer where something failed, such as a policy; the error is logged."""
    return JSONResponse({"detail": f"{type(error).__name__}: {error}"}, 500)


async def _body(request: Request) -> bytes:
    """The body of a request.

    Raises:
        ValueError: it is too long, or has not come after SECONDS_TO_SEND.
        ClientDisconnect: the client is gone.
    """

    async def read() -> bytes:
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                raise ValueError(f"the body has more than {LARGEST} bytes")
        return bytes(body)

    try:
        return await asyncio.wait_for(read(), SECONDS_TO_SEND)
    except asyncio.TimeoutError:
        raise ValueError(f"the body has not come within {SECONDS_TO_SEND:g} seconds") from None
