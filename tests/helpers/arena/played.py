"""Games for tests of what plays, stores and shows them: those of a match, and random or made-up ones without a match."""

from dataclasses import replace

import numpy as np

from ludus.agents import make_policy
from ludus.arena import Tournament, tournament
from ludus.arena.engines.jobs import play_jobs
from ludus.arena.matches.games import ENDINGS, Pairing, PlayedGames, count_moves
from ludus.arena.matches.job import Job, play_job
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
    game, numbers, rng = make_game(spec), np.asarray(numbers, np.int64), np.random.default_rng(seed)
    policy, count = make_policy("random", game), len(numbers)
    played, reasons = play_job(Job(Pairing(spec, "a", "b"), (policy, policy), numbers, seed, MatchSettings(2))), {}
    lines = np.split(played.actions, np.cumsum(played.plies)[:-1])
    for row in range(0, count, 5):
        stop = int(rng.integers(2, 60))
        if stop < len(lines[row]):  # it ends there by a fault of the player to move
            lines[row] = lines[row][:stop]
            states = game.play_line(lines[row].tolist())
            played.plies[row], played.moves[row] = stop, count_moves(game, states[2:])
            played.results[row], played.endings[row] = 2 * game.player(states[-1]) - 1, rng.integers(2, ENDINGS.index("resigned"))
            reasons[row] = f"raised KeyError: 'row {row}'\n\"and\" more – λ"
    nodes = rng.integers(-1, 3000, (count, 2))
    return played._replace(actions=np.concatenate(lines), reasons=reasons, seconds=rng.random((count, 2)), nodes=nodes)


def made_up_games(numbers):
    """Made-up games of Quixo, which are quick to make."""
    rng, count = np.random.default_rng(0), len(numbers)
    lengths = rng.integers(40, 55, count)
    return PlayedGames(
        numbers,
        rng.integers(0, 2**64, count, dtype=np.uint64),
        np.full(count, 2),
        lengths,
        rng.integers(0, 44, int(lengths.sum())).astype(np.uint16),
        rng.choice(np.array([-1, 0, 1], np.int8), count),
        np.zeros(count, np.int8),
        {},
        np.stack([lengths // 2, lengths - lengths // 2], 1),
        rng.random((count, 2)),
        rng.integers(-1, 3000, (count, 2)),
    )


ROWS = "numbers", "keys", "openings", "plies", "results", "endings", "moves", "seconds", "nodes"


def chosen(played, rows):
    """Some of the games."""
    rows, parts = np.asarray(rows, np.int64), np.split(played.actions, np.cumsum(played.plies)[:-1])
    new_rows = {row: new for new, row in enumerate(rows.tolist())}
    return played._replace(
        **{name: getattr(played, name)[rows] for name in ROWS},
        actions=np.concatenate([parts[row] for row in rows] or [np.zeros(0, np.uint16)]),
        reasons={new: played.reasons[row] for row, new in new_rows.items() if row in played.reasons},
        transcripts={(new_rows[row], ply): one for (row, ply), one in played.transcripts.items() if row in new_rows},
    )


def join_pieces(pieces, row):
    """The drawing of a row of a film, as replay.js joins it."""
    return "".join("".join(pieces[first : first + count]) for first, count in zip(row[::2], row[1::2], strict=True))


# ---- a tournament for tests of its page, with a policy that wishes the page ill


EVIL = "<script>alert('name')</script>\"&"
REASON = "<img src=x onerror=alert('reason')>"


def evil(observations, masks):
    """A policy with a nasty name that now and then raises an error with a nasty message."""
    if observations.sum() % 5 == 0:
        raise ValueError(REASON)
    return masks.argmax(1)


evil.__name__ = EVIL


def contest_in(*games: str) -> Tournament:
    """A few games of two policies and the evil one."""
    return tournament(games, ["random", "greedy", evil], 8, seed=3, faults="count")
