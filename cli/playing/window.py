"""`ludus play GAME --window`: moves are clicked on the board in a window, or typed as on the terminal."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.plugins.loading import check_installed
from ...envs.window import Window, has_screen
from ...games.drawing.clicks import Box, Clicks
from ...games.drawing.raster import pixels
from .live_game import LiveGame

ZOOM = 1.5
"""Pixels of the screen for each unit of the drawing."""
LINE, MARGIN, SIZE = 24, 12, 22
"""In pixels: the height of a line of text below the board, the margin around the text, and the font size."""
MAX_LINES = 12
PAPER, INK, FAINT, OPEN, DONE = (246, 242, 234), (43, 42, 51), (139, 135, 148), (217, 130, 47), (34, 87, 122)
WAIT = 50
"""Milliseconds to wait for an event, before the window checks whether the policy has moved."""
HINT = "click or type a move; help, undo; Esc quits"


def check_screen() -> None:
    """Checks that a window can be opened.

    Raises:
        ValueError: there is no screen, or what draws in a window is not installed.
    """
    check_installed("a window", "render")
    if not (has_screen() or os.environ.get("SDL_VIDEODRIVER")):
        raise ValueError("there is no screen here (DISPLAY and WAYLAND_DISPLAY are empty); play on the terminal, without --window")


class WindowPlayer:
    """A person at the window.

    Args:
        table: the game.
        run_line: runs a line as on the terminal, and returns the text to show. An empty line starts the game: the policy moves
            if it has the first seat.
    """

    def __init__(self, live_game: LiveGame, run_line: Callable[[str], str]) -> None:
        self._live_game, self._run_line = live_game, run_line
        self._window = Window()
        self._line, self._output = "", ""
        self._work: Thread | None = None
        self._clicks = Clicks({})
        self._is_closed = False
        self._shown: tuple[bytes, int | None] | None = None
        self._image = np.empty((0, 0, 3), np.uint8)

    def play(self) -> None:
        """Plays until the person closes the window."""
        import pygame

        pygame.font.init()
        self._do("")
        try:
            while not self._is_closed:
                self._draw()
                for event in [pygame.event.wait(WAIT), *pygame.event.get()]:
                    self._handle(event)
        finally:
            self._window.close()

    # ---- input

    def _handle(self, event: Any) -> None:
        """Handles an event of pygame."""
        import pygame

        if event.type == pygame.QUIT:
            self._is_closed = True
        elif self._is_thinking:
            return
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._live_game.outcome is None:
            action = self._clicks.click(event.pos[0] / ZOOM, event.pos[1] / ZOOM)
            if action is not None:
                self._do(self._live_game.game.move_name(action))
        elif event.type == pygame.KEYDOWN:
            self._type(event)

    def _type(self, event: Any) -> None:
        import pygame

        if event.key == pygame.K_ESCAPE:
            self._is_closed = not self._line and not self._clicks.done
            self._line, self._clicks = "", self._new_clicks()
        elif event.key == pygame.K_BACKSPACE:
            self._line = self._line[:-1]
        elif event.key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            line, self._line = self._line.strip(), ""
            if line.lower() in ("quit", "exit", "q"):
                self._is_closed = True
            elif line:
                self._do(line)
        elif event.unicode.isprintable():
            self._line += event.unicode

    def _do(self, line: str) -> None:
        """Runs a line in a thread, so that the window stays responsive while the policy thinks."""

        def work() -> None:
            try:
                self._output = self._run_line(line)
            finally:
                self._clicks = self._new_clicks()

        self._work = Thread(target=work, daemon=True)
        self._work.start()

    @property
    def _is_thinking(self) -> bool:
        return self._work is not None and self._work.is_alive()

    def _new_clicks(self) -> Clicks:
        game, state = self._live_game.game, self._live_game.state
        if self._live_game.outcome is not None:
            return Clicks({})
        return Clicks({action: game.clicks(state, action) for action in game.legal_actions(state)})

    # ---- output

    def _draw(self) -> None:
        import pygame

        live_game, lines = self._live_game, self._text
        image = self._board()
        height, width, _ = image.shape
        below = LINE * len(lines) + 2 * MARGIN
        self._window.draw(image, f"{live_game.game.title} · Ludus", below)
        for box in self._clicks.open if self._clicks.done else []:
            self._outline(box, OPEN)
        for box in self._clicks.done:
            self._outline(box, DONE)
        surface = self._window.surface
        surface.fill(PAPER, (0, height, width, below))
        font = pygame.font.Font(None, SIZE)
        for row, (text, colour) in enumerate(lines):
            surface.blit(font.render(text, True, colour), (MARGIN, height + MARGIN + row * LINE))
        pygame.display.flip()

    def _board(self) -> NDArray[np.uint8]:
        """The board's pixels, drawn again only if the position has changed, because the window asks twenty times a second."""
        live_game = self._live_game
        shown = live_game.state.tobytes(), live_game.actions[-1] if live_game.actions else None
        if shown != self._shown:
            self._shown, self._image = shown, pixels(live_game.game.svg(live_game.state, shown[1]), ZOOM)
        return self._image

    def _outline(self, box: Box, colour: tuple[int, int, int]) -> None:
        import pygame

        pygame.draw.rect(self._window.surface, colour, [side * ZOOM for side in box], width=3, border_radius=6)

    @property
    def _text(self) -> list[tuple[str, tuple[int, int, int]]]:
        """The lines below the board, each with its colour."""
        output = [(line, INK) for line in self._output.splitlines()[:MAX_LINES]]
        typed = "thinking …" if self._is_thinking else f"> {self._line}" if self._line else HINT
        return [*output, (typed, INK if self._line else FAINT)]
