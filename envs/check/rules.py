"""Facts about what a game's class states, about the rules at any position, and about compiled rules and whole games."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import MISSING, fields
from types import FunctionType
from typing import Any

import numpy as np

from ...core import specs
from ...core.native import Function, KernelError
from ...core.numbers import is_whole
from ...games.game import Game
from ...games.kernels import queries
from ...games.kernels.arrays import Words
from ...games.kernels.keys import derive
from ...games.kernels.queries import choose, write_choices
from ...games.kernels.rules import ONGOING, load, outcome, play, store
from ...games.linking import link_of
from .. import stepping as boards
from .findings import UNWRITTEN, AsCompiled, AsPython, Endless, Position, Wrong, at_line, facts_of, in_hexadecimal


def variant(cls: type[Game], spec: str) -> Game:
    """A variant by its spec, of a class that need not be registered.

    Raises:
        ValueError: the spec is of another game, or names no variant of this one.
    """
    name, texts = specs.parse(spec)
    if name != cls.name:
        raise ValueError(f"the spec {spec!r} does not begin with the game's name, {cls.name!r}")
    return cls(**specs.read(cls, texts, cls.title))


# ---- the class and its attributes


def _are_names(names: Any) -> bool:
    """Whether these are texts, all different."""
    return len({*names}) == len(names) > 0 and all(isinstance(name, str) and name.strip() for name in names)


FORMS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("one word in lower case, for specs and ids", lambda name: re.fullmatch(r"[a-z][a-z0-9_]*", str(name)) is not None),
    "title": ("the name as people write it", lambda title: _are_names([title])),
    "player_names": ("two different names", lambda names: len(names) == 2 and _are_names(names)),
    "planes": ("names, each plane's its own", _are_names),
    "board": ("a height and a width, each 1 or more", lambda board: len(board) == 2 and all(is_whole(side, 1) for side in board)),
    "num_words": ("a whole number, 1 or more", lambda words: is_whole(words, 1)),
    "version": ("a whole number, 0 or more", lambda version: is_whole(version, 0)),
    "max_plies": ("a whole number, 0 where the rules end every game", lambda plies: is_whole(plies, 0)),
}
"""For each attribute what it must be, and whether a value is that."""


def games_are_frozen_dataclasses(game: Game) -> Iterator[Wrong]:
    """The class is a frozen dataclass, whose fields are the settings."""
    decorated = vars(type(game)).get("__dataclass_params__")
    if not (decorated and decorated.frozen):
        yield Wrong(type(game).__name__, "it is decorated otherwise than by @dataclass(frozen=True)")


def every_setting_has_a_default(game: Game) -> Iterator[Wrong]:
    """Every setting has a default."""
    for field in fields(game):
        if field.default is MISSING and field.default_factory is MISSING:
            yield Wrong(field.name, f"{field.name} has no default, so that {game.name!r} alone names no game")


def attributes_have_their_form(game: Game) -> Iterator[Wrong]:
    """Each attribute has the form that the contract asks for."""
    for name, (form, has_form) in FORMS.items():
        value = getattr(game, name)
        if not has_form(value):
            yield Wrong(name, f"it is {value!r}, and must be {form}")


# ---- the start, the moves


def the_start_has_as_many_words_as_a_state(game: Game) -> Iterator[Wrong]:
    """The start is as many 64-bit words as `num_words` says."""
    if len(game.start_words) != game.num_words or not all(is_whole(word, 0, 2**64 - 1) for word in game.start_words):
        yield Wrong("start_words", f"it is {game.start_words!r}, and num_words is {game.num_words}")


def every_action_has_a_name_of_its_own(game: Game) -> Iterator[Wrong]:
    """Every action has a name of its own."""
    if not game.moves or not all(isinstance(move, str) and move for move in game.moves):
        yield Wrong("moves", f"they are {game.moves!r}")
    first: dict[str, int] = {}
    for action, move in enumerate(game.moves):
        if first.setdefault(move, action) != action:
            yield Wrong("moves", f"actions {first[move]} and {action} are both {move!r}", action)
            return


def moves_can_be_typed(game: Game) -> Iterator[Wrong]:
    """A move's name is in lower case, its words one space apart, as people's input is read."""
    for action, move in enumerate(game.moves):
        if move != " ".join(move.lower().split()):
            yield Wrong("moves", f"action {action} is {move!r}, which cannot be typed", action)
            return


# ---- symmetries


def symmetries_have_a_column_for_each_cell_and_action(game: Game) -> Iterator[Wrong]:
    """`symmetries` has a row a symmetry, with a column for each cell and for each action, int16."""
    cells, actions = game.symmetries
    height, width = game.board
    shapes = cells.shape[1:], actions.shape[1:]
    if shapes != ((height * width,), (game.num_actions,)) or len(cells) != len(actions) or not len(cells):
        yield Wrong(
            "symmetries",
            f"the shapes are {cells.shape} and {actions.shape}; there are {height * width} cells and {game.num_actions} actions",
        )
    elif {cells.dtype, actions.dtype} != {np.dtype(np.int16)}:
        yield Wrong("symmetries", f"the dtypes are {cells.dtype} and {actions.dtype}, not int16")


def symmetries_are_permutations(game: Game) -> Iterator[Wrong]:
    """Each row of `symmetries` is a permutation."""
    for what, table in game.symmetries._asdict().items():
        wrong = (np.sort(table, axis=1) != np.arange(table.shape[1])).any(axis=1)
        if wrong.any():
            which = int(np.flatnonzero(wrong)[0])
            yield Wrong("symmetries", f"row {which} of {what} is not a permutation: {table[which].tolist()}")


def the_first_symmetry_is_the_identity(game: Game) -> Iterator[Wrong]:
    """The first symmetry changes nothing."""
    for what, table in game.symmetries._asdict().items():
        if not np.array_equal(table[0], np.arange(table.shape[1])):
            yield Wrong("symmetries", f"its first row of {what} is {table[0].tolist()}")


def symmetries_differ(game: Game) -> Iterator[Wrong]:
    """No symmetry is there twice."""
    if len(np.unique(np.hstack(game.symmetries), axis=0)) != len(game.symmetries.cells):
        yield Wrong("symmetries", "two rows are the same in cells and actions")


# ---- the variant as a value


def a_game_is_made_again_by_its_spec(game: Game) -> Iterator[Wrong]:
    """A game is made again by its spec and by its settings."""
    again = variant(type(game), game.spec)
    if again != game:
        yield Wrong(type(game).__name__, f"{game.spec!r} makes {again!r}, not {game!r}")
    settings = {field.name: getattr(game, field.name) for field in fields(game)}
    if type(game)(**settings) != game:
        yield Wrong(type(game).__name__, f"its own settings, {settings!r}, make another game")


def copies_are_equal(game: Game) -> Iterator[Wrong]:
    """A copy of a game, pickled or not, is equal and hashes the same."""
    ways: dict[str, Callable[[Any], Any]] = {
        "copied": copy.copy,
        "copied deeply": copy.deepcopy,
        "pickled": lambda one: pickle.loads(pickle.dumps(one)),
    }
    for how, way in ways.items():
        again = way(game)
        if again != game or hash(again) != hash(game) or again.moves != game.moves:
            yield Wrong(type(game).__name__, f"{how}, it is another game: {again!r}")


def variants_differ_and_the_default_is_first(game: Game) -> Iterator[Wrong]:
    """`variants` are specs of the game, all different, the default one first."""
    games = [variant(type(game), spec) for spec in game.variants]
    if not games or games[0] != type(game)():
        yield Wrong("variants", f"they are {game.variants!r}; the first is to be {type(game)().spec!r}")
    if len(set(games)) < len(games):
        yield Wrong("variants", f"two of {game.variants!r} are the same game")


DECLARED = facts_of(globals(), "game")
"""The facts about what a class states; each of them may rely on those before it."""


# ---- what it is, who moves, what may be done, how it ends


def a_state_that_comes_up_is_one(at: Position) -> Iterator[Wrong]:
    """`is_state`, where a game has it, holds for every state that comes up."""
    if not at.rules.is_state(at.state):
        yield Wrong("is_state", "it says that this is no state of the game")


def player_is_0_or_1(at: Position) -> Iterator[Wrong]:
    """The player to move is 0 or 1."""
    if at.player not in (0, 1):
        yield Wrong("player", f"it is {at.player}")


def outcome_is_ongoing_or_a_result(at: Position) -> Iterator[Wrong]:
    """The outcome is ONGOING (2), or player 0's result: 1, 0 or -1."""
    if at.outcome not in (ONGOING, 1, 0, -1):
        yield Wrong("outcome", f"it is {at.outcome}")


