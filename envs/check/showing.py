"""Facts about how a position is written, read and drawn, and about the environments: that they show what the rules say."""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from typing import Any
from xml.etree import ElementTree

import numpy as np
from gymnasium.utils.env_checker import check_env, data_equivalence
from numpy.typing import NDArray

from ...core.plugins.loading import missing_library
from ...games.board_game import BoardGame
from ...games.drawing.clicks import Clicks
from ...games.drawing.raster import png
from ...games.game import Game, StateArray
from ...games.kernels.rules import ONGOING
from ...games.linking import rules_of
from ..aec import SEATS, AECGame
from ..single import SingleEnv
from ..vector import BoardsEnv
from ..views import RENDER_MODES
from .findings import Position, Wrong, facts_of

SLIPS = ("", " ", "?", "²", "-1", "X", "a1 a1", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0")
"""Texts that are hardly a position of any game."""


def a_layout_names_its_sites_and_fits_the_actions(at: Position) -> Iterator[Wrong]:
    """A board as data names each site once, and has clicks and words for every action and a status for every symbol."""
    if not isinstance(at.game, BoardGame) or not np.array_equal(at.state, at.game.start):
        return
    layout, actions = at.game.layout, at.game.num_actions
    names = [site.name for site in layout.sites]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        yield Wrong("layout", f"two of its sites are named {twice[0]!r}")
    lengths = {
        "clicks": (len(layout.clicks), (0, actions)),
        "words.places": (len(layout.words.places), (1, actions)),
        "words.ongoing": (len(layout.words.ongoing), (1, len(layout.symbols))),
    }
    for field, (length, allowed) in lengths.items():
        if length not in allowed:
            yield Wrong("layout", f"{field} has {length} entries, not {allowed[0]} or {allowed[1]}")


def a_layout_has_what_stands_on_its_sites(at: Position) -> Iterator[Wrong]:
    """A board as data has every site that `contents`, `trace` and `winning` fill, every symbol and every mark."""
    if not isinstance(at.game, BoardGame):
        return
    layout = at.game.layout
    asked: list[tuple[str, Position, int | None, int]] = [("contents", at, None, len(layout.symbols) - 1)]
    asked += [("trace", at.after(action), action, len(layout.marks)) for action in at.some_actions[-1:]]
    if at.outcome != ONGOING:
        asked.append(("winning", at, None, 1))
    for name, where, action, most in asked:
        sites, given = np.zeros(len(layout.sites), np.int8), () if action is None else (action,)
        try:
            with np.errstate(over="ignore"):
                rules_of(type(at.game))[name](tuple(map(np.uint64, where.state)), *given, sites)
        except (IndexError, OverflowError) as error:
            yield Wrong(name, f"it fills a site that the layout lacks, or with what is no small number: {error}", action)
            continue
        if wrong := [number for number in sites.tolist() if not 0 <= number <= most]:
            yield Wrong(name, f"it writes {wrong[0]}; in the layout they are numbered from 0 to {most}", action)


def text_is_one_line(at: Position) -> Iterator[Wrong]:
    """A position's text is one line, not empty."""
    text = at.game.text(at.state)
    if not isinstance(text, str) or not text.strip() or len(text.splitlines()) != 1:
        yield Wrong("text", f"it is {text!r}")


def the_start_is_a_position(at: Position) -> Iterator[Wrong]:
    """The start written as text is accepted by `parse`."""
    if np.array_equal(at.state, at.game.start) and (refusal := _refusal(at)):
        yield Wrong("start_words" if _can_be_read_nearby(at) else "text", refusal)


def legal_actions_lead_to_positions(at: Position) -> Iterator[Wrong]:
    """The position after a legal action, written as text, is accepted by `parse`."""
    refusals = {action: _refusal(at.after(action)) for action in at.some_actions}
    for action, refusal in refusals.items():
        if refusal:
            others = not all(refusals.values())
            function = "legal" if others else "play" if _can_be_read_nearby(at.after(action)) else "text"
            yield Wrong(function, f"{refusal}; either legal or play is wrong there, or text or parse", action)
            return


def _refusal(at: Position) -> str:
    """What `parse` says against a position's text; empty where it accepts it."""
    text = at.game.text(at.state)
    try:
        at.game.parse(text)
    except ValueError as error:
        return f"parse refuses {text!r}, which text writes: {error}"
    return ""


def _can_be_read_nearby(at: Position) -> bool:
    """Whether some state that differs in one bit is read as it is written, so that text and parse are probably right."""
    for state in at.neighbours():
        with suppress(Exception):  # of a state that the game never sees
            if np.array_equal(at.game.parse(at.game.text(state)), state):
                return True
    return False


def a_position_written_and_read_is_the_same(at: Position) -> Iterator[Wrong]:
    """A position written as text and read again is the same."""
    if _refusal(at):
        return  # another check's finding
    text = at.game.text(at.state)
    again = at.game.text(at.game.parse(text))
    if again != text:
        yield Wrong("parse", f"{text!r} is read as {again!r}")
        return
    try:
        same = np.array_equal(at.game.position(at.state), at.state)
    except ValueError:
        same = False
    if not same:
        yield Wrong("text", f"{text!r} is read as another state, which has the same text: text leaves something out")


def text_is_read_as_it_stands_or_refused(at: Position) -> Iterator[Wrong]:
    """Any text is read as it stands, or refused with a ValueError."""
    text, random = at.game.text(at.state), np.random.default_rng(at.seed)
    index = int(random.integers(len(text)))
    slips = [text[:index] + mark + text[index + 1 :] for mark in ("", "-", "9", "X", "?", " ")]
    for wrong in (*SLIPS, *slips, f"{text} 1", text.rpartition(" ")[0]):
        try:
            state = at.game.parse(wrong)
        except ValueError:
            continue
        except Exception as error:
            yield Wrong("parse", f"{wrong!r} raises {type(error).__name__}: {error}")
            return
        try:
            read = at.game.text(state)
        except Exception as error:
            yield Wrong("parse", f"{wrong!r} is accepted, and text fails for it with {type(error).__name__}: {error}")
            return
        if _parts(read) != _parts(wrong):
            yield Wrong("parse", f"{wrong!r} is read as {read!r}")
            return


def _parts(text: str) -> list[str | int]:
    """A text by its words, with numbers as numbers."""
    return [int(word) if word.isdecimal() else word for word in text.split()]


def pictures_are_text(at: Position) -> Iterator[Wrong]:
    """A picture is text, with any legal action marked or none."""
    for state, action in _positions_to_draw(at):
        picture = at.game.picture(state, action)
        if not isinstance(picture, str) or not picture.strip():
            yield Wrong("picture", f"it is {picture!r}", action)


def svg_is_well_formed(at: Position) -> Iterator[Wrong]:
    """A drawing is a well-formed SVG document, with any legal action marked or none."""
    for state, action in _positions_to_draw(at):
        svg = at.game.svg(state, action)
        try:
            root = ElementTree.fromstring(svg)
        except (ElementTree.ParseError, TypeError) as error:
            yield Wrong("svg", f"it is not well-formed: {error}", action)
            return
        if root.tag != "{http://www.w3.org/2000/svg}svg":
            yield Wrong("svg", f"its element is {root.tag!r}, not svg in SVG's namespace", action)


def drawings_become_pixels(at: Position) -> Iterator[Wrong]:
    """A drawing can be made into pixels, if what makes them is installed."""
    if (at.outcome == ONGOING and not np.array_equal(at.state, at.game.start)) or missing_library("render"):
        return  # the first and the last position do, since pixels take long
    try:
        image = png(at.game.svg(at.state))
    except Exception as error:
        yield Wrong("svg", f"resvg refuses it: {error}")
        return
    if not image.startswith(b"\x89PNG"):
        yield Wrong("svg", "resvg makes no PNG of it")


def clicks_tell_actions_apart(at: Position) -> Iterator[Wrong]:
    """Clicking an action's places on the drawing, in their order, takes that action; actions without any are typed."""
    paths = {action: at.game.clicks(at.state, action) for action in at.legal}
    for action, path in paths.items():
        clicks, taken = Clicks({other: places for other, places in paths.items() if places}), None
        for box in path:
            if taken is not None:
                break
            taken = clicks.click(box.x + box.width / 2, box.y + box.height / 2)
        if path and (taken != action or clicks.done != path):
            meaning = "none" if taken is None else f"action {taken}"
            yield Wrong("clicks", f"clicking the middles of {[tuple(box) for box in path]} takes {meaning}", action)
            return


def places_are_clicked_and_named(at: Position) -> Iterator[Wrong]:
    """`places` gives the boxes of `clicks`, each with a name."""
    for action in at.legal:
        places = at.game.places(at.state, action)
        if tuple(place.box for place in places) != at.game.clicks(at.state, action) or not all(place.name for place in places):
            yield Wrong("places", f"it gives {[tuple(place) for place in places]}", action)
            return


def _positions_to_draw(at: Position) -> list[tuple[StateArray, int | None]]:
    """The position by itself, and positions after an action, with the action."""
    return [(at.state, None), *((at.after(action).state, action) for action in at.some_actions[-2:])]


NOTATION = facts_of(globals(), "at")
"""The facts about writing, reading and drawing."""


BOARDS, STEPS = 4, 60
GAMES_SEEN, MOST_SEEN = 300, 20_000
"""Random games, and the most of their states, that are searched for what observations hide."""


def _legal(mask: Any, random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(mask)))


