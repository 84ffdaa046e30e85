"""The facts that `ludus.check_game` holds against a game, a table for each stage."""

# pyright: reportUnknownLambdaType=false

from __future__ import annotations

import copy
import io
import pickle
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import MISSING, fields
from functools import partial
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from ...core import specs
from ...core.native import Function
from ...core.numbers import is_whole
from ...core.plugins.loading import missing_library
from ...games.board_game import BoardGame
from ...games.drawing.clicks import Clicks
from ...games.drawing.raster import png
from ...games.game import Game, StateArray
from ...games.kernels import queries
from ...games.kernels.rules import CONTRACT, ONGOING
from .. import running, stepping
from ..aec import AECGame
from ..boards import Boards
from ..single import SingleEnv
from .readings import COMPILED, PYTHON, UNWRITTEN, Position, run_limited


class Fact(NamedTuple):
    """A fact that holds for every game.

    Args:
        function: the function of the game's module, or the attribute of its class, that is most likely at fault where it fails.
        sentence: the fact.
        see: asked about a game or a position, what is wrong, a sentence; empty where the fact holds. An error is wrong, too.
        each: of what a position has several, and `see` is asked about each: a key of `CASES`.
    """

    function: str
    sentence: str
    see: Callable[..., str]
    each: str = ""


CASES: dict[str, Callable[[Position], Any]] = {
    "seat": lambda at: (0, 1),
    "symmetry": lambda at: at.some_symmetries,
    "action": lambda at: at.some_actions,
    "legal action": lambda at: at.legal,
    "drawn action": lambda at: [None, *at.some_actions[-2:]],  # drawing takes long
}
"""Of what a position has several; for a drawing also None, no action."""


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


def _see_form(name: str, game: Game) -> str:
    form, has_form = FORMS[name]
    value = getattr(game, name)
    return "" if has_form(value) else f"it is {value!r}, and must be {form}"


def _see_decorator(game: Game) -> str:
    decorated = vars(type(game)).get("__dataclass_params__")
    if not (decorated and decorated.frozen):
        return "it is decorated otherwise than by @dataclass(frozen=True)"
    without = [field.name for field in fields(game) if field.default is MISSING and field.default_factory is MISSING]
    return f"{', '.join(without)} has no default, so that {game.name!r} alone names no game" if without else ""


def _see_start(game: Game) -> str:
    fits = len(game.start_words) == game.num_words and all(is_whole(word, 0, 2**64 - 1) for word in game.start_words)
    return "" if fits else f"it is {game.start_words!r}, and num_words is {game.num_words}"


def _see_moves(game: Game) -> str:
    first: dict[str, int] = {}
    for action, move in enumerate(game.moves):
        if not isinstance(move, str) or not move or move != " ".join(move.lower().split()):
            return (
                f"action {action} is {move!r}, which cannot be typed: people's input is read in lower case, one space between words"
            )
        if first.setdefault(move, action) != action:
            return f"actions {first[move]} and {action} are both {move!r}"
    return "" if game.moves else "there are none"


def _see_symmetries(game: Game) -> str:
    counts = {"cells": game.num_cells, "actions": game.num_actions}
    for (name, table), count in zip(game.symmetries._asdict().items(), counts.values(), strict=True):
        if table.shape != (len(game.symmetries.cells), count) or not len(table) or table.dtype != np.int16:
            return f"{name} has shape {table.shape} and dtype {table.dtype}; there are {count} {name}"
        wrong = [row.tolist() for row in table if sorted(row) != list(range(count))]
        if wrong or sorted(table[0]) != table[0].tolist():
            return (
                f"a row of {name} is not a permutation: {wrong[0]}" if wrong else f"the first row of {name} is {table[0].tolist()}"
            )
    return ""


def _see_copies(game: Game) -> str:
    copies: dict[str, Game] = {
        "made by its spec": variant(type(game), game.spec),
        "made by its own settings": type(game)(**{field.name: getattr(game, field.name) for field in fields(game)}),
        "copied": copy.deepcopy(game),
        "pickled": pickle.loads(pickle.dumps(game)),
    }
    different = [
        f"{how}, it is another game: {again!r}" for how, again in copies.items() if (again, hash(again)) != (game, hash(game))
    ]
    return different[0] if different else ""


def _see_variants(game: Game) -> str:
    games = [variant(type(game), spec) for spec in game.variants]
    if not games or games[0] != type(game)():
        return f"they are {game.variants!r}; the first is to be {type(game)().spec!r}"
    return f"two of {game.variants!r} are the same game" if len(set(games)) < len(games) else ""


