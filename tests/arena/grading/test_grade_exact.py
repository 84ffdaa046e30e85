"""Exact grades: by known results, by recursion in fractions, of frozen policies, with kept answers, and what cannot be graded."""

from fractions import Fraction

import numpy as np
import pytest

import ludus
from ludus.agents import FunctionPolicy
from ludus.agents.random import Random
from ludus.agents.table import TablePolicy
from ludus.arena.grading import grade_exact
from ludus.envs import make_game
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle, values
from ludus.oracles.statespace.graph import explore
from ludus.oracles.statespace.table import Table

from ...naive.grading import Naive, best_only, uniform

NOT_BEATEN = (Fraction(191, 192), Fraction(866, 945))
"""How often a policy that never loses tic-tac-toe can win against random play, as X and as O."""
SMALL = ("tictactoe", "nim", "nim:misere=true", "quixo:size=3", "othello:size=4", "connect_four:rows=4,columns=4")


def table_of(policy):
    """A policy as a table: its likeliest action in every position of the game."""
    graph = explore(policy.game)
    states = graph.states[graph.outcomes == ONGOING]
    return Table(policy.game, states, policy.probabilities(states).argmax(axis=1))


def with_error(table, position, move):
    """A table policy that is the table but for one position."""
    game = table.game
    choices = table.choices.copy()
    choices[table.find(game.parse(position)[None])[0]] = game.action(move)
    return TablePolicy(game, given=Table(game, table.states, choices), title="planted")


# ---- tic-tac-toe, by facts


def test_the_random_policy_wins_as_often_as_known():
    found = grade_exact("random", "tictactoe")
    assert not found.frozen
    assert found.beatable
    for seat, (win, loss) in enumerate([(Fraction(737, 1260), Fraction(121, 420)), (Fraction(121, 420), Fraction(737, 1260))]):
        assert abs(found.win_rate_vs_random[seat] - float(win)) < 1e-12
        assert abs(found.loss_rate_vs_random[seat] - float(loss)) < 1e-12
        assert abs(found.seats[seat].vs_random.draw_rate - 8 / 63) < 1e-12
    # OpenSpiel 2.0.2: pyspiel.exploitability(game, pyspiel.UniformRandomPolicy(game)) of tic_tac_toe, in half a minute
    assert abs(found.exploitability - 0.9598296957671957) < 1e-12


def test_perfect_play_cannot_be_beaten_and_wins_no_more_than_is_known():
    found = grade_exact("perfect", "tictactoe")
    assert (found.beatable, [seat.line for seat in found.seats]) == (False, [None, None])
    assert found.loss_rate_vs_random == (0, 0)
    assert all(rate <= float(most) + 1e-12 for rate, most in zip(found.win_rate_vs_random, NOT_BEATEN, strict=True))
    assert (found.exploitability, found.optimal_rate, found.optimal_position_rate) == (0, 1, 1)


def test_one_planted_error_is_found_with_the_line_that_it_loses():
    table = table_of(ludus.make_policy("perfect", "tictactoe"))
    game = table.game
    assert not grade_exact(TablePolicy(game, given=table), game).beatable
    policy = with_error(table, "X-------- O", "b1")  # to an opening in a corner, only the centre holds the draw
    found = grade_exact(policy, policy.game)
    assert found.beatable
    as_x, as_o = (seat.line for seat in found.seats)
    assert as_x is None
    assert [game.move_name(action) for action in as_o[:2]] == ["a1", "b1"]
    state = game.start
    for action in as_o:
        assert game.player(state) == 0 or action == policy.act(state[None], np.zeros(1, np.uint64))[0]
        state = game.play(state, action)
    assert game.outcome(state) == (1, -1)
    assert found.seats[1].exploitability == 1
    # one of nine first moves leads there; the rest of the game is played without error
    assert abs(found.seats[1].vs_random.total_value_lost - 1 / 9) < 1e-12
    assert found.seats[0].vs_random.total_value_lost == 0
    assert found.seats[1].positions - found.seats[1].optimal_positions == 1
    assert [(seat.keeps_start, seat.lost_at) for seat in found.seats] == [(True, None), (False, 1)]
    assert "no, lost at ply 1" in str(found)


def test_a_policy_that_is_wrongly_said_to_be_symmetric_is_noticed(monkeypatch):
    policy = table_of(ludus.make_policy("perfect", "tictactoe"))
    policy = TablePolicy(policy.game, given=policy)
    expected = grade_exact(policy, policy.game).document()
    monkeypatch.setattr(TablePolicy, "symmetric", True)
    assert grade_exact(policy, policy.game).document() == expected