def the_aec_environment_shows_what_the_rules_say(game: Game, seed: int) -> Iterator[Wrong]:
    """The AEC environment shows each seat its planes, a mask to the mover alone, and rewards that sum to zero."""
    env, random = AECGame(game), np.random.default_rng(seed)
    env.reset(seed=seed)
    while True:
        state = env.rules_state
        over = any(env.terminations.values()) or any(env.truncations.values())
        for i, seat in enumerate(SEATS):
            seen = env.observe(seat)
            if not np.array_equal(seen["observation"], game.observations(state[None], [i])[0]):
                yield Wrong("observe", f"in {game.text(state)!r} the environment shows {seat} other planes")
            moves = not over and game.player(state) == i
            if not np.array_equal(seen["action_mask"], game.masks(state[None])[0] * moves):
                yield Wrong("legal", f"in {game.text(state)!r} the mask of {seat} is not that of the rules")
        if over:
            break
        env.step(_legal(env.action_mask(), random))
    rewards = env.rewards[SEATS[0]], env.rewards[SEATS[1]]
    if rewards != (game.outcome(env.rules_state) or (0, 0)) or sum(rewards):
        yield Wrong("outcome", f"at the end in {env.position!r} the rewards are {rewards}")


def a_copy_of_a_running_game_continues_as_the_original(game: Game, seed: int) -> Iterator[Wrong]:
    """A running game copied, pickled, or restored from its snapshot continues as the original."""
    env, random = AECGame(game), np.random.default_rng(seed)
    env.reset(seed=seed)
    env.step(_legal(env.action_mask(), random))
    restored = AECGame(game)
    restored.reset(seed=seed + 1)
    restored.restore(env.snapshot())
    copies = {"copied": copy.deepcopy(env), "pickled": pickle.loads(pickle.dumps(env)), "restored": restored}
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        action = _legal(env.action_mask(), random)
        for how, twin in copies.items():
            if twin.position != env.position or not data_equivalence(twin.last(), env.last(), exact=True):
                yield Wrong(type(game).__name__, f"{how}, a game went another way than {env.position!r}")
                return
            twin.step(action)
        env.step(action)


