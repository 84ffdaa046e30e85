"""Games that were played: `PlayedGames`, many of one pairing in arrays; `GameRecord`, a single one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from msgspec import to_builtins
from numpy.typing import ArrayLike, NDArray

from ...agents.answers import Transcript
from ...core.errors import shorten
from ...core.plugins import CheckedSpec
from ...games.display import Part, Picture
from ...games.game import Game, StateArray
from ...games.registry import make_game
from ...records.game import start_of
from ...records.openings import Openings

ENDINGS = ("rules", "max_plies", "illegal", "error", "time", "died", "resigned")
"""How a game ended, by number: by its rules; drawn after max_plies; or lost by the policy to move, because it answered with an
illegal action, raised an error, exceeded its time, because its process died, or because it resigned, which is no fault."""

DECLARED, UNFINISHED = "declared", "unfinished"
"""How games of other files ended, besides: by a result that the file says, as where a player gave up; or not at all."""

RULES, MAX_PLIES, ILLEGAL, ERROR, TIME, DIED, RESIGNED = range(len(ENDINGS))
FIRST_FAULT = ILLEGAL
TEXTS = ("question", "reply", "reason", "reasoning")
"""The texts of an attempt of a policy that speaks."""


class Pairing(NamedTuple):
    """Two policies that play a game against each other.

    Args:
        game: the game's spec.
        a, b: the policies' names; those of built-in policies are their specs.
    """

    game: CheckedSpec
    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.game}: {self.a} – {self.b}"


@dataclass(frozen=True)
class GameRecord:
    """One game that was played.

    Args:
        pairing: the game's spec and the two policies.
        number: its number in the pairing; in even ones `a` has seat 0, in odd ones seat 1; 2j and 2j + 1 share an opening.
        key: the source of the policies' randomness in this game.
        opening: how many of the actions are the opening's; the policies chose the others.
        actions: all actions in order, from the start.
        result: player 0's result: 1, 0 or -1; 0 in an unfinished game.
        ending: one of ENDINGS; in games of other files also DECLARED or UNFINISHED.
        reason: a sentence that describes the fault; empty where there was none.
        moves: how many of the actions the policies of seat 0 and seat 1 chose.
        seconds: how long they thought in all.
        nodes: how many positions they visited in all; None for one that does not count them.
        transcripts: of policies that speak: the transcript of each move, by the number of actions before it.
        start: the position that it starts from, as text; None for the game's own start.
    """

    pairing: Pairing
    number: int
    key: int
    opening: int
    actions: tuple[int, ...]
    result: int
    ending: str
    reason: str
    moves: tuple[int, int]
    seconds: tuple[float, float]
    nodes: tuple[int | None, int | None] = (None, None)
    transcripts: Mapping[int, Transcript] = field(default_factory=dict[int, Transcript], compare=False, repr=False)
    start: str | None = None

    @property
    def players(self) -> tuple[str, str]:
        """The names of the policies in seat 0 and seat 1."""
        return (self.pairing.a, self.pairing.b) if self.number % 2 == 0 else (self.pairing.b, self.pairing.a)

    def states(self, game: Game) -> StateArray:
        """All states, from the start to the last one (N + 1, W).

        Raises:
            ValueError: the start is not a position of the game, or an action is not legal.
        """
        return game.play_line(self.actions, start_of(game, self.start))


def record_of_line(game: Game, pairing: Pairing, actions: tuple[int, ...], *, number: int = 0, key: int = 0) -> GameRecord:
    """A game that was found without being played: its line from the start. One that is not over was drawn by the limit on plies."""
    states = game.play_line(actions)
    outcome = game.outcome(states[-1])
    return GameRecord(
        pairing=pairing,
        number=number,
        key=key,
        opening=0,
        actions=actions,
        result=0 if outcome is None else outcome[0],
        ending=ENDINGS[MAX_PLIES if outcome is None else RULES],
        reason="",
        moves=count_moves(game, states),
        seconds=(0.0, 0.0),
    )


def count_moves(game: Game, states: StateArray) -> tuple[int, int]:
    """How many moves player 0 and player 1 chose in some states of a game, one after another (N + 1, W)."""
    first, second = np.bincount(game.players(states[:-1]), minlength=2).tolist()
    return first, second


def line_parts(game: Game, words: str, actions: tuple[int, ...]) -> Iterator[Part]:
    """A line from the start, to be shown: its moves after some words, and its last position."""
    moves = (game.move_name(action).replace(" ", "\N{NO-BREAK SPACE}") for action in actions)
    yield f"{words} {' '.join(moves)}"
    yield Picture(game, game.play_line(actions)[-1], actions[-1])


def sum_nodes(counts: ArrayLike) -> NDArray[np.int64]:
    """The sum of nodes (N, …) over the first axis; -1 where one of them is not known."""
    return np.where(np.min(counts, axis=0, initial=0) < 0, -1, np.sum(counts, axis=0, dtype=np.int64))


class PlayedGames(NamedTuple):
    """N games of one pairing; the fields are those of `GameRecord`, as arrays.

    Args:
        numbers: (N,), int64.
        keys: (N,), uint64.
        openings: plies of the opening (N,), int64.
        plies: how many actions were taken, the opening's included (N,), int64.
        actions: all actions of game 0, then all of game 1, …, uint16 (the sum of `plies`,).
        results: player 0's (N,), int8.
        endings: numbers of ENDINGS (N,), int8.
        reasons: of the games that ended by a fault, by row.
        moves: (N, 2), int64, by seat.
        seconds: (N, 2), float64, by seat.
        nodes: (N, 2), int64, by seat; -1 where that is not known.
        transcripts: of policies that speak: the transcript of each move, by row and by the number of actions before it.
        suite: the openings that they began with, in turn; None where each began with random plies.
    """

    numbers: NDArray[np.int64]
    keys: NDArray[np.uint64]
    openings: NDArray[np.int64]
    plies: NDArray[np.int64]
    actions: NDArray[np.uint16]
    results: NDArray[np.int8]
    endings: NDArray[np.int8]
    reasons: dict[int, str]
    moves: NDArray[np.int64]
    seconds: NDArray[np.float64]
    nodes: NDArray[np.int64]
    transcripts: dict[tuple[int, int], Transcript] = {}  # noqa: RUF012  never changed
    suite: Openings | None = None

    def starts(self, game: Game) -> StateArray:
        """The states that the games began from, before their openings (N, W)."""
        if self.suite is None:
            return np.repeat(game.start[None], len(self.numbers), axis=0)
        return self.suite.arrays.starts[self.suite.rows(self.numbers)]

    def records(self, pairing: Pairing) -> list[GameRecord]:
        """The games one by one."""
        parts = np.split(self.actions, np.cumsum(self.plies)[:-1])
        transcripts: dict[int, dict[int, Transcript]] = defaultdict(dict)
        for (row, ply), transcript in self.transcripts.items():
            transcripts[row][ply] = transcript

        suite, count = self.suite, len(self.numbers)
        starts = [None] * count if suite is None else [suite.starts[row] for row in suite.rows(self.numbers).tolist()]

        def nodes_or_none(nodes: np.int64) -> int | None:
            return None if nodes < 0 else int(nodes)

        return [
            GameRecord(
                pairing=pairing,
                number=int(self.numbers[row]),
                key=int(self.keys[row]),
                opening=int(self.openings[row]),
                actions=tuple(parts[row].tolist()),
                result=int(self.results[row]),
                ending=ENDINGS[self.endings[row]],
                reason=self.reasons.get(row, ""),
                moves=(int(self.moves[row, 0]), int(self.moves[row, 1])),
                seconds=(float(self.seconds[row, 0]), float(self.seconds[row, 1])),
                nodes=(nodes_or_none(self.nodes[row, 0]), nodes_or_none(self.nodes[row, 1])),
                transcripts=transcripts.get(row, {}),
                start=starts[row],
            )
            for row in range(count)
        ]


def transcript_entries(record: GameRecord, longest: int | None = None) -> list[dict[str, Any]]:
    """The transcripts of a game, move by move, with at most `longest` characters of each text: `ply`, the number of actions before;
    `player` and `policy`, who was to move; and `system`, `model`, `prompt` and `attempts`, as in `Transcript`."""
    entries, game = list[dict[str, Any]](), make_game(record.pairing.game)
    if not record.transcripts:
        return entries
    state = start_of(game, record.start)
    for ply in range(len(record.actions) + 1):
        if transcript := record.transcripts.get(ply):
            player = game.player(state)
            entries.append({"ply": ply, "player": player, "policy": record.players[player], **to_builtins(transcript)})
        if ply < len(record.actions):
            state = game.play(state, record.actions[ply])
    if longest is not None:
        for entry in entries:
            entry["system"] = shorten(entry["system"], longest)
            for attempt in entry["attempts"]:
                attempt |= {name: shorten(attempt[name], longest) for name in TEXTS}
    return entries