CLASS = "the class"
"""Stands for the game's class where that is at fault as a whole."""
DECLARED = (
    Fact(CLASS, "The class is a frozen dataclass, whose fields are the settings, each with a default.", _see_decorator),
    *(Fact(name, "Each attribute has the form that the contract asks for.", partial(_see_form, name)) for name in FORMS),
    Fact("start_words", "The start is as many 64-bit words as `num_words` says.", _see_start),
    Fact("moves", "Every action has a name of its own, which can be typed.", _see_moves),
    Fact(
        "symmetries",
        "A row of `symmetries` is a permutation of the cells and one of the actions, int16; the first changes nothing.",
        _see_symmetries,
    ),
    Fact(CLASS, "A game made again by its spec or its settings, or copied, is equal and hashes the same.", _see_copies),
    Fact("variants", "`variants` are specs of the game, all different, the default one first.", _see_variants),
)
"""What a class states, asked about a game; each fact may rely on those before it."""


# ---- the rules at any position, in either reading


def _see_cells(wrong: Callable[[NDArray[np.int8]], NDArray[np.bool_]], at: Position, seat: int) -> str:
    """The first cell of a seat's planes whose value is wrong."""
    planes = at.ask("observe", seat)
    for plane, row, column in np.argwhere(wrong(planes)).tolist():
        value = planes[plane, row, column]
        holds = "what it was before" if value == UNWRITTEN else value
        return f"for seat {seat} plane {plane} ({at.game.planes[plane]}) holds {holds} in row {row}, column {column}"
    return ""


def _see_lost(at: Position, symmetry: int) -> str:
    inverse = (np.argsort(table[symmetry]).astype(np.int16) for table in at.game.symmetries)
    back = np.array_equal(at.under(symmetry).ask("permute", *inverse), at.state)
    return "" if back else f"symmetry {symmetry} and its inverse lose a part of the state"


def _see_turned(at: Position, symmetry: int) -> str:
    turned = at.under(symmetry)
    after, before = (turned.player, turned.outcome), (at.player, at.outcome)
    return "" if after == before else f"under symmetry {symmetry} player and outcome are {after}; they were {before}"


def _see_turned_actions(at: Position, symmetry: int) -> str:
    if not at.ongoing:
        return ""
    actions, turned = at.game.symmetries.actions[symmetry], at.under(symmetry)
    expected = sorted(int(actions[action]) for action in at.legal if action < at.game.num_actions)
    saw = f"under symmetry {symmetry} the legal actions are {turned.legal}; its row of actions says {expected}"
    return "" if turned.legal == expected else f"{saw}; either permute or that row is wrong"


def _see_turned_play(at: Position, action: int) -> str:
    for symmetry in at.some_symmetries:
        image, turned = int(at.game.symmetries.actions[symmetry][action]), at.under(symmetry)
        if image in turned.legal and not np.array_equal(turned.after(image).state, at.after(action).under(symmetry).state):
            saw = f"symmetry {symmetry} makes action {action} to {image}, and the states after them are not images of each other"
            return f"{saw}; either permute or the row of actions in symmetries is wrong"
    return ""


