"""Random damage to bytes and to text: each function gives the same damage for the same generator."""

from __future__ import annotations

import random
import re

LIMITS = ("0", "-1", "-5", "0.5", "1e999", "-1e999", "1e-400", "NaN", "9" * 25, "9" * 5000) + tuple(
    str(number) for number in (2**31, 2**63, -(2**63), 2**64)
)
"""Numbers at the limits of what number types hold, and beyond."""
OTHERS = ("null", "true", '"text"', "[]", "{}", "[[[[]]]]", '"\\ud800"', '"\\u0000"', "5", "[" * 3000, '{"a": {"b": []}}', "", ",")
"""Values of other types, and things that are not values."""
VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null|\[[^][]*\]|\{[^{}]*\}')
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
WORDS = ("", " ", ",", ":", "=", "+", "-", "\0", "é", "🎲", "\ud800", "../", "a" * 300, "(", "%s", "\n", "--", "·")


def damaged_bytes(content: bytes, draw: random.Random) -> bytes:
    """Bytes flipped, cut, moved, doubled, overwritten or appended, in one to four places."""
    changed = bytearray(content)
    for _ in range(draw.choice([1, 1, 1, 2, 4])):
        place = draw.randrange(len(changed) + 1)
        width = draw.choice([1, 1, 2, 4, 8, 64, 512])
        kind = draw.randrange(8)
        if kind <= 2 and changed:
            changed[min(place, len(changed) - 1)] ^= 1 << draw.randrange(8)
        elif kind == 3:
            del changed[place:]
        elif kind == 4:
            del changed[place : place + width]
        elif kind == 5:
            changed[place:place] = changed[place : place + width]
        elif kind == 6:
            byte = bytes([draw.choice([0, 255, draw.randrange(256)])])
            changed[place : place + width] = byte * len(changed[place : place + width])
        else:
            changed[place : place + width] = draw.randbytes(width)
    return bytes(changed)


def damaged_text(content: bytes, draw: random.Random) -> bytes:
    """Text of fields and values: values swapped, numbers at the limits, lines lost; now and then its bytes as such."""
    if draw.random() < 0.3:
        return damaged_bytes(content, draw)
    text = content.decode()
    for _ in range(draw.choice([1, 1, 1, 2])):
        kind = draw.randrange(6)
        found = [*(NUMBER if kind == 1 else VALUE).finditer(text)]
        lines = text.splitlines(keepends=True)
        if kind <= 2 and found:
            which = draw.choice(found)
            new = draw.choice(LIMITS) if kind == 1 else draw.choice([*OTHERS, *LIMITS])
            text = text[: which.start()] + new + text[which.end() :]
        elif kind == 3 and found:
            one, other = sorted(draw.choices(found, k=2), key=lambda match: match.start())
            if one.end() <= other.start():
                between = text[one.end() : other.start()]
                text = text[: one.start()] + other[0] + between + one[0] + text[other.end() :]
        elif kind == 4 and lines:
            del lines[draw.randrange(len(lines))]
            text = "".join(lines)
        elif lines:
            lines.insert(draw.randrange(len(lines) + 1), draw.choice(lines))
            text = "".join(lines)
    return text.encode(errors="surrogatepass")


def damaged_word(text: str, draw: random.Random) -> str:
    """A short text as somebody types it: letters lost, doubled or swapped, other signs put in, numbers at the limits."""
    for _ in range(draw.choice([1, 1, 2, 3])):
        place = draw.randrange(len(text) + 1)
        kind = draw.randrange(6)
        found = [*NUMBER.finditer(text)]
        if kind == 0:
            text = text[:place] + text[place + 1 :]
        elif kind == 1:
            text = text[:place] + draw.choice(WORDS) + text[place:]
        elif kind == 2 and found:
            which = draw.choice(found)
            text = text[: which.start()] + draw.choice(LIMITS) + text[which.end() :]
        elif kind == 3:
            text = text[:place] + chr(draw.choice([draw.randrange(32, 127), draw.randrange(0x3000)])) + text[place + 1 :]
        elif kind == 4:
            other = draw.randrange(len(text) + 1)
            text = text[: min(place, other)] + text[max(place, other) :]
        else:
            text = text[:place] + text[place : place + 8] + text[place:]
    return text
