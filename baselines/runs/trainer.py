"""`Trainer`: learns a policy part by part, so that the training can be watched, stopped, saved and resumed.

A trainer has a game, settings and a seed. Everything it does follows from these and from the number of parts done: its random
numbers come from the seed and a count, and its state is arrays. So a run that is interrupted and resumed ends with the same policy,
bit for bit, as one that is not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, TypeVar

from numpy.typing import NDArray

from ...agents.policy import Policy
from ...arena.data.many_games import Shard
from ...core.bounds import Bounded
from ...core.files.named_arrays import Arrays
from ...core.workers.pool import Starmap, starmap_in_threads
from ...games.game import Game


@dataclass(frozen=True)
class Settings(Bounded):
    """Settings of a trainer. Subclasses are frozen dataclasses; each field is a setting, and its annotation declares its bounds."""

    def by_name(self) -> dict[str, Any]:
        """The settings by name, as they are; `dataclasses.asdict` would take apart those of a file that are refused."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


S = TypeVar("S", bound=Settings)


class Trainer(ABC, Generic[S]):
    """Learns to play a game.

    Args:
        game: the game and variant.
        settings: those of the trainer.
        seed: the source of all randomness.

    Raises:
        ValueError: the trainer cannot learn this game with these settings.
    """

    name: ClassVar[str]
    """The name in `ludus train NAME`, and the kind of its runs."""
    settings_class: ClassVar[type[Settings]]
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Settings by the name of the preset, each with only what differs from the defaults."""
    unit: ClassVar[str]
    """The unit of progress, such as "games" or "generations"."""

    shared: ClassVar[tuple[str, ...] | None] = None
    """The settings that a run must share with the run that it continues, since the arrays fit no others; None where there is no
    `learn_on`."""

    grows: ClassVar[tuple[str, ...]] = ("*",)
    """Patterns of names of arrays of the state that may be missing, or have another length, in a new trainer; all others are
    compared with those of a new trainer before a state is restored."""

    outputs: ClassVar[tuple[str, ...]] = ("logits", "values")
    """What its network gives, where it has one, by name and in order: logits of all actions (B, A), where those of illegal ones
    mean nothing, and values for the player to move (B,), from -1 to 1."""

    against: ClassVar[Mapping[str, Any] | None] = None
    """The settings for games against one policy alone that differ from the defaults; None where there is no `play_against`."""

    learns_early: ClassVar[bool] = False
    """Whether most is learnt in a small first part of the training: then it is measured before its start and each time it has
    grown fourfold, too, and plots have a logarithmic axis."""

    hands_out: ClassVar[bool] = False
    """Whether it has work for several threads or processes."""

    keeps_games: ClassVar[bool] = False
    """Whether it hands the games that it plays to `keep`."""

    def __init__(self, game: Game, settings: S, seed: int) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        self.starmap: Starmap = starmap_in_threads
        self.keep: Callable[[int, Sequence[Shard]], None] | None = None
        """Takes the number of a part, counted from 0, and the games that ended in it; None where nobody keeps them."""
        self._done = 0

    @property
    def done(self) -> int:
        """The number of units done; subclasses that count otherwise than by `_done` override it."""
        return self._done

    @property
    def total(self) -> int:
        """The number of units to do: the setting of this name, unless a subclass overrides it."""
        return getattr(self.settings, self.unit)

    @abstractmethod
    def advance(self) -> dict[str, float]:
        """Does the next part, which depends on nothing but what is done, and takes about a second or less.

        Returns:
            Its metrics by name: the same names each time.
        """

    def play_against(self, policy: Policy) -> None:
        """Takes a policy as the only opponent of what it learns, in both seats, in place of those of its settings.

        It is called before the first part, and before a state is restored.

        Args:
            policy: the opponent. What it raises must leave `advance`, which is not called again then.

        Raises:
            ValueError: it cannot learn against this policy with its settings.
        """
        raise NotImplementedError

    @property
    def obstacle(self) -> str:
        """Why nothing was learnt so far, as a clause that also says what to do; empty where something was."""
        return ""

    @abstractmethod
    def state(self) -> Arrays:
        """All that the rest of the training depends on."""

    @abstractmethod
    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to a state, whose arrays have the names, types and shapes of `state` but for those that grow.

        Raises:
            ValueError, LookupError, TypeError, AttributeError, RuntimeError, StopIteration: it is not a state of this trainer
                with these settings. `Run` says of which run.
        """

    def learn_on(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Starts with what another run has learnt, before the first part; then its policy is that of the other run.

        Args:
            state: that of a run of this trainer and game with the same `shared` settings.

        Raises:
            ValueError: it is not the state of such a trainer.
        """
        raise NotImplementedError

    @abstractmethod
    def learnt(self) -> Arrays:
        """The part of the state that the policy needs: what a finished run keeps."""

    @classmethod
    @abstractmethod
    def policy_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]], **options: str) -> Policy:
        """The policy of learnt arrays, as it plays when it is measured.

        Args:
            game: the game and variant of the run.
            settings: its settings.
            learnt: the arrays.
            options: settings after the folder in a spec, as in `run:DIR,depth=2`.

        Raises:
            ValueError: the arrays do not fit such a run, or an option is unknown.
        """

    @classmethod
    def network_of(cls, game: Game, settings: S, learnt: Mapping[str, NDArray[Any]]) -> Any:
        """The network of learnt arrays, for those who want to look into it or to play by it elsewhere.

        Args:
            game: the game and variant of the run.
            settings: its settings.
            learnt: the arrays.

        Returns:
            A `torch.nn.Module` of its own, on the processor, in evaluation mode. It takes planes, float32 (B, C, H, W), as
            `game.observations(states, game.players(states))` gives them, and answers with what `outputs` names.

        Raises:
            ValueError: this trainer has no network of torch, or the arrays do not fit.
        """
        what = "run.policy() is what it has learnt, as a policy, and run.trainer.learnt() as arrays"
        raise ValueError(f"the trainer {cls.name!r} has no network of torch; {what}")

    def policy(self) -> Policy:
        """What it has learnt so far."""
        return self.policy_of(self.game, self.settings, self.learnt())

    def network(self) -> Any:
        """The network learnt so far, as `network_of` gives it."""
        return self.network_of(self.game, self.settings, self.learnt())

    def artefacts(self) -> dict[str, bytes]:
        """Files to save with the result, by name, such as a drawing; none by default."""
        return {}


def refuse_options(trainer: str, options: Mapping[str, str]) -> None:
    """Raises ValueError if there are options after the folder of a run, for trainers whose policies have none."""
    if options:
        raise ValueError(f"a run of {trainer} takes no options, such as {next(iter(options))}")
