"""A game as one SVG file that moves: its positions one after the other, again and again.

The file needs no script and loads nothing, so that it also moves as an image of a page. What several positions share is
written once. What fell with a move, as a disc of Connect Four, falls. Where a reader prefers less motion, the last position
stands still.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

HEAD = re.compile(r"<svg[^<>]*>")
ELEMENT = re.compile(r"<g\b[^<>]*>.*?</g>|<(\w{1,20})\b[^<>]*(?:(?<=/)>|>[^<]*</\1>)")
"""An element as drawings have them: a symbol on its site, or one that has no others inside."""
FALLS = re.compile(r'\bdata-falls="([\d.]+)"')
"""How many pixels an element fell with the last move."""
FALL = 0.45
"""How many seconds that takes."""
LONGER = 4
"""How many times as long as the others the last position stays."""


def animation(drawings: Sequence[str], seconds: float = 1.0) -> str:
    """One drawing that shows others in turn.

    Args:
        drawings: SVG documents of the same size, as `Game.svg` draws them.
        seconds: how long each is shown; the last one stays four times as long.

    Returns:
        An SVG document with a line break at its end.
    """
    frames = [[match[0] for match in ELEMENT.finditer(drawing)] for drawing in drawings]
    elements = [*dict.fromkeys(chain.from_iterable(frames))]
    numbers = {element: number for number, element in enumerate(elements)}
    defined = [re.sub(r"^<(\w+)", rf'<\1 id="e{number}"', element) for number, element in enumerate(elements)]
    times = len(drawings) - 1 + LONGER
    style = "".join(chain(_styles(times, seconds), _falling(times * seconds) if any(map(FALLS.search, elements)) else ()))
    used = ["".join(_use(element, numbers[element], i * seconds) for element in frame) for i, frame in enumerate(frames)]
    moving = [f'<g class="f" style="animation-delay:{i * seconds:g}s">{frame}</g>' for i, frame in enumerate(used)]
    head = HEAD.search(drawings[-1])
    assert head is not None, "a drawing is one SVG document"
    return f"{head[0]}<style>{style}</style><defs>{''.join(defined)}</defs>{''.join(moving)}</svg>\n"


def _use(element: str, number: int, begin: float) -> str:
    """An element in a frame that is first seen after `begin` seconds."""
    falls = FALLS.search(element)
    return f'<use href="#e{number}"{_fall(falls[1], begin) if falls else ""}/>'


def _fall(height: str, begin: float) -> str:
    return f' class="d" style="--y:-{height}px;animation-delay:{begin:g}s"'


def _falling(total: float) -> Iterator[str]:
    """The rules by which elements fall at the begin of their frame, once in `total` seconds."""
    yield f".d{{animation:fall {total:g}s infinite}}"
    yield "@keyframes fall{0%{transform:translateY(var(--y));animation-timing-function:cubic-bezier(.33,0,.67,.33)}"
    yield f"{100 * FALL / total:.4f}%,to{{transform:none}}}}"
    yield "@media(prefers-reduced-motion:reduce){.d{animation:none}}"


def _styles(times: int, seconds: float) -> Iterator[str]:
    """The rules by which one frame is seen at a time."""
    yield f".f{{visibility:hidden;animation:one {times * seconds:g}s steps(1) infinite}}"
    yield ".f:last-child{animation-name:last}"
    yield f"@keyframes one{{0%{{visibility:visible}}{100 / times:.4f}%,to{{visibility:hidden}}}}"
    yield f"@keyframes last{{0%{{visibility:visible}}{100 * LONGER / times:.4f}%,to{{visibility:hidden}}}}"
    yield "@media(prefers-reduced-motion:reduce){.f{animation:none}.f:last-child{visibility:visible}}"
