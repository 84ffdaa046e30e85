"""`RunPlan`: what a run does, fixed before its first part; everything that it learns follows from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from ...core.numbers import seed_of, short_repr
from ...core.plugins import CheckedSpec
from ...core.specs import nearest, read, value_text
from ...games.game import Game
from ...games.registry import game_class, game_names, make_game
from .registry import presets_of, trainer_class, trainers_against
from .target import TargetPolicy
from .trainer import Settings, Trainer


@dataclass(frozen=True)
class Origin:
    """The run that another run started from: its folder as the user gave it, which is not needed any more, and the checksum of the
    arrays taken from it, in hexadecimal digits."""

    run: str
    checksum: str


class PlanDocument(Struct, kw_only=True, frozen=True):
    """A plan as JSON; its settings are not read yet."""

    trainer: CheckedSpec
    game: CheckedSpec
    settings: dict[str, Any]
    seed: Annotated[int, Meta(ge=0)]
    preset: str | None
    origin: Origin | None = field(name="from", default=None)
    target: TargetPolicy | None = None


@dataclass(frozen=True)
class RunPlan:
    """All that the policy of a run depends on.

    Args:
        trainer: the name of the trainer.
        game: the game and variant to learn.
        settings: all settings of the trainer.
        seed: the source of all randomness.
        preset: the name of the preset that the settings started with; None for the defaults.
        origin: the run that it started from; None where it started untrained.
        target: the policy that it learns to beat, its only opponent; None where its settings say against whom it learns.
    """

    trainer: str
    game: Game
    settings: Settings
    seed: int
    preset: str | None = None
    origin: Origin | None = None
    target: TargetPolicy | None = None

    @classmethod
    def make(
        cls,
        trainer: str,
        game: str | Game,
        seed: int,
        preset: str | None,
        given: Mapping[str, Any],
        target: TargetPolicy | None = None,
    ) -> RunPlan:
        """A plan by names and settings; texts are parsed. Without a preset, one with the name of the game is used, if there is one.

        Presets are the trainer's own, those of the game, and those of all other games. With a target, the trainer's settings
        `against` one policy count more than the preset, and those given more than both.

        Raises:
            ValueError: no such trainer, game, preset or setting, or a setting out of its range; or the trainer learns against no
                policy that is given to it.
        """
        made, game = trainer_class(trainer), make_game(game)
        if target:
            if made.against is None:
                raise ValueError(
                    f"the trainer {short_repr(trainer)} does not learn against a policy that is given to it; "
                    f"take one of {', '.join(trainers_against())}"
                )
            given = {**made.against, **given}
        presets = presets_of(made, [type(game)])
        if preset is None:
            preset = next((name for name in (game.spec, game.name) if name in presets), None)
        elif preset not in presets:
            presets = presets_of(made, map(game_class, game_names()))
        if preset is None:
            return cls.of(trainer, game, seed, given, target=target)
        if preset not in presets:
            names = nearest(preset, presets, "it has none")
            raise ValueError(f"the trainer {short_repr(trainer)} has no preset {short_repr(preset)}; {names}")
        of_game = preset in game.known.presets.get(made.name, {})
        where = f", of the module {type(game).__module__}," if of_game else ""
        whose = f"the preset {short_repr(preset)}{where} for the trainer {made.name!r}"
        settings = read(made.settings_class, presets[preset], whose)
        return cls.of(trainer, game, seed, {**settings, **given}, preset=preset, target=target)

    @classmethod
    def of(cls, trainer: str, game: Game, seed: int, given: Mapping[str, Any], **others: Any) -> RunPlan:
        """A plan with these settings, and the defaults for all others; `others` are the plan's preset, origin and target."""
        made = trainer_class(trainer)
        settings = made.settings_class(**read(made.settings_class, given, f"the trainer {made.name!r}"))
        return cls(made.name, game, settings, seed_of(seed), **others)

    @classmethod
    def read(cls, document: PlanDocument, settings: Mapping[str, Any]) -> RunPlan:
        """The plan of a document, with its settings, of which those that are not trusted are an `UntrustedSpec`."""
        others = {"preset": document.preset, "origin": document.origin, "target": document.target}
        return cls.of(document.trainer, make_game(document.game), document.seed, settings, **others)

    def begin(self) -> Trainer[Any]:
        """A new trainer; ValueError if it cannot learn this game with these settings."""
        return trainer_class(self.trainer)(self.game, self.settings, self.seed)

    def document(self) -> dict[str, Any]:
        """The plan as JSON."""
        settings = json.loads(json.dumps(asdict(self.settings)))
        document = {"trainer": self.trainer, "game": self.game.spec, "settings": settings, "preset": self.preset, "seed": self.seed}
        document |= {"from": asdict(self.origin)} if self.origin else {}
        return document | ({"target": asdict(self.target)} if self.target else {})

    def changes(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The given settings, parsed, that differ from those here; ValueError if there is no such setting."""
        wanted = read(type(self.settings), given, f"the trainer {short_repr(self.trainer)}")
        return {name: value for name, value in wanted.items() if getattr(self.settings, name) != value}

    def describe_changes(self, given: Mapping[str, Any]) -> str:
        """The given settings that differ from those here, as a clause; empty where none does."""
        own, changes = self.settings, self.changes(given).items()
        return "; ".join(f"{name} is {value_text(getattr(own, name))}, not {value_text(value)}" for name, value in changes)
