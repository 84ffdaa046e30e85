"""SVG to pixels, by resvg; the font for coordinates is the one that pygame-ce ships, since a bare machine has none."""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray


def png(svg: str, zoom: float = 1.0) -> bytes:
    """The drawing as a PNG file, `zoom` times as large."""
    import resvg_py

    image = resvg_py.svg_to_bytes(
        svg_string=svg, zoom=zoom, skip_system_fonts=True, font_files=[_font()], sans_serif_family="FreeSans"
    )
    return bytes(image)


def pixels(svg: str, zoom: float = 1.0) -> NDArray[np.uint8]:
    """The drawing as an image (height, width, 3), `zoom` times as large."""
    import pygame

    picture: Any = pygame.image.load(io.BytesIO(png(svg, zoom)))
    return np.ascontiguousarray(np.swapaxes(pygame.surfarray.array3d(picture), 0, 1))


def _font() -> str:
    spec = find_spec("pygame")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "freesansbold.ttf")
