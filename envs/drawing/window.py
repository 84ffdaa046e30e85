"""A window that shows pixels, by pygame; on a machine without a screen it draws into memory."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

FRAMES_PER_SECOND = 2  # as slow as a person watches


class Window:
    """Opens at the first picture. It copies and pickles as a window not yet opened."""

    def __init__(self) -> None:
        self._surface: Any = None

    def show(self, image: NDArray[np.uint8], title: str) -> None:
        """Shows an image (height, width, 3)."""
        import pygame

        height, width, _ = image.shape
        if self._surface is None or self._surface.get_size() != (width, height):
            if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
                os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
            pygame.display.init()
            pygame.display.set_caption(title)
            self._surface = pygame.display.set_mode((width, height))
        pygame.surfarray.blit_array(self._surface, np.swapaxes(image, 0, 1))
        pygame.display.flip()
        pygame.event.pump()
        if pygame.display.get_driver() != "dummy":
            time.sleep(1 / FRAMES_PER_SECOND)

    def close(self) -> None:
        """Closes the window; it opens again at the next picture."""
        if self._surface is not None:
            import pygame

            pygame.display.quit()
            self._surface = None

    def __getstate__(self) -> dict[str, Any]:
        return {"_surface": None}
