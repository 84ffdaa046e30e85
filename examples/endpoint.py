"""A language model's endpoint that needs no model: one of Ludus' policies answers, in prose, and as badly as is asked for.

    python examples/endpoint.py tictactoe --policy minimax:depth=2 --port 8000 --illegal 0.1 --busy 0.1
    ludus grade tictactoe --policy llm:model=local,url=http://127.0.0.1:8000/v1 --games 100

It speaks as much of OpenAI's protocol as a player needs: POST /v1/chat/completions. `GET /counts` says how many answers of each
kind it gave. Which ones are bad depends on the seed, and not on the order of the requests.

It finds the position in prompts that have it as text. Of other variants of the prompt, and of disguises, it knows those that are
named when it starts, in the positions that `ludus text bench` asks about:

    python examples/endpoint.py tictactoe --variants plain,grid,list --disguises relabelled
    ludus text bench --model llm:model=local,url=http://127.0.0.1:8000/v1 --games tictactoe --variants plain,grid,list …
"""

from __future__ import annotations

import argparse
import json
import random
import re
import threading
import time
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

import ludus
from ludus.text.bench.controls import PROSE, UNDECIDED
from ludus.text.bench.sets import frozen_set
from ludus.text.disguises import disguise
from ludus.text.variants import prompt_variants

KINDS = ("malformed", "illegal", "slow", "cut_off", "busy")
POSITION = re.compile(r"^The same as text: (.*)$", re.MULTILINE)


class Endpoint(ThreadingHTTPServer):
    """The endpoint; `serve_forever` answers, each connection in a thread of its own.

    Args:
        game: the game that it plays.
        policy: who chooses its moves.
        port: where it listens; 0 for any that is free.
        shares: how many of the answers are bad, by KINDS.
        seed: decides which ones.
        delay: seconds that a slow answer takes.

    Attributes:
        questions: prompts that it knows, each with the game, perhaps in disguise, and the position.
    """

    daemon_threads, request_queue_size = True, 256

    def __init__(
        self, game: str, policy: str, port: int = 0, shares: dict[str, float] | None = None, seed: int = 0, delay: float = 60.0
    ) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.game, self.policy = ludus.make_game(game), ludus.make_policy(policy, game)
        self.shares, self.seed, self.delay = shares or {}, seed, delay
        self.counts, self.seen, self.turn = Counter[str](), Counter[str](), threading.Lock()
        self.questions = dict[str, tuple[ludus.Game, Any]]()
        self.policy.prepare()

    def learn(self, variants: str, disguises: list[str]) -> None:
        """Makes it know the frozen positions in these variants of the prompt, and in these disguises in the first of them."""
        first, *others = prompt_variants(variants)
        ways = [(self.game, variant) for variant in (first, *others)]
        ways += [(disguise(self.game, name), first) for name in disguises]
        for game, variant in ways:
            self.questions |= {variant.prompt(game, state): (game, state) for state in frozen_set(self.game).states}

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.server_port}/v1"

    def answer(self, asked: dict[str, Any], _: dict[str, str]) -> tuple[int, dict[str, Any], dict[str, str]]:
        """The status, the body and the headers of the answer to a request with its headers."""
        messages = asked["messages"]
        said = json.dumps([messages, asked.get("seed")])
        with self.turn:
            self.seen[said] += 1
            draw = random.Random(f"{self.seed} {self.seen[said]} {said}")
            kind = self.kind(draw.random())
            self.counts[kind] += 1
        if kind == "busy":
            return 429, {"error": {"message": "too many requests", "code": "rate_limit_exceeded"}}, {"Retry-After": "0.05"}
        if kind == "slow":
            time.sleep(self.delay)
        text = self.words(kind, *self.find(messages), asked.get("seed") or 0, draw)
        usage = {"prompt_tokens": len(said) // 4, "completion_tokens": max(1, len(text) // 4)}
        end = "length" if kind == "cut_off" else "stop"
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": end}
        about = {"id": "1", "object": "chat.completion", "created": 0, "model": f"ludus {self.policy}"}
        return 200, {**about, "choices": [choice], "usage": {**usage, "total_tokens": sum(usage.values())}}, {}

    def find(self, messages: list[dict[str, str]]) -> tuple[ludus.Game, Any]:
        """The game and the position that messages ask about."""
        contents = [message["content"] for message in messages]
        if known := next((self.questions[content] for content in contents if content in self.questions), None):
            return known
        return self.game, self.game.position(next(found[1] for content in contents if (found := POSITION.search(content))))

    def kind(self, chance: float) -> str:
        """What kind of answer is given, `good` or one of KINDS."""
        for kind in KINDS:
            chance -= self.shares.get(kind, 0.0)
            if chance < 0:
                return kind
        return "good"

    def words(self, kind: str, game: ludus.Game, state: Any, seed: int, draw: random.Random) -> str:
        """An answer of a kind."""
        if kind == "malformed":
            return UNDECIDED
        if kind == "illegal":
            taken = sorted({*range(game.num_actions)} - {*game.legal_actions(state)})
            return f"I play <move>{game.move_name(draw.choice(taken)) if taken else 'z99'}</move>"
        with self.turn:
            action = int(self.policy.act(state[None], np.array([seed % 2**64], np.uint64))[0])
        text = draw.choice(PROSE).format(move=game.move_name(action))
        return text[: len(text) // 3] if kind == "cut_off" else text


class Handler(BaseHTTPRequestHandler):
    """Reads a request, and writes the answer at once: in two parts the second one would wait for the client's acknowledgement."""

    protocol_version, wbufsize = "HTTP/1.1", 1 << 16
    server: Endpoint  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_GET(self) -> None:
        """`/counts`."""
        self.send(200, dict(self.server.counts), {})

    def do_POST(self) -> None:
        """`/v1/chat/completions`."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send(*self.server.answer(asked, dict(self.headers)))

    def send(self, status: int, body: dict[str, Any] | bytes, headers: dict[str, str]) -> None:
        """Writes an answer."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def handle(self) -> None:
        """Answers until the client hangs up."""
        with suppress(ConnectionError, ValueError):
            super().handle()

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


def main() -> None:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", default="tictactoe")
    parser.add_argument("--policy", default="minimax:depth=2")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--delay", type=float, default=60.0, help="seconds that a slow answer takes")
    parser.add_argument("--variants", default="plain", metavar="NAMES", help="variants of the prompt that it knows")
    parser.add_argument("--disguises", nargs="*", default=[], metavar="NAME", help="disguises of the game that it knows")
    for kind in KINDS:
        parser.add_argument(f"--{kind.replace('_', '-')}", type=float, default=0.0, metavar="SHARE")
    chosen = parser.parse_args()
    shares = {kind: getattr(chosen, kind) for kind in KINDS}
    with Endpoint(chosen.game, chosen.policy, chosen.port, shares, chosen.seed, chosen.delay) as endpoint:
        if (chosen.variants, chosen.disguises) != ("plain", []):
            endpoint.learn(chosen.variants, chosen.disguises)
        print(f"{endpoint.policy} answers questions about {endpoint.game} at {endpoint.url}", flush=True)
        endpoint.serve_forever()


if __name__ == "__main__":
    main()
