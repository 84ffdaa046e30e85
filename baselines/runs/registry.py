"""All trainers, one line each, and `register_trainer`.

A run names its trainer. Only this table, and what the user has registered or installed, says which code that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from ...core.plugins import Registry, load_code
from ...core.plugins.loading import libraries
from ...core.plugins.mistakes import mistake_in_settings, mistakes_in_class
from ...core.specs import read
from ...games.game import Game
from .trainer import Settings, Trainer

C = TypeVar("C", bound=type[Trainer[Any]])

TRAINERS: dict[str, str] = {
    # the name on the command line and in runs: module:class
    "qlearning": "ludus.baselines.tabular.qlearning:QLearning",
    "montecarlo": "ludus.baselines.tabular.montecarlo:MonteCarlo",
    "td_ntuple": "ludus.baselines.ntuples.td_ntuple:TDNTuple",
    "alphazero": "ludus.baselines.alphazero.alphazero:AlphaZero",
    "neat": "ludus.baselines.evolution.neat:Neat",
    "layered_neat": "ludus.baselines.evolution.layered_neat:LayeredNeat",
    "evolved_table": "ludus.baselines.evolution.evolved_table:EvolvedTable",
    "evolved_preference": "ludus.baselines.evolution.evolved_preference:EvolvedPreference",
    "evolved_mixture": "ludus.baselines.evolution.evolved_mixture:EvolvedMixture",
    "maskable_ppo": "ludus.baselines.sb3.ppo:MaskedPPO",
    "ppo": "ludus.baselines.sb3.ppo:UnmaskedPPO",
    "dqn": "ludus.baselines.sb3.dqn:DeepQ",
}
EXTRAS = "train,evolution,rl"


def trainer_names() -> tuple[str, ...]:
    """The names of all trainers, those from outside last; loads none."""
    return TRAINER_CLASSES.names()


def trainer_class(name: str) -> type[Trainer[Any]]:
    """The class of a trainer by its name, or by `module:name`, which is imported. ValueError, which names the nearest, where there
    is none, or a library that it needs is not installed."""
    with libraries(f"the trainer {name!r}", EXTRAS):
        if code := TRAINER_CLASSES.parse_code(name):
            return _adopt(load_code(code.name), name)
        return TRAINER_CLASSES.find(name)


def presets_of(trainer: type[Trainer[Any]], games: Iterable[type[Game]]) -> dict[str, Mapping[str, Any]]:
    """The presets of a trainer by name: its own, and those that games have for it (`Known.presets`)."""
    presets = dict(trainer.presets)
    for game in games:
        presets |= game.known.presets.get(trainer.name, {})
    return presets


def trainers_against() -> tuple[str, ...]:
    """The names of the trainers that learn against a policy that is given to them, of those whose libraries are installed."""
    names = list[str]()
    for name in trainer_names():
        with suppress(ValueError):
            names += [name] if trainer_class(name).against is not None else []
    return tuple(names)


def register_trainer(cls: C) -> C:
    """Adds a trainer from outside: `@register_trainer` before a subclass of `Trainer`.

    Then `ludus train` and `train` find it by its name, and it loads the policies of its runs.

    Returns:
        The class, so that it can be used as a decorator.

    Raises:
        ValueError: it is not a class of trainers that can be used; the message has all that is wrong with it. Or its name is not a
            lower-case word, or there is a trainer of that name.
    """
    if not (isinstance(cls, type) and issubclass(cls, Trainer)):
        raise ValueError(f"{cls!r} is not a trainer; a trainer is a subclass of ludus.baselines.Trainer")
    if mistakes := [*_mistakes_in(cls)]:
        raise ValueError(f"{cls.__name__} cannot be registered as a trainer: {'; '.join(mistakes)}")
    TRAINER_CLASSES.add(cls.name, cls, (cls.__module__, cls.__qualname__))
    return cls


def _mistakes_in(cls: type[Trainer[Any]]) -> Iterator[str]:
    """The mistakes in a class of trainers, each in a clause."""
    yield from mistakes_in_class(cls, {"name": str, "unit": str}, TRAINER_CLASSES)
    settings = getattr(cls, "settings_class", None)
    if not (isinstance(settings, type) and issubclass(settings, Settings)):
        yield f"settings_class is {settings!r}, and must be a subclass of ludus.baselines.Settings"
        return
    if undecorated := mistake_in_settings(settings):
        yield undecorated
        return
    unit = getattr(cls, "unit", None)
    if cls.total is Trainer.total and isinstance(unit, str) and not hasattr(settings, unit):
        yield f"{settings.__name__} has no setting {unit!r}, the length of a training; add it, or define the property total"
    for name, preset in cls.presets.items():
        try:
            settings(**read(settings, preset, "it"))
        except (ValueError, TypeError) as error:
            yield f"its preset {name!r} does not fit its settings ({error})"


def _adopt(thing: Any, name: str) -> type[Trainer[Any]]:
    if not (isinstance(thing, type) and issubclass(thing, Trainer)):
        raise ValueError(f"{name} is {thing!r}, which is not a trainer; a trainer is a subclass of ludus.baselines.Trainer")
    return register_trainer(thing)


TRAINER_CLASSES: Registry[type[Trainer[Any]]] = Registry("trainer", "trainers", TRAINERS, _adopt)
