"""Environments for players that answer in words: single moves and whole games, for any library.

tasks.py       the tasks: positions and starts of games, for training and for testing
episodes.py    an episode of a task: questions, answers, a reward
serving.py     episodes over a WebSocket, as JSON
verifiers.py   episodes for the library verifiers
"""

from .episodes import Episode
from .tasks import Task, Tasks

__all__ = ["Episode", "Task", "Tasks"]
