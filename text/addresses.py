"""The address of an endpoint, its key, and whether it is on this machine. The key is kept out of errors, files and output."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
SHORTEST_KEY = 8
"""The minimum length of a key that is removed from texts. A shorter one is not a secret, and is a part of many words."""


def address_of(url: str | None, key: str | None) -> tuple[str, str | None]:
    """The address of requests, and the environment variable with its key, or None; ValueError where the address is invalid, or
    contains a password, or the variable is not set, or contains no key.

    Without an address it is OpenAI's, or the one in `OPENAI_BASE_URL`. `OPENAI_API_KEY` belongs to these; any other address gets
    the key in the variable that the user names for it, or none.
    """
    own = _check_address(os.environ.get("OPENAI_BASE_URL") or OPENAI, "OPENAI_BASE_URL")
    address = own if url is None else _check_address(url, "url")
    if key is not None:
        # The message does not repeat `key`, because a user may have given the key itself.
        if not re.fullmatch(r"[A-Za-z_]\w*", key) or not os.environ.get(key):
            raise ValueError(
                "llm: key= must be the name of the environment variable that contains the key, and no variable has this name"
            )
    elif _origin(address) == _origin(own) and os.environ.get(OPENAI_KEY):
        key = OPENAI_KEY
    elif _origin(address) == _origin(OPENAI):
        raise ValueError(f"llm: {address} needs a key; name the environment variable that has it, as in key={OPENAI_KEY}")
    if key is not None:
        key_in(key)
    return address, key


def key_in(variable: str) -> str:
    """The key in an environment variable, without the spaces and line breaks around it; ValueError where it has characters that
    cannot be sent."""
    key = os.environ.get(variable, "").strip()
    if not re.fullmatch("[!-~]+", key):
        raise ValueError(f"llm: the value of {variable} is not a key; a key has only printable ASCII characters, and no spaces")
    return key


def without_key(text: str, key: str) -> str:
    """A text with the key removed, in characters that every file accepts."""
    if len(key) >= SHORTEST_KEY:
        text = re.sub(re.escape(key), "[key]", text, flags=re.IGNORECASE)  # hosts are written in lower case
    return text.encode(errors="replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")


def is_this_machine(url: str) -> bool:
    """Whether an address is on this machine."""
    host = (urlsplit(url).hostname or "").rstrip(".").lower()
    if f".{host}".endswith(".localhost"):
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def _check_address(url: str, name: str) -> str:
    """An address without a slash at its end; ValueError, which names its setting, where it is none."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError(
            f"llm: {name} must not contain a name, a password or a query; give the name of a variable with a key as key=NAME"
        )
    if parts.scheme not in ("http", "https") or not host or any(sign.isspace() for sign in url):
        raise ValueError(f"llm: {name} is {url[:100]!r}; it must be an address such as http://localhost:8000/v1")
    return url.rstrip("/")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}[parts.scheme]
