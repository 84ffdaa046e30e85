"""`ludus.check_game`: checks a game against every fact of the contract, stage by stage, and reports those that do not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.numbers import seed_of, whole
from ...games.game import Game
from ...games.kernels.rules import ONGOING
from ...games.linking import rules_of
from ...games.registry import GAMES, make_game
from .findings import (
    AsCompiled,
    AsPython,
    Checked,
    CheckResult,
    Endless,
    Finding,
    Home,
    NoState,
    Position,
    Reading,
    Wrong,
    position_text,
)
from .rules import (
    DECLARED,
    RULES,
    both_players_get_to_move,
    compiled_rules_say_what_they_say_in_python,
    count_leaves,
    every_game_ends,
    every_kernel_compiles,
    games_at_random,
    perft_counts_the_tree,
    variant,
)
from .showing import NOTATION, VIEWS

__all__ = ["CheckResult", "Checked", "Finding", "check_game"]

PYTHON_GAMES, PYTHON_PLIES = 3, 100
"""Games at random in plain Python, and the plies after which one is left."""
RANDOM_GAMES = 200
"""Compiled games at random played to their end."""
ENDED = "Every function of the rules comes to an end."
STATES = "`play` and `permute` give a state."
COMPLETE = "The game's module holds every function of the contract, and its class every method."


def check_game(game: str | Game | type[Game], *, seed: int = 0, games: int = 10) -> CheckResult:
    """Checks a game against every fact of the contract (`ludus.rules`).

    The class is looked at first; then the rules, run as plain Python; then the same rules compiled; then the notation and the
    drawing; then the environments. A stage that finds something is the last one for that variant, since later ones rest on it.

    Args:
        game: a game's name or class, which stands for all its variants; or a spec with settings or a `Game` for one variant.
        seed: the source of the random games; the same seed gives the same result.
        games: at how many compiled random games' positions every fact is checked.

    Returns:
        The result: what was checked, and each fact that does not hold with the function, file and line at fault.

    Raises:
        ValueError: there is no such game, or `games` or `seed` is out of its range.

    Example:
        result = ludus.check_game("kalah")
        assert result.ok, result
    """
    games, seed = whole(games, "games", 1), seed_of(seed)
    variants, findings = _variants(game)
    checked: list[Checked] = []
    for game_variant in variants:
        inspection = _Inspection(game_variant, seed, games)
        checked.append(inspection.run())
        findings += inspection.findings
    first: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        first.setdefault((finding.fact, finding.function), finding)
    return CheckResult(tuple(first.values()), tuple(checked))


def _variants(game: str | Game | type[Game]) -> tuple[list[Game], list[Finding]]:
    """The variants to check, and why others cannot be made."""
    if isinstance(game, Game):
        return [game], []
    cls, settings = GAMES.read(game) if isinstance(game, str) else (game, {})
    if isinstance(game, str) and settings:
        return [make_game(game)], []
    home, made, findings = Home(cls), list[Game](), list[Finding]()
    for spec in getattr(cls, "variants", ()) or (cls.name,):
        try:
            rules_of(cls)
            made.append(variant(cls, spec))
        except TypeError as error:
            findings.append(
                Finding(fact=COMPLETE, function=cls.__name__, place=home.place(cls.__name__), saw=str(error), game=cls.name)
            )
            break
        except ValueError as error:
            findings.append(
                Finding(
                    fact="Every variant can be made.", function="variants", place=home.place("variants"), saw=str(error), game=spec
                )
            )
    return made, findings


class _Inspection:
    """The check of one variant.

    Args:
        game: the variant.
        seed: the source of the random games.
        games: how many compiled ones.
    """

    def __init__(self, game: Game, seed: int, games: int) -> None:
        self.game, self.seed, self.games = game, seed, games
        self.home = Home(type(game))
        self.findings: list[Finding] = []
        self.facts: set[str] = set()
        self.done = Checked(game.spec)

    def run(self) -> Checked:
        """Goes through the stages until one finds something."""
        for stage in self._stages():
            self.done = replace(self.done, facts=len(self.facts))
            if self.findings:
                return replace(self.done, stopped=stage)
        return self.done

    def _stages(self) -> Iterator[str]:
        """Works through each stage, and gives its name."""
        for check in DECLARED:
            self._hold(check, self.game)
            if self.findings:  # the facts that follow read what this one is about
                break
        yield "the class"
        self._random_games(AsPython(self.game), PYTHON_GAMES, PYTHON_PLIES, RULES)
        yield "the rules in plain Python"
        self._compile()
        yield "compiling"
        compiled, plies = AsCompiled(self.game), self.done.longest
        self._random_games(compiled, self.games, plies, (*RULES, compiled_rules_say_what_they_say_in_python))
        yield "the compiled rules"
        self._random_games(compiled, self.games, plies, NOTATION)
        yield "notation and drawing"
        for check in VIEWS:
            self._hold(check, self.game, self.seed)
        yield "the environments"

    def _compile(self) -> None:
        self._hold(every_kernel_compiles, self.game)
        if self.findings:
            return
        plies, results = games_at_random(self.game, RANDOM_GAMES, self.seed)
        counts = tuple(results.count(result) for result in (1, 0, -1, ONGOING))
        self.done = replace(self.done, results=counts, longest=max(plies))
        self._hold(every_game_ends, self.game, results)
        if not self.findings:
            leaves = count_leaves(self.game)
            self._hold(perft_counts_the_tree, self.game, leaves)
            self.done = replace(self.done, perft=tuple(leaves))

    def _random_games(self, rules: Reading, games: int, plies: int, facts: Sequence[Callable[[Position], Iterator[Wrong]]]) -> None:
        """Checks facts at every position of random games, up to the first position where one does not hold."""
        random, seen = np.random.default_rng(self.seed), list[Position]()
        for _ in range(games):
            at = Position(rules, self.game.start, int(random.integers(2**32)))
            for _ in range(plies + 1):
                for check in facts:
                    self._hold(check, at, at=at)
                if self.findings:
                    return
                seen.append(at)
                if not at.legal:
                    break
                at = replace(at.after(int(random.choice(at.legal))), seed=int(random.integers(2**32)))
        self._hold(both_players_get_to_move, seen)
        self.done = replace(self.done, positions=max(self.done.positions, len(seen)))

    def _hold(self, check: Callable[..., Iterator[Wrong]], *about: Any, at: Position | None = None) -> None:
        """Notes whatever a check yields or raises."""
        fact = (check.__doc__ or check.__name__.replace("_", " ")).splitlines()[0]  # `python -OO` drops docstrings
        self.facts.add(fact)
        try:
            for wrong in check(*about):
                self._note(fact, wrong.function, wrong.place or self.home.place(wrong.function), wrong.saw, at, wrong.action)
        except Endless as error:
            self._note(ENDED, *self.home.blame(error), str(error), at)
        except NoState as error:
            self._note(STATES, error.function, self.home.place(error.function), str(error), at)
        except Exception as error:
            self._note(fact, *self.home.blame(error), f"{type(error).__name__}: {error}", at)

    def _note(self, fact: str, function: str, place: str, saw: str, at: Position | None, action: int | None = None) -> None:
        position = None if at is None else position_text(self.game, at.state)
        move = None if action is None else self.game.move_name(action)
        if not any(fact == known.fact or (place, saw) == (known.place, known.saw) for known in self.findings):
            self.findings.append(
                Finding(fact=fact, function=function, place=place, saw=saw, game=self.game.spec, position=position, move=move)
            )
