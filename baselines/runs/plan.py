"""`Plan`: what a run does, fixed before its first part; everything that it learns follows from it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from ...agents.registry import POLICIES
from ...envs.games.game import Game
from ...envs.games.registry import make_game
from ...envs.plugins import Source
from ...envs.settings.numbers import seed_of
from ...envs.settings.specs import nearest, read, written
from .registry import trainer_class
from .trainer import Settings, Trainer


@dataclass(frozen=True)
class Origin:
    """The run that another run started from.

    Args:
        run: its folder as the user gave it; the folder is not needed any more.
        checksum: that of the arrays taken from it, in hexadecimal digits.
    """

    run: str
    checksum: str


class PlanDocument(Struct, kw_only=True, frozen=True):
    """A plan as JSON; its settings are not read yet."""

    trainer: str
    game: str
    settings: dict[str, Any]
    seed: Annotated[int, Meta(ge=0)]
    preset: str | None = None
    origin: Origin | None = field(name="from", default=None)


@dataclass(frozen=True)
class Plan:
    """All that the policy of a run depends on.

    Args:
        trainer: the name of the trainer.
        game: the game and variant to learn.
        settings: all settings of the trainer.
        seed: the source of all randomness.
        preset: the name of the preset that the settings started with; None for the defaults.
        origin: the run that it started from; None where it started untrained.
    """

    trainer: str
    game: Game
    settings: Settings
    seed: int
    preset: str | None = None
    origin: Origin | None = None

    @classmethod
    def make(
        cls, trainer: str, game: str | Game, seed: int, preset: str | None, given: Mapping[str, Any], origin: Origin | None = None
    ) -> Plan:
        """A plan by names and settings; texts are parsed. Without a preset, one with the name of the game is used, if there is one.

        A run that continues the learning of another has no preset: all its settings are given.

        Raises:
            ValueError: no such trainer, game, preset or setting, or a setting out of its range.
        """
        made, game = trainer_class(trainer), make_game(game)
        trainer = made.name
        if preset is None and origin is None:
            preset = next((name for name in (game.spec, game.name) if name in made.presets), None)
        if preset is not None and preset not in made.presets:
            names = nearest(preset, made.presets, "it has none")
            raise ValueError(f"the trainer {trainer!r} has no preset {preset!r}; {names}")
        return cls._settled(trainer, game, seed, preset, {**(made.presets[preset] if preset else {}), **given}, origin)

    @classmethod
    def _settled(
        cls, trainer: str, game: Game, seed: int, preset: str | None, given: Mapping[str, Any], origin: Origin | None
    ) -> Plan:
        """A plan with these settings, and the defaults for all others."""
        made = trainer_class(trainer)
        settings = made.settings_class(**read(made.settings_class, given, f"the trainer {trainer!r}"))
        return cls(trainer, game, settings, seed_of(seed), preset, origin)

    def begin(self) -> Trainer[Any]:
        """A new trainer.

        Raises:
            ValueError: it cannot learn this game with these settings.
        """
        return trainer_class(self.trainer)(self.game, self.settings, self.seed)

    def document(self) -> dict[str, Any]:
        """The plan as JSON."""
        settings = json.loads(json.dumps(asdict(self.settings)))
        told = {"trainer": self.trainer, "game": self.game.spec, "settings": settings, "preset": self.preset, "seed": self.seed}
        return told | ({"from": asdict(self.origin)} if self.origin else {})

    @classmethod
    def of(cls, document: PlanDocument, source: Source) -> Plan:
        """The plan of a document whose trainer and game were admitted.

        Args:
            document: the document.
            source: the file that it comes from.

        Raises:
            ValueError: no such trainer or game, or a setting out of its range.
        """
        told, settings = document, source.admit(POLICIES, document.settings)
        return cls._settled(told.trainer, make_game(told.game), told.seed, told.preset, settings, told.origin)

    def differences(self, given: Mapping[str, Any]) -> list[str]:
        """The given settings that differ from those here, in words.

        Raises:
            ValueError: no such setting.
        """
        wanted = read(type(self.settings), given, f"the trainer {self.trainer!r}")
        here = {field.name: getattr(self.settings, field.name) for field in fields(self.settings)}
        return [f"{name} is {written(here[name])}, not {written(value)}" for name, value in wanted.items() if here[name] != value]
