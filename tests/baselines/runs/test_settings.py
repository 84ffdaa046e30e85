"""Settings of trainers, policies, oracles, puzzles and their solvers: every bound that is declared is kept."""

from dataclasses import fields
from math import nan
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest

import ludus
from ludus.agents import policies_for
from ludus.agents.alphazero import AlphaZeroPolicy
from ludus.baselines import trainer_class, trainer_names
from ludus.baselines.runs.plan import RunPlan
from ludus.core.bounds import Length, OneOf
from ludus.oracles import make_oracle
from ludus.puzzles import make_puzzle, make_solver, puzzle_names, solvers_for

GAMES = {name: ludus.make_game(name) for name in ludus.game_names()}
PLAYERS = [
    *(ludus.make_policy(policy, game) for game in GAMES.values() for policy in policies_for(game)),
    AlphaZeroPolicy(GAMES["tictactoe"], net=len),
    *map(make_oracle, GAMES.values()),
]
SOLVERS = [(puzzle, solver) for puzzle in puzzle_names() for solver in solvers_for(puzzle)]
OWNERS: dict[str, tuple[type, dict[str, Any]]] = {
    **{type(player).__name__: (type(player), {"game": player.game}) for player in PLAYERS},
    **{name: (trainer_class(name).settings_class, {}) for name in trainer_names()},
    **{name: (type(make_puzzle(name)), {}) for name in puzzle_names()},
    **{f"{solver} of {puzzle}": (type(make_solver(solver, puzzle)), {"puzzle": make_puzzle(puzzle)}) for puzzle, solver in SOLVERS},
}
UNBOUNDED = {"opponent", "opponents", "strategies", "path", "goal", "network", "evaluation", "title", "net"}
"""Settings without bounds of their own: they are looked up, or any number is fine."""


def bounds_of(hint: Any) -> list[tuple[Any, Any]]:
    """The bounds of an annotation, each with the type that it bounds."""
    inner = get_args(hint)
    if get_origin(hint) is Annotated:
        return [(inner[0], bound) for bound in inner[1:]] + bounds_of(inner[0])
    return [found for part in inner for found in bounds_of(part)]


def outside(kind: Any, bound: Any) -> list[Any]:
    """Values that a bound does not allow."""
    if isinstance(bound, OneOf):
        return ["whatever"]
    if isinstance(bound, Length):
        return [()]
    step = 1 if kind is int else 1e-6
    low = bound.least - step if bound.above is None else kind(bound.above)
    high = bound.most + step * bound.most if bound.below is None else kind(bound.below)
    return [low, high] + ([nan] if kind is float else [])


@pytest.mark.parametrize("owner", OWNERS)
def test_every_setting_with_bounds_refuses_what_lies_outside(owner):
    cls, given = OWNERS[owner]
    hints = get_type_hints(cls, include_extras=True)
    for field in fields(cls):
        hint = hints[field.name]
        for kind, bound in bounds_of(hint):
            in_tuple = get_origin(kind) is not tuple and any(get_origin(part) is tuple for part in (hint, *get_args(hint)))
            for wrong in outside(kind, bound):
                with pytest.raises(ValueError, match=rf"{field.name} is .*; it must be"):
                    cls(**given | {field.name: (wrong,) if in_tuple else wrong})


@pytest.mark.parametrize("owner", OWNERS)
def test_every_number_and_every_choice_has_bounds(owner):
    cls, given = OWNERS[owner]
    hints = get_type_hints(cls, include_extras=True)
    free = {f.name for f in fields(cls) if not bounds_of(hints[f.name]) and bool not in (hints[f.name], *get_args(hints[f.name]))}
    assert free <= UNBOUNDED | {*given}


USUAL = [(trainer, name) for name, game in GAMES.items() for trainer, presets in game.known.presets.items() if name in presets]


@pytest.mark.parametrize(("trainer", "name"), USUAL)
def test_the_preset_that_a_game_is_learnt_by_suits_each_of_its_variants(trainer, name):
    for spec in GAMES[name].variants:
        plan = RunPlan.make(trainer, spec, 0, None, {})
        assert plan.preset in (name, spec)
        plan.begin()
