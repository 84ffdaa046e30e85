"""A disguise shows the same game: to somebody who reads only its words, every move has the value that it has in the game.

Each disguise has a reader here, who knows the ordinary game, or the game that the disguise tells of and nothing else. The reader
finds the value of each move from the words alone, and these are the values of the oracle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import ludus
from ludus.games.game import Game, StateArray
from ludus.oracles import Oracle, make_oracle
from ludus.rewards import score
from ludus.text import read_move
from ludus.text.disguises import disguise, disguise_names
from ludus.text.variants import PromptVariant
from ludus.text.variants.boards import board_forms

SMALL = ("tictactoe", "nim", "nim:misere=true", "quixo:size=3")
"""Games of which every position is read."""
LARGE = {"quixo:size=4": 0, "quarto": 21, "othello:size=6": 26, "connect_four": 30}
"""Games of which 1,000 positions are read, and after how many plies, so that the oracle needs little time."""
EACH = [(spec, name) for spec in (*SMALL, *LARGE) for name in disguise_names(ludus.make_game(spec))]
OWN_TWINS = ("magic", "story")
"""Disguises whose readers do not know the ordinary game."""


class Positions(NamedTuple):
    """Unfinished positions of a game (N, W), and the value of each action; NaN where it is not legal (N, A)."""

    game: Game
    states: StateArray
    values: NDArray[np.float64]


class InOrdinaryWords(NamedTuple):
    """What a reader makes of a position: its text in the ordinary game, and the ordinary name of each name of a move."""

    text: str
    names: Mapping[str, str]


@cache
def positions_of(spec: str) -> Positions:
    game = ludus.make_game(spec)
    states = oracle_of(spec).table().states if spec in SMALL else late_states(game, 1000, LARGE[spec])
    states = states[game.outcomes(states) == 2]
    return Positions(game, states, values_of(spec, states))


@cache
def oracle_of(spec: str) -> Oracle:
    return make_oracle(spec)


def late_states(game: Game, count: int, plies: int) -> StateArray:
    """Different unfinished states of random games, all after so many plies or more (count, W)."""
    rng, states, late = np.random.default_rng(0), np.repeat(game.start[None], 4 * count, axis=0), list[StateArray]()
    for ply in range(plies + 6):
        if ply >= plies:
            late.append(states)
        masks = game.masks(states)
        states = game.plays(states, (masks * rng.random(masks.shape)).argmax(axis=1))
        states = states[game.outcomes(states) == 2]
    return rng.permutation(np.unique(np.concatenate(late), axis=0))[:count]


def some(states: StateArray, count: int) -> StateArray:
    """A few states, all over their list."""
    return states[:: len(states) // count]


def values_of(spec: str, states: StateArray) -> NDArray[np.float64]:
    """The value of each action in each state, for the player to move (N, A); NaN where it is not legal."""
    oracle = oracle_of(spec)
    values = np.full((len(states), oracle.game.num_actions), np.nan)
    rows, actions = np.nonzero(oracle.game.masks(states))
    values[rows, actions] = oracle.action_values(states[rows], actions).values
    return values


# ---- readers who know the ordinary game


def as_it_stands(face: Game, state: StateArray) -> InOrdinaryWords:
    """A turned board is read as if it were no disguise."""
    return InOrdinaryWords(face.text(state), {move: move for move in face.moves})


def with_other_signs(face: Game, state: StateArray) -> InOrdinaryWords:
    return InOrdinaryWords(face.text(state).translate(str.maketrans("VZ", "XO")), {move: move for move in face.moves})


def by_initials(face: Game, state: StateArray) -> InOrdinaryWords:
    """Pieces are read by their letters, of which the legend says what they add to a piece's number."""
    picture = face.picture(state)
    legend = re.findall(r"(\w)\w*/(\w)\w* \+(\d)", picture)
    board = re.findall(r"(\.|[a-z][A-Za-z]{3}\b|[A-Z][A-Za-z]{3}\b)", picture.split("\nnot given")[0].split("\n", 1)[1])
    added = [{zero.lower(): 0, one.upper(): int(number)} for zero, one, number in legend]
    pieces = ["-" if cell == "." else f"{sum(add[letter] for add, letter in zip(added, cell, strict=True)):x}" for cell in board]
    said = re.search(r"place piece \d+: (.*)", picture)
    hand = "-" if said is None else f"{sum(1 << i for i, word in enumerate(said[1].split(', ')) if word in SECOND):x}"
    return InOrdinaryWords(f"{''.join(pieces)} {hand}", {move: move for move in face.moves})


