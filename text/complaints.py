"""What an endpoint says where it does not answer: its message in whatever form, who sends it, and what it asks for."""

from __future__ import annotations

import html
import json
import re
from contextlib import suppress
from email.utils import parsedate_to_datetime
from time import time
from typing import Any, cast

LONGEST_PAGE = 50_000
"""Characters of a page that are looked at."""
LONGEST_ASKED = 1e7
"""Seconds of a pause; a longer one counts as this one."""
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
"""Fields that say what went wrong, the first of which counts that says anything."""
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
"""Statuses of an error that may stand for the refusal of one prompt."""
UNWANTED = re.compile(
    r"unsupported|(?:not|n't) support|unknown|unrecogni[sz]ed|unexpected|not (?:allowed|permitted|accepted|recogni[sz]ed)|forbidden"
    r"|extra|deprecated|instead|no longer|invalid"
)
"""What is said of a field of a request that an endpoint does not take."""
STREAM_ASKED = re.compile(
    r"\bstream(?:ing|ed)?\b[^.]{0,80}\b(?:only|must|requir\w+|enabled?|support\w*|true|parameter)\b"
    r"|\b(?:only|must|requir\w+|enable|support\w*|set|use)\b[^.]{0,80}\bstream(?:ing|ed)?\b"
)
LENGTHS = ("max_tokens", "max_completion_tokens")
"""The names of the longest length of a reply, old and new."""


def message_of(content: Any, depth: int = 6) -> str:
    """What an error says.

    Args:
        content: a body in bytes or as text, in JSON, HTML or plain words; or what was parsed of one.
        depth: how deep it is looked for.

    Returns:
        Its message; of an object without one the object as JSON; empty if it says nothing.
    """
    if isinstance(content, bytes):
        content = content.decode(errors="replace")
    if isinstance(content, str):
        parsed = _parsed(content)
        return _plain(content) if parsed is None or depth == 0 else message_of(parsed, depth - 1)
    if depth == 0 or not content or isinstance(content, (bool, int, float)):
        return ""
    if isinstance(content, list):
        return "; ".join(filter(None, (message_of(one, depth - 1) for one in cast("list[Any]", content)[:5])))
    fields = cast("dict[str, Any]", content)
    said = next(filter(None, (message_of(fields.get(name), depth - 1) for name in MESSAGES)), "")
    says = any(message_of(one, depth - 1) if isinstance(one, (dict, list)) else one for one in fields.values())
    return said or (json.dumps(fields) if says else "")


def _parsed(text: str) -> Any:
    """What a text holds as JSON, if it holds an object or a list; else None."""
    if text.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            return json.loads(text, parse_int=float)
    return None


def _plain(page: str) -> str:
    """The title of a page in HTML, or its words; another text as it is."""
    page = page[:LONGEST_PAGE]
    if page.lstrip().startswith("<"):
        title = TITLE.search(page)
        page = (title and title[1].strip()) or TAG.sub(" ", page)
        with suppress(ValueError):  # the number of a character may have thousands of digits
            page = html.unescape(page)
    return " ".join(page.split())


def sender_of(headers: Any, content: bytes) -> str:
    """Who has sent an answer that is not JSON, as a proxy between us and the endpoint may; empty if nobody says so."""
    if _parsed(content.decode(errors="replace")) is not None:
        return ""
    return headers.get("via") or headers.get("server") or ("cloudflare" if "cf-ray" in headers else "")


def is_about_money(content: bytes) -> bool:
    """Whether an error says that somebody has to pay first."""
    return MONEY.search(_codes(content)) is not None


def is_filter(status: int, content: bytes) -> bool:
    """Whether an error stands for the refusal of one prompt."""
    return status in REFUSABLE and bool(FILTER.search(_codes(content)) or FILTER_SAID.search(message_of(content).lower()))


def _codes(content: bytes) -> str:
    """The codes of an error, in lower case, a line each."""

    def collect(value: Any, depth: int) -> list[str]:
        found = list[str]()
        if isinstance(value, dict) and depth:
            for name, inside in cast("dict[str, Any]", value).items():
                found += [inside.lower()] if name in CODES and isinstance(inside, str) else collect(inside, depth - 1)
        return found

    return "\n".join(collect(_parsed(content.decode(errors="replace")), 6))


def asked_to_wait(headers: Any) -> float:
    """The seconds of a `Retry-After`, which may be a date; 0 without one."""
    given, seconds = headers.get("retry-after", ""), 0.0
    with suppress(ValueError, TypeError, OverflowError):
        seconds = parsedate_to_datetime(given).timestamp() - time()
    with suppress(ValueError):
        seconds = float(given)
    return min(LONGEST_ASKED, max(0.0, seconds))


def adapted(fields: dict[str, Any], content: bytes) -> dict[str, Any] | None:
    """The fields of a request as an endpoint asks for them that has refused others; None if it asks for nothing that we know.

    It may ask for the other name of the longest length, for a stream, and for none of the options of streams.

    Args:
        fields: those that it has refused.
        content: what it said.
    """
    said = content[:LONGEST_PAGE].decode(errors="replace").lower()
    for name, other in (LENGTHS, LENGTHS[::-1]):
        if name in fields and re.search(rf"\b{name}\b", said) and (re.search(rf"\b{other}\b", said) or UNWANTED.search(said)):
            return {key: value for key, value in fields.items() if key != name} | {other: fields[name]}
    if "stream_options" in fields and "stream_options" in said:
        return {key: value for key, value in fields.items() if key != "stream_options"}
    if "stream" not in fields and STREAM_ASKED.search(said):
        return fields | {"stream": True, "stream_options": {"include_usage": True}}
    return None