# ---- by recursion in fractions


class Some(Random):
    """Takes one or two actions in each position, with odd probabilities."""

    symmetric = False

    def weights(self, state):
        legal, rng = self.game.legal_actions(state), np.random.default_rng([5, *state.tolist()])
        chosen = rng.choice(legal, min(len(legal), 2), replace=False).tolist()
        numbers = [int(number) for number in rng.integers(1, 6, len(chosen))]
        return {action: Fraction(number, sum(numbers)) for action, number in zip(chosen, numbers, strict=True)}

    def probabilities(self, states):
        every = range(self.game.num_actions)
        return np.array([[float(weights.get(action, 0)) for action in every] for weights in map(self.weights, states)])


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1+2+3", "nim:heaps=2+2+3,limit=2,misere=true"])
def test_every_number_is_what_recursion_in_fractions_finds(spec):
    game = make_game(spec)
    policy = Some(game)
    found = grade_exact(policy, game)
    for seat, graded in enumerate(found.seats):
        naive = Naive(game, policy.weights, seat)
        for expected, opponent in ((graded.vs_random, uniform(game)), (graded.vs_perfect, best_only(game, naive.values))):
            exactly = naive.expected(opponent)
            assert expected.unfinished == 0
            assert max(abs(float(a) - b) for a, b in zip(exactly, expected[:6], strict=True)) < 1e-12
        assert abs(graded.exploitability - float(naive.response())) < 1e-12
        assert (graded.positions, graded.optimal_positions) == naive.positions()
        assert (graded.line and len(graded.line)) == naive.shortest_loss()
        assert abs(graded.value_lost_per_game - graded.vs_perfect.total_value_lost) < 1e-12  # nobody else loses value
        assert [row.number for row in graded.by_ply] == [*range(seat, graded.by_ply[-1].number + 1, 2)]
        for rows in (graded.by_ply, graded.by_choice):  # a move loses value only where there is something to choose
            assert sum(row.total_value_lost for row in rows) == pytest.approx(graded.vs_random.total_value_lost)
        assert sum(row.moves for row in graded.by_ply) == pytest.approx(graded.vs_random.moves)
        assert sum(row.moves for row in graded.by_choice) < graded.vs_random.moves


# ---- what holds of every small game


@pytest.mark.parametrize("spec", SMALL)
def test_values_from_the_graph_are_those_of_the_oracle(spec):
    game = make_game(spec)
    graph = explore(game)
    some = np.random.default_rng(0).permutation(len(graph))[:4000]
    assert np.array_equal(values.values_of(game, graph.states[some], None), make_oracle(game).values(graph.states[some]))


