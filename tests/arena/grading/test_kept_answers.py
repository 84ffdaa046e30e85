"""What a policy answered, kept in a file: a grade resumes from it, and takes nothing that is not the policy's."""

import pytest

from ludus.agents import FunctionPolicy
from ludus.arena.grading import grade_exact
from ludus.envs import make_game


def counting(asked, game="quixo:size=3", title="last legal", shift=0):
    """A policy of one action a position that counts how many positions it is asked about."""
    game = make_game(game)

    def act(states, keys):
        asked.append(len(states))
        actions = game.num_actions - 1 - game.masks(states)[:, ::-1].argmax(1)
        return game.masks(states).argmax(1) if shift else actions

    return FunctionPolicy(game, function=act, title=title)


def test_a_second_grade_asks_one_position_a_batch_and_says_the_same(tmp_path):
    asked = []
    first = grade_exact(counting(asked), "quixo:size=3", answers=tmp_path / "kept").document()
    *asked_first, again = asked  # finally, some positions again
    positions, batches = sum(asked_first), len(asked_first)
    assert (positions, 200 < again < 300) == (sum(first["positions"]), True)
    asked.clear()
    assert grade_exact(counting(asked), "quixo:size=3", answers=tmp_path / "kept").document() == first
    assert asked == [*[1] * batches, batches]
    assert (tmp_path / "kept").stat().st_size < positions + 40 * batches + 100  # a byte each
    assert grade_exact(counting([]), "quixo:size=3").document() == first


@pytest.mark.parametrize("part", [0.0, 0.3, 0.9])
def test_an_interrupted_grade_goes_on_where_the_file_ends(tmp_path, part):
    kept, asked = tmp_path / "kept", []
    first = grade_exact(counting(asked), "quixo:size=3", answers=kept).document()
    positions, whole = sum(asked), kept.read_bytes()  # with those asked again
    kept.write_bytes(whole[: int(part * len(whole))] if part else b"")
    asked.clear()
    assert grade_exact(counting(asked), "quixo:size=3", answers=kept).document() == first
    assert kept.read_bytes() == whole
    assert sum(asked) == positions if not part else 0 < sum(asked) < positions


def test_probabilities_are_kept_exactly(tmp_path):
    kept = tmp_path / "kept"
    first = grade_exact("greedy", "quixo:size=3", answers=kept).document()
    assert grade_exact("greedy", "quixo:size=3", answers=str(kept)).document() == first
    assert grade_exact("greedy", "quixo:size=3").document() == first


def test_a_file_of_another_policy_or_of_no_answers_is_left_alone(tmp_path):
    kept = tmp_path / "kept"
    grade_exact("greedy", "tictactoe", answers=kept)
    for policy, game in (("random", "tictactoe"), ("greedy", "nim")):
        before = kept.read_bytes()
        with pytest.raises(ValueError, match=f"does not have the answers of {policy} in {game}; name another file"):
            grade_exact(policy, game, answers=kept)
        assert kept.read_bytes() == before
    kept.write_bytes(b"something else\n")
    with pytest.raises(ValueError, match="does not have the answers of greedy"):
        grade_exact("greedy", "tictactoe", answers=kept)
    assert kept.read_bytes() == b"something else\n"


def test_a_policy_that_has_changed_is_found_out(tmp_path):
    grade_exact(counting([]), "quixo:size=3", answers=tmp_path / "kept")
    with pytest.raises(ValueError, match=r"last legal now answers '.* X' otherwise than .*kept says; name another file"):
        grade_exact(counting([], shift=1), "quixo:size=3", answers=tmp_path / "kept")
