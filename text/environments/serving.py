"""Episodes over HTTP and WebSocket, as JSON: reset, step, state. The clients of openenv-core understand it.

    WebSocket /ws      {"type": "reset", "data": {…}}, {"type": "step", "data": {"answer": …}}, {"type": "state"}, {"type": "close"}
    POST /reset        {"seed": 1, "split": "test"}, all of it optional; the answer names the episode
    POST /step         {"episode_id": …, "action": {"answer": "I play c2"}}
    GET  /state        ?episode_id=…
    GET  /health  /metadata  /schema

A connection has one episode at a time; over HTTP each reset begins another. Clients cannot name policies or files.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Annotated, Any, Literal
from uuid import uuid4

import anyio
import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ... import __version__
from ...arena.pages.guarded import GuardedApp
from ...arena.pages.messages import read_message, texts
from ...core.numbers import short_repr
from ..scoring import AnswerScore
from .episodes import Episode
from .tasks import Task, Tasks

LARGEST = 256 << 10
"""The maximum number of bytes of a message or a body."""
MOST_EPISODES = 256
"""The maximum number of connections, and of episodes over HTTP; another one over HTTP ends the one unused for longest."""
SECONDS_TO_SEND = 30.0
"""The time limit for the body of a request."""
MOST_THREADS = 8
"""The maximum number of requests that run at once."""
log = logging.getLogger("ludus")


class ResetRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to begin an episode.

    Args:
        seed: the number of the task; None for the next task.
        split: the split of the task.
        position: a position as text, instead of a task; the player to move answers.
        episode_id: a name for the episode.
    """

    seed: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    split: Literal["train", "test"] = "train"
    position: Annotated[str, Meta(max_length=1000)] | None = None
    episode_id: Annotated[str, Meta(max_length=255)] | None = None


class Action(Struct, frozen=True):
    """The action of a player.

    Args:
        answer: its answer, in any form.
    """

    answer: str


class StepRequest(Struct, frozen=True):
    """An action in an episode over HTTP."""

    episode_id: str
    action: Action


class Message(Struct, frozen=True):
    """A message over the WebSocket; `data` is a `ResetRequest` or an `Action`."""

    type: Literal["reset", "step", "state", "close"]
    data: msgspec.Raw = msgspec.Raw(b"{}")


class EpisodeSession:
    """The episodes of one client, one after the other.

    Args:
        begin: makes the episode of a reset.
        threads: limits the number of requests that run at once.
    """

    def __init__(self, begin: Callable[[ResetRequest], Episode], threads: asyncio.Semaphore) -> None:
        self._begin, self._threads, self._lock = begin, threads, asyncio.Lock()
        self._episode: Episode | None = None
        self.name = ""

    async def reset(self, asked: ResetRequest) -> dict[str, Any]:
        """Begins an episode.

        Raises:
            ValueError: the position is not one of the game, or is finished.
        """
        async with self._lock, self._threads:
            self._episode = await asyncio.to_thread(self._begin, asked)
            self.name = asked.episode_id or uuid4().hex
            return _observation(self._episode)

    async def step(self, action: Action) -> dict[str, Any]:
        """Takes an answer.

        Raises:
            ValueError: there is no episode, or it is over.
        """
        async with self._lock, self._threads:
            episode = self._current_episode()
            return _observation(episode, await asyncio.to_thread(episode.take, action.answer))

    def state(self) -> dict[str, Any]:
        """The episode so far.

        Raises:
            ValueError: there is no episode.
        """
        episode = self._current_episode()
        return {"episode_id": self.name, "step_count": len(episode.scores), **episode.document(), "metrics": episode.metrics}

    def _current_episode(self) -> Episode:
        if self._episode is None:
            raise ValueError("there is no episode; reset first")
        return self._episode


def _observation(episode: Episode, score: AnswerScore | None = None) -> dict[str, Any]:
    """What a player gets after a reset, or after an answer with its score."""
    game = episode.game
    return {
        "observation": {
            "question": episode.question,
            "game": game.spec,
            "position": game.text(episode.state),
            "score": score and episode.score_document(score),
        },
        "reward": episode.reward if score and episode.over else None,
        "done": episode.over,
    }


