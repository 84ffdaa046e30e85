"""Tournaments: many policies play each other in one game or several; the games are stored and the policies rated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.plugins.loading import check_installed
from ..core.progress import ProgressLog
from ..core.workers.pool import check_engine
from ..games.game import Game
from .matches.faults import Faults, check_faults
from .matches.games import Pairing
from .matches.settings import MatchKeywords, split_keywords
from .planning.planning import Cast, RoundKeywords, cast_of, make_plan, make_plan_by
from .planning.protocols import protocol
from .planning.schedule import play_plan
from .ratings.score import Score
from .results import Results
from .rounds import Rounds
from .store.store import Store

if TYPE_CHECKING:
    from typing_extensions import Unpack


class TournamentKeywords(MatchKeywords, RoundKeywords, total=False):
    """The keywords by which `tournament` says how games are played, and by whom until when."""


class Tournament(Results):
    """A tournament that can be played, or resumed.

    Args:
        store: its plan, and the games that were played.
        cast: its policies; none are needed to read the results.
    """

    def __init__(self, store: Store, cast: Cast | None = None) -> None:
        super().__init__(store)
        self._cast = cast or {}

    def play(
        self,
        *,
        workers: int = 1,
        engine: str = "local",
        faults: Faults = "raise",
        watch: Callable[[Tournament], object] = lambda _: None,
    ) -> Tournament:
        """Plays the games that are missing.

        Args:
            workers: how many processes play; 1 for this one.
            engine: "local", or "ray" for the Ray cluster that this process is connected to, or a local one.
            faults: "raise" raises an error at a policy's first call, with its traceback; "count" counts it like every other fault.
            watch: called each time that some games were played.

        Raises:
            Exception: what a policy raised at its first call, unless faults="count". Games that were played are kept.
        """
        rounds = Rounds(self.plan, self.store.missing, self._score_until)
        if not (first := rounds.next()):
            return self
        log = ProgressLog(f"tournament of {', '.join(self.games)}", "games", self.done)
        with self.store.session(workers, engine):
            every = chain([first], iter(rounds.next, {}))
            for pairing, played in play_plan(self.plan, self._cast, every, workers=workers, engine=engine, faults=faults):
                self.store.add(pairing, played)
                self.scores[pairing] += Score.of(pairing, played)
                for outdated in ("ratings", "answers", "sprt", "_rounds", "losses"):
                    vars(self).pop(outdated, None)
                log.count(self.done, self.total)
                watch(self)
        return self

    def _score_until(self, pairing: Pairing, stop: int) -> Score:
        """The score of a pairing in the games below a number, all of which are played."""
        score = self.scores[pairing]
        return score if score.games == stop else self.store.score(pairing, stop)

    def report(self, path: str | Path, **settings: Any) -> None:
        """Writes the page that shows the tournament: one HTML file that needs no other. It is written whole or not at all.

        Args:
            path: the file.
            settings: `title`, `command`, `samples`, `graded` and `progress`, as for `ludus.arena.report.data.report_of`.

        Raises:
            ValueError: what writes pages is not installed.
            OSError: it cannot be written.
        """
        check_installed("a report page", "report")
        from .report.page import write_report  # which draws, and so takes a while to load

        write_report(path, self, **settings)


def tournament(
    games: str | Game | Iterable[str | Game],
    policies: Sequence[Any],
    games_per_pair: int | None = None,
    *,
    against: Sequence[Any] = (),
    self_play: bool = False,
    seed: int = 0,
    store: str | Path | None = None,
    watch: Callable[[Tournament], object] = lambda _: None,
    **how: Unpack[TournamentKeywords],
) -> Tournament:
    """Plays a tournament: in every game each policy plays each other; or, with `against`, each policy plays each of those.

    Args:
        games: the games, or their specs.
        policies: who takes part: specs, policies, or whatever `as_policy` takes.
        games_per_pair: how many games two policies play against each other, an even number; None for 100 or, with `openings`, for
            two of each: of several games, of the suite with the fewest. With `sprt` it is the most that they play, and None
            without `openings` for 20,000; with `swiss` it is those of a round, and None for 2.
        against: whom they play instead of each other.
        self_play: whether each policy also plays itself.
        seed: the source of all randomness; the same seed gives the same games.
        store: the file to keep the games in; None keeps them in memory.
        watch: called each time that some games were played.
        how: how they are played: `settings`, a `MatchSettings`, or six of its fields, `openings`, `opening_plies`, `move_time`,
            `game_time`, `faults` and `common_keys`; `workers` and `engine`, as for `Tournament.play`, on which the results do not
            depend; `sprt`, a sequential test of each pair, an `Sprt`: pairs play until it decides, and of several those that tell
            most; and `swiss`, the number of rounds in which policies with equal points meet.

    Raises:
        ValueError: no two policies play the same game, or a number, game, policy or name is invalid.
        OSError: the store cannot be written, or exists already.
        Exception: what a policy raised at its first call, unless faults="count". `resume` continues from the games in the store.
    """
    rounds: RoundKeywords = {"sprt": how.pop("sprt", None), "swiss": how.pop("swiss", None)}
    settings, playing = split_keywords(how)
    plan, cast = make_plan(
        [games] if isinstance(games, (str, Game)) else games,
        policies,
        games_per_pair,
        against=against,
        self_play=self_play,
        seed=seed,
        settings=settings,
        **rounds,
    )
    return Tournament(Store.create(store, plan), cast).play(watch=watch, **playing)


def play_protocol(
    name: str,
    policies: Sequence[Any],
    games: Iterable[str | Game] = (),
    *,
    store: str | Path | None = None,
    workers: int = 1,
    engine: str = "local",
    faults: Faults = "raise",
    watch: Callable[[Tournament], object] = lambda _: None,
) -> Tournament:
    """Measures policies by a protocol, such as `ludus-2`: in each of its games against each of its opponents.

    Args:
        name: the protocol's name.
        policies: who is to be measured: specs, policies, or whatever `as_policy` takes. If there are none, the
            opponents play each other.
        games: which of the protocol's games; all by default.
        store, workers, engine, faults, watch: as for `tournament`.

    Raises:
        ValueError: no two policies play the same game, a game is not in the protocol, or this version of ludus cannot follow it.
        OSError: the store cannot be written, or exists already.
    """
    check_engine(engine, workers)
    check_faults(faults)
    plan, cast = make_plan_by(protocol(name), policies, games)
    return Tournament(Store.create(store, plan), cast).play(workers=workers, engine=engine, faults=faults, watch=watch)


def resume(
    store: str | Path,
    policies: Mapping[str, Any] | None = None,
    *,
    trust: bool = False,
    workers: int = 1,
    engine: str = "local",
    faults: Faults = "raise",
    watch: Callable[[Tournament], object] = lambda _: None,
) -> Tournament:
    """Plays the games that are missing in the store of a tournament.

    Args:
        store: its file.
        policies: by name, those that were given as objects and not as specs.
        trust: whether code may run that the store names: functions of modules, and models of Stable-Baselines3.
        workers, engine, faults, watch: as for `tournament`.

    Raises:
        ValueError: the file is not a store, is damaged, or of another version; a policy is missing; or it names code of a
            module that was not given to `ludus.plug_in`, without trust.
    """
    opened = Store.open(store, trust=trust)
    return Tournament(opened, cast_of(opened.plan, policies or {})).play(workers=workers, engine=engine, faults=faults, watch=watch)
