"""Every move of every variant is read back from a dozen ways to write it, and never mistaken for another."""

from __future__ import annotations

import pytest

import ludus
from ludus.text import Reading, describe, prompt, prompt_checksum, read_move

FORMS = (
    "{}",
    " {}.\n",
    "**{}**",
    "`{}`",
    "<move>{}</move>",
    "<MOVE> {} </MOVE>",
    "I hesitate.\n\n<move>{}",
    "\\boxed{{{}}}",
    "$\\boxed{{\\text{{{}}}}}$",
    '{{"thoughts": "none", "move": "{}"}}',
    "Move: {}",
    "I'll play {}.",
    "My answer is {}, because it is strong.",
    "The best move is **{}**.",
    "<think>a1, b2, a1>a5, 1-1, pass or give 3?</think>{}",
)
VARIANTS = [variant for name in ludus.game_names() for variant in type(ludus.make_game(name)).variants]


@pytest.mark.parametrize("spec", VARIANTS)
def test_every_action_is_read_in_every_form(spec: str) -> None:
    game = ludus.make_game(spec)
    legal = game.legal_actions(game.start)
    for action, move in enumerate(game.moves):
        for form in FORMS:
            for name in (move, move.upper()):
                found = read_move(game, game.start, form.format(name))
                assert (found.action, found.fault) == ((action, None) if action in legal else (None, "illegal")), (form, name)


@pytest.mark.parametrize(
    ("spec", "wording", "move"),
    [
        ("nim", "take {1} from heap {0}", "{0}-{1}"),
        ("nim", "I remove {1} sticks from pile {0}", "{0}-{1}"),
        ("nim", "heap {0}, take {1}", "{0}-{1}"),
        ("nim", "{0} – {1}", "{0}-{1}"),
    ],
)
def test_nim_is_read_in_words(spec: str, wording: str, move: str) -> None:
    game = ludus.make_game(spec)
    for action in game.legal_actions(game.start):
        given = game.move_name(action).split("-")
        assert read_move(game, game.start, wording.format(*given)) == Reading(game.action(move.format(*given)))


@pytest.mark.parametrize(
    "wording", ["{} to {}", "{} -> {}", "{}→{}", "take {} and push it in at {}", "from {}, push it back in from {}"]
)
def test_quixo_is_read_in_words(wording: str) -> None:
    game = ludus.make_game("quixo")
    for action, move in enumerate(game.moves):
        assert read_move(game, game.start, wording.format(*move.split(">"))) == Reading(action)


@pytest.mark.parametrize("wording", ["Give piece {}", "I give you piece number {}.", "I hand over {}"])
def test_quarto_is_read_in_words(wording: str) -> None:
    game = ludus.make_game("quarto")
    for piece in range(16):
        assert read_move(game, game.start, wording.format(piece)) == Reading(16 + piece)


def test_of_a_turn_of_two_actions_the_one_that_is_asked_for_now_counts() -> None:
    game = ludus.make_game("quarto")
    state = game.play(game.start, game.action("give 3"))
    assert read_move(game, state, "I place it on c2 and give 7.") == Reading(game.action("c2"))


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "nothing"),
        ("I resign.", "nothing"),
        ("c2 or b3", "ambiguous"),
        ("I could play c2. I could play b3.", "ambiguous"),
        ("<move>z9</move>", "unknown"),
        ("<move>the corner</move>", "unknown"),
        ("a1", "illegal"),
        ("I will play a1, since it wins.", "illegal"),
    ],
)
def test_an_answer_without_one_legal_move_says_why(reply: str, fault: str) -> None:
    game = ludus.make_game("tictactoe")
    found = read_move(game, game.position("X-------- O"), reply)
    assert (found.action, found.fault) == (None, fault)
    assert found.reason


@pytest.mark.parametrize("spec", VARIANTS)
def test_a_prompt_has_the_rules_the_board_the_position_and_the_moves(spec: str) -> None:
    game = ludus.make_game(spec)
    text = describe(game, game.start, legal=True)
    assert all(part in text for part in (game.explanation, game.picture(game.start), game.text(game.start)))
    assert all(game.move_name(action) in text for action in game.legal_actions(game.start))
    assert len(game.explanation) > 100
    assert read_move(game, game.start, prompt(game, game.start)).action is None


@pytest.mark.parametrize(("spec", "position", "name"), [("tictactoe", "X-------- O", "O"), ("nim", "1 3 5 7", "player 0")])
def test_a_prompt_says_who_is_asked(spec: str, position: str, name: str) -> None:
    game = ludus.make_game(spec)
    assert f"You are {name}. The position:" in prompt(game, game.position(position))


def test_prompts_of_different_words_have_different_checksums() -> None:
    checksums = [prompt_checksum(ludus.make_game(spec), legal=legal) for spec in VARIANTS for legal in (False, True)]
    assert len({*checksums}) == len(checksums)


def test_the_words_after_a_bad_answer_are_in_the_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ludus.make_game("nim")
    before = prompt_checksum(game)
    monkeypatch.setattr("ludus.text.describing.retry_prompt", lambda reason: f"Again: {reason}")
    assert prompt_checksum(game) != before
