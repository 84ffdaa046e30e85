"""Games for tests of what plays, stores and shows them: those of a match, and random or made-up ones without a match."""

from dataclasses import replace

import numpy as np

from ludus.agents import make_policy
from ludus.arena.engines.jobs import play_jobs
from ludus.arena.matches.games import ENDINGS, Pairing, PlayedGames
from ludus.arena.matches.job import Job
from ludus.arena.matches.settings import MatchSettings
from ludus.arena.planning.plan import Entrant, Plan
from ludus.envs import make_game


def plan_of(*games, policies=("random", "greedy"), count=100, **settings):
    """A plan in which these policies meet each other in these games."""
    pairs = [(a, b) for i, a in enumerate(policies) for b in policies[i + 1 :]]
    pairings = tuple(Pairing(game, a, b) for game in games for a, b in pairs)
    usual = {"move_time": None, "protocol": None, "ask_again": True, "needs": {}, "start_time": None, "common_keys": False}
    settings = usual | {"openings": {}, "sprt": None} | settings
    return Plan(pairings, tuple(Entrant(name, name) for name in policies), count, 0, dict.fromkeys(games, 2), **settings)


def matched(one, other="random", game="tictactoe", games=12, *, parts=1, seed=0, plies=2, move_time=None, names=None, **where):
    """Games that two policies play against each other in some jobs, wherever: records by number."""
    game, numbers = make_game(game), np.arange(games) if isinstance(games, int) else np.asarray(games)
    pairing = Pairing(game.spec, *(names or ("one", "other")))
    policies = tuple(make_policy(given, game) if isinstance(given, str) else given for given in (one, other))
    settings = MatchSettings(plies, move_time, game_time=where.pop("game_time", None))
    jobs = [Job(pairing, policies, part, seed, settings) for part in np.array_split(numbers, parts)]
    found = [record for _, played in play_jobs(jobs, **where) for record in played.records(pairing)]
    return sorted(found, key=lambda record: record.number)


def timeless(records):
    """Records as far as they do not depend on the clock."""
    return [replace(record, seconds=(0.0, 0.0)) for record in records]


def random_games(spec, numbers, seed=0):
    """Games of random moves, some of them lost by a fault: as arrays. Both games of a pair have the same two plies of opening."""
    game, numbers = make_game(spec), np.asarray(numbers, np.int64)
    count, opening = len(numbers), 2
    rng = np.random.default_rng(seed)
    states, lines = np.repeat(game.start[None], count, 0), [[] for _ in range(count)]
    stops = rng.integers(opening, 60, count)  # games that last longer end by a fault of the player to move
    moves, endings, results, reasons = np.zeros((count, 2), np.int64), np.zeros(count, np.int8), np.zeros(count, np.int8), {}
    for row in range(count):
        shared = np.random.default_rng([seed, int(numbers[row]) // 2])
        state = states[row]
        while (outcome := game.outcome(state)) is None:
            ply, player = len(lines[row]), game.player(state)
            if game.max_plies and ply == game.max_plies:
                endings[row] = ENDINGS.index("max_plies")
                break
            if ply >= stops[row] and row % 5 == 0:
                endings[row], results[row] = rng.integers(2, ENDINGS.index("resigned")), 2 * player - 1
                reasons[row] = f"raised KeyError: 'row {row}'\n\"and\" more – λ"
                break
            action = int((shared if ply < opening else rng).choice(game.legal_actions(state)))
            moves[row, player] += ply >= opening
            lines[row].append(action)
            state = game.play(state, action)
        else:
            results[row] = outcome[0]
    return PlayedGames(
        numbers,
        rng.integers(0, 2**64, count, dtype=np.uint64),
        np.full(count, opening),
        np.array([len(line) for line in lines], np.int64),
        np.concatenate([np.array(line, np.uint16) for line in lines]) if count else np.zeros(0, np.uint16),
        results,
        endings,
        reasons,
        moves,
        rng.random((count, 2)),
        rng.integers(-1, 3000, (count, 2)),
    )


def made_up_games(numbers, seed=0, plies=47, actions=44):
    """Made-up games, which are quick to make."""
    rng, numbers = np.random.default_rng(seed), np.asarray(numbers, np.int64)
    count = len(numbers)
    lengths = rng.integers(plies - 7, plies + 8, count)
    return PlayedGames(
        numbers,
        rng.integers(0, 2**64, count, dtype=np.uint64),
        np.full(count, 2),
        lengths,
        rng.integers(0, actions, int(lengths.sum())).astype(np.uint16),
        rng.choice(np.array([-1, 0, 1], np.int8), count),
        np.zeros(count, np.int8),
        {},
        np.stack([lengths // 2, lengths - lengths // 2], 1),
        rng.random((count, 2)),
        rng.integers(-1, 3000, (count, 2)),
    )


def chosen(played, rows):
    """Some of the games."""
    rows = np.asarray(rows, np.int64)
    parts = np.split(played.actions, np.cumsum(played.plies)[:-1])
    picked = {
        name: getattr(played, name)[rows]
        for name in PlayedGames._fields
        if name not in ("actions", "reasons", "transcripts", "suite")
    }
    actions = np.concatenate([parts[row] for row in rows] or [np.zeros(0, np.uint16)])
    new_rows = {row: new for new, row in enumerate(rows.tolist())}
    reasons = {new: played.reasons[row] for row, new in new_rows.items() if row in played.reasons}
    transcripts = {(new_rows[row], ply): one for (row, ply), one in played.transcripts.items() if row in new_rows}
    return PlayedGames(actions=actions, reasons=reasons, transcripts=transcripts, suite=played.suite, **picked)


def join_pieces(pieces, row):
    """The drawing of a row of a film, as replay.js joins it."""
    return "".join("".join(pieces[first : first + count]) for first, count in zip(row[::2], row[1::2], strict=True))