RULES = (
    Fact(
        "is_state",
        "`is_state`, where a game has it, holds for every state that comes up.",
        lambda at: "" if at.ask("is_state") else "it says that this is no state of the game",
    ),
    Fact("player", "The player to move is 0 or 1.", lambda at: "" if at.player in (0, 1) else f"it is {at.player}"),
    Fact(
        "outcome",
        "The outcome is ONGOING (2), or player 0's result: 1, 0 or -1.",
        lambda at: "" if at.outcome in (ONGOING, 1, 0, -1) else f"it is {at.outcome}",
    ),
    Fact(
        "outcome",
        "An unfinished game has a legal action.",
        lambda at: "legal sets no bit: the game is over, or legal misses an action" if at.ongoing and not at.legal else "",
    ),
    Fact(
        "legal",
        "Every legal action is one of the game's actions.",
        lambda at, action: "" if action < at.game.num_actions else f"it sets bit {action}; there are {at.game.num_actions} actions",
        "legal action",
    ),
    Fact(
        "play",
        "A legal action leads to another state.",
        lambda at, action: "legal allows it, or play does nothing" if np.array_equal(at.after(action).state, at.state) else "",
        "action",
    ),
    Fact(
        "observe",
        "`observe` writes every cell of every plane.",
        partial(_see_cells, lambda planes: planes == UNWRITTEN),
        "seat",
    ),
    Fact("observe", "Planes hold 0 and 1 alone.", partial(_see_cells, lambda planes: (planes != 0) & (planes != 1)), "seat"),
    Fact(
        "observe",
        "An observation is never all zero.",
        lambda at, seat: "" if at.ask("observe", seat).any() else f"for seat {seat}, it is; add a constant plane of ones",
        "seat",
    ),
    Fact(
        "permute",
        "The first symmetry gives the same state.",
        lambda at: "" if np.array_equal(at.under(0).state, at.state) else f"it gives {in_hexadecimal(at.under(0).state)}",
    ),
    Fact("permute", "A symmetry and its inverse give the same state.", _see_lost, "symmetry"),
    Fact("permute", "A symmetry keeps the player to move and the outcome.", _see_turned, "symmetry"),
    Fact(
        "permute", "Under a symmetry, the legal actions are those that its row of actions names.", _see_turned_actions, "symmetry"
    ),
    Fact("permute", "`permute(play(state, a))` is `play(permute(state), actions[a])`.", _see_turned_play, "action"),
)


# ---- compiled rules and whole games

MOST_PLIES = 10_000
"""Plies after which a game at random counts as endless."""
SEVERAL = 8
"""Positions beyond which games are too long for one player to make every move."""


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
    stepping.begin,
    stepping.advance,
    stepping.step,
    stepping.show,
    stepping.sample,
    stepping.turn,
)
"""The kernels that the environments run over a game's rules."""


def _see_uncompilable(game: Game) -> str:
    for kernel in KERNELS:
        game.kernel(kernel)  # raises a KernelError, which names function and line
    return ""


def games_at_random(game: Game, count: int, seed: int) -> tuple[list[int], list[int]]:
    """Compiled games at random from the start.

    Returns:
        The plies of each game, and player 0's results; ONGOING where a game had no end.
    """
    boards, every = Boards(game, count, None, 0), np.ones(count, np.bool_)
    boards.seed(every, range(seed, seed + count), np.random.default_rng(seed))
    boards.begin(every, None)
    for _ in range(game.max_plies or MOST_PLIES):
        if not boards.is_playing.any():
            break
        boards.advance(np.arange(count), boards.sample_actions())
    ended = (boards.phases != running.PLAYING) & (boards.endings == running.RULES)
    return boards.plies.tolist(), np.where(ended, boards.results, ONGOING).tolist()


def _see_endless(game: Game, results: list[int]) -> str:
    endless = 0 if game.max_plies else results.count(ONGOING)
    return f"{endless} of {len(results)} games at random were not over after {MOST_PLIES:,} plies" if endless else ""


def _see_one_mover(positions: list[Position]) -> str:
    movers = {at.player for at in positions if at.ongoing}
    if len(movers) > 1 or len({at.state.tobytes() for at in positions}) <= SEVERAL:
        return ""
    return f"player {movers.pop()} made every move of all the games: play does not pass the turn on, or player does not read it"


def _see_compiled(name: str, at: Position) -> str:
    """Where a function of the contract gives something else when it is compiled."""
    symmetry = (at.some_symmetries or [0])[0]
    arguments: dict[str, list[Any]] = {
        "legal": [()] if at.ongoing else [],
        "play": [(action,) for action in at.some_actions],
        "observe": [(0,), (1,)],
        "permute": [tuple(table[symmetry] for table in at.game.symmetries)],
    }
    for given in arguments.get(name, [()]):
        compiled, python = (reading[name](at.game, at.state, *given) for reading in (COMPILED, PYTHON))
        if not np.array_equal(compiled, python):
            called = f" for action {given[0]}" if name == "play" else ""
            return f"compiled it gives {_describe(compiled)}{called}; as Python {_describe(python)}"
    return ""


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray) and value.dtype == np.uint64:
        return in_hexadecimal(value)
    return "other planes" if isinstance(value, np.ndarray) else str(value)


def in_hexadecimal(state: StateArray) -> str:
    """The words of a state."""
    return " ".join(hex(int(word)) for word in state)


