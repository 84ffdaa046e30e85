"""A match: games between two policies in lockstep. At each ply each policy is queried once, with all boards where it is to move."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...agents.answers import Transcript, Unavailable
from ...agents.policy import Policy
from ...envs.boards import Boards
from ...envs.running import PLAYING
from ...games.game import Game, StateArray
from .games import ILLEGAL, RESIGNED, Pairing, PlayedGames, sum_nodes
from .openings import openings, stream_keys
from .players import Fault, Player
from .settings import DEFAULT_SETTINGS, MatchSettings


class Job(NamedTuple):
    """Some games of a pairing, which are played together, in this process or another.

    Args:
        pairing: the pairing.
        policies: the two policies that play.
        numbers: the numbers of the games (N,), int64, always both games of an opening.
        seed: the tournament's.
        settings: how the games are played.
        raising: for each of the two, whether an error at its first call is raised.
        one_by_one: whether policies are queried with one position at a time.
    """

    pairing: Pairing
    policies: tuple[Policy, Policy]
    numbers: NDArray[np.int64]
    seed: int
    settings: MatchSettings = DEFAULT_SETTINGS
    raising: tuple[bool, bool] = (False, False)
    one_by_one: bool = False


def play_job(job: Job) -> PlayedGames:
    """Plays the games of a job to their ends. Each game depends on its number, and not on the other games of the job. MatchStopped
    where a policy is `Unavailable`."""
    return _Match(job).play()


class MatchStopped(Unavailable):
    """A policy cannot go on, and so the games of a job were not played to their ends.

    Args:
        why: a sentence.
        pairing: the pairing of the games.
        played: the games that were finished, always both of an opening.
    """

    def __init__(self, why: str, pairing: Pairing, played: PlayedGames) -> None:
        super().__init__(why, pairing, played)
        self.pairing, self.played = pairing, played

    def __str__(self) -> str:
        return self.args[0]


class _Match:
    """The games of a job in progress."""

    def __init__(self, job: Job) -> None:
        game, count = job.policies[0].game, len(job.numbers)
        purpose = ("common",) if job.settings.common_keys else (job.pairing.a, job.pairing.b)
        self.job, self.keys = job, stream_keys(game, job.seed, purpose, job.numbers)
        self.boards = Boards(game, count, None, 0)
        every = np.ones(count, np.bool_)
        self.boards.seed(every, self.keys.tolist(), np.random.default_rng(0))
        self.boards.keep_lines()
        starts, lines = self._opening_lines(game)
        self.boards.begin(every, starts)
        self.faults: dict[int, Fault] = {}
        self.transcripts: dict[tuple[int, int], Transcript] = {}
        self.moves, self.seconds = np.zeros((count, 2), np.int64), np.zeros((count, 2))
        self.nodes = np.zeros((count, 2), np.int64)
        for actions in lines.T:
            which = np.flatnonzero(actions >= 0)
            self.boards.advance(which, actions[which])
        self.openings = self.boards.plies.copy()

    def _opening_lines(self, game: Game) -> tuple[StateArray, NDArray[np.int64]]:
        """Where the games start, one state for all or one each, and the moves of their openings (N, P), -1 after the last."""
        job = self.job
        if (suite := job.settings.openings_in(game)) is None:
            lines, _ = openings(game, job.seed, job.numbers // 2, job.settings.opening_plies_in(game))
            return game.start[None], lines
        rows = suite.rows(job.numbers)
        return suite.arrays.starts[rows], suite.arrays.moves[rows]

    def play(self) -> PlayedGames:
        try:
            self._play_to_the_end()
        except Unavailable as end:
            numbers, finished = self.job.numbers, self.boards.phases != PLAYING
            both = finished & np.isin(numbers ^ 1, numbers[finished])
            raise MatchStopped(str(end), self.job.pairing, self._finished_games(np.flatnonzero(both))) from end
        return self._finished_games(np.arange(len(self.keys)))

    def _play_to_the_end(self) -> None:
        job, boards, seat_of_first = self.job, self.boards, self.job.numbers % 2
        players = [
            Player(policy, len(self.keys), job.settings, one_by_one=job.one_by_one, raising=raising)
            for policy, raising in zip(job.policies, job.raising, strict=True)
        ]
        while len(playing := np.flatnonzero(boards.phases == PLAYING)):
            mover = boards.players[playing] != seat_of_first[playing]
            for player, rows in zip(players, (playing[~mover], playing[mover]), strict=True):
                if len(rows):
                    self._query(player, rows)

    def _finished_games(self, rows: NDArray[np.int64]) -> PlayedGames:
        """Some of the games, all of which are finished."""
        boards, row_of = self.boards, {board: row for row, board in enumerate(rows.tolist())}
        faults = {row: self.faults[board] for board, row in row_of.items() if board in self.faults}
        endings, plies = boards.endings[rows] - 1, boards.plies[rows]
        endings[list(faults)] = [fault.ending for fault in faults.values()]
        moves = boards.lines(rows).moves
        reasons = {row: fault.reason for row, fault in faults.items() if fault.ending != RESIGNED}
        transcripts = {(row_of[board], ply): transcript for (board, ply), transcript in self.transcripts.items() if board in row_of}
        return PlayedGames(
            numbers=self.job.numbers[rows],
            keys=self.keys[rows],
            openings=self.openings[rows],
            plies=plies,
            actions=moves[moves >= 0].astype(np.uint16),
            results=boards.results[rows],
            endings=endings,
            reasons=reasons,
            moves=self.moves[rows],
            seconds=self.seconds[rows],
            nodes=self.nodes[rows],
            transcripts=transcripts,
            suite=self.job.settings.openings_in(self.boards.game),
        )

    def _query(self, player: Player, rows: NDArray[np.int64]) -> None:
        """Queries a policy for the boards where it is to move, and takes its actions there."""
        boards = self.boards
        lines = boards.lines(rows) if player.sees_moves else None
        answers = player.act(boards.states[rows], boards.ply_keys(rows), rows, lines)
        seats, plies = boards.players[rows], boards.plies[rows]
        self.transcripts |= {(int(rows[row]), int(plies[row])): transcript for row, transcript in answers.transcripts.items()}
        self.seconds[rows, seats] += answers.seconds
        self.moves[rows, seats] += 1
        self.nodes[rows, seats] = sum_nodes([self.nodes[rows, seats], answers.nodes])
        wrong = boards.illegal(rows, answers.actions)
        if wrong.any():
            for row in np.flatnonzero(wrong).tolist():
                board = int(rows[row])
                self.faults[board] = answers.faults.get(row) or self._illegal(board, int(answers.actions[row]))
            boards.forfeit(rows[wrong])
        boards.advance(rows[~wrong], answers.actions[~wrong])

    def _illegal(self, board: int, action: int) -> Fault:
        game = self.boards.game
        move, position = game.move_name(action), game.text(self.boards.states[board])
        return Fault(ILLEGAL, f"answered {position!r} with {move}, which is not legal there")
