"""Policies and trainers that are registered: all that is wrong with a class is said at once."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

import ludus
from ludus.baselines import Settings, Trainer
from ludus.baselines.runs.registry import TRAINER_CLASSES


@dataclass(frozen=True)
class StepsSettings(Settings):
    steps: int = 4


def messages(register, cls):
    with pytest.raises(ValueError, match=r"cannot be registered as a (policy|trainer): ") as error:
        register(cls)
    return str(error.value).partition(": ")[2].split("; ")


def test_all_that_is_wrong_with_a_policy_is_said_at_once():
    @dataclass(frozen=True)
    class Half(ludus.Policy):
        games = "nim"
        depth: int

    assert messages(ludus.register_policy, Half) == [
        "it has no name, which is a class variable of type str",
        "it does not define act",
        "depth of Half must have a default, since specs may leave settings out",
        "games is 'nim', and must be None or a tuple of names of games",
    ]


def test_all_that_is_wrong_with_a_trainer_is_said_at_once():
    class Half(Trainer):
        name = "half"
        unit = "games"
        settings_class = StepsSettings
        presets: ClassVar = {"quick": {"step": 1}}

        def advance(self):
            return {}

    told = messages(ludus.register_trainer, Half)
    assert told[0] == "it does not define learnt, policy_of, restore, state"
    assert told[1] == "StepsSettings has no setting 'games', the length of a training"
    assert "its preset 'quick' does not fit its settings (it has no setting 'step'" in "; ".join(told)
    assert not TRAINER_CLASSES.has("half")


@pytest.mark.parametrize("register", [ludus.register_policy, ludus.register_trainer])
def test_what_is_no_class_of_the_kind_is_refused(register):
    for thing in (StepsSettings, lambda states, keys: keys, "random"):
        with pytest.raises(ValueError, match=r"is not a (policy|trainer); a .* subclass of"):
            register(thing)


def test_settings_that_no_spec_can_set_are_named():
    @dataclass(frozen=True)
    class Listed(ludus.Policy):
        name: ClassVar[str] = "random"
        sizes: list[int] = ()

        def act(self, states):
            return states

    assert messages(ludus.register_policy, Listed) == [
        "the policy 'random' is there already",
        "choose another name for test_settings_that_no_spec_can_set_are_named.<locals>.Listed",
        "sizes of Listed is of a type that can change, which no setting may be",
        "a tuple can hold several values, as tuple[int, ...]",
    ]
