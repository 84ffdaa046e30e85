"""Variants of the prompt: the plain one is the prompt, all say the same position, examples are true, and files are checked."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludus import make_game
from ludus.games.game import StateArray
from ludus.text import PromptVariant, prompt, prompt_checksum, prompt_variants, read_move
from ludus.text.disguises import disguise, disguise_names
from ludus.text.environments import Tasks
from ludus.text.variants.boards import board_forms, write_board
from ludus.text.variants.names import BUILT_IN

from ..helpers.games import VARIANTS, positions
from ..helpers.outside.small_game import SmallGame
from ..helpers.scripted import Scripted, asked, model, saying, serving

needs_openai = pytest.mark.skipif(find_spec("openai") is None, reason="openai is not installed")


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_plain_variant_is_the_prompt_byte_for_byte(spec: str) -> None:
    game = make_game(spec)
    for name, legal in (("plain", False), ("legal", True)):
        (variant,) = prompt_variants(name)
        assert variant.checksum(game) == prompt_checksum(game, legal=legal)
        assert all(variant.prompt(game, state) == prompt(game, state, legal=legal) for state in positions(game, 6))


@pytest.mark.parametrize(
    ("spec", "face"), [(spec, face) for spec in VARIANTS for face in ("none", *disguise_names(make_game(spec)))]
)
def test_a_position_is_read_back_from_each_form_of_the_board(spec: str, face: str) -> None:
    game = make_game(spec)
    other = disguise(game, face)
    assert face != "none" or {*board_forms(game)} == {"picture", *READERS}
    for state in positions(game, 12):
        for form in board_forms(other)[1:]:
            words = PromptVariant(name=form, board=form).prompt(other, state)
            board = words.partition("The position:\n\n")[2].partition("\n\nAnswer with")[0]
            board, _, names = board.partition("\n\nThe names of the cells, row by row from the top:\n")
            assert READERS[form](board) == contents_of(other, state)
            assert bool(names) == (face == "relabelled" and form in ("list", "coordinates") and game.name != "nim")
            cells = [name for row in names.split("\n") for name in row.split(", ")] if names else []
            assert cells == [content.name for content in other.contents(state)][: len(cells)]


def contents_of(game: Any, state: StateArray) -> dict[str, str]:
    """What a position's text says: the words of what is on each site, or how many there are in each heap."""
    layout, text = game.layout, game.text(state)
    if not re.fullmatch(layout.notation.patterns[-1][0], text):  # a face that writes positions its own way
        return {name: words for name, _, words in game.contents(state)}
    groups, words = layout.notation.groups, {symbol.char: symbol.words for symbol in reversed(layout.symbols)}
    if layout.notation.counts:
        heaps = [layout.sites[group[0]].name.split(",")[0] for group in groups]
        return {heap: f"{number} × {layout.symbols[1].words}" for heap, number in zip(heaps, text.split(), strict=True)}
    written = [pair for group, part in zip(groups, text.split(), strict=False) for pair in zip(group, part, strict=True)]
    return {layout.sites[site].name: words[char] for site, char in written}


def read_grid(board: str) -> dict[str, str]:
    rows, below = board.split("\n\n")
    beside, names = below.split("The names in these rows:\n")
    means = dict(re.findall(r"^(.) means (.*)\.$", beside, re.MULTILINE))
    cells = dict[str, str]()
    for row, row_names in zip(rows.split("\n"), names.split("\n"), strict=True):
        if row_names.startswith("heap"):
            cells[row_names] = f"{row.count('|')} × match"
        else:
            cells |= dict(zip(row_names.split(", "), row.split(" "), strict=True))
    cells |= dict(re.findall(r"^(.+): (.)$", beside, re.MULTILINE))
    return {name: means.get(sign, sign) for name, sign in cells.items()}


def read_list(board: str) -> dict[str, str]:
    return dict(line.split(": ") for line in board.split("\n"))


def read_coordinates(board: str) -> dict[str, str]:
    lines = [line.split(": ") for line in board.split("\n")]
    return {name: words for words, names in lines for name in names.split(", ")}


READERS = {"grid": read_grid, "list": read_list, "coordinates": read_coordinates}


def test_all_variants_ask_for_the_same_and_differ_in_every_position() -> None:
    game = make_game("tictactoe")
    variants = prompt_variants(",".join(BUILT_IN))
    assert [variant.name for variant in variants] == [*BUILT_IN]
    for state in positions(game, 8):
        prompts = [variant.prompt(game, state) for variant in variants]
        assert len({*prompts}) == len(prompts)
        for words in prompts:
            assert game.explanation in words
            assert f" {game.player_names[game.player(state)]}" in words
            assert words.endswith("Answer with one move in the form <move>MOVE</move>. Only the last <move> counts.")
            assert read_move(game, state, words).action is None  # a model that repeats it has not answered
            assert "$" not in words
            assert "\n\n\n" not in words
    assert len({variant.checksum(game) for variant in variants}) == len(variants)


