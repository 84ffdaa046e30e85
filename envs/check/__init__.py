"""`ludus.check_game`: checks a game against every fact of the contract, stage by stage, and reports those that do not hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ...core.numbers import seed_of, whole
from ...games.game import Game
from ...games.kernels.rules import ONGOING
from ...games.linking import rules_of
from ...games.registry import GAMES, make_game
from . import facts
from .facts import CASES, CLASS, Fact, games_at_random, in_hexadecimal, variant
from .readings import COMPILED, PYTHON, BrokenRule, Position, Reading
from .results import Checked, CheckResult, Finding, Source

__all__ = ["CheckResult", "Checked", "Finding", "check_game"]

PYTHON_GAMES, PYTHON_PLIES = 3, 100
"""Games at random in plain Python, which is slow, and the plies after which one is left."""
RANDOM_GAMES = 200
"""Compiled games at random played to their end."""
MOST_DEPTH, MOST_LEAVES = 8, 20_000
"""Depth and leaves up to which a result has perft."""
COMPLETE = Fact(CLASS, "The game's module holds every function of the contract, and its class every method.", lambda: "")
MADE = Fact("variants", "Every variant can be made.", lambda: "")


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
    source, made, findings = Source(cls), list[Game](), list[Finding]()
    for spec in getattr(cls, "variants", ()) or (cls.name,):
        try:
            rules_of(cls)
            made.append(variant(cls, spec))
        except (TypeError, ValueError) as error:
            fact = COMPLETE if isinstance(error, TypeError) else MADE
            function = cls.__name__ if fact is COMPLETE else fact.function
            findings.append(Finding(fact.sentence, function, source.place(function), str(error), spec))
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
        self.source = Source(type(game))
        self.findings: list[Finding] = []
        self.sentences: set[str] = set()
        self.done = Checked(game.spec)

    def run(self) -> Checked:
        """Goes through the stages until one finds something."""
        for stage in self._stages():
            self.done = replace(self.done, facts=len(self.sentences))
            if self.findings:
                return replace(self.done, stopped=stage)
        return self.done

    def _stages(self) -> Iterator[str]:
        """Works through each stage, and gives its name."""
        for fact in facts.DECLARED:
            self._hold(fact, self.game)
            if self.findings:  # the facts that follow read what this one is about
                break
        yield "the class"
        self._random_games(PYTHON, PYTHON_GAMES, PYTHON_PLIES, facts.RULES)
        yield "the rules in plain Python"
        self._compile()
        yield "compiling"
        self._random_games(COMPILED, self.games, self.done.longest, (*facts.RULES, *facts.SAME_COMPILED))
        yield "the compiled rules"
        self._random_games(COMPILED, self.games, self.done.longest, facts.NOTATION)
        yield "notation and drawing"
        for fact in facts.VIEWS:
            self._hold(fact, self.game, self.seed)
        yield "the environments"

    def _compile(self) -> None:
        self._hold(facts.COMPILES, self.game)
        if self.findings:
            return
        plies, results = games_at_random(self.game, RANDOM_GAMES, self.seed)
        counts = tuple(results.count(result) for result in (1, 0, -1, ONGOING))
        self.done = replace(self.done, results=counts, longest=max(plies))
        self._hold(facts.ENDS, self.game, results)
        perft: list[int] = []
        while not self.findings and len(perft) < min(MOST_DEPTH, max(plies)):
            leaves = self.game.perft(len(perft) + 1)
            if leaves > MOST_LEAVES:
                break
            perft.append(leaves)
        self.done = replace(self.done, perft=tuple(perft))

    def _random_games(self, rules: Reading, games: int, plies: int, table: Iterable[Fact]) -> None:
        """Checks facts at every position of random games, up to the first position where one does not hold."""
        random, seen = np.random.default_rng(self.seed), list[Position]()
        for _ in range(games):
            at = Position(self.game, rules, self.game.start, int(random.integers(2**32)))
            for _ in range(plies + 1):
                for fact in table:
                    self._hold(fact, at, at=at)
                if self.findings:
                    return
                seen.append(at)
                if not at.legal:
                    break
                at = replace(at.after(int(random.choice(at.legal))), seed=int(random.integers(2**32)))
        self._hold(facts.BOTH_MOVE, seen)
        self.done = replace(self.done, positions=max(self.done.positions, len(seen)))

    def _hold(self, fact: Fact, *about: Any, at: Position | None = None) -> None:
        """Notes what a fact sees, in each case that it is about, or what it raises."""
        self.sentences.add(fact.sentence)
        function = type(self.game).__name__ if fact.function == CLASS else fact.function
        try:
            cases = CASES[fact.each](at) if at and fact.each else [None]
            for case in cases:
                if saw := fact.see(*about, *[case] * bool(fact.each)):
                    action = case if fact.each.endswith("action") else None
                    self._note(fact.sentence, function, self.source.place(function), saw, at, action)
        except BrokenRule as error:
            blamed = (error.function, self.source.place(error.function)) if error.function else self.source.blame(error)
            self._note(error.fact, *blamed, str(error), at)
        except Exception as error:
            self._note(fact.sentence, *self.source.blame(error), f"{type(error).__name__}: {error}", at)

    def _note(self, sentence: str, function: str, place: str, saw: str, at: Position | None, action: int | None = None) -> None:
        if any(sentence == known.fact or (place, saw) == (known.place, known.saw) for known in self.findings):
            return
        move = None if action is None else self.game.move_name(action)
        position = None
        if at is not None:
            try:
                position = at.text
            except Exception:  # the text itself may be what is wrong
                position = in_hexadecimal(at.state)
        self.findings.append(Finding(sentence, function, place, saw, self.game.spec, position, move))
