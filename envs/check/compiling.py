"""Facts about the compiled rules and about whole games: each kernel compiles and agrees with Python, games end, perft is right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType
from typing import Any

import numpy as np

from ...core.native import Function, KernelError
from ...games.game import Game
from ...games.kernels import queries
from ...games.kernels.arrays import Words
from ...games.kernels.keys import derive
from ...games.kernels.queries import choose, write_choices
from ...games.kernels.rules import ONGOING, load, outcome, play, store
from ...games.linking import link_of
from .. import stepping as boards
from .finding import Wrong, at_line, in_hexadecimal
from .positions import Position
from .readings import AsCompiled, AsPython, Endless

MOST_PLIES = 10_000
"""Plies after which a game at random counts as endless."""
MOST_DEPTH, MOST_LEAVES = 8, 20_000
"""Depth and leaves up to which the slow count of perft goes."""
SEVERAL = 8
"""Positions beyond which games are too long for one player to make every move."""


def random_game(words: Words, choices: Words, key: np.uint64, most: int) -> int:
    """Plays at random from a state until the game is over, or for `most` plies; `words` becomes the last state.

    Returns:
        How many plies were played.
    """
    state = load(words)
    plies = 0
    while plies < most and outcome(state) == ONGOING:
        write_choices(state, choices)
        state = play(state, choose(choices, derive(key, plies)))
        plies += 1
    store(words, state)
    return plies


KERNELS: tuple[Function, ...] = (
    queries.first_foreign,
    queries.players,
    queries.outcomes,
    queries.masks,
    queries.plays,
    queries.observations,
    queries.permuted_states,
    queries.random_actions,
    queries.perft,
    boards.begin,
    boards.advance,
    boards.step,
    boards.show,
    boards.sample,
    boards.turn,
    random_game,
)
"""The kernels that the environments run over a game's rules, and a game at random, which keeps a state in a variable."""


def every_kernel_compiles(game: Game) -> Iterator[Wrong]:
    """Every kernel over the rules compiles."""
    guilty = set[FunctionType]()
    for kernel in KERNELS:
        if guilty.isdisjoint(link_of(type(game)).reach(kernel)):  # pyright: ignore[reportArgumentType]
            try:
                game.kernel(kernel)
            except KernelError as error:
                guilty.add(error.function)
                yield Wrong(error.function.__name__, error.why, place=at_line(error.file, error.line))


def compiled_rules_say_what_they_say_in_python(at: Position) -> Iterator[Wrong]:
    """Compiled, each function gives what it gives as plain Python."""
    readings = AsCompiled(at.game), AsPython(at.game)
    symmetry = (table[at.some_symmetries[0] if at.some_symmetries else 0] for table in at.game.symmetries)
    questions: list[tuple[Any, ...]] = [("player",), ("outcome",)]
    if at.outcome == ONGOING:
        questions += [("legal",), *(("play", action) for action in at.some_actions)]
    questions += [("observe", 0), ("observe", 1), ("permute", *symmetry)]
    for name, *arguments in questions:
        machine, python = (getattr(reading, name)(at.state, *arguments) for reading in readings)
        if not np.array_equal(machine, python):
            saw = f"compiled it gives {_describe(machine)}; as Python {_describe(python)}"
            yield Wrong(name, saw, arguments[0] if name == "play" else None)


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.dtype == np.uint64:
        return in_hexadecimal(value)
    return "other planes" if isinstance(value, np.ndarray) else str(value)


# ---- whole games


def both_players_get_to_move(states: list[Position]) -> Iterator[Wrong]:
    """Both players get to move."""
    movers = {at.player for at in states if at.outcome == ONGOING}
    if len(movers) == 1 and len({at.state.tobytes() for at in states}) > SEVERAL:
        function = "play" if any(map(_player_depends_on_the_state, states[:3])) else "player"
        yield Wrong(function, f"player {movers.pop()} made every move of all the games that were played")


def _player_depends_on_the_state(at: Position) -> bool:
    """Whether `player` reads a bit of the state, so that it is `play` which never changes that bit."""
    for state in at.neighbours():
        with suppress(Endless, ArithmeticError, LookupError, TypeError, ValueError):
            if at.rules.player(state) != at.player:
                return True
    return False


def games_at_random(game: Game, count: int, seed: int) -> tuple[list[int], list[int]]:
    """Compiled games at random from the start.

    Returns:
        The plies of each game, and player 0's results; ONGOING where a game had no end.
    """
    kernel, choices = game.kernel(random_game), np.zeros(game.action_words, np.uint64)
    states, most = np.tile(game.start, (count, 1)), game.max_plies or MOST_PLIES
    keys = np.random.default_rng(seed).integers(2**64, size=count, dtype=np.uint64)
    plies = [kernel(state, choices, int(key), most) for state, key in zip(states, keys, strict=True)]
    return plies, game.outcomes(states).tolist()


def every_game_ends(game: Game, results: list[int]) -> Iterator[Wrong]:
    """Every game comes to an end, or `max_plies` says after how many plies it is drawn."""
    if not game.max_plies and (endless := results.count(ONGOING)):
        yield Wrong("outcome", f"{endless} of {len(results)} games at random were not over after {MOST_PLIES:,} plies")


def count_leaves(game: Game) -> list[int]:
    """Leaves at depth 1, 2 and so on, by playing every action of every position, up to `MOST_LEAVES`."""
    states, finished, counts = game.start[None], 0, list[int]()
    while len(counts) < MOST_DEPTH:
        rows, actions = np.nonzero(game.masks(states))
        finished += int((game.outcomes(states) != ONGOING).sum())
        if not len(rows) or finished + len(rows) > MOST_LEAVES:
            break
        states = game.plays(states[rows], actions)
        counts.append(finished + len(states))
    return counts


def perft_counts_the_tree(game: Game, counts: list[int]) -> Iterator[Wrong]:
    """Perft counts the leaves that playing every action gives."""
    for depth, count in enumerate(counts, start=1):
        if (leaves := game.perft(depth)) != count:
            yield Wrong("play", f"at depth {depth} perft counts {leaves}; playing every action gives {count}")
            return
