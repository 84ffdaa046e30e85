"""Settings of trainers, policies, oracles, puzzles and their solvers: bounds are kept, contradictions refused."""

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

from ...helpers.outside.maze import Maze

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


# ---- what contradicts itself or the game

TOO_LARGE = "has more than 1,000,000 positions, and a table has a row for each; take"
REFUSED = [
    # trainer, game, settings, and a part of the sentence
    ("qlearning", "quixo", {}, TOO_LARGE),
    ("qlearning", "tictactoe", {"tables": 2, "opponent": "random"}, "this needs opponent=self and rows=0"),
    ("qlearning", "quixo", {"rows": 64}, "set exploring_starts=0"),
    ("qlearning", "quixo", {"rows": 64, "opponent": "greedy"}, "the opponent must be self or random, not greedy"),
    ("qlearning", "othello", {"rows": 64, "break_bonus": 1.0, "exploring_starts": 0.0}, "need a table with rows and a game with"),
    (
        "montecarlo",
        "quixo",
        {"rows": 64, "values": "states", "exploring_starts": 0.0},
        "with rows, a table holds values of actions",
    ),
    ("td_ntuple", "tictactoe", {"shapes": ("2y3",)}, "'2y3' is not a shape; a rectangle is 2x3, a diagonal d4"),
    ("td_ntuple", "tictactoe", {"shapes": ("a1b1a1",)}, "has a cell twice"),
    ("td_ntuple", "tictactoe", {"shapes": ("a1d1",)}, "the shape 'a1d1' does not fit on a board of 3×3 cells"),
    ("td_ntuple", "quarto", {}, "n-tuples distinguish up to 64 looks of a cell; quarto has"),
    ("td_ntuple", Maze(0), {"shapes": ("1x12",)}, "does not fit"),
    ("alphazero", "nim", {"boards": 10, "groups": 4}, "10 boards cannot be divided evenly among 4 groups"),
    ("alphazero", "nim", {"long_openings": 60}, "long_openings=60 has no effect while long_share and lesson_share are 0"),
    ("alphazero", "nim", {"long_share": 0.5}, "long_share=0.5 and lesson_share=0.0 need long_openings"),
    ("neat", "tictactoe", {"opponents": None, "every_line": False, "fame": 0}, "there is no opponent"),
    ("neat", "tictactoe", {"fame": 11}, "fame is 11; the hall of fame holds only 10"),
    ("neat", "tictactoe", {"elites": 50}, "elites is 50; it must be at most a quarter of the population, 25"),
    ("neat", "nim", {"sight": "balance"}, "the observations of nim do not show whose a cell is"),
    ("neat", "othello:size=6", {"every_line": True}, "has too many lines of play for 100 players"),
    ("layered_neat", "tictactoe", {"first_layers": 9}, "first_layers is 9; it must be at most most_layers, 3"),
    ("layered_neat", "tictactoe", {"first_neurons": 99}, "first_neurons is 99; it must be at most most_neurons, 24"),
    ("layered_neat", "tictactoe", {"tournament": 200}, "tournament is 200; it must be at most population, 100"),
    ("layered_neat", "tictactoe", {"elites": 100}, "elites is 100; it must be less than the population, 100"),
    ("layered_neat", "tictactoe", {"add_layer": 0.9, "resize_layer": 0.9}, "their sum must be at most 1"),
    ("evolved_preference", "nim", {"peers": 100}, "peers is 100; it must be less than population and offspring together, 100"),
    ("evolved_mixture", "tictactoe", {}, "set strategies to policies that play tictactoe"),
    ("evolved_table", "tictactoe", {}, "evolved_table learns nim, not tictactoe; qlearning learns any game with few positions"),
    ("maskable_ppo", "tictactoe", {"opponents": ("self", "self")}, "opponents is 'self+self'; it must name 1 policy or more"),
    ("maskable_ppo", "tictactoe", {"opponents": ("easy",)}, "the policy 'easy' plays quarto, not tictactoe"),
    ("maskable_ppo", "tictactoe", {"batch": 10_000_000}, "batch is 10000000; it must be at most boards · rollout ="),
    ("maskable_ppo", "tictactoe", {"boards": 3, "rollout": 11, "batch": 32}, "boards · rollout = 33 the last batch is one action"),
    ("maskable_ppo", "nim", {"lines": 8}, "the lines of a board of 4×7 cells are of different lengths; set lines to 0"),
    ("dqn", "tictactoe", {"memory": 1}, "memory is 1; it must hold a move of each"),
]


@pytest.mark.parametrize(("trainer", "game", "settings", "sentence"), REFUSED)
def test_what_cannot_be_learnt_is_refused_in_a_sentence(trainer, game, settings, sentence):
    with pytest.raises(ValueError, match=r"\w+ \w+") as error:
        RunPlan.make(trainer, ludus.make_game(game), 1, None, settings).begin()
    assert sentence in str(error.value)
