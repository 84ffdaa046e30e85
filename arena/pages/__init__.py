"""Shared by the report of a tournament, the pages of `ludus web`, and games in a notebook.

frames.py      a game to step through, as data
notebook.py    a game to step through, as the output of a notebook, by alone.html.jinja, alone.css and alone.js
single.py      pages of one file, which need no server
guarded.py     servers of applications, protected from other pages and other machines
messages.py    the messages of clients, read as declared types
shared/        ES modules and style sheets: theme.css, elements.js, falling.js, graph.js, said.js, replay.js, tables.css, tips.js
"""

from __future__ import annotations

from .frames import Replay, film

__all__ = ["Replay", "film"]
