"""The key of an endpoint: how it is read, and how it is kept out of files, output and logs."""

from __future__ import annotations

import html
import json
import logging
import os
import re
from functools import lru_cache
from traceback import format_exception
from urllib.parse import quote

SHORTEST_KEY = 8
"""The minimum length of a key that is removed from texts. A shorter one is not a secret, and is a part of many words."""
HTTP = ("httpx", "httpcore.connection", "httpcore.http11", "httpx2", "httpcore2.connection", "httpcore2.http11")
LOGGERS = ("openai._base_client", "openai._legacy_response", "openai._response", *HTTP)
"""Loggers of the client library that get the endpoint's answers and headers. `openai` uses httpx2 since 3.0, httpx before."""


def key_in(variable: str) -> str:
    """The key in an environment variable, without the spaces and line breaks around it.

    Raises:
        ValueError: it has characters that are not allowed in a key and cannot be sent.
    """
    key = os.environ.get(variable, "").strip()
    if not re.fullmatch("[!-~]+", key):
        raise ValueError(f"llm: the value of {variable} is not a key; a key has only printable ASCII characters, and no spaces")
    return key


def without_key(text: str, key: str) -> str:
    """A text with the key removed, in characters that every file accepts."""
    if len(key) >= SHORTEST_KEY:
        text = _forms_of(key).sub("[key]", text)
    return text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


@lru_cache(maxsize=64)
def _forms_of(key: str) -> re.Pattern[str]:
    """A key as addresses, JSON, HTML and Python's errors write it; in any case, because hosts are written in lower case."""
    forms = {key, quote(key), quote(key, safe=""), json.dumps(key)[1:-1], html.escape(key), repr(key)[1:-1]}
    return re.compile("|".join(map(re.escape, sorted(forms, key=len, reverse=True))), re.IGNORECASE)


def hush(key: str) -> None:
    """Removes a key from what the client library logs from now on."""
    if len(key) >= SHORTEST_KEY:
        _silent.keys.add(key)


class _Silent(logging.Filter):
    """Removes keys from log records.

    Attributes:
        keys: the keys of this process.
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
