"""The board in the browser: play any policy, and see what an oracle says about each move.

server.py serves one page and answers its requests; nothing about a game is kept here, since the page's address holds all of it.
thinkers.py has policies and oracles think in processes of their own. page/ is what the browser loads.
"""

from __future__ import annotations

from .server import application, configured

__all__ = ["application", "configured"]
