"""A game as one SVG file that moves: its positions one after the other, again and again.

The file needs no script and loads nothing, so that it also moves as an image of a page. What several positions share is
written once. Where a reader prefers less motion, the last position stands still.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

HEAD = re.compile(r"<svg[^<>]*>")
ELEMENT = re.compile(r"<g\b[^<>]*>.*?</g>|<(\w{1,20})\b[^<>]*(?:(?<=/)>|>[^<]*</\1>)")
"""An element as drawings have them: a symbol on its site, or one that has no others inside."""
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
    used = ["".join(f'<use href="#e{numbers[element]}"/>' for element in frame) for frame in frames]
    moving = [f'<g class="f" style="animation-delay:{i * seconds:g}s">{frame}</g>' for i, frame in enumerate(used)]
    head = HEAD.search(drawings[-1])
    assert head is not None, "a drawing is one SVG document"
    return f"{head[0]}<style>{''.join(_styles(times, seconds))}</style><defs>{''.join(defined)}</defs>{''.join(moving)}</svg>\n"


def _styles(times: int, seconds: float) -> Iterator[str]:
    """The rules by which one frame is seen at a time."""
    yield f".f{{visibility:hidden;animation:one {times * seconds:g}s steps(1) infinite}}"
    yield ".f:last-child{animation-name:last}"
    yield f"@keyframes one{{0%{{visibility:visible}}{100 / times:.4f}%,to{{visibility:hidden}}}}"
    yield f"@keyframes last{{0%{{visibility:visible}}{100 * LONGER / times:.4f}%,to{{visibility:hidden}}}}"
    yield "@media(prefers-reduced-motion:reduce){.f{animation:none}.f:last-child{visibility:visible}}"