@pytest.mark.parametrize("spec", SMALL)
def test_a_graph_has_every_legal_move_and_leads_where_the_game_does(spec):
    game = make_game(spec)
    graph = explore(game)
    assert np.array_equal(graph.states[0], game.start)
    counts = np.diff(graph.starts)
    assert np.array_equal(graph.states[graph.targets], game.plays(np.repeat(graph.states, counts, axis=0), graph.actions))
    assert np.array_equal(counts, game.masks(graph.states).sum(axis=1))
    assert len(np.unique(graph.states, axis=0)) == len(graph)
    for position in range(0, len(graph), max(1, len(graph) // 50)):
        state = game.start
        for action in graph.line(position):
            state = game.play(state, action)
        assert np.array_equal(state, graph.states[position])


@pytest.mark.parametrize("spec", SMALL)
def test_perfect_play_loses_no_value_and_wins_what_is_won(spec):
    found = grade_exact("perfect", spec)
    assert (found.value_lost, found.value_lost_per_game) == (0, 0)
    for seat in found.seats:
        assert seat.exploitability == pytest.approx(-seat.start_value, abs=1e-11)
        assert (seat.keeps_start, seat.lost_at) == (True, None)
        assert seat.beatable == (seat.start_value == -1)


# ---- policies that do not give their probabilities


def test_a_policy_that_does_not_give_its_probabilities_is_frozen():
    found = grade_exact("mcts:simulations=4", "tictactoe", seed=3)
    assert found.frozen
    assert found.document() == grade_exact("mcts:simulations=4", "tictactoe", seed=3).document()
    others = [grade_exact("mcts:simulations=4", "tictactoe", seed=seed) for seed in range(4, 8)]
    assert len({other.win_rate_vs_random for other in others}) > 1


# ---- where there is no oracle, and what cannot be graded


def test_where_values_are_unknown_every_number_that_needs_none_is_the_same(monkeypatch):
    known = grade_exact("random", "nim:heaps=2+3+2")
    for module in ("ludus.arena.grading.exact", "ludus.oracles.values"):
        monkeypatch.setattr(f"{module}.is_searched", lambda game: True)
    found = grade_exact("random", "nim:heaps=2+3+2")
    document = found.document()
    same = {name for name, value in known.document().items() if document[name] == value}
    assert {"beatable", "line", "exploitability", "win_rate_vs_random", "exploitability_by_seat", "positions"} <= same
    assert {str(document[name]) for name in document.keys() - same - {"by_ply", "graded_rate"}} == {"None", "[None, None]"}
    assert (document["graded_rate"], known.graded_rate) == (0.0, 1.0)
    assert [[row["moves"] for row in rows] for rows in document["by_ply"]] == [[row.moves for row in s.by_ply] for s in known.seats]
    assert "The values of its positions are not known" in str(found)


def test_too_many_positions_are_named_with_the_seat():
    with pytest.raises(ValueError, match="more than 10,000 positions of quixo:size=4 can come up against greedy as X, too many"):
        grade_exact("greedy", "quixo:size=4", largest=10_000)


def test_answers_that_are_no_answers_are_named():
    game = make_game("tictactoe")
    taken = FunctionPolicy(game, function=lambda states, keys: np.zeros(len(states), np.int64), title="a1")
    with pytest.raises(ValueError, match=r"the policy a1 answers '.* X' with a1, which is not legal there"):
        grade_exact(taken, taken.game)

    class Wrong(type(ludus.make_policy("random", game))):
        def probabilities(self, states):
            return game.masks(states) / 9

    with pytest.raises(ValueError, match=r"gives invalid probabilities: .* add up to 1"):
        grade_exact(Wrong(game), game)


# ---- what keeps a grade from being exact: randomness or a memory of the policy's own


def unseeded(observations, masks):
    """Random logits, by a generator of its own."""
    return np.random.default_rng().random(masks.shape)


class Drifting(Random):
    """Gives probabilities that change at each call."""

    def probabilities(self, states):
        chances = np.random.default_rng().random((len(states), self.game.num_actions)) * self.game.masks(states)
        return chances / chances.sum(1, keepdims=True)


@pytest.mark.parametrize("policy", [unseeded, Drifting(ludus.make_game("tictactoe"))], ids=["answers", "probabilities"])
def test_a_grade_of_answers_that_change_is_not_called_exact(policy):
    graded = grade_exact(policy, "tictactoe")
    assert graded.document()["exact"] is False
    assert "exactly" not in str(graded)
    assert "gives other answers when it is asked again with the same keys" in str(graded)


def test_an_exact_grade_says_that_it_leaves_out_a_memory():
    graded, plain = (grade_exact(f"mcts:simulations=10,reuse={reuse}", "tictactoe") for reuse in ("true", "false"))
    assert (graded.exact, graded.document()["without_memory"], plain.document()["without_memory"]) == (True, True, False)
    assert "exactly, without its memory" in str(graded)
    assert "In matches mcts:simulations=10,reuse=true remembers something between moves" in str(graded)
    assert "in tictactoe, exactly" in str(plain)


# ---- answers that are kept in a file


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


def test_a_file_of_another_policy_or_of_no_answers_is_left_alone(tmp_path):
    kept = tmp_path / "kept"
    grade_exact("greedy", "tictactoe", answers=kept)
    contents = kept.read_bytes(), kept.read_bytes(), b"something else\n"
    for policy, game, before in zip(("random", "greedy", "greedy"), ("tictactoe", "nim", "tictactoe"), contents, strict=True):
        kept.write_bytes(before)
        with pytest.raises(ValueError, match=f"does not have the answers of {policy} in {game}; name another file"):
            grade_exact(policy, game, answers=kept)
        assert kept.read_bytes() == before


def test_a_policy_that_has_changed_is_found_out(tmp_path):
    grade_exact(counting([]), "quixo:size=3", answers=tmp_path / "kept")
    with pytest.raises(ValueError, match=r"last legal now answers '.* X' otherwise than .*kept says; name another file"):
        grade_exact(counting([], shift=1), "quixo:size=3", answers=tmp_path / "kept")