def an_unfinished_game_has_a_legal_action(at: Position) -> Iterator[Wrong]:
    """An unfinished game has a legal action."""
    if at.outcome == ONGOING and not at.legal:
        yield Wrong("outcome", "the outcome is ONGOING, and no bit of legal is set: the game is over, or legal misses an action")


def legal_actions_exist(at: Position) -> Iterator[Wrong]:
    """Every legal action is one of the game's actions."""
    if beyond := [action for action in at.legal if action >= at.game.num_actions]:
        yield Wrong("legal", f"it sets the bits of {beyond}; actions go from 0 to {at.game.num_actions - 1}")


def play_changes_the_state(at: Position) -> Iterator[Wrong]:
    """A legal action leads to another state."""
    for action in at.some_actions:
        if np.array_equal(at.after(action).state, at.state):
            yield Wrong("play", "the state after the action is the state before it: legal allows it, or play does nothing", action)


# ---- what is seen


def observe_writes_every_cell(at: Position) -> Iterator[Wrong]:
    """`observe` writes every cell of every plane."""
    for seat in (0, 1):
        if missing := np.argwhere(at.rules.observe(at.state, seat) == UNWRITTEN).tolist():
            plane, row, column = missing[0]
            name = at.game.planes[plane]
            yield Wrong("observe", f"for seat {seat} it leaves row {row}, column {column} of plane {plane} ({name}) as it was")


