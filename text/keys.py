"""The key of an endpoint: where it is read, and how it stays out of all that is kept, shown or logged."""

from __future__ import annotations

import html
import json
import logging
import os
import re
from functools import lru_cache
from traceback import format_exception
from urllib.parse import quote

LONGEST_REPLY = 100_000
"""Characters of a reply that are kept: the last ones."""
SHORTEST_KEY = 8
"""Characters of a key that is looked for in texts. A shorter one is no secret, and stands in many words."""
HTTP = ("httpx", "httpcore.connection", "httpcore.http11", "httpx2", "httpcore2.connection", "httpcore2.http11")
LOGGERS = ("openai._base_client", "openai._legacy_response", "openai._response", *HTTP)
"""Those of the client library that see what an endpoint answers, headers included. `openai` uses httpx2 since 3.0, httpx before."""


def key_in(variable: str) -> str:
    """The key in an environment variable, without the spaces and line breaks around it.

    Raises:
        ValueError: it has characters that no key has, and that cannot be sent.
    """
    key = os.environ.get(variable, "").strip()
    if not re.fullmatch("[!-~]+", key):
        raise ValueError(f"llm: the value of {variable} is not a key; a key has printable ASCII characters alone, and no spaces")
    return key


def without_key(text: str, key: str) -> str:
    """A text without a key, in characters that every file can hold; of a very long one the end."""
    if len(key) >= SHORTEST_KEY:
        text = _forms_of(key).sub("[key]", text)
    return text[-LONGEST_REPLY:].encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


@lru_cache(maxsize=64)
def _forms_of(key: str) -> re.Pattern[str]:
    """A key as addresses, JSON, HTML and Python's errors write it, in letters of any size, since those of hosts are small."""
    forms = {key, quote(key), quote(key, safe=""), json.dumps(key)[1:-1], html.escape(key), repr(key)[1:-1]}
    return re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))), re.IGNORECASE)


def hush(key: str) -> None:
    """Keeps a key out of what the client library logs from now on."""
    if len(key) >= SHORTEST_KEY:
        _silent.keys.add(key)


class _Silent(logging.Filter):
    """Takes keys out of what is logged.

    Attributes:
        keys: those of this process.
    """

    def __init__(self) -> None:
        super().__init__()
        self.keys = set[str]()

    def filter(self, record: logging.LogRecord) -> bool:
        if self.keys:
            record.msg, record.args = self._without(record.getMessage()), ()
            if record.exc_info:
                record.exc_text, record.exc_info = self._without("".join(format_exception(*record.exc_info)).rstrip()), None
        return True

    def _without(self, text: str) -> str:
        for key in self.keys:
            text = without_key(text, key)
        return text


_silent = _Silent()
for _name in LOGGERS:
    logging.getLogger(_name).addFilter(_silent)
