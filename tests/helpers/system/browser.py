"""A real browser for tests: Chromium without a window, spoken to over two pipes in its DevTools protocol."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 60.0
"""Seconds to wait for an answer, on a machine that does much else."""


class Browser:
    """A page in Chromium, and what it complained of and asked the network for. It is a context manager.

    Args:
        profile: an empty folder for it to write in.
    """

    def __init__(self, profile: Path) -> None:
        assert CHROMIUM is not None
        (hears, self._out), (self._in, tells) = _pipe(), _pipe()
        flags = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--remote-debugging-pipe",
            "--hide-scrollbars",
        ]
        # the browser listens on its file 3 and speaks on its file 4
        wired = f'exec "$0" "$@" 3<&{hears} 4>&{tells}'
        command = ["bash", "-c", wired, CHROMIUM, *flags, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(command, pass_fds=(hears, tells), stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(hears)
        os.close(tells)
        self._numbers, self._rest = itertools.count(1), b""
        self.events: list[dict[str, Any]] = []
        self._session = ""
        (target,) = (t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._session = ""
        self.call("Browser.close")
        self._process.wait(PATIENCE)
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, **parameters: Any) -> Any:
        """What the browser answers to a command of its protocol; events that come meanwhile are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            if not select.select([self._in], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser does not answer")
            if not (read := os.read(self._in, 1 << 20)):
                raise RuntimeError("the browser has gone")
            self._rest += read
        message, self._rest = self._rest.split(b"\0", 1)
        return json.loads(message)

    def open(self, page: Path, width: int = 1400, height: int = 900, dark: bool = False) -> None:
        """Opens a page of the disk and waits until it has loaded."""
        self.events.clear()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=page.as_uri())
        end = time.monotonic() + PATIENCE
        while self.run("document.readyState") != "complete" or self.run("location.href") != page.as_uri():
            assert time.monotonic() < end, f"{page} did not load"

    def run(self, script: str) -> Any:
        """What a line of JavaScript gives in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        """Presses a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def point(self, x: float, y: float) -> None:
        """Moves the pointer."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float) -> None:
        """Clicks."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, whole: bool = False) -> bytes:
        """The page, or what is seen of it, as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"])

    @property
    def complaints(self) -> list[str]:
        """Errors and warnings of its console."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [json.dumps(event["params"]) for event in self.events if event["method"] in kinds]

    @property
    def requests(self) -> list[str]:
        """The addresses it asked for."""
        return [event["params"]["request"]["url"] for event in self.events if event["method"] == "Network.requestWillBeSent"]


def _pipe() -> tuple[int, int]:
    """A pipe whose ends have numbers that the browser's own files do not."""
    ends = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends]
    for end in ends:
        os.close(end)
    return high[0], high[1]
