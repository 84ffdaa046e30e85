"""Reads the errors of endpoints: their messages in any form, who sent them, and what they ask for."""

from __future__ import annotations

import html
import json
import re
from contextlib import suppress
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, cast

LONGEST_PAGE = 50_000
"""The maximum number of characters of a page that are read."""
LONGEST_ASKED = 1e7
"""The maximum pause in seconds; a longer one counts as this."""
MESSAGES = (
    "error",
    "errors",
    "message",
    "detail",
    "details",
    "msg",
    "error_message",
    "error_msg",
    "error_description",
    "title",
    "reason",
)
"""Fields that may say what went wrong; the first one with text counts."""
CODES = ("code", "type", "status", "reason", "param")
TITLE = re.compile(r"<(?:title|h1)\b[^<>]*>([^<]*)", re.IGNORECASE)
TAG = re.compile(r"<[^<>]*>")
MONEY = re.compile(r"insufficient_(?:quota|balance|credit|funds)|billing_hard_limit|billing_not_active|payment_required")
FILTER = re.compile(
    r"content_(?:filter|policy|management|moderation)|invalid_prompt|responsible_?ai|data_inspection|moderation|safety|sensitive_?(?:words|content)"
)
FILTER_SAID = re.compile(
    r"content (?:filter|management policy|policy|moderation)|input (?:was|is|has been) flagged|requires moderation"
)
REFUSABLE = (200, 400, 403, 406, 422, 451)
"""Statuses of an error that may mean the refusal of one prompt."""
UNWANTED = re.compile(
    r"unsupported|(?:not|n't) support|unknown|unrecogni[sz]ed|unexpected|not (?:allowed|permitted|accepted|recogni[sz]ed)|forbidden"
    r"|extra|deprecated|instead|no longer|invalid"
)
"""Words about a field of a request that an endpoint does not accept."""
STREAM_ASKED = re.compile(
    r"\bstream(?:ing|ed)?\b[^.]{0,80}\b(?:only|must|requir\w+|enabled?|support\w*|true|parameter)\b"
    r"|\b(?:only|must|requir\w+|enable|support\w*|set|use)\b[^.]{0,80}\bstream(?:ing|ed)?\b"
)
LENGTHS = ("max_tokens", "max_completion_tokens")
"""The old and the new name of the maximum length of a reply."""


def message_of(content: Any, depth: int = 6) -> str:
    """The message of an error.

    Args:
        content: a body in bytes or as text, in JSON, HTML or plain words; or a parsed value.
        depth: the maximum depth of the search.

    Returns:
        Its message; for an object without a message the object as JSON; empty if it says nothing.
    """
    if isinstance(content, bytes):
        content = content.decode(errors="replace")
    if isinstance(content, str):
        parsed = _parse_json(content)
        return _plain(content) if parsed is None or depth == 0 else message_of(parsed, depth - 1)
    if depth == 0 or not content or isinstance(content, (bool, int, float)):
        return ""
    if isinstance(content, list):
        return "; ".join(filter(None, (message_of(item, depth - 1) for item in cast("list[Any]", content)[:5])))
    fields = cast("dict[str, Any]", content)
    message = next(filter(None, (message_of(fields.get(name), depth - 1) for name in MESSAGES)), "")
    has_content = any(message_of(value, depth - 1) if isinstance(value, (dict, list)) else value for value in fields.values())
    return message or (json.dumps(fields) if has_content else "")


def _parse_json(text: str) -> Any:
    """Parses a text that is an object or a list in JSON; None if it is not."""
    if text.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return json.loads(text, parse_int=float)
    return None


def _plain(page: str) -> str:
    """The title of an HTML page, or its text; other text stays as it is."""
    page = page[:LONGEST_PAGE]
    if page.lstrip().startswith("<"):
        title = TITLE.search(page)
        page = (title and title[1].strip()) or TAG.sub(" ", page)
        with suppress(ValueError):  # the number of a character may have thousands of digits
            page = html.unescape(page)
    return " ".join(page.split())


def sender_of(headers: Any, content: bytes) -> str:
    """The sender of an answer that is not JSON, such as a proxy between us and the endpoint; empty if it is not known."""
    if _parse_json(content.decode(errors="replace")) is not None:
        return ""
    return headers.get("via") or headers.get("server") or ("cloudflare" if "cf-ray" in headers else "")


def is_about_money(content: bytes) -> bool:
    """Whether an error says that a payment is needed."""
    return MONEY.search(_codes(content)) is not None


def is_filter(status: int, content: bytes) -> bool:
    """Whether an error means the refusal of one prompt."""
    return status in REFUSABLE and bool(FILTER.search(_codes(content)) or FILTER_SAID.search(message_of(content).lower()))


def _codes(content: bytes) -> str:
    """The codes of an error, in lower case, a line each."""

    def collect(value: Any, depth: int) -> list[str]:
        codes = list[str]()
        if isinstance(value, dict) and depth:
            for name, inside in cast("dict[str, Any]", value).items():
                codes += [inside.lower()] if name in CODES and isinstance(inside, str) else collect(inside, depth - 1)
        return codes

    return "\n".join(collect(_parse_json(content.decode(errors="replace")), 6))


def retry_after(headers: Any) -> float:
    """The seconds of a `Retry-After`, which may be a date; 0 without one."""
    value, seconds = headers.get("retry-after", ""), 0.0
    with suppress(ValueError, TypeError, OverflowError):
        seconds = parsedate_to_datetime(value).timestamp() - time()
    with suppress(ValueError):
        seconds = float(value)
    return min(LONGEST_ASKED, max(0.0, seconds))


def adapt_fields(fields: dict[str, Any], content: bytes) -> dict[str, Any] | None:
    """Adapts the fields of a request to what an endpoint asks for in an error; None if it asks for nothing that we know.

    It may ask for the other name of the maximum length, for a stream, or for a request without options of streams.

    Args:
        fields: the fields that it refused.
        content: the error.
    """
    message = content[:LONGEST_PAGE].decode(errors="replace").lower()
    for name, other in (LENGTHS, LENGTHS[::-1]):
        is_named = name in fields and re.search(rf"\b{name}\b", message)
        if is_named and (re.search(rf"\b{other}\b", message) or UNWANTED.search(message)):
            return {key: value for key, value in fields.items() if key != name} | {other: fields[name]}
    if "stream_options" in fields and "stream_options" in message:
        return {key: value for key, value in fields.items() if key != "stream_options"}
    if "stream" not in fields and STREAM_ASKED.search(message):
        return fields | {"stream": True, "stream_options": {"include_usage": True}}
    return None
