"""Makes the plan of a tournament, and the policies that play it, from the games and policies that a user names."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import TYPE_CHECKING, Any, TypedDict

from ...agents.policy import Policy
from ...agents.registry import POLICIES, PolicySource, as_policy, make_policy, name_of, plays, read_policy
from ...core.numbers import is_whole, short_repr
from ...core.plugins import UntrustedSpec
from ...core.workers.worker import Worker
from ...games.game import Game
from ...games.registry import BUILT_IN, GAMES, make_game
from ..engines.remote import guard_policy
from ..matches.games import Pairing
from ..matches.settings import DEFAULT_SETTINGS, MatchSettings
from .plan import Entrant, Plan, Sprt
from .protocols import Protocol

if TYPE_CHECKING:
    from typing_extensions import Unpack

USUAL_GAMES, USUAL_MOST, USUAL_IN_ROUND = 100, 20_000, 2
"""How many games a pair plays, with a sequential test how many at most, and in a Swiss round, where the caller names no number."""


class RoundKeywords(TypedDict, total=False):
    """The keywords by which `tournament` says who plays how long: `sprt`, a sequential test of each pair,
    `Sprt(elo0, elo1, alpha, beta)`, which plays until that tells; or `swiss`, the number of Swiss rounds instead of all pairs."""

    sprt: Sprt | None
    swiss: int | None


Cast = dict[tuple[str, str], Policy]
"""The policies of a tournament, by the game's spec and the policy's name."""


def make_plan(
    games: Iterable[str | Game],
    policies: Sequence[Any],
    games_per_pair: int | None,
    *,
    against: Sequence[Any] = (),
    self_play: bool = False,
    seed: int = 0,
    settings: MatchSettings = DEFAULT_SETTINGS,
    worker: Worker | None = None,
    **rounds: Unpack[RoundKeywords],
) -> tuple[Plan, Cast]:
    """Makes a plan in which, in every game, each policy plays each other one or, with `against`, each of those opponents.

    A built-in policy that does not support one of the games is left out of that game.

    Args:
        games_per_pair: how many games two policies play; None for both games of each opening, where openings are given (of several
            games, of the fewest), or else for USUAL_GAMES or, as the most with a test, USUAL_MOST. With `swiss`, how
            many in a round.
        worker: the process for policies that do not come with ludus; None for this one. The other arguments are described at
            `tournament`.

    Raises:
        ValueError: no two policies play the same game, or a number, game, policy or name is invalid.
    """
    sprt, swiss = rounds.get("sprt"), rounds.get("swiss")
    if not (sprt is None or isinstance(sprt, Sprt)):
        raise ValueError(f"sprt is {short_repr(sprt)}; it must be a test, such as Sprt(elo0=0, elo1=10), from ludus.arena")
    if swiss is not None and (against or self_play or sprt):
        raise ValueError("swiss rounds choose who meets whom, and how often; leave against, self_play and sprt out")
    all_games = list(dict.fromkeys(map(make_game, games)))
    openings = {game.spec: chosen for game in all_games if (chosen := settings.openings_in(game))}
    two_each = 2 * min(map(len, openings.values())) if openings else None
    if games_per_pair is None:
        games_per_pair = USUAL_IN_ROUND if swiss else two_each or (USUAL_MOST if sprt else USUAL_GAMES)
    if sprt and two_each and is_whole(games_per_pair) and games_per_pair > two_each:
        raise ValueError(
            f"games is {games_per_pair:,}, and the openings are {two_each // 2:,}; a sequential test plays two games of each, at"
            f" most {two_each:,}, since it counts on openings that differ: name a longer list, or fewer games"
        )
    if swiss and is_whole(swiss, 1) and is_whole(games_per_pair):
        games_per_pair *= swiss
    mine, others = _by_name(policies), _by_name(against)
    meeting = [*(product(mine, others) if others else combinations(mine, 2)), *zip(mine, mine if self_play else (), strict=False)]
    return _make(
        dict.fromkeys(all_games, meeting),
        _together(mine, others),
        worker,
        settings,
        games=_plain(games_per_pair),
        seed=_plain(seed),
        opening_plies={game.spec: 0 if openings else settings.opening_plies_in(game) for game in all_games},
        openings=openings,
        protocol=None,
        sprt=sprt,
        swiss=_plain(swiss),
    )


def make_plan_by(
    protocol: Protocol, policies: Sequence[Any], games: Iterable[str | Game] = (), worker: Worker | None = None
) -> tuple[Plan, Cast]:
    """Makes a plan by a protocol: each policy plays the protocol's opponents; without policies, those play each other.

    Args:
        protocol: the protocol.
        policies: the policies to measure: specs, policies, or whatever `as_policy` takes.
        games: which of the protocol's games; all by default.
        worker: as for `make_plan`.

    Raises:
        ValueError: no two policies play the same game, a game is not in the protocol, or this version of ludus cannot follow it.
    """
    mine = _by_name(policies)
    for name in mine:
        if any(name in ladder for ladder in protocol.opponents.values()):
            raise ValueError(f"{name} is one of the opponents of {protocol.name}; its rating there is a part of the protocol")
    suites = protocol.choose(games)
    ladders = {game: protocol.opponents[game.spec] for game in suites}
    meetings = {game: [*(product(mine, ladder) if mine else combinations(ladder, 2))] for game, ladder in ladders.items()}
    opponents = dict.fromkeys(name for ladder in ladders.values() for name in ladder)
    return _make(
        meetings,
        _together(mine, _by_name(opponents)),
        worker,
        DEFAULT_SETTINGS,
        games=protocol.games,
        seed=protocol.seed,
        protocol=protocol.name,
        opening_plies={game.spec: 0 for game in suites},
        openings={game.spec: suite for game, suite in suites.items()},
        sprt=None,
    )


def cast_of(plan: Plan, given: Mapping[str, Any], worker: Worker | None = None) -> Cast:
    """Makes the policies of a plan for the games that they play; foreign ones in a worker process, where there is one.

    Args:
        plan: the plan.
        given: policies by name, which replace those of the plan; needed for policies without a spec.
        worker: as for `make_plan`.

    Raises:
        ValueError: a policy without a spec is not given; or the spec is from a file and names code.
    """
    policies: dict[str, Any] = {entrant.name: given.get(entrant.name, entrant.spec) for entrant in plan.entrants}
    for name, policy in policies.items():
        if policy is None:
            raise ValueError(f"the policy {name!r} was an object and has no spec; give it again, as {{{name!r}: policy}}")
    cast: Cast = {}
    for spec, name in dict.fromkeys((pairing.game, name) for pairing in plan.pairings for name in pairing[1:]):
        game, policy = plan.rules[spec], policies[name]
        if isinstance(policy, (str, UntrustedSpec)):  # from the plan of a store
            policy = policies[name] = read_policy(policy)
        if worker:
            policy = guard_policy(policy, game, worker)
        if isinstance(policy, PolicySource):
            cast[spec, name] = policy.make(game)
        else:
            cast[spec, name] = make_policy(policy, game) if isinstance(policy, Policy) else as_policy(policy, game, name=name)
    return cast


def _make(
    meetings: Mapping[Game, Sequence[tuple[str, str]]],
    given: Mapping[str, Any],
    worker: Worker | None,
    settings: MatchSettings,
    **numbers: Any,
) -> tuple[Plan, Cast]:
    """Makes the plan in which these policies meet, each in the games that it supports, and its policies."""
    pairings = list[Pairing]()
    for game, meeting in meetings.items():
        here = {name for name, policy in given.items() if plays(policy, game)}
        pairings += [Pairing(game.spec, a, b) for a, b in meeting if a in here and b in here]
    if not pairings:
        for game, policy in product(meetings, given.values()):
            if isinstance(policy, PolicySource) and policy.plays(game):
                policy.make(game)  # raises the error of a misspelt name
        if len(given) == 1:
            raise ValueError(
                f"no games to play: {next(iter(given))} is alone; name another policy, or let it play itself (--self-play)"
            )
        names, where = ", ".join(given) or "nobody", ", ".join(map(str, meetings)) or "no game"
        raise ValueError(f"no games to play: of {names}, no two play {where}; name two policies of the same game")
    sources = {name: policy if isinstance(policy, PolicySource) else None for name, policy in given.items()}
    played = {pairing.game for pairing in pairings}
    needs = [GAMES.needs(game.spec) for game in meetings if game.spec in played and game.name not in BUILT_IN]
    needs += [POLICIES.needs_of(source.named) for source in sources.values() if source and source.named]
    plan = Plan(
        pairings=tuple(pairings),
        entrants=tuple(Entrant(name, source and source.spec) for name, source in sources.items()),
        needs=dict(ChainMap(*needs)),
        move_time=settings.move_time,
        start_time=settings.start_time,
        ask_again=bool(settings.ask_again),
        common_keys=bool(settings.common_keys),
        game_time=settings.game_time,
        **numbers,
    )
    vars(plan)["rules"] = {game.spec: game for game in meetings}  # made already, and not again of their specs
    return plan, cast_of(plan, given, worker)


def _plain(number: Any) -> Any:
    """A whole number of numpy as Python's, which JSON knows; anything else unchanged, for `Plan` to check."""
    return int(number) if is_whole(number) else number


def _by_name(policies: Any) -> dict[str, Any]:
    """Policies by their names, all of which must differ; a single one may be given without a list."""
    by_name: dict[str, Any] = {}
    for policy in [policies] if isinstance(policies, (str, Policy)) else policies or ():
        name = name_of(policy)
        if not name.isprintable():
            raise ValueError(f"a policy is called {short_repr(name)}; its name may have printable characters only")
        if name in by_name:
            raise ValueError(f"the policy {name} is named twice; name it once")
        by_name[name] = read_policy(policy) if isinstance(policy, str) else policy
    return by_name


def _together(mine: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """All policies by name; a name in both must be of the same policy."""
    for name in mine.keys() & others.keys():
        if not _is_same(mine[name], others[name]):
            raise ValueError(f"two policies are called {name}; give one of them another name: as_policy(…, name=…)")
    return {**mine, **others}


def _is_same(a: Any, b: Any) -> bool:
    """Whether two of one name are the same policy; a policy is the same as its spec, and a spec is its own name."""
    if isinstance(a, PolicySource):
        return isinstance(b, PolicySource) or (isinstance(b, Policy) and b == a.make(b.game))
    return _is_same(b, a) if isinstance(b, PolicySource) else a is b or a == b
