"""The address of an endpoint, its key, and whether it is on this machine."""

from __future__ import annotations

import os
import re
import socket
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlsplit

from .keys import key_in

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"
LOCAL = frozenset(("localhost.localdomain", "localhost6", "localhost6.localdomain6", "ip6-localhost", "ip6-loopback"))
"""Other names of this machine on some systems, besides its host name."""


def address_of(url: str | None, key: str | None) -> tuple[str, str | None, bool]:
    """The address of requests, and its key.

    `OPENAI_API_KEY` belongs to OpenAI, or to the address in `OPENAI_BASE_URL`; any other address gets the key that the user names
    for it, or none.

    Args:
        url: the address that the user gave; None for OpenAI's, or the one in `OPENAI_BASE_URL`.
        key: the environment variable that the user named; None for the one that belongs to the address.

    Returns:
        The address, the variable or None, and whether the environment's settings of OpenAI are for this address.

    Raises:
        ValueError: the address is invalid, or contains a password; or the variable is not set, or contains no key.
    """
    own = _check_address(os.environ.get("OPENAI_BASE_URL") or OPENAI, "OPENAI_BASE_URL")
    address = own if url is None else _check_address(url, "url")
    is_own = _origin(address) == _origin(own)
    if key is not None:
        # The message does not repeat `key`, because a user may have given the key itself.
        if not re.fullmatch(r"[A-Za-z_]\w*", key) or not os.environ.get(key):
            raise ValueError(
                "llm: key= must be the name of the environment variable that contains the key, and no variable has this name"
            )
        key_in(key)
        return address, key, is_own
    if is_own and os.environ.get(OPENAI_KEY):
        key_in(OPENAI_KEY)
        return address, OPENAI_KEY, True
    if _origin(address) == _origin(OPENAI):
        if os.environ.get(OPENAI_KEY):
            raise ValueError(
                f"llm: the key in {OPENAI_KEY} is for the address in OPENAI_BASE_URL; add key={OPENAI_KEY} to send it to {address}"
            )
        raise ValueError(f"llm: {address} needs a key in the environment variable {OPENAI_KEY}; or give another address with url=")
    return address, None, is_own


def is_this_machine(url: str) -> bool:
    """Whether an address is on this machine, by any of its usual names or numbers."""
    host = urlsplit(url).hostname or ""
    name = host.rstrip(".").lower()
    if f".{name}".endswith(".localhost") or name in LOCAL or name == socket.gethostname().lower():
        return True
    with suppress(OSError, ValueError):
        address = ip_address(host.partition("%")[0] if ":" in host else socket.inet_aton(host))  # which also takes 127.1
        address = getattr(address, "ipv4_mapped", None) or address
        return address.is_loopback or address.is_unspecified
    return False


def _check_address(url: str, name: str) -> str:
    """Checks an address, and returns it without a slash at its end.

    Args:
        url: the address.
        name: the name of the setting, for the error.
    """
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