COMPILES = Fact(CLASS, "Every kernel over the rules compiles.", _see_uncompilable)
ENDS = Fact("outcome", "Every game comes to an end, or `max_plies` says after how many plies it is drawn.", _see_endless)
BOTH_MOVE = Fact("player", "Both players get to move.", _see_one_mover)
SAME_COMPILED = tuple(
    Fact(name, "Compiled, each function gives what it gives as plain Python.", partial(_see_compiled, name)) for name in CONTRACT
)


# ---- notation and drawing

SLIPS = ("", " ", "?", "²", "-1", "X", "a1 a1", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0")
"""Texts that are hardly a position of any game."""


def _see_sites(name: str, at: Position, action: int | None = None) -> str:
    """What a function of a board as data writes that its layout lacks; run as Python, it raises an error beyond the last site."""
    if not isinstance(at.game, BoardGame) or (name == "winning" and at.ongoing):
        return ""
    layout, arguments = at.game.layout, () if action is None else (action,)
    sites = np.zeros(len(layout.sites), np.int8)
    run_limited(at.game, name, at.after(action).state, *arguments, sites)
    largest = {"contents": len(layout.symbols) - 1, "trace": len(layout.marks), "winning": 1}[name]
    wrong = [number for number in sites.tolist() if not 0 <= number <= largest]
    return f"it writes {wrong[0]}; in the layout they are numbered from 0 to {largest}" if wrong else ""


def _refusal(at: Position) -> str:
    """What `parse` says against a position's text; empty where it accepts it."""
    try:
        at.game.parse(at.text)
    except ValueError as error:
        return f"parse refuses {at.text!r}, which text writes: {error}"
    return ""


def _see_refused(at: Position, action: int, *, all_are: bool) -> str:
    """Where `parse` refuses the position after an action: after every action the notation is at fault, after some `legal` is."""
    refusal = _refusal(at.after(action))
    if not refusal or all(_refusal(at.after(other)) for other in at.some_actions) != all_are:
        return ""
    return f"{refusal}; either legal or play is wrong there, or text or parse"


def _see_misread(at: Position) -> str:
    if _refusal(at):
        return ""  # another fact's finding
    again = at.game.text(at.game.parse(at.text))
    return "" if again == at.text else f"{at.text!r} is read as {again!r}"


def _see_left_out(at: Position) -> str:
    if _refusal(at) or _see_misread(at):
        return ""
    try:
        same = np.array_equal(at.game.position(at.state), at.state)
    except ValueError:
        same = False
    return "" if same else f"{at.text!r} is read as another state, which has the same text: text leaves something out"


def _see_accepted(at: Position) -> str:
    """A text with a slip, or no position at all, that `parse` reads as something else."""
    index = int(np.random.default_rng(at.seed).integers(len(at.text)))
    slips = [at.text[:index] + mark + at.text[index + 1 :] for mark in ("", "-", "9", "X", "?", " ")]
    for wrong in (*SLIPS, *slips, f"{at.text} 1", at.text.rpartition(" ")[0]):
        try:
            read = at.game.text(at.game.parse(wrong))
        except ValueError:
            continue
        except Exception as error:
            return f"{wrong!r} raises {type(error).__name__}, or is accepted, and text raises it: {error}"
        if _parts(read) != _parts(wrong):
            return f"{wrong!r} is read as {read!r}"
    return ""


def _parts(text: str) -> list[str | int]:
    """A text by its words, with numbers as numbers: `007` may be read as 7."""
    return [int(word) if word.isdecimal() else word for word in text.split()]


def _see_svg(at: Position, action: int | None) -> str:
    try:
        root = ElementTree.fromstring(at.game.svg(at.after(action).state, action))
    except (ElementTree.ParseError, TypeError) as error:
        return f"it is not well-formed: {error}"
    return "" if root.tag == "{http://www.w3.org/2000/svg}svg" else f"its element is {root.tag!r}, not svg in SVG's namespace"


def _see_pixels(at: Position) -> str:
    if at.is_start and not missing_library("render"):  # at the start alone, since pixels take long
        png(at.game.svg(at.state))
    return ""


def _see_clicks(at: Position, action: int) -> str:
    paths = {legal: boxes for legal in at.legal if (boxes := at.game.clicks(at.state, legal))}
    path, clicks, taken = paths.get(action, ()), Clicks(paths), None
    for box in path:
        if taken is None:
            taken = clicks.click(box.x + box.width / 2, box.y + box.height / 2)
    if not path or (taken == action and clicks.done == path):
        return ""
    return f"clicking the middles of {[tuple(box) for box in path]} takes {'none' if taken is None else f'action {taken}'}"


SITES = "A board as data has every site that `contents`, `trace` and `winning` fill, every symbol and every mark."
ACCEPTED = "The position after a legal action, written as text, is accepted by `parse`."
SAME = "A position written as text and read again is the same."
NOTATION = (
    Fact("contents", SITES, partial(_see_sites, "contents")),
    Fact("trace", SITES, partial(_see_sites, "trace"), "action"),
    Fact("winning", SITES, partial(_see_sites, "winning")),
    Fact(
        "text",
        "A position's text is one line, not empty.",
        lambda at: "" if isinstance(at.text, str) and len(at.text.strip().splitlines()) == 1 else f"it is {at.text!r}",
    ),
    Fact("text", "The start written as text is accepted by `parse`.", lambda at: _refusal(at) if at.is_start else ""),
    Fact("text", ACCEPTED, partial(_see_refused, all_are=True), "action"),
    Fact("legal", ACCEPTED, partial(_see_refused, all_are=False), "action"),
    Fact("parse", SAME, _see_misread),
    Fact("text", SAME, _see_left_out),
    Fact("parse", "Any text is read as it stands, or refused with a ValueError.", _see_accepted),
    Fact(
        "picture",
        "A picture is text, with any legal action marked or none.",
        lambda at, action: "" if at.game.picture(at.after(action).state, action).strip() else "it is empty",
        "drawn action",
    ),
    Fact("svg", "A drawing is a well-formed SVG document, with any legal action marked or none.", _see_svg, "drawn action"),
    Fact("svg", "A drawing can be made into pixels, if what makes them is installed.", _see_pixels),
    Fact(
        "clicks",
        "Clicking an action's places on the drawing, in their order, takes that action; actions without any are typed.",
        _see_clicks,
        "legal action",
    ),
)
"""What holds for a position as it is written, read and drawn."""


# ---- environments

GAMES_SEEN, MOST_SEEN = 300, 20_000
"""Random games, and the most of their states, that are searched for what observations hide."""


def _see_hidden(game: Game, seed: int) -> str:
    """Two states that look the same to the player to move, where an action is legal in one of them or ends otherwise."""
    states = np.concatenate([*_states_at_random(game, seed)])
    movers, masks = game.players(states), game.masks(states)
    rows, actions = np.nonzero(masks)
    outcomes = game.outcomes(game.plays(states[rows], actions)).astype(np.int64)
    ends = np.full(masks.shape, ONGOING + 1)  # of an action that is not legal
    ends[rows, actions] = np.where(outcomes == ONGOING, ONGOING, outcomes * (1 - 2 * movers[rows]))  # for those who take them
    seen = game.observations(states, movers).reshape(len(states), -1)
    _, first, group = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    twins = first[group.reshape(-1)]  # for each state one that looks the same
    for row, action in np.argwhere(ends != ends[twins]).tolist():
        texts = f"{game.text(states[row])!r} and {game.text(states[twins[row]])!r}"
        return f"the player to move sees the same in {texts}, and {game.move_name(action)} is not legal in both, or ends otherwise"
    return ""


def _states_at_random(game: Game, seed: int) -> Iterator[StateArray]:
    """Unfinished states of random games, ply by ply, until there are MOST_SEEN."""
    random, states, count = np.random.default_rng(seed), np.repeat(game.start[None], GAMES_SEEN, axis=0), 0
    while len(states) and count < MOST_SEEN:
        yield states
        count += len(states)
        masks = game.masks(states)
        nth = random.integers(masks.sum(1))
        states = game.plays(states, (masks.cumsum(1) > nth[:, None]).argmax(1))
        states = states[game.outcomes(states) == ONGOING]


def _run_api_test(game: Game, seed: int) -> str:
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # it warns of every observation that is a dictionary, ours among them
        from pettingzoo.test import api_test

        api_test(AECGame(game), num_cycles=50)
    return ""


def _run_check_env(game: Game, seed: int) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(SingleEnv(game), skip_render_check=True)
    return ""


VIEWS = (
    Fact(
        "observe",
        "What the player to move sees decides which actions are legal and how each ends: nothing is hidden.",
        _see_hidden,
    ),
    Fact(CLASS, "PettingZoo's `api_test` passes.", _run_api_test),
    Fact(CLASS, "Gymnasium's `check_env` passes without a warning.", _run_check_env),
)
"""What holds for the environments, asked about a game and a seed."""
