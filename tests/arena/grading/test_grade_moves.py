"""Where a policy's moves lose value: by ply, by how many actions keep it, and against the best answer."""

from fractions import Fraction

import numpy as np
import pytest

from ludus.arena.grading import grade_exact
from ludus.envs import make_game

from ...naive.grading import drop, kept, uniform


def naively(game, policy, seat):
    """{ply: …} and {keeping actions: …}: moves, optimal moves and value lost in a game against random play, as fractions."""
    values, by_ply, by_choice = {}, {}, {}
    games, ply = {game.start.tobytes(): Fraction(1)}, 0
    while games:
        following = {}
        for content, share in games.items():
            state = np.frombuffer(content, np.uint64)
            mine = game.player(state) == seat
            legal = game.legal_actions(state)
            keeping = sum(kept(game, state, action, values) for action in legal)
            for action, chance in (policy if mine else uniform(game))(state).items():
                lost = drop(game, state, action, values)
                if mine:
                    for rows, number in ((by_ply, ply), *([(by_choice, keeping)] if keeping < len(legal) else [])):
                        before = rows.get(number, (0, 0, 0))
                        rows[number] = tuple(a + share * chance * b for a, b in zip(before, (1, lost == 0, lost), strict=True))
                after = game.play(state, action)
                if game.outcome(after) is None:
                    following[after.tobytes()] = following.get(after.tobytes(), 0) + share * chance
        games, ply = following, ply + 1
    return by_ply, by_choice


@pytest.mark.parametrize("spec", ["nim:heaps=1+2+3", "nim:heaps=2+2+3,limit=2,misere=true"])
def test_moves_by_ply_and_by_choice_are_what_fractions_say(spec):
    game = make_game(spec)
    found = grade_exact("random", spec)
    for seat, graded in enumerate(found.seats):
        for rows, expected in zip((graded.by_ply, graded.by_choice), naively(game, uniform(game), seat), strict=True):
            assert [row.number for row in rows] == sorted(expected)
            for row in rows:
                assert np.allclose([float(number) for number in expected[row.number]], row[1:], 0, 1e-12)
