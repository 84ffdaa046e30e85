"""The address of an endpoint, and which key belongs to it."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

OPENAI = "https://api.openai.com/v1"
OPENAI_KEY = "OPENAI_API_KEY"


def address_of(url: str | None, key: str | None) -> tuple[str, str | None, bool]:
    """Where requests go, and with which key.

    `OPENAI_API_KEY` belongs to OpenAI, or to the address in `OPENAI_BASE_URL`; to any other address goes the key that is named for
    it, or none.

    Args:
        url: the address that the user gave; None for OpenAI's, or the one in `OPENAI_BASE_URL`.
        key: the environment variable that the user named; None for the one that belongs to the address.

    Returns:
        The address, the variable or None, and whether the environment's settings of OpenAI are for this address.

    Raises:
        ValueError: the address is invalid, or holds a password; or the variable is not set, or holds no key.
    """
    own = _checked(os.environ.get("OPENAI_BASE_URL") or OPENAI, "OPENAI_BASE_URL")
    address = own if url is None else _checked(url, "url")
    is_own = _origin(address) == _origin(own)
    if key is not None:
        # What was given is not repeated, since it may be the key itself.
        if not re.fullmatch(r"[A-Za-z_]\w*", key) or not os.environ.get(key):
            raise ValueError(
                "llm: key= names the environment variable that holds the key, and there is no variable of the name given"
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


def key_in(variable: str) -> str:
    """The key in an environment variable, without the spaces and line breaks around it.

    Raises:
        ValueError: it has characters that no key has, and that cannot be sent.
    """
    key = os.environ.get(variable, "").strip()
    if not re.fullmatch("[!-~]+", key):
        raise ValueError(f"llm: the value of {variable} is not a key; a key has printable ASCII characters alone, and no spaces")
    return key


def _checked(url: str, name: str) -> str:
    """An address without a slash at its end.

    Args:
        url: the address.
        name: where it was given, for the error.

    Raises:
        ValueError: it is invalid, or holds a password, a query or a fragment.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError(
            f"llm: {name} may not hold a name, a password or a query; give the name of a variable with a key as key=NAME"
        )
    if parts.scheme not in ("http", "https") or not host or any(sign.isspace() for sign in url):
        raise ValueError(f"llm: {name} is {url[:100]!r}; it must be an address such as http://localhost:8000/v1")
    return url.rstrip("/")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"http": 80, "https": 443}[parts.scheme]
