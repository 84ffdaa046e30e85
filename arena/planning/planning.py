"""Turns the games and policies that a user names into the plan of a tournament, and the policies that play it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from ...agents.policies.policy import Policy
from ...agents.registry import POLICIES, as_policy, make_policy, name_of, plays
from ...envs.games.game import Game
from ...envs.games.registry import GAMES, make_game
from ...envs.plugins import Registry, needs_of
from ...envs.settings.numbers import is_whole, seconds_of, seed_of, shown
from ..matches.games import Pairing
from ..matches.openings import default_opening_plies
from .plan import LONGEST_OPENING, Entrant, Plan, check_games
from .protocols import Protocol

Guarding = Callable[[Any, Game], Any]
"""Replaces a policy that was named for a game by the one that plays: see `Guard` (arena/engines/guarded.py)."""

Cast = dict[tuple[str, str], Policy]
"""The policies of a tournament, by the game's spec and the policy's name."""


def draw_up(
    games: Iterable[str | Game],
    policies: Sequence[Any],
    games_per_pair: int,
    *,
    against: Sequence[Any] = (),
    self_play: bool = False,
    seed: int = 0,
    opening_plies: int | None = None,
    move_time: float | None = None,
    start_time: float | None = None,
    ask_again: bool = True,
    guard: Guarding | None = None,
) -> tuple[Plan, Cast]:
    """Makes a plan: in every game each policy plays each other; or, with `against`, each policy plays each of those.

    A built-in policy that does not support one of the games is left out of that game.

    Args:
        games: the games, or their specs.
        policies: who takes part: specs, policies, or whatever `as_policy` takes.
        games_per_pair: how many games two policies play against each other, an even number.
        against: whom they play instead of each other.
        self_play: whether each policy also plays itself.
        seed: the source of all randomness.
        opening_plies: how many random plies games begin with; None for each game's default.
        move_time: seconds that a policy may take for a move.
        start_time: seconds that it may take to start, with a `move_time`.
        ask_again: whether a policy that fails on a batch is queried again position by position.
        guard: where policies that do not come with ludus play; None for this process.

    Raises:
        ValueError: no two policies play the same game, or a number, game, policy or name is invalid.
    """
    _check_numbers(games_per_pair, seed, opening_plies, move_time, start_time)
    policies, against = ([given] if isinstance(given, (str, Policy)) else given or () for given in (policies, against))
    made = list(dict.fromkeys(make_game(game) for game in games))
    mine, others = _by_name(policies), _by_name(against)
    meeting = [*(product(mine, others) if against else combinations(mine, 2)), *zip(mine, mine if self_play else (), strict=False)]
    given = _together(mine, others)
    pairings, entrants = _pairings(dict.fromkeys(made, meeting), given), _entrants(given)
    plan = Plan(
        pairings,
        entrants,
        int(games_per_pair),
        int(seed),
        {game.spec: default_opening_plies(game) if opening_plies is None else int(opening_plies) for game in made},
        move_time,
        ask_again=bool(ask_again),
        needs=needs_of(_named(pairings, entrants)),
        start_time=start_time,
    )
    return plan, cast_of(plan, given, guard)


def draw_up_by(
    protocol: Protocol, policies: Sequence[Any], games: Iterable[str | Game] = (), guard: Guarding | None = None
) -> tuple[Plan, Cast]:
    """Makes a plan by a protocol: each policy plays the protocol's opponents; without policies, those play each other.

    Args:
        protocol: what to follow.
        policies: who is to be measured: specs, policies, or whatever `as_policy` takes.
        games: which of the protocol's games; all by default.
        guard: as for `draw_up`.

    Raises:
        ValueError: no two policies play the same game, a game is not in the protocol, or this version of ludus cannot follow it.
    """
    mine = _by_name(policies)
    for name in mine:
        if any(name in ladder for ladder in protocol.opponents.values()):
            raise ValueError(f"{name} is one of the opponents of {protocol.name}; its rating there is a part of the protocol")
    ladders = {game: protocol.opponents[game.spec] for game in protocol.choose(games)}
    meetings = {game: [*(product(mine, ladder) if mine else combinations(ladder, 2))] for game, ladder in ladders.items()}
    given = _together(mine, {name: name for ladder in ladders.values() for name in ladder})
    plies = {game.spec: protocol.opening_plies[game.spec] for game in ladders}
    pairings, entrants = _pairings(meetings, given), _entrants(given)
    needs = needs_of(_named(pairings, entrants))
    plan = Plan(pairings, entrants, protocol.games, protocol.seed, plies, protocol=protocol.name, needs=needs)
    return plan, cast_of(plan, given, guard)


def cast_of(plan: Plan, given: Mapping[str, Any], guard: Guarding | None = None) -> Cast:
    """Makes the policies of a plan from their specs.

    Args:
        plan: the plan.
        given: policies by name, which are used instead; needed for those that have no spec.
        guard: as for `draw_up`.

    Raises:
        ValueError: a policy without a spec is not given; or the spec is from a file and names code.
    """
    policies = {entrant.name: given.get(entrant.name, entrant.spec) for entrant in plan.entrants}
    for name, policy in policies.items():
        if policy is None:
            raise ValueError(f"the policy {name!r} was an object and has no spec; give it again, as {{{name!r}: policy}}")
    seats = dict.fromkeys((pairing.game, name) for pairing in plan.pairings for name in (pairing.a, pairing.b))
    made = {game: make_game(game) for game, _ in seats}
    if guard is None:
        return {(game, name): as_policy(policies[name], made[game], name=name) for game, name in seats}
    return {(game, name): as_policy(guard(policies[name], made[game]), made[game], name=name) for game, name in seats}


def _named(pairings: Iterable[Pairing], entrants: Iterable[Entrant]) -> list[tuple[Registry[Any], str]]:
    """The specs of a plan, each with the registry of its kind."""
    games = [(GAMES, pairing.game) for pairing in pairings]
    return [*games, *((POLICIES, entrant.spec) for entrant in entrants if isinstance(entrant.spec, str))]


def _by_name(policies: Sequence[Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for policy in policies:
        if not name_of(policy).isprintable():
            raise ValueError(f"a policy is called {name_of(policy)!r}; its name may have printable characters only")
        if name_of(policy) in named:
            raise ValueError(f"the policy {name_of(policy)} is named twice; name it once")
        named[name_of(policy)] = policy
    return named


def _together(mine: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    for name in mine.keys() & others.keys():
        if not _same(mine[name], others[name]):
            raise ValueError(f"two policies are called {name}; give one of them another name: as_policy(…, name=…)")
    return {**mine, **others}


def _same(one: Any, other: Any) -> bool:
    """Whether two things are one policy; a policy is the same as its spec."""
    if isinstance(one, Policy) and isinstance(other, str):
        return one == make_policy(other, one.game)
    return _same(other, one) if isinstance(one, str) and isinstance(other, Policy) else one is other or one == other


def _entrants(given: Mapping[str, Any]) -> tuple[Entrant, ...]:
    return tuple(Entrant(name, policy.strip() if isinstance(policy, str) else None) for name, policy in given.items())


def _pairings(meetings: Mapping[Game, Sequence[tuple[str, str]]], given: Mapping[str, Any]) -> tuple[Pairing, ...]:
    """Who plays whom in which game, without policies that do not support it."""
    found: list[Pairing] = []
    for game, meeting in meetings.items():
        here = {name for name, policy in given.items() if plays(policy, game)}
        found += [Pairing(game.spec, a, b) for a, b in meeting if a in here and b in here]
    if not found:
        names, where = ", ".join(given) or "nobody", ", ".join(map(str, meetings)) or "no game"
        raise ValueError(f"no games to play: of {names}, no two play {where}; name two policies of the same game")
    return tuple(found)


def _check_numbers(games_per_pair: Any, seed: Any, opening_plies: Any, move_time: Any, start_time: Any) -> None:
    check_games(games_per_pair)
    seed_of(seed)
    if opening_plies is not None and not is_whole(opening_plies, 0, LONGEST_OPENING):
        raise ValueError(f"openings have 0 to {LONGEST_OPENING} random plies, not {shown(opening_plies)}")
    for name, seconds in (("move_time", move_time), ("start_time", start_time)):
        if seconds is not None:
            seconds_of(seconds, name)
