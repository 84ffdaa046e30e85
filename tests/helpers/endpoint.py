"""A language model's endpoint on this machine, at which one of our policies answers in prose."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

import ludus


@contextmanager
def endpoint(game: str, policy: str, nonsense: int = 0) -> Generator[str]:
    """The address of an endpoint.

    Args:
        game: the game that it is asked about.
        policy: the spec of the policy that answers.
        nonsense: each answer of this number, counted from 1, has no move; 0 for none.
    """
    player = ludus.make_policy(policy, game)
    lock, asked = threading.Lock(), [0]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
            text = next(one["content"] for one in reversed(said) if "same as text: " in one["content"])
            state = player.game.position(text.split("same as text: ")[1].splitlines()[0])
            with lock:
                asked[0] += 1
                number = asked[0]
                action = int(player.act(state[None], np.array([number], np.uint64))[0])
            move = "the best one" if nonsense and number % nonsense == 0 else player.game.move_name(action)
            message = {"role": "assistant", "content": f"I have thought about it. I'll play {move}."}
            usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            answer = {
                "id": f"c{number}",
                "object": "chat.completion",
                "created": 0,
                "model": "policy",
                "choices": [choice],
                "usage": usage,
            }
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 256

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