SECOND = ("green", "wide", "spotted", "closed")
"""The words of attributes that count, as the explanation says: it adds 1 if it is green, …"""


def by_place(face: Game, state: StateArray) -> InOrdinaryWords:
    """Names of cells are read by where they stand in the picture."""
    picture = face.picture(state)
    cells = re.findall(r"\b([a-z]{4}) +(\.|[XO]|\d+ \w{4})(?= {3,}|$)", picture.split("\n\n")[0], re.MULTILINE)
    size = int(len(cells) ** 0.5)
    names = {name: f"{'abcdefgh'[cell % size]}{cell // size + 1}" for cell, (name, _) in enumerate(cells)}
    signs = ["-" if sign == "." else sign if sign in "XO" else f"{int(sign.split()[0]):x}" for _, sign in cells]
    mover = re.search(r"^(X|O|black|white) to move", picture, re.MULTILINE)
    piece = re.search(r"place piece (\d+)", picture)
    last = f"{int(piece[1]):x}" if piece else "-" if mover is None else {"black": "X", "white": "O"}.get(mover[1], mover[1])
    moves = {move: ">".join(names.get(word, word) for word in move.split(">")) for move in face.moves}
    return InOrdinaryWords(f"{''.join(signs)} {last}", moves)


def by_column(face: Game, state: StateArray) -> InOrdinaryWords:
    """Names of columns are read by where they stand above the picture."""
    head, *rows = face.picture(state).split("\n\n")[0].split("\n")
    cells = "".join(row.replace(" ", "").replace(".", "-") for row in rows)
    mover = face.picture(state).split("\n\n")[1][0]
    return InOrdinaryWords(f"{cells} {mover}", dict(zip(head.split(), "abcdefg", strict=True)))


def by_line(face: Game, state: StateArray) -> InOrdinaryWords:
    """Names of heaps are read by their line, and their objects are counted."""
    lines = [line.split() for line in face.picture(state).split("\n\n")[0].split("\n")]
    numbers = {name: str(number) for number, (name, *_) in enumerate(lines, 1)}
    sizes = [str(sum(word.count("|") for word in words)) for _, *words in lines]
    return InOrdinaryWords(" ".join(sizes), {move: move.replace(move[:4], numbers[move[:4]]) for move in face.moves})


def reader_of(spec: str, name: str) -> Callable[[Game, StateArray], InOrdinaryWords]:
    game = spec.partition(":")[0]
    if name == "relabelled":
        return {"connect_four": by_column, "nim": by_line}.get(game, by_place)
    if name == "symbols":
        return by_initials if game == "quarto" else with_other_signs
    return as_it_stands


@pytest.mark.parametrize(("spec", "name"), [pair for pair in EACH if pair[1] not in OWN_TWINS])
def test_a_reader_of_the_ordinary_game_finds_the_value_of_every_move(spec: str, name: str) -> None:
    game, states, values = positions_of(spec)
    face, read = disguise(game, name), reader_of(spec, name)
    readings = [read(face, state) for state in states]
    assert len(states) >= (1000 if spec in LARGE else 380)
    shown = np.array([game.parse(reading.text) for reading in readings])
    ordinary = [game.action(readings[0].names[move]) for move in face.moves]
    shown_values = values if np.array_equal(shown, states) else values_of(spec, shown)
    np.testing.assert_array_equal(shown_values[:, ordinary], values)
    assert all(reading.names == readings[0].names for reading in readings)


# ---- readers who know nothing but the disguise


@cache
def value_of_numbers(own: frozenset[int], others: frozenset[int]) -> int:
    """For whoever is to pick: 1 won, 0 drawn, -1 lost."""
    if any(sum(three) == 15 for three in combinations(others, 3)):
        return -1
    left = {*range(1, 10)} - own - others
    return max((-value_of_numbers(others, own | {number}) for number in left), default=0)


def test_numbers_that_make_15_have_the_values_of_tic_tac_toe() -> None:
    game, states, values = positions_of("tictactoe")
    face = disguise(game, "magic")
    for state, oracle_values in zip(states, values.tolist(), strict=True):
        match = re.fullmatch(r"Ann: ([\d -]+); Bob: ([\d -]+); (\w+) to move", face.text(state))
        assert match is not None
        ann, bob = (frozenset(map(int, numbers.replace("-", "").split())) for numbers in match.groups()[:2])
        own, others = (ann, bob) if match[3] == "Ann" else (bob, ann)
        for move, value in zip(face.moves, oracle_values, strict=True):
            if int(move) in own | others:
                assert np.isnan(value)
            else:
                assert value == -value_of_numbers(others, own | {int(move)})


