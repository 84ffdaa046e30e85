"""`Trainer`: what makes a policy by learning, part by part, so that it can be watched, stopped, kept and gone on with.

A trainer is made of a game, settings and a seed. Everything it does follows from these and from how many parts it has done: its
randomness comes from keys that it derives from the seed and a count, and its state is arrays. So a run that is
interrupted and resumed ends with the same policy, bit for bit, as one that is not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from numpy.typing import NDArray

from ...agents.policies.policy import Policy
from ...envs.files.named_arrays import Arrays
from ...envs.games.game import Game
from ...envs.settings.bounds import Bounded
from .crew import Crew, Threads


@dataclass(frozen=True)
class Settings(Bounded):
    """What a user may set. Subclasses are frozen dataclasses; each field is a setting, and its annotation declares its bounds."""


S = TypeVar("S", bound=Settings)


class Trainer(ABC, Generic[S]):
    """Learns to play a game.

    Args:
        game: the game and variant.
        settings: what the user set, and defaults.
        seed: the source of all randomness.

    Raises:
        ValueError: the trainer cannot learn this game with these settings.
    """

    name: ClassVar[str]
    """Its name in `ludus train NAME`, and the kind of its runs."""
    settings_class: ClassVar[type[Settings]]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Settings by name, each only what differs from the defaults."""
    unit: ClassVar[str]
    """What its progress counts, as "games" or "generations"."""

    shared: ClassVar[tuple[str, ...] | None] = None
    """The settings that a run must share with one that it learns on from, since what was learnt fits no others; None where
    `learn_on` is not there."""

    grows: ClassVar[tuple[str, ...]] = ("*",)
    """Patterns of the names of those arrays of its state that may be missing, or have another length, than when it begins; all
    others are compared with those of a trainer that begins before a state is restored."""

    hands_out: ClassVar[bool] = False
    """Whether there is work that it hands out to its crew."""

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.crew: Crew = Threads()

    @property
    @abstractmethod
    def done(self) -> int:
        """How many units are done."""

    @property
    @abstractmethod
    def total(self) -> int:
        """How many units there are to do."""

    @abstractmethod
    def advance(self) -> dict[str, float]:
        """Does the next part, always the same number of units, of a second or so.

        Returns:
            What there is to plot of it, by name: the same names each time.
        """

    @abstractmethod
    def state(self) -> Arrays:
        """All that the rest of the training depends on."""

    @abstractmethod
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to a state.

        Raises:
            ValueError: it is none of this trainer with these settings.
        """

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Begins with what another run has learnt, before the first part; then its policy is the other's.

        Args:
            state: of a run of this trainer and game with the same `shared` settings.

        Raises:
            ValueError: it is not the state of such a trainer.
        """
        raise NotImplementedError

    @abstractmethod
    def learnt(self) -> Arrays:
        """Of its state what its policy needs: what a finished run holds."""

    @classmethod
    @abstractmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        """The policy of what was learnt, as it plays when it is measured.

        Args:
            game: the game and variant of the run.
            settings: its settings.
            learnt: the arrays.
            options: what stands in a spec behind the run's folder, as in `run:DIR,depth=2`.

        Raises:
            ValueError: the arrays are none of such a run, or an option is unknown.
        """

    def policy(self) -> Policy:
        """What it has learnt so far."""
        return self.policy_of(self.game, self.settings, self.learnt())

    def artefacts(self) -> dict[str, bytes]:
        """Files to keep with the result, by name, such as a drawing; none unless a trainer has some."""
        return {}
