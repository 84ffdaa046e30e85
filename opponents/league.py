"""`League`: snapshots of a learner, added while it learns.

    latest        always the newest
    uniform       any, equally likely
    prioritised   any, in proportion to the square of its points against the learner, so that those that beat it come more often

Sources: Bansal et al., Emergent complexity via multi-agent competition (2018), where old selves keep a learner from going round
in circles; Vinyals et al., Grandmaster level in StarCraft II using multi-agent reinforcement learning, Nature 575 (2019),
prioritised fictitious self-play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from ..agents.policy import Policy
from ..agents.registry import as_policy
from ..core.bounds import Count, OneOf, check
from ..core.files.named_arrays import Arrays, under
from ..games.game import Game
from .pool import Member, Pool

DRAWS = ("latest", "uniform", "prioritised")
"""The ways in which a league draws one of its snapshots."""


class League(Pool):
    """Snapshots of a learner, the last few of them.

    Args:
        game: the game or its spec.
        size: the number of snapshots that it keeps, 1 or more. A further one replaces the oldest, and gets its number; games
            under way go on against the snapshot that they began with.
        draw: how the snapshot is drawn that a game is played against: "latest", "uniform" or "prioritised".
        make: makes the policy of a snapshot that is given as arrays. Only a league of arrays has a `state()`.
        name: what it is called where it is a member of another pool.

    Raises:
        ValueError: there is no such game or draw, or the size is out of its range.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        size: int = 10,
        draw: str = "uniform",
        make: Callable[[Arrays], Policy] | None = None,
        name: str = "league",
    ) -> None:
        super().__init__(game, name)
        check(size, "size", Count)
        check(draw, "draw", Annotated[str, OneOf(*DRAWS)])
        self.size, self.drawn_by = int(size), draw
        self._make = make
        self._added = 0

    def __len__(self) -> int:
        """How many snapshots there are now."""
        return len(self._members)

    def add(self, snapshot: Any, name: str | None = None, *, sample: bool = False) -> int:
        """Adds the learner as it is now, or any other policy.

        Args:
            snapshot: a copy is kept of what `as_policy` takes, a torch module or a model for instance, so that it may learn on.
                (A function is kept as it is: what it reads from elsewhere may still change.) Or arrays by name, for `make`.
            name: what it is called; "snapshot 0" and so on, if it is not given.
            sample: as for `as_policy`: a network draws its actions and does not take the best.

        Returns:
            Its number.

        Raises:
            ValueError: it has another type, or does not play the game.
        """
        arrays = {key: np.array(array) for key, array in snapshot.items()} if isinstance(snapshot, Mapping) else None
        policy = self._make_policy(arrays) if arrays is not None else deepcopy(as_policy(snapshot, self.game, sample=sample))
        slot = self._added % self.size
        self._members[slot : slot + 1] = [self._member(policy, name or f"snapshot {self._added}", arrays)]
        self._added += 1
        return slot

    def clear(self) -> None:
        """Forgets all snapshots and their results."""
        self._members, self._added = [], 0

    @property
    def width(self) -> int:
        return self.size

    @property
    def weights(self) -> NDArray[np.float64]:
        if self.drawn_by == "latest":
            return (np.arange(len(self)) == (self._added - 1) % self.size).astype(np.float64)
        return np.ones(len(self)) if self.drawn_by == "uniform" else (1 - np.array([member.share for member in self._members])) ** 2

    def _make_policy(self, arrays: Arrays) -> Policy:
        if self._make is None:
            raise ValueError("a snapshot given as arrays needs League(…, make=…), which makes a policy of them")
        return as_policy(self._make(arrays), self.game)

    def state(self) -> Arrays:
        snapshots: Arrays = {}
        for slot, member in enumerate(self._members):
            if member.arrays is None:
                raise ValueError("only a league whose snapshots were all given as arrays has a state of arrays; pickle any other")
            snapshots |= {f"{slot}.{key}": array for key, array in member.arrays.items()}
        return {"added": np.array([self._added]), "tally": self._tally(), **snapshots}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        added, tally = int(state["added"][0]), state["tally"]
        if added < 0 or tally.shape != (min(added, self.size), 2):
            raise ValueError(f"the state is of {len(tally)} snapshots, {added} added; {self.name} keeps {self.size}")
        snapshots = [under(f"{slot}.", state) for slot in range(len(tally))]
        policies = [self._make_policy(arrays) for arrays in snapshots]
        names = (f"snapshot {added - 1 - (added - 1 - slot) % self.size}" for slot in range(len(tally)))
        self._members = [Member(self, *each) for each in zip(policies, names, snapshots, strict=True)]
        self._restore_tally(tally)
        self._added = added