@cache
def value_of_nuts(nuts: tuple[int, ...], last_wins: bool) -> int:
    """For the mouse that is to eat: 1 won, -1 lost."""
    if not any(nuts):
        return -1 if last_wins else 1
    return max(
        -value_of_nuts((*nuts[:i], rest, *nuts[i + 1 :]), last_wins) for i, count in enumerate(nuts) for rest in range(count)
    )


@pytest.mark.parametrize("spec", ["nim", "nim:misere=true"])
def test_mice_in_a_cellar_have_the_values_of_nim(spec: str) -> None:
    game, states, values = positions_of(spec)
    face = disguise(game, "story")
    last_wins = "that eats the last nut of all has the cellar for itself, and wins" in face.explanation
    for state, oracle_values in zip(states, values.tolist(), strict=True):
        baskets = {colour: int(nuts) for colour, nuts in re.findall(r"the (\w+) basket: (\d+) nuts?\n", face.picture(state))}
        for move, value in zip(face.moves, oracle_values, strict=True):
            eaten, _, colour = move.split()
            if int(eaten) > baskets[colour]:
                assert np.isnan(value)
            else:
                after = {**baskets, colour: baskets[colour] - int(eaten)}
                assert value == -value_of_nuts((*after.values(),), last_wins)


# ---- words and readings


@pytest.mark.parametrize(("spec", "name"), EACH)
def test_a_disguise_is_read_back_as_it_is_written(spec: str, name: str) -> None:
    game, states, _ = positions_of(spec)
    face = disguise(game, name)
    for state in (game.start, *some(states, 6)):
        again = face.position(face.text(state))
        assert face.text(again) == face.text(state)
        assert np.array_equal(face.position(state), state)
        assert spec.startswith("nim") or np.array_equal(again, state)  # whose texts do not say who moves
        for action in face.legal_actions(state):
            move = face.move_name(action)
            assert read_move(face, state, f"I think of all moves. <move>{move.upper()}</move>").action == action
            assert read_move(face, state, f"I play {move}.").action == action
        assert score(face, state[None], [f"<move>{face.legal_moves(state)[0]}</move>"])[0].legal


@pytest.mark.parametrize(("spec", "name"), [pair for pair in EACH if pair[1] in ("relabelled", *OWN_TWINS)])
def test_names_of_the_game_mean_nothing_in_other_labels(spec: str, name: str) -> None:
    game = ludus.make_game(spec)
    face = disguise(game, name)
    others = {*game.moves} - {*face.moves}
    assert len(others) >= len(game.moves) - 17  # giving a piece and passing have no labels
    for move in others:
        assert read_move(face, face.start, f"<move>{move}</move>").fault == "unknown"
        assert read_move(face, face.start, f"I play {move}.").fault in ("nothing", "unknown")


TOLD_BY = {
    "relabelled": r"\b[a-h][1-9]\b|column letter|row number|counted from 1",
    "symbols": r"\b(?:[XO]+|[lsrhDTSH]{4}|dark|tall|square|hollow|[Bb]lack|white)\b",
    "magic": r"\b(?:[XO]|board|cell|row|column|marks?)\b",
    "story": r"heap|object|taking|takes|player|match",
}
"""What a disguise does not say, as regular expressions."""


@pytest.mark.parametrize(("spec", "name"), EACH)
def test_the_words_of_a_disguise_do_not_give_the_game_away(spec: str, name: str) -> None:
    game, states, _ = positions_of(spec)
    face = disguise(game, name)
    names = "|".join(map(re.escape, (game.title, game.name)))
    for form in board_forms(face):
        for state in (game.start, *some(states, 3)):
            words = PromptVariant(name="other", board=form, legal=True).prompt(face, state).replace(face.text(state), "")
            assert not re.search(rf"(?i)\b(?:{names})\b", words)
            if name in TOLD_BY:
                assert not re.search(TOLD_BY[name], words), words
    ends = game.plays(states[-30:], game.masks(states[-30:]).argmax(axis=1))
    for state in ends:
        assert name not in TOLD_BY or not re.search(TOLD_BY[name], face.status(state))
