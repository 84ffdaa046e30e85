"""The oracle of any game: what it says of small games as a whole, and of large ones by search, is what brute force finds."""

import pytest

import ludus
from ludus.arena import grade, grade_exact
from ludus.oracles import OUT_OF_REACH, UNKNOWN, Solution, make_oracle
from ludus.oracles.searched import SearchOracle
from ludus.oracles.values import is_searched
from ludus.search import Watch

from ..helpers.agents.searched import endings
from ..helpers.games import positions
from ..helpers.outside.maze import ENDS, GRAPHS, NODES, Maze, solved_by_hand
from ..naive.search import solved, solved_after

GRAPH = pytest.mark.parametrize("game", [Maze(number) for number in range(GRAPHS)], ids=str)


# ---- whole games


@GRAPH
def test_a_small_game_is_solved_as_a_whole_with_cycles_and_two_moves_in_a_row(game):
    oracle, known = make_oracle(game), solved_by_hand(game)
    reached = [n for n in range(NODES) if oracle.reaches(game.parse(str(n))) and ENDS[game.graph, n] == 2]
    assert reached
    for n in reached:
        state = game.parse(str(n))
        solution = oracle.solve(state)
        assert (solution.value, solution.distance) == known[n]
        reported = {action: oracle.solve(game.play(state, action)).value for action in game.legal_actions(state)}
        same = {action: game.player(game.play(state, action)) == game.player(state) for action in reported}
        assert list(solution.best) == [a for a in reported if (reported[a] if same[a] else -reported[a]) == solution.value]


def test_all_positions_of_a_whole_game_are_counted():
    oracle = SearchOracle(ludus.make_game("tictactoe"))
    assert sum(oracle.counts()) == 5478  # facts: reachable positions
    assert SearchOracle(ludus.make_game("tictactoe"), positions=5477).counts() is None


@pytest.mark.parametrize("spec", ["quixo:size=3", "nim:heaps=3+4+5"])
def test_a_whole_game_is_what_the_game_s_own_oracle_knows(spec):
    game = ludus.make_game(spec)
    own, any_game = make_oracle(game), SearchOracle(game)
    for state in positions(game, 200, seed=1)[::3]:
        reported, wanted = any_game.solve(state), own.solve(state)
        assert (reported.value, reported.best) == (wanted.value, wanted.best)
        assert reported.distance == wanted.distance or spec.startswith("nim")


# ---- search


@GRAPH
def test_a_search_says_nothing_of_endless_play_and_is_right_about_the_rest(game):
    oracle, known = SearchOracle(game, positions=1, nodes=20_000), solved_by_hand(game)
    for n in range(NODES):
        solution = oracle.solve(game.parse(str(n)))
        value, distance = known[n]
        assert solution.value in (value, None)
        if value:
            assert (solution.value, solution.distance) == (value, distance)


def test_a_search_finds_values_distances_and_best_actions_of_tictactoe():
    game = ludus.make_game("tictactoe")
    own, searched = make_oracle(game), SearchOracle(game, positions=1)
    assert own.solve(game.start) == Solution(0, tuple(range(9)), None)
    for state in positions(game, 200, seed=2)[::4]:
        assert searched.solve(state) == own.solve(state)
        assert searched.choices(state) == own.choices(state)
    states = positions(game, 100, seed=3)
    assert searched.values(states).tolist() == own.values(states).tolist()
    assert searched.solve(game.parse("XXXOO---- O")) == Solution(-1, (), 0)
    assert not searched.reaches(game.start)


def test_where_a_limit_hides_best_actions_the_solution_says_so():
    game = ludus.make_game("tictactoe")
    own, searched, marked = make_oracle(game), SearchOracle(game, positions=1), 0
    for state in positions(game, 60, seed=4):
        for nodes in (5, 20, 80, 300):
            solution = searched.solve(state, Watch(nodes=nodes))
            if solution.value is not None:
                assert {*solution.best} <= {*own.solve(state).best}
                assert not solution.all_best or solution.best == own.solve(state).best
                marked += not solution.all_best
    assert marked


def test_a_search_that_comes_to_its_limit_does_not_know(hexes):
    oracle = make_oracle(hexes, nodes=1000)
    assert not oracle.reaches(hexes.start)
    assert oracle.solve(hexes.start) == UNKNOWN
    assert oracle.choose(hexes.start, 0) is None
    assert oracle.values(hexes.start[None]).tolist() == [OUT_OF_REACH]
    watch = Watch(nodes=5000)
    assert oracle.solve(hexes.start, watch) == UNKNOWN
    assert 5000 <= watch.nodes < 6000


@pytest.mark.parametrize(("own", "results"), [(False, {1, -1}), (True, {1, 0, -1})])
def test_endings_of_a_game_are_worth_what_brute_force_finds(hexes, own, results):
    game = ludus.make_game("connect_four") if own else hexes  # of which one has draws, and the other is from outside
    oracle, known = SearchOracle(game), {}
    seen = set()
    for state in endings(game, 40, 8):
        value = solved(game, state, known)
        solution = oracle.solve(state)
        assert solution.value == value
        after = {action: solved_after(game, state, action, known) for action in game.legal_actions(state)}
        assert list(solution.best) == [action for action in after if after[action] == value]
        seen.add(value)
    assert seen == results


def test_a_watch_has_a_search_go_on_until_it_knows(hexes):
    short = make_oracle(hexes, nodes=100)
    state = next(state for state in endings(hexes, 20, 16) if short.solve(state) == UNKNOWN)
    assert short.solve(state, Watch()) == make_oracle(hexes, nodes=10**8).solve(state) != UNKNOWN


# ---- what asks it


@GRAPH
def test_perfect_loses_no_value_and_comes_to_the_end_of_what_is_won(game):
    exact = grade_exact("perfect", game)
    assert exact.value_lost_per_game == pytest.approx(0)
    assert exact.optimal_position_rate == 1
    for seat in exact.seats:
        assert seat.start_value != 1 or (seat.vs_random.win_rate, seat.exploitability) == (pytest.approx(1), -1)


def test_moves_of_a_large_game_from_outside_are_graded_where_a_search_settles_them(hexes):
    assert is_searched(hexes)
    found = grade("random", hexes, games=20, most=100)
    assert 10 < found.graded.sum() <= 100
    assert found.value_lost > 0
    assert found.document() == grade("random", hexes, games=20, most=100).document()
