"""Exact grades: by known results, by recursion in fractions, of frozen policies, and what cannot be graded."""

from fractions import Fraction

import numpy as np
import pytest

import ludus
from ludus.agents import FunctionPolicy
from ludus.agents.table import TablePolicy
from ludus.arena.grading import grade_exact
from ludus.envs import make_game
from ludus.games.kernels.rules import ONGOING
from ludus.oracles import make_oracle, values
from ludus.oracles.statespace.graph import explore
from ludus.oracles.statespace.table import Table

from ...naive.grading import Naive, best_only, drop, kept, uniform

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


@pytest.mark.parametrize("name", ["random", "greedy"])
@pytest.mark.parametrize("spec", ["tictactoe", "quixo:size=3", "othello:size=4"])
def test_symmetric_positions_count_as_one_and_change_no_number(monkeypatch, spec, name):
    policy = ludus.make_policy(name, spec)
    together = grade_exact(policy, policy.game)
    monkeypatch.setattr(type(policy), "symmetric", False)
    apart = grade_exact(policy, policy.game)
    assert together.best_response.table.symmetric > apart.best_response.table.symmetric
    for one, other in zip(together.seats, apart.seats, strict=True):
        counts = [(seat.positions, seat.optimal_positions, seat.start_value, seat.line and len(seat.line)) for seat in (one, other)]
        assert counts[0] == counts[1]
        numbers = [[*seat.vs_random, *seat.vs_perfect, seat.exploitability] for seat in (one, other)]
        assert np.allclose(*numbers, 0, 1e-10)


def test_a_policy_that_is_wrongly_said_to_be_symmetric_is_noticed(monkeypatch):
    policy = TablePolicy(make_game("tictactoe"), given=table_of(ludus.make_policy("perfect", "tictactoe")))
    expected = grade_exact(policy, policy.game).document()
    monkeypatch.setattr(TablePolicy, "symmetric", True)
    found = grade_exact(policy, policy.game)
    assert not found.best_response.table.symmetric
    assert found.document() == expected


# ---- by recursion in fractions


def some_policy(game, seed):
    """A policy that takes one or two actions in each position, with odd probabilities."""

    def weights(state):
        legal = game.legal_actions(state)
        rng = np.random.default_rng([seed, *state.tolist()])
        chosen = rng.choice(legal, min(len(legal), 2), replace=False).tolist()
        numbers = [int(number) for number in rng.integers(1, 6, len(chosen))]
        return {action: Fraction(number, sum(numbers)) for action, number in zip(chosen, numbers, strict=True)}

    graph = explore(game)
    states = graph.states[graph.outcomes == ONGOING]
    chances = np.zeros((len(states), game.num_actions))
    for row, state in enumerate(states):
        for action, chance in weights(state).items():
            chances[row, action] = float(chance)
    return weights, TablePolicy(game, given=Table(game, states, chances), title="some")


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=1+2+3", "nim:heaps=2+2+3,limit=2,misere=true"])
def test_every_number_is_what_recursion_in_fractions_finds(spec):
    game = make_game(spec)
    weights, policy = some_policy(game, 5)
    found = grade_exact(policy, policy.game)
    for seat, graded in enumerate(found.seats):
        naive = Naive(game, weights, seat)
        for expected, opponent in ((graded.vs_random, uniform(game)), (graded.vs_perfect, best_only(game, naive.values))):
            exactly = naive.expected(opponent)
            assert expected.unfinished == 0
            assert max(abs(float(a) - b) for a, b in zip(exactly, expected[:6], strict=True)) < 1e-12
        assert abs(graded.exploitability - float(naive.response())) < 1e-12
        assert (graded.positions, graded.optimal_positions) == naive.positions()
        assert (graded.line and len(graded.line)) == naive.shortest_loss()
        assert abs(graded.value_lost_per_game - graded.vs_perfect.total_value_lost) < 1e-12  # nobody else loses value


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
    monkeypatch.setattr("ludus.arena.grading.exact.is_searched", lambda game: True)
    monkeypatch.setattr("ludus.oracles.values.is_searched", lambda game: True)
    spec = "nim:heaps=2+3+2"
    found = grade_exact("random", spec)
    document, text = found.document(), str(found)
    monkeypatch.undo()
    known = grade_exact("random", spec)
    same = {name for name, value in known.document().items() if document[name] == value}
    assert {"beatable", "line", "exploitability", "win_rate_vs_random", "exploitability_by_seat", "positions"} <= same
    assert {str(document[name]) for name in document.keys() - same - {"by_ply", "graded_rate"}} == {"None", "[None, None]"}
    assert (document["graded_rate"], known.graded_rate) == (0.0, 1.0)
    assert [[row["moves"] for row in rows] for rows in document["by_ply"]] == [[row.moves for row in s.by_ply] for s in known.seats]
    assert all(row["value_lost"] is None for rows in document["by_ply"] for row in rows)
    assert "The values of its positions are not known" in text
    assert ("the start is" in text, "the start is" in str(known), "can be beaten" in text) == (False, True, True)


@pytest.mark.parametrize("spec", ["othello:size=6", "quixo:max_plies=50", "connect_four:rows=4,columns=7"])
def test_a_game_too_large_is_named_at_once_with_what_is_possible(spec):
    with pytest.raises(ValueError, match=r"has too many positions for an exact grade\. It is possible for tictactoe"):
        grade_exact("random", spec)


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
