"""A window that shows pixels, by pygame-ce; on a machine without a screen it draws into memory."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

FRAMES_PER_SECOND = 2  # as slow as a person watches


def has_screen() -> bool:
    """Whether there is a screen to open a window on."""
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))


class Window:
    """Opens at the first picture. It copies and pickles as a window not yet opened."""

    def __init__(self) -> None:
        self.surface: Any = None
        """pygame's surface; None until the first picture."""

    def show(self, image: NDArray[np.uint8], title: str) -> None:
        """Shows an image (height, width, 3) for a moment."""
        import pygame

        height, width, _ = image.shape
        if self.surface is None or self.surface.get_size() != (width, height):
            if not has_screen():
                os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
            pygame.display.init()
            pygame.display.set_caption(title)
            self.surface = pygame.display.set_mode((width, height))
        pygame.surfarray.blit_array(self.surface, np.swapaxes(image, 0, 1))
        pygame.display.flip()
        pygame.event.pump()
        if pygame.display.get_driver() != "dummy":
            time.sleep(1 / FRAMES_PER_SECOND)

    def close(self) -> None:
        """Closes the window; it opens again at the next picture."""
        if self.surface is not None:
            import pygame

            pygame.display.quit()
            self.surface = None

    def __getstate__(self) -> dict[str, Any]:
        return {"surface": None}
