"""What studies of matches share: the counts of a score, and a minimax that counts its nodes."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from ludus.agents import make_policy
from ludus.agents.minimax import Minimax
from ludus.arena.ratings.score import Score


def counts(score: Score) -> list[int]:
    """Wins, draws and losses."""
    return [score.wins, score.draws, score.losses]


@dataclass(frozen=True)
class Counting(Minimax):
    """Minimax that counts the nodes it visits."""

    visited: list[int] = field(default_factory=list[int], repr=False)

    def search(self, states: Any, keys: Any) -> Any:
        found = super().search(states, keys)
        self.visited.append(int(found.nodes.sum()))
        return found


def counting(spec: str, game: str) -> Counting:
    """The minimax policy of a spec, counting its nodes."""
    policy = make_policy(spec, game)
    return Counting(**{one.name: getattr(policy, one.name) for one in fields(policy)})
