"""Facts about the compiled rules: that every kernel over them compiles, that games end, and that perft counts the tree."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType

import numpy as np

from ..game import Game
from ..kernels import boards, perft, queries
from ..kernels.arrays import Words
from ..kernels.keys import derive
from ..kernels.queries import choose, write_choices
from ..linking import link_of
from ..native import Function
from ..rules import CONTRACT, ONGOING, load, outcome, play, store
from .finding import Wrong, at_line

MOST_PLIES = 10_000
"""Plies after which a game at random counts as endless."""
MOST_DEPTH, MOST_LEAVES = 8, 20_000
"""Depth and leaves up to which the slow count of perft goes."""


def random_game(words: Words, choices: Words, key: np.uint64, most: int) -> int:
    """Plays at random from a state until the game is over, or for so many plies; `words` becomes the last state.

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
    queries.players,
    queries.outcomes,
    queries.masks,
    queries.plays,
    queries.observations,
    queries.permuted,
    queries.random_actions,
    perft.perft,
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
    guilty, fine = set[str](), set[FunctionType]()
    for kernel in KERNELS:
        reached = link_of(type(game)).reach(kernel)  # pyright: ignore[reportArgumentType]
        if guilty.isdisjoint(function.__name__ for function in reached):
            try:
                game.kernel(kernel)
                fine.update(reached)
            except TypeError as error:
                ours = [function for function in reached if function not in fine and _is_own(function, game)]
                wrong = _explained(ours, kernel, str(error))
                guilty.add(wrong.function)
                yield wrong


def _explained(ours: list[FunctionType], kernel: Function, message: str) -> Wrong:
    """Which of the game's functions a kernel does not compile for, and at which line.

    The compiler names lines where types do not fit; where a function allocates or raises it names none, and the functions are
    read for what does that.
    """
    for file, line in re.findall(r'File "([^"]+)", line (\d+)', message) + re.findall(r"at (\S+) \((\d+)\)", message):
        for function in ours:
            lines, start = inspect.getsourcelines(function)
            if file.endswith(function.__code__.co_filename.rsplit("/", 1)[-1]) and start <= int(line) < start + len(lines):
                place = at_line(function.__code__.co_filename, int(line))
                return Wrong(function.__name__, _sentence(message), place=place)
    for function in ours:
        for line, what in _forbidden(function):
            place = at_line(function.__code__.co_filename, line)
            return Wrong(function.__name__, f"{what} allocates memory or can raise an error; kernels may do neither", place=place)
    suspects = [function.__name__ for function in ours if function.__name__ in CONTRACT]
    return Wrong(suspects[0] if suspects else kernel.__name__, _sentence(message))


def _is_own(function: FunctionType, game: Game) -> bool:
    """Whether a function is the game's, and not one of those that Ludus hands out."""
    module = function.__module__ or "ludus."  # `load` and `store` are made without one
    return module == type(game).__module__ or not module.startswith("ludus.")


def _sentence(message: str) -> str:
    """What the compiler says, without the stages it passed through."""
    lines = [line.strip() for line in message.splitlines()]
    told = [line for line in lines if line and "Failed in nopython mode" not in line and "could not be compiled" not in line]
    stop = next((i for i, line in enumerate(told) if line.startswith(("File ", "During:", "There are "))), len(told))
    return "\n".join(told[: max(stop, 1)])


WHAT: dict[type[ast.AST], str] = {
    ast.Dict: "a dictionary",
    ast.Set: "a set",
    ast.List: "a list",
    ast.ListComp: "a list",
    ast.SetComp: "a set",
    ast.DictComp: "a dictionary",
    ast.GeneratorExp: "a generator",
    ast.Lambda: "a lambda",
    ast.JoinedStr: "text",
    ast.Raise: "raise",
    ast.Assert: "assert",
    ast.Try: "try",
    ast.With: "with",
    ast.Yield: "yield",
}
CALLS = ("sorted", "list", "dict", "set", "print", "sum", "str")
"""What no kernel may hold, as people call it, or call."""


def _forbidden(function: FunctionType) -> Iterator[tuple[int, str]]:
    """The lines of a function that hold what no kernel may, and what that is."""
    lines, start = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    states = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg) and getattr(node.annotation, "id", "") == "State"}
    for node in ast.walk(tree):
        line = start + getattr(node, "lineno", 1) - 1
        if type(node) in WHAT:
            yield line, WHAT[type(node)]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in CALLS:
            yield line, f"{ast.unparse(node.func)}()"
        elif (
            isinstance(node, ast.Subscript) and getattr(node.value, "id", "") in states and not isinstance(node.slice, ast.Constant)
        ):
            yield line, f"{ast.unparse(node)}, where the index of the state is no constant,"


# ---- whole games


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
        yield Wrong("outcome", f"{endless} of {len(results)} games at random went on after {MOST_PLIES:,} plies")


def leaves_counted(game: Game) -> list[int]:
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
