"""`Boards`: many running games, the opponent's answers included; both Gymnasium environments are built on them."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.native import Function
from ..core.native.recycling import Recycled
from ..core.native.threads import pool
from ..core.numbers import short_repr
from ..games.display import Picture
from ..games.game import Game, StateArray
from ..games.kernels import keys as keys_kernels
from ..games.kernels import queries
from ..games.lines import GameLines
from ..records import Openings
from . import stepping as kernels
from .opponent import Games, Opponent, Opponents, Rival, games_of, is_several, sees_moves
from .running import FROM_LIST, ILLEGAL, OVER, PLAYING, RANDOM_SEAT, REPORTED, SELF_PLAY, News, OpeningChoice, Running, Seen

Observation = dict[str, NDArray[np.int8]]
Info = dict[str, Any]
USUAL_LENGTH = 64
"""Plies for which there is room in lines at first."""


class View(NamedTuple):
    """What there is to see on each board.

    Args:
        observation: planes (N, C, H, W) and masks (N, A).
        info: what `info` says after a step and after a reset, arrays over the boards: a copy of the masks; the learner's seat, in
            self-play the player to move; whether an illegal action has just ended the game; the number of the opponent, where there
            are several; and in self-play both players' rewards (N, 2).
    """

    observation: Observation
    info: Info


class Step(NamedTuple):
    """The result of one step on each board (N,); in `final` the last view of the games that ended, if new ones began."""

    view: View
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    ended: NDArray[np.bool_]
    final: View | None


class Boards:
    """N boards of one game, each with its own seed, so that it plays as it would alone.

    Args:
        game: the game and variant.
        count: how many boards, N.
        opponent: who answers: one opponent or several; None where the learner plays both sides.
        seat: the learner's seat: 0, 1 or "random" (drawn for each game).
        opening: what each game from the start begins with, as `views.opening_of` gives it: this many random plies, or one of some
            openings.
    """

    def __init__(
        self, game: Game, count: int, opponent: Opponent | Opponents | None, seat: int | str, opening: int | Openings = 0
    ) -> None:
        self.game, self.count = game, count
        self._opening, self._no_opening = opening_choice(game, opening), opening_choice(game, 0)
        self._longest_opening = max(self._opening.plies, self._opening.lines.shape[1])
        self.seat = seat_code(seat)
        self._opponent: Any = None
        self.rivals: list[Rival] = []
        """Who answers in the games that are played: board i has rivals[paired[i]]."""
        self._memories: list[Games | None] = []
        self.paired = np.zeros(count, np.int64)
        self._running = on = Running(
            seeds=np.zeros(count, np.uint64),
            keys=np.zeros(count, np.uint64),
            states=np.zeros((count, game.num_words), np.uint64),
            choices=np.zeros((count, game.action_words), np.uint64),
            games=np.zeros(count, np.int64),
            plies=np.zeros(count, np.int64),
            lasts=np.full(count, -1, np.int64),
            players=np.zeros(count, np.int8),
            phases=np.zeros(count, np.int8),
            endings=np.zeros(count, np.int8),
            results=np.zeros(count, np.int8),
            seats=np.zeros(count, np.int8),
            starts=np.zeros((0, game.num_words), np.uint64),
            moves=np.zeros((count, 0), np.int16),
        )
        self.seeds, self.keys, self.states, self.choices = on.seeds, on.keys, on.states, on.choices
        self.games, self.plies, self.lasts, self.players = on.games, on.plies, on.lasts, on.players
        self.phases, self.endings, self.results, self.seats = on.phases, on.endings, on.results, on.seats
        self.met = np.zeros(count, np.int64)
        """The number of the opponent on each board (N,), where there are several; -1 for one who was given alone."""
        self._all, self._shape = np.arange(count), (count, *game.shape)
        self._seeded = np.zeros(count, np.bool_)
        self._samples = 0
        self._room = inf
        self._prepare()
        self.opponent = opponent

    def _prepare(self) -> None:
        """Everything that is not the running games: room for what kernels write."""
        self._seen, self._final = Recycled(self._make_step), Recycled(self._make_final)
        self._no_final = self._make_seen(0)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k not in ("_seen", "_final", "_no_final")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._prepare()

    @property
    def opponent(self) -> Opponent | Opponents | None:
        """Who answers in games that begin from now on; a running game keeps its opponent."""
        return self._opponent

    @opponent.setter
    def opponent(self, opponent: Opponent | Opponents | None) -> None:
        games_of(opponent, self.count)  # refuses one that cannot remember them
        self._opponent = opponent
        if sees_moves(opponent):
            self.keep_lines()

    @property
    def is_reported(self) -> NDArray[np.bool_]:
        """The boards whose end has been reported: they wait for a new game."""
        return self.phases == REPORTED

    @property
    def is_playing(self) -> NDArray[np.bool_]:
        """The boards on which a game is being played."""
        return (self.games > 0) & (self.phases == PLAYING)

    @property
    def _code(self) -> int:
        return SELF_PLAY if self.opponent is None else self.seat

    def seed(self, which: NDArray[np.bool_], seeds: Sequence[int | None], random: np.random.Generator) -> None:
        """Gives the marked boards their seeds and sets their count of games to 0.

        Args:
            which: the boards that count.
            seeds: a whole number for each board, marked or not, of which the lowest 64 bits count; None keeps the
                board's seed, or draws its first.
            random: where first seeds come from.
        """
        unseeded = which & ~self._seeded
        seeds = [int(random.integers(2**63)) if seed is None and new else seed for seed, new in zip(seeds, unseeded, strict=True)]
        seeded = which & np.array([seed is not None for seed in seeds])
        numbers = np.array([seed % 2**64 for seed, new in zip(seeds, seeded, strict=True) if new and seed is not None], np.uint64)
        fresh = np.empty(len(numbers), np.uint64)
        self.game.kernel(keys_kernels.derive_keys)(numbers, np.zeros(len(numbers), np.int64), fresh)
        self.seeds[seeded], self.games[seeded] = fresh, 0
        self._seeded |= seeded
        self._samples = 0

    def begin(self, which: NDArray[np.bool_], starts: StateArray | None) -> None:
        """Begins a game on the marked boards, and lets the opponent move where it is first.

        Args:
            which: the boards (N,).
            starts: where the games begin, without an opening: one state for all boards (1, W), or one each (N, W); None for the
                start of the game.
        """
        self._begin(which, starts)
        self._answer()

    def reset(self, which: NDArray[np.bool_], starts: StateArray | None) -> View:
        """Begins games as `begin` does, and shows all boards."""
        self.begin(which, starts)
        _, seen = self._seen.take()
        seen.both[:] = seen.illegal[:] = 0
        self._call(kernels.show, self._code, self._running, seen)
        return self._view(seen)

    def step(self, actions: NDArray[np.int64], *, restart: bool) -> Step:
        """Takes the learner's action on each board, lets the opponent answer, and shows all boards.

        A board whose end has been reported begins the next game instead. Several opponents receive the results of their games.

        Args:
            actions: one a board (N,), each from 0 to A - 1. An illegal one loses the game.
            restart: whether a game that ends is followed by the next at once; the ended one is shown in `final` then.
        """
        news, seen = self._seen.take()
        final = self._final.take() if restart else self._no_final
        self._make_room()
        if not restart and (renewed := self.is_reported).any():
            self._begin(renewed, None)
            actions = np.where(renewed, -1, actions)
        if self._opponent is not None:
            self.advance(self._all, actions)
            self._answer()
        how = self.game.start[None], self.game.max_plies, self._opening, self._code
        self._call(kernels.step, actions, *how, self._running, news, seen, final)
        last = self._view(final) if restart and np.count_nonzero(news.ended) else None
        if self._opponent is not None:
            which = np.flatnonzero(news.ended)
            self._note(which, news.rewards)
            if restart:
                self._after_begin(which)
                self._answer()
            self._call(kernels.show, self._code, self._running, seen)
        terminated, truncated, ended = (flags.view(np.bool_) for flags in news[1:])
        return Step(
            view=self._view(seen), rewards=news.rewards, terminated=terminated, truncated=truncated, ended=ended, final=last
        )

    def sample_actions(self) -> NDArray[np.int64]:
        """One legal action a board (N,), each equally likely, by the boards' seeds; any action where a game is over."""
        actions = np.empty(self.count, np.int64)
        self._samples += 1
        self._call(kernels.sample, self._samples, self.seeds, self.choices, self.game.num_actions, actions)
        return actions

    def masks(self) -> NDArray[np.bool_]:
        """The masks (N, A), all true where no game is running."""
        bits = np.unpackbits(self.choices.view(np.uint8), axis=1, count=self.game.num_actions, bitorder="little")
        return bits.view(np.bool_)

    def _answer(self) -> None:
        """Lets the opponent move until every board waits for the learner or is over."""
        if self._opponent is None:
            return
        while len(waiting := np.flatnonzero((self.phases == PLAYING) & (self.players != self.seats))):
            for i, (policy, _) in enumerate(self.rivals):
                if not len(rows := waiting if len(self.rivals) == 1 else waiting[self.paired[waiting] == i]):
                    continue
                states, keys, games = self.states[rows], self.ply_keys(rows), self._memories[i]
                if games is None:
                    actions = np.asarray(policy.act(states, keys))
                else:
                    if sees_moves(policy):
                        games.lines = self.lines(rows)
                    actions = games.act(states, keys, rows)
                self.take(rows, actions, policy)

    def pair(self, which: NDArray[np.int64], rival: Rival) -> None:
        """Sets who answers in the games on these boards (B,), which have begun."""
        i = next((i for i, other in enumerate(self.rivals) if other.is_same(rival)), None)
        if i is None:  # the first place that nobody needs
            i = next((i for i in range(len(self.rivals)) if i not in self.paired), len(self.rivals))
            self.rivals[i : i + 1] = [rival]
            self._memories[i : i + 1] = [None if rival.results else games_of(rival.policy, self.count)]
        elif (games := self._memories[i]) is not None:
            games.begin_again(which)
        self.paired[which] = i

    def _note(self, which: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        """Reports to the pools of opponents how the games on these boards ended."""
        for i, (_, results) in enumerate(self.rivals):
            if results and len(rows := which[self.paired[which] == i]):
                for counts in results:
                    counts.note(rewards[rows])

    def take(self, which: NDArray[np.int64], actions: NDArray[np.int64], policy: object) -> None:
        """Takes a policy's actions on some boards where a game is being played.

        Raises:
            ValueError: an action is not legal; no action is taken then.
        """
        actions = np.ascontiguousarray(actions, np.int64)
        if actions.shape != which.shape:
            raise ValueError(f"the policy {policy} was asked for {len(which)} actions and gave an array of shape {actions.shape}")
        kernel = self.game.kernel(queries.first_illegal)
        if (wrong := kernel(self.choices, which, actions)) >= 0:
            position, move = self.game.text(self.states[which[wrong]]), self.game.move_name(int(actions[wrong]))
            raise ValueError(f"the policy {policy} answered {position!r} of {self.game.spec} with {move}, which is not legal there")
        self.advance(which, actions)

    def illegal(self, which: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of these actions, any whole numbers, are not legal on their boards, where a game is being played (B,)."""
        wrong = (actions < 0) | (actions >= self.game.num_actions)
        safe = np.where(wrong, 0, actions)
        return wrong | (self.choices[which, safe >> 6] >> (safe & 63).astype(np.uint64) & np.uint64(1) == 0)

    def forfeit(self, which: NDArray[np.int64]) -> None:
        """Ends the games on these boards, where one is being played: the player to move loses, as after an illegal action."""
        self.phases[which], self.endings[which] = OVER, ILLEGAL
        self.results[which] = 2 * self.players[which] - 1
        self.choices[which] = ~np.uint64(0)

    def advance(self, which: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        """Takes actions from 0 to A - 1 on boards where a game is being played; an illegal one loses, -1 leaves a board alone."""
        self._make_room()
        self._call(kernels.advance, which, actions, self.game.max_plies, self._running, rows=len(which))

    def keep_lines(self) -> None:
        """Keeps the lines of all games from now on; of a game that is running, from where it is."""
        if self._running.starts.size:
            return
        moves = np.full((self.count, max(USUAL_LENGTH, 2 * self._longest_opening)), -1, np.int16)
        self._running = self._running._replace(starts=self.states.copy(), moves=moves)
        self._room = 0

    def lines(self, which: NDArray[np.int64]) -> GameLines:
        """How the games on these boards came to where they are, if lines are kept (see `keep_lines`)."""
        starts, moves = self._running.starts[which], self._running.moves[which]
        if len(later := np.flatnonzero((moves[:, 0] < 0) & (self.plies[which] > 0))):  # not kept from the first ply on
            moves[later] = np.take_along_axis(moves[later], (moves[later] < 0).argsort(axis=1, kind="stable"), axis=1)
        return GameLines.up_to(starts, moves, self.plies[which])

    def _make_room(self) -> None:
        """Makes room for another ply of each line, where lines are kept."""
        self._room -= 1
        if self._room < 0:
            moves = self._running.moves
            if (longest := max(int(self.plies.max()), self._longest_opening)) >= moves.shape[1] // 2:
                moves = np.concatenate([moves, np.full_like(moves, -1)], axis=1)
                self._running = self._running._replace(moves=moves)
            self._room = moves.shape[1] - longest - 1

    def ply_keys(self, which: NDArray[np.int64]) -> NDArray[np.uint64]:
        """The keys by which a policy chooses on these boards now."""
        keys = np.empty(len(which), np.uint64)
        self.game.kernel(keys_kernels.derive_keys)(self.keys[which], self.plies[which], keys)
        return keys

    def _make_step(self) -> tuple[tuple[News, Seen], list[NDArray[Any]]]:
        news = News(np.empty(self.count), *(np.empty(self.count, np.int8) for _ in range(3)))
        seen = self._make_seen(self.count)
        return (news, seen), [*news, *seen]

    def _make_final(self) -> tuple[Seen, list[NDArray[Any]]]:
        seen = self._make_seen(self.count)
        return seen, [*seen]

    def _make_seen(self, count: int) -> Seen:
        planes, height, width = self.game.shape
        return Seen(
            planes=np.empty((count, planes, height * width), np.int8),
            masks=np.empty(count * self.game.num_actions, np.int8),
            copies=np.empty(count * self.game.num_actions, np.int8),
            who=np.empty(count, np.int8),
            both=np.empty((count, 2)),
            illegal=np.empty(count, np.int8),
        )

    def last(self, board: int) -> int | None:
        """The last action on a board; None before the first."""
        action = int(self.lasts[board])
        return None if action < 0 else action

    def pictures(self) -> list[Picture]:
        """The boards as they stand; one on which no game has begun shows the start."""
        states = np.where(self.games[:, None] > 0, self.states, self.game.start)
        return [Picture(self.game, state, self.last(i)) for i, state in enumerate(states)]

    # ---- the kernels

    def _call(self, kernel: Function, *arguments: Any, rows: int | None = None) -> None:
        """Runs a kernel over all boards, or over `rows` rows."""
        rows = self.count if rows is None else rows
        self.game.kernel(kernel)(pool(rows), 0, rows, *arguments)

    def _begin(self, which: NDArray[np.bool_], starts: StateArray | None) -> None:
        how = (self.game.start[None], self._opening) if starts is None else (starts, self._no_opening)
        self._call(kernels.begin, which.view(np.int8), *how, self._code, self._running)
        self._after_begin(np.flatnonzero(which))

    def _after_begin(self, which: NDArray[np.int64]) -> None:
        """What is left to do where a game has begun (B,): says who answers in it."""
        if self._opponent is None or not len(which):
            return
        if len(which) == self.count:
            self.rivals, self._memories = [], []
        if not is_several(self._opponent):
            self.met[which] = -1
            self.pair(which, Rival(self._opponent))
            return
        self.met[which] = numbers = self._opponent.draw(self.keys[which])
        for number in np.unique(numbers).tolist():
            self.pair(which[numbers == number], self._opponent.rival(number))

    def _view(self, seen: Seen) -> View:
        observation = {"observation": seen.planes.reshape(self._shape), "action_mask": seen.masks.reshape(self.count, -1)}
        alone = self._opponent is None
        info: Info = {
            "action_mask": seen.copies.reshape(self.count, -1),
            "player" if alone else "seat": seen.who,
            "illegal": seen.illegal.view(np.bool_),
        }
        if is_several(self._opponent):
            info["opponent"] = self.met.copy()
        if alone:
            info["rewards"] = seen.both
        return View(observation, info)


def opening_choice(game: Game, opening: int | Openings) -> OpeningChoice:
    """What games begin with, as kernels know it: random plies, or openings."""
    if isinstance(opening, Openings):
        starts, moves, _ = opening.arrays
        return OpeningChoice(FROM_LIST, starts, moves.astype(np.int16))
    return OpeningChoice(opening, np.zeros((0, game.num_words), np.uint64), np.zeros((0, 0), np.int16))


def seat_code(seat: Any) -> int:
    """A seat as kernels know it.

    Raises:
        ValueError: it is not one.
    """
    if isinstance(seat, str) and seat == "random":
        return RANDOM_SEAT
    if isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and seat in (0, 1):
        return int(seat)
    raise ValueError(f"seat is {short_repr(seat)}; the learner sits at 0 (moves first), at 1, or at 'random'")
