"""What a prompt says: the rules of the variant with its limits, who moves, the position, the legal moves and how to write one."""

from __future__ import annotations

import re

import pytest

import ludus
from ludus.text import describe, prompt, read_move
from ludus.text.describing import ANSWER, PROMPT_VERSION, describe_position, prompt_checksum

from ..helpers.games import VARIANTS, positions

FACTS = {
    "nim": ("4 heaps of 1, 3, 5 and 7 objects; player 0 begins; from the same heap; the last object of all wins; 1-2 takes two"),
    "nim:heaps=12+40": "2 heaps of 12 and 40 objects",
    "nim:heaps=1": "one heap of 1 object.; 1-1 takes one object",
    "nim:heaps=4": "one heap of 4 objects.",
    "nim:limit=3": "at most 3,",
    "nim:misere=true": "the last object of all loses",
    "tictactoe": (
        "X begins; 3×3; three marks in a row, horizontally, vertically or diagonally, wins; is a draw; row 1 is at the top"
    ),
    "quarto": "16 pieces; player 0 gives player 1 a piece; row, column or diagonal of four; is a draw; as in give 7",
    "quarto:squares=true": "2×2 square of four",
    "quixo": (
        "X begins; 5×5; from the border; diagonal of 5 equal; loses, even with an own line; After 200 moves the game is a draw"
    ),
    "quixo:size=3": "3×3; diagonal of 3 equal; as in a1>a3",
    "quixo:max_plies=10": "After 10 moves the game is a draw",
    "quixo:size=4,max_plies=1": "After 1 move the game is a draw",
    "othello": (
        "black begins; an 8×8 board; are turned over; may pass only then; more discs wins; equally many is a draw; or pass"
    ),
    "othello:size=6": "a 6×6 board",
    "connect_four": (
        "X begins; one of the 7 columns; 6 rows; lowest free cell; 4 discs in an unbroken line, horizontally, vertically "
        "or diagonally; is a draw; as in d; row 1 is at the top"
    ),
    "connect_four:rows=4,columns=5,line=3": "5 columns; 4 rows; has 3 discs; as in c",
}
"""What the rules of each variant must say, with semicolons between."""


@pytest.mark.parametrize("spec", FACTS)
def test_the_rules_say_what_holds_in_the_variant(spec: str) -> None:
    game = ludus.make_game(spec)
    words = prompt(game, game.start)
    assert words.startswith(f"You play {game.title}. {game.explanation}\n\n")
    assert [fact for fact in FACTS[spec].split("; ") if fact not in game.explanation] == []


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_limit_on_the_length_of_a_game_is_said(spec: str) -> None:
    game = ludus.make_game(spec)
    said = re.findall(r"After (\d+) moves? the game is a draw", game.explanation)
    assert said == ([str(game.max_plies)] if game.max_plies else [])


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_rules_show_a_move_or_name_a_cell_as_the_game_writes_it(spec: str) -> None:
    game = ludus.make_game(spec)
    shown = re.findall(r"(?:as in|For example,|or) ([a-h0-9>-]{2,}|(?<=as in )[a-h]|give \d+|pass)\b", game.explanation)
    assert shown or "column letter and a row number" in game.explanation
    assert {*shown} <= {*game.moves}


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_position_says_who_moves_and_how_the_board_stands(spec: str) -> None:
    game = ludus.make_game(spec)
    for state in positions(game, 12):
        words = describe_position(game, state)
        assert words.startswith(f"You are {game.player_names[game.player(state)]}. The position:\n\n{game.picture(state)}\n")
        assert words.endswith(f"\n\nThe same as text: {game.text(state)}")
        assert describe(game, state).endswith(f"\n\n{words}")
        assert read_move(game, state, prompt(game, state)).action is None  # a model that repeats it has not answered


@pytest.mark.parametrize("spec", VARIANTS)
def test_the_legal_moves_are_listed_all_and_only_if_they_are_asked_for(spec: str) -> None:
    game = ludus.make_game(spec)
    for state in positions(game, 12):
        listed = describe(game, state, legal=True).rpartition("\n\nLegal moves: ")[2]
        assert listed == ", ".join(map(game.move_name, game.legal_actions(state))) + "."
        assert "Legal moves" not in prompt(game, state)
        assert prompt(game, state, legal=True) == f"{describe(game, state, legal=True)}\n\n{ANSWER}"


def test_the_checksum_changes_with_the_version_and_with_every_word_of_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = ["quixo", "quixo:max_plies=10", "quixo:max_plies=9", *VARIANTS]
    sums = [prompt_checksum(ludus.make_game(spec), legal=legal) for legal in (False, True) for spec in dict.fromkeys(specs)]
    assert len({*sums}) == len(sums)
    assert all(re.fullmatch(rf"{PROMPT_VERSION}:[0-9a-f]{{16}}", checksum) for checksum in sums)
    for words in ("no_move_notice", "retry_prompt"):
        with monkeypatch.context() as other:
            other.setattr(f"ludus.text.describing.{words}", lambda reason: f"No move: {reason}.")
            assert prompt_checksum(ludus.make_game("quixo")) != sums[0]
    monkeypatch.setattr("ludus.text.describing.PROMPT_VERSION", PROMPT_VERSION + 1)
    assert prompt_checksum(ludus.make_game("quixo")) == f"{PROMPT_VERSION + 1}:{sums[0].partition(':')[2]}"