class Host:
    """Answers all clients.

    Args:
        tasks: the tasks that they get.
    """

    def __init__(self, tasks: Tasks) -> None:
        self._tasks, self._numbers, self._threads = tasks, count(), asyncio.Semaphore(MOST_THREADS)
        self._sessions = dict[str, EpisodeSession]()
        self._connections = 0

    def _begin(self, asked: ResetRequest) -> Episode:
        number = next(self._numbers) if asked.seed is None else asked.seed
        if asked.position is None:
            tasks = self._tasks.train if asked.split == "train" else self._tasks.test
            return self._tasks.episode(tasks[number % len(tasks)])
        game = self._tasks.rules
        state = game.position(asked.position)
        if game.outcome(state) is not None:
            raise ValueError(f"the game is over in {short_repr(asked.position)}; give an unfinished position")
        return self._tasks.episode(Task(asked.position, game.player(state), number))

    # ---- by HTTP

    async def reset(self, request: Request) -> Response:
        """Begins an episode; the answer contains its name."""
        session = EpisodeSession(self._begin, self._threads)
        answer = await session.reset(read_message(await _body(request) or b"{}", ResetRequest))
        self._sessions.pop(session.name, None)
        while len(self._sessions) >= MOST_EPISODES:
            del self._sessions[next(iter(self._sessions))]
        self._sessions[session.name] = session
        return JSONResponse({**answer, "episode_id": session.name})

    async def step(self, request: Request) -> Response:
        """Takes an answer in an episode."""
        asked: StepRequest = read_message(await _body(request), StepRequest)
        return JSONResponse(await self._of(asked.episode_id).step(asked.action))

    async def state(self, request: Request) -> Response:
        """The state of an episode."""
        return JSONResponse(self._of(request.query_params.get("episode_id", "")).state())

    def documents(self) -> dict[str, Any]:
        """What never changes: whether the server answers, what the environment is, and the schemas of its messages."""
        tasks, anything = self._tasks, {"type": "object"}
        kind = "single moves" if tasks.opponent is None else f"whole games against {tasks.opponent}"
        answer = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"], "title": "Answer"}
        return {
            "health": {"status": "healthy"},
            "metadata": {"name": f"ludus {tasks.game}", "description": f"{tasks.rules.title}: {kind}", "version": __version__},
            "schema": {"action": answer, "observation": anything, "state": anything},
        }

    def _of(self, name: str) -> EpisodeSession:
        if (session := self._sessions.pop(name, None)) is None:
            raise ValueError(f"there is no episode {name[:80]!r}; it never began, or later ones have replaced it; reset again")
        self._sessions[name] = session  # moves it to the end: the first one is replaced first
        return session

    # ---- by WebSocket

    async def serve(self, socket: WebSocket) -> None:
        """Answers a client until it disconnects."""
        await socket.accept()
        if self._connections >= MOST_EPISODES:
            await socket.send_json(_refusal("CAPACITY_REACHED", f"{MOST_EPISODES} clients are connected; try again later"))
            await socket.close(1013)
            return
        self._connections += 1
        session = EpisodeSession(self._begin, self._threads)
        try:
            with suppress(WebSocketDisconnect, RuntimeError):  # the client is gone
                async for text in texts(socket):
                    if (answer := await _answer_message(session, text)) is None:
                        await socket.close()
                        return
                    await socket.send_json(answer)
        finally:
            self._connections -= 1


def application(tasks: Tasks, token: str | None = None, name: str = "localhost") -> GuardedApp:
    """The application, for any ASGI server.

    Args:
        tasks: the tasks that clients get.
        token: the token that clients must send; None if only this machine can reach the server.
        name: the name of this machine at which it is served.
    """
    host = Host(tasks)
    routes = [
        WebSocketRoute("/ws", host.serve),
        Route("/reset", host.reset, methods=["POST"]),
        Route("/step", host.step, methods=["POST"]),
        Route("/state", host.state),
        *(Route(f"/{path}", partial(_show, document)) for path, document in host.documents().items()),
    ]
    refusals: Any = dict.fromkeys((ValueError, msgspec.MsgspecError, ClientDisconnect), _refusal_response)
    inner = Starlette(routes=routes, exception_handlers=refusals | {Exception: _failure_response})
    return GuardedApp(inner, token, programs=True, name=name)


async def _show(document: dict[str, Any], _: Request) -> Response:
    return JSONResponse(document)


async def _answer_message(session: EpisodeSession, text: str) -> dict[str, Any] | None:
    """The answer to a message; None if the client closes the connection."""
    try:
        message: Message = read_message(text, Message)
        if message.type == "close":
            return None
        if message.type == "state":
            return {"type": "state", "data": session.state()}
        if message.type == "reset":
            data = await session.reset(read_message(message.data, ResetRequest))
        else:
            data = await session.step(read_message(message.data, Action))
        return {"type": "observation", "data": data}
    except msgspec.ValidationError as error:
        return _refusal("VALIDATION_ERROR", str(error))
    except msgspec.DecodeError as error:
        return _refusal("INVALID_JSON", str(error))
    except ValueError as error:
        return _refusal("EXECUTION_ERROR", str(error))
    except Exception as error:  # a policy may raise any error
        log.warning("a request failed", exc_info=True)
        return _refusal("EXECUTION_ERROR", f"{type(error).__name__}: {error}")


def _refusal(code: str, message: str) -> dict[str, Any]:
    return {"type": "error", "data": {"code": code, "message": message}}


async def _refusal_response(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 422)  # also if the client is gone, and nobody reads it


async def _failure_response(_: Request, error: Exception) -> Response:
    """The answer after an unexpected error, for example of a policy; the error is logged."""
    return JSONResponse({"detail": f"{type(error).__name__}: {error}"}, 500)


async def _body(request: Request) -> bytes:
    """The body of a request, which must not be too long, and must arrive within SECONDS_TO_SEND."""
    body = bytearray()
    try:
        with anyio.fail_after(SECONDS_TO_SEND):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST:
                    raise ValueError(f"the body has more than {LARGEST} bytes")
    except TimeoutError:
        raise ValueError(f"the body has not arrived within {SECONDS_TO_SEND:g} seconds") from None
    return bytes(body)
