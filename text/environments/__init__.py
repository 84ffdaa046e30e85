"""Where players that speak are trained: single moves and whole games as environments, for any library.

tasks.py       what there is to do: positions and starts of games, for training and for testing
episodes.py    one of them being played: a question, an answer, a reward
serving.py     episodes over HTTP and WebSocket, as JSON
verifiers.py   episodes for the library verifiers
"""

from .episodes import Episode
from .tasks import Task, Tasks

__all__ = ["Episode", "Task", "Tasks"]
