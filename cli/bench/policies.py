"""`ludus bench policies`: measures the processor time that policies take for a move."""

from __future__ import annotations

from collections.abc import Sequence

from ...agents.registry import policies_for
from ...arena.move_times import time_moves
from ...envs import make_game
from ..terminal.output import show


def run(game: str, policies: Sequence[str] | None, seconds: float, seed: int, as_json: bool) -> None:
    """Measures, and prints a table.

    Args:
        game: the spec of the game.
        policies: the specs of the policies; None for all that play the game.
        seconds: how long to measure each policy, with each size of a batch.
        seed: the source of the positions.
        as_json: print JSON.
    """
    made = make_game(game)
    show(time_moves(list(policies or policies_for(made)), made, seconds=seconds, seed=seed), as_json)