def the_one_seat_environment_shows_the_learners_side(game: Game, seed: int) -> Iterator[Wrong]:
    """The one-seat environment shows the learner's planes and gives its result as the reward."""
    for seat in (0, 1):
        env, random = SingleEnv(game, opponent="random", seat=seat), np.random.default_rng(seed)
        (seen, _), over, reward = env.reset(seed=seed), False, 0.0
        while not over:
            if not np.array_equal(seen["observation"], game.observations(env.rules_state[None], [seat])[0]):
                yield Wrong("observe", f"in {env.position!r} the environment shows seat {seat} other planes")
            seen, reward, terminated, truncated, _ = env.step(_legal(seen["action_mask"], random))
            over = terminated or truncated
        if reward != (game.outcome(env.rules_state) or (0, 0))[seat]:
            yield Wrong("outcome", f"at the end in {env.position!r} the reward of seat {seat} is {reward}")


def boards_play_as_they_would_alone(game: Game, seed: int) -> Iterator[Wrong]:
    """Many boards play the games of as many environments of one board."""
    boards, random = BoardsEnv(BOARDS, game, autoreset_mode="Disabled"), np.random.default_rng(seed)
    alone = [SingleEnv(game) for _ in range(BOARDS)]
    seen, _ = boards.reset(seed=seed)
    ones = [env.reset(seed=seed + i)[0] for i, env in enumerate(alone)]
    for _ in range(STEPS):
        if not all(data_equivalence({key: seen[key][i] for key in seen}, one, exact=True) for i, one in enumerate(ones)):
            yield Wrong("observe", f"boards and single environments part in {boards.position[0]!r}")
            return
        actions = [_legal(mask, random) for mask in seen["action_mask"]]
        seen, rewards, terminated, truncated, _ = boards.step(np.array(actions))
        steps = [env.step(action) for env, action in zip(alone, actions, strict=True)]
        ones = [step[0] for step in steps]
        if [step[1:4] for step in steps] != list(zip(rewards.tolist(), terminated.tolist(), truncated.tolist(), strict=True)):
            yield Wrong("outcome", "boards and single environments end with other rewards")
            return
        if (over := terminated | truncated).any():
            seen, _ = boards.reset(options={"reset_mask": over})
            for i in np.flatnonzero(over):
                ones[i] = alone[i].reset()[0]


