"""The kernels for browsers in Firefox, without a window, tried as in Chromium (test_kernels.py): `make page-firefox`.

python -m tests.web.firefox [PROGRAM]     Firefox is driven by WebDriver BiDi; PROGRAM is `firefox` where none is named
"""

import itertools
import json
import re
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from websockets.sync.client import connect

from ludus.web.alone.building import make_files

from ..helpers.parity import IN_BROWSER, POSITIONS, check, lay_out

SECONDS = 600


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and prints nothing."""

    def log_message(self, format, *arguments):
        pass


@contextmanager
def served(folder):
    """The address of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@contextmanager
def firefox(program, profile):
    """Firefox, as a function that sends a command and returns its result."""
    command = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        listening = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in process.stderr)
        address = next(filter(None, listening))[1]
        threading.Thread(target=process.stderr.read, daemon=True).start()
        numbers = itertools.count()
        with connect(f"{address}/session", max_size=None, origin=None) as socket:

            def send(method, **parameters):
                number = next(numbers)
                socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
                while (answer := json.loads(socket.recv(SECONDS))).get("id") != number:
                    pass
                assert answer["type"] == "success", answer
                return answer["result"]

            yield send
            send("browser.close")


def main(program="firefox"):
    with ExitStack() as stack:
        place, profile = (stack.enter_context(tempfile.TemporaryDirectory()) for _ in range(2))
        address, send = (
            stack.enter_context(served(lay_out(Path(place), make_files()))),
            stack.enter_context(firefox(program, profile)),
        )
        version = send("session.new", capabilities={})["capabilities"]["browserVersion"]
        context = send("browsingContext.getTree")["contexts"][0]["context"]
        send("browsingContext.navigate", context=context, url=f"{address}/index.html", wait="complete")
        asked = {"functionDeclaration": IN_BROWSER, "awaitPromise": True, "target": {"context": context}}
        answer = send("script.callFunction", **asked)
        assert answer["type"] == "success", answer
    answers = json.loads(answer["result"]["value"])
    check(answers)
    print(f"Firefox {version} answers as Python does: {len(answers['games'])} variants, {POSITIONS} positions each")


if __name__ == "__main__":
    main(*sys.argv[1:])