def planes_are_zeros_and_ones(at: Position) -> Iterator[Wrong]:
    """Planes hold 0 and 1 alone."""
    for seat in (0, 1):
        planes = at.rules.observe(at.state, seat)
        if other := np.argwhere((planes != 0) & (planes != 1) & (planes != UNWRITTEN)).tolist():
            plane, row, column = other[0]
            value, name = planes[plane, row, column], at.game.planes[plane]
            yield Wrong("observe", f"for seat {seat} plane {plane} ({name}) holds {value} in row {row}, column {column}")


def planes_are_never_all_zero(at: Position) -> Iterator[Wrong]:
    """An observation is never all zero."""
    for seat in (0, 1):
        if not at.rules.observe(at.state, seat).any():
            yield Wrong("observe", f"every plane is 0 for seat {seat}; a constant plane of ones prevents that")


# ---- symmetries


def the_first_symmetry_gives_the_state_back(at: Position) -> Iterator[Wrong]:
    """The first symmetry gives the same state."""
    if not np.array_equal(at.under(0).state, at.state):
        yield Wrong("permute", f"under symmetry 0, which changes nothing, it gives {in_hexadecimal(at.under(0).state)}")


def a_symmetry_can_be_undone(at: Position) -> Iterator[Wrong]:
    """A symmetry and its inverse give the same state."""
    for which in at.some_symmetries:
        inverse = (np.argsort(table[which]).astype(np.int16) for table in at.game.symmetries)
        if not np.array_equal(at.rules.permute(at.under(which).state, *inverse), at.state):
            yield Wrong("permute", f"symmetry {which} and its inverse lose a part of the state")


def a_symmetry_keeps_player_and_outcome(at: Position) -> Iterator[Wrong]:
    """A symmetry keeps the player to move and the outcome."""
    for which in at.some_symmetries:
        turned = at.under(which)
        if (turned.player, turned.outcome) != (at.player, at.outcome):
            yield Wrong(
                "permute",
                f"under symmetry {which} player and outcome are {turned.player} and {turned.outcome}; "
                f"they were {at.player} and {at.outcome}",
            )


def a_symmetry_renames_the_legal_actions(at: Position) -> Iterator[Wrong]:
    """Under a symmetry, the legal actions are those that its row of actions names."""
    if at.outcome != ONGOING:
        return
    for which in at.some_symmetries:
        actions, turned = at.game.symmetries.actions[which], at.under(which)
        expected = sorted(int(actions[action]) for action in at.legal if action < at.game.num_actions)
        if turned.legal != expected:
            saw = f"under symmetry {which} the legal actions are {turned.legal}; its row of actions says {expected}"
            yield Wrong(_at_fault(which, at), saw)


def symmetries_commute_with_play(at: Position) -> Iterator[Wrong]:
    """`permute(play(state, a))` is `play(permute(state), actions[a])`."""
    for which in at.some_symmetries:
        actions, turned = at.game.symmetries.actions[which], at.under(which)
        for action in at.some_actions:
            image = int(actions[action])
            if image not in turned.legal:
                continue  # another check's finding
            if not np.array_equal(turned.after(image).state, at.after(action).under(which).state):
                saw = f"symmetry {which} makes action {action} to {image}, and the states after them are not images of each other"
                yield Wrong(_at_fault(which, at, at.after(action)), saw, action)


def _at_fault(which: int, *positions: Position) -> str:
    """Where planes are carried as the symmetry's cells say, its row of actions is wrong; else `permute` is."""
    return "symmetries" if all(_carries_planes(at, which) for at in positions) else "permute"


def _carries_planes(at: Position, which: int) -> bool:
    cells, planes = at.game.symmetries.cells[which], len(at.game.planes)
    before, after = (at.rules.observe(state, 0).reshape(planes, -1) for state in (at.state, at.under(which).state))
    return np.array_equal(after[:, cells], before)


RULES = facts_of(globals(), "at")
"""The facts that hold at any position, for either reading of the rules."""


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