def nothing_is_hidden(game: Game, seed: int) -> Iterator[Wrong]:
    """What the player to move sees decides which actions are legal and how each ends: nothing is hidden."""
    states = states_at_random(game, seed)
    movers, masks = game.players(states), game.masks(states)
    seen = game.observations(states, movers).reshape(len(states), -1)
    _, first, group = np.unique(seen, axis=0, return_index=True, return_inverse=True)
    twins = first[group.reshape(-1)]  # for each state one that looks the same
    if len(rows := np.flatnonzero((masks != masks[twins]).any(1))):
        yield Wrong("observe", _alike(game, states[rows[0]], states[twins[rows[0]]], "not the same actions are legal"))
        return
    rows, actions = np.nonzero(masks)

    def results(of: NDArray[np.int64]) -> NDArray[np.int64]:
        """How the actions end, for those who take them; 2 where the game goes on."""
        outcomes = game.outcomes(game.plays(states[of], actions)).astype(np.int64)
        return np.where(outcomes == ONGOING, ONGOING, outcomes * (1 - 2 * movers[of]))

    if len(wrong := np.flatnonzero(results(rows) != results(twins[rows]))):
        row, action = rows[wrong[0]], int(actions[wrong[0]])
        move = f"{game.move_name(action)} does not end the same way"
        yield Wrong("observe", _alike(game, states[row], states[twins[row]], move), action)


def states_at_random(game: Game, seed: int) -> StateArray:
    """Unfinished states of random games, at most MOST_SEEN (B, W)."""
    random, states, found = np.random.default_rng(seed), np.repeat(game.start[None], GAMES_SEEN, axis=0), list[StateArray]()
    while len(states) and sum(map(len, found)) < MOST_SEEN:
        found.append(states)
        masks = game.masks(states)
        nth = random.integers(masks.sum(1))
        states = game.plays(states, (masks.cumsum(1) > nth[:, None]).argmax(1))
        states = states[game.outcomes(states) == ONGOING]
    return np.concatenate(found)


def _alike(game: Game, one: StateArray, other: StateArray, what: str) -> str:
    """That two states look alike and differ."""
    return f"the player to move sees the same in {game.text(one)!r} and {game.text(other)!r}, and {what}"


def it_renders_in_every_mode(game: Game, seed: int) -> Iterator[Wrong]:
    """The environment renders in every mode that needs no screen; as pixels if what draws them is installed."""
    for mode in RENDER_MODES:
        if mode == "human" or (mode == "rgb_array" and missing_library("render")):
            continue
        env = AECGame(game, render_mode=mode)
        env.reset(seed=seed)
        image = env.render()
        wanted = np.ndarray if mode == "rgb_array" else str
        if not isinstance(image, wanted) or not len(image):
            yield Wrong("picture" if mode == "ansi" else "svg", f"render mode {mode!r} gives {image!r}")


def pettingzoos_api_test_passes(game: Game, seed: int) -> Iterator[Wrong]:
    """PettingZoo's `api_test` passes."""
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # it warns of every observation that is a dictionary, ours among them
        from pettingzoo.test import api_test

        try:
            api_test(AECGame(game), num_cycles=50)
        except Exception as error:
            yield Wrong(type(game).__name__, f"{type(error).__name__}: {error}")


def gymnasiums_checker_passes(game: Game, seed: int) -> Iterator[Wrong]:
    """Gymnasium's `check_env` passes without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            check_env(SingleEnv(game), skip_render_check=True)
        except Exception as error:
            yield Wrong(type(game).__name__, f"{type(error).__name__}: {error}")


VIEWS = facts_of(globals(), "game", "seed")
"""The facts about the environments."""