def test_a_game_that_does_not_say_what_stands_where_has_the_picture_alone() -> None:
    game = SmallGame()
    assert board_forms(game) == ("picture",)
    assert write_board(game, game.start, "picture").startswith(game.picture(game.start))
    with pytest.raises(ValueError, match=r"Small cannot be written in the form 'grid'; its board has the forms picture$"):
        prompt_variants("grid")[0].prompt(game, game.start)


def test_a_later_prompt_keeps_a_board_that_stands_beside_the_rules() -> None:
    game = make_game("tictactoe")
    variant = PromptVariant(name="close", template="$rules\n$board\n\n$form")
    assert variant.next_prompt(game, game.start) == variant.prompt(game, game.start)


def test_coordinates_end_with_what_is_empty() -> None:
    game = make_game("tictactoe")
    words = prompt_variants("coordinates")[0].prompt(game, game.position("X-O------ X"))
    assert "\n\nX: a1\nO: c1\nempty: b1, a2, b2, c2, a3, b3, c3\n\n" in words


def test_a_disguise_without_a_board_has_no_grid() -> None:
    (numbers, story) = disguise(make_game("tictactoe"), "magic"), disguise(make_game("nim"), "story")
    with pytest.raises(
        ValueError, match=r"cannot be written in the form 'grid'; its board has the forms picture, list, coordinates$"
    ):
        prompt_variants("grid")[0].prompt(numbers, numbers.start)
    assert "\n\nthe red basket: 1 nut\nthe blue basket: 3 nuts\n" in prompt_variants("list")[0].prompt(story, story.start)


def write(folder: Path, content: object) -> str:
    file = folder / "mine.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return str(file)


def test_a_file_holds_variants(tmp_path: Path) -> None:
    game = make_game("tictactoe")
    terse = {"name": "terse", "template": "$title for $$1, ${player}:\n\n$legal\n\n$board", "board": "list"}
    file = write(tmp_path, [terse, {"name": "helped", "legal": True}])
    variants = prompt_variants(f"plain,{file},brief")
    assert [variant.name for variant in variants] == ["plain", "terse", "helped", "brief"]
    assert variants[1].prompt(game, game.start).startswith("Tic-tac-toe for $1, X:\n\na1: empty\nb1: empty\n")
    assert "Legal moves: a1, b1" in variants[2].prompt(game, game.start)


@needs_openai
def test_a_language_model_is_asked_in_the_words_of_its_variant(tmp_path: Path) -> None:
    game = make_game("tictactoe")
    file = write(tmp_path, [{"name": "terse", "template": "$player: $board\n\n$legal", "board": "list"}])
    with serving(Scripted(lambda _: saying("b2"))) as endpoint:
        terse = pickle.loads(pickle.dumps(model(endpoint, variant=file)))
        Path(file).unlink()  # a worker asks in the words that were read when the policy was made
        transcript = replace(terse, legal=True).answer(game.start[None], np.zeros(1, np.uint64)).transcripts[0]
        other = asked(endpoint, variant="grid", legal="true").transcripts[0]
    (own,), (grid,) = prompt_variants("grid+legal"), prompt_variants("grid")
    assert transcript.attempts[0].question.startswith("X: a1: empty\nb1: empty\n")
    assert transcript.attempts[0].question.endswith("\n\nLegal moves: a1, b1, c1, a2, b2, c2, a3, b3, c3.")
    assert other.attempts[0].question == own.prompt(game, game.start) != grid.prompt(game, game.start)
    assert other.prompt == own.checksum(game) != transcript.prompt


@pytest.mark.parametrize("name", BUILT_IN)
def test_whole_games_are_asked_in_a_variant_and_its_rules_are_said_once(name: str) -> None:
    tasks = Tasks("tictactoe", "random", count=10, variant=name)
    episode = tasks.episode(tasks.train[0])
    assert episode.question.endswith(tasks.wording.prompt(tasks.rules, episode.state))
    episode.take(tasks.rules.legal_moves(episode.state)[0])
    assert not episode.over
    words = tasks.wording.prompt(tasks.rules, episode.state)
    later = episode.question.rpartition(" played ")[2].partition(". ")[2]
    assert words.endswith(later)
    assert tasks.rules.explanation not in later
    assert "Example" not in later
    assert write_board(tasks.rules, episode.state, tasks.wording.board) in later
