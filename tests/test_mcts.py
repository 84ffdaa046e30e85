"""Monte-Carlo tree search: its counts are those of a slow twin, its proofs those of brute force, its signs right in every game."""

import numpy as np
import pytest

import ludus
from ludus.agents.mcts import Mcts
from ludus.agents.policy import settings_of
from ludus.agents.search import forest as forests
from ludus.agents.search import mcts as playouts
from ludus.agents.search.guided import GuidedSearch
from ludus.agents.search.mcts import PlayoutSearch
from ludus.agents.search.tree import (
    ACTION,
    CHOOSER,
    COUNT,
    FIRST,
    KNOWN,
    PARENT,
    ROOT,
    TOTAL,
    UNKNOWN,
    USED,
    VISITS,
)  # fmt: skip
from ludus.envs import set_threads

from .conftest import VARIANTS
from .naive.mcts import Draws, Search
from .naive.search import solved
from .test_policies import keys, positions

every_variant = pytest.mark.parametrize("spec", VARIANTS)
FIELDS = ("actions", "visits", "values", "proofs", "action_values", "action_proofs", "simulations")


def states_of(game, count, seed=0):
    """Unfinished positions from all over the game."""
    return positions(game, count * 7, seed)[::7]


def same(found, other):
    return all(np.array_equal(getattr(found, name), getattr(other, name)) for name in FIELDS)


def assessment(game, state):
    """Priors and a value that follow from a state in some fixed way; in 64ths, so that sums are exact."""
    random = np.random.default_rng([int(word) for word in state])
    return random.integers(1, 64, game.actions) / 64, random.integers(-64, 65) / 64


def assessments(game):
    def evaluate(leaves):
        told = [assessment(game, leaf) for leaf in leaves]
        return np.array([priors for priors, _ in told]), np.array([value for _, value in told])

    return evaluate


def counts(root, game):
    visits = np.zeros(game.actions, np.int64)
    for action, child in root.children.items():
        visits[action] = child.visits
    return visits.tolist()


# ---- counts


def test_a_tree_of_two_moves_grows_as_worked_out_by_hand():
    """Two objects: taking one (a0) leaves one, taking both (a1) wins. c = 1, priors ½ and ½, every unfinished game worth 0.

    simulation  √N    claim of a0              claim of a1               goes to
    1           1     0 + 1 · ½/1 = 0.5        0 + 1 · ½/1 = 0.5         a0, the first; worth 0
    2           √2    0 + √2 · ½/2 = 0.35      0 + √2 · ½/1 = 0.71       a1, won
    3           √3    0 + √3 · ½/2 = 0.43      1 + √3 · ½/2 = 1.43       a1
    4           2     0 + 2 · ½/2 = 0.5        1 + 2 · ½/3 = 1.33        a1
    """
    game = ludus.make_game("nim", heaps=(2,))
    states = game.start[None]

    def evaluate(leaves):
        return np.ones((len(leaves), 2)), np.zeros(len(leaves))

    found = GuidedSearch(game, simulations=4, exploration=1.0, solver=False).search(states, evaluate)
    assert found.visits.tolist() == [[1, 3]]
    assert found.action_values.tolist() == [[0.0, 1.0]]
    assert found.values.tolist() == [3 / 5]  # of the root's own value, 0, and of 0, 1, 1, 1
    assert found.actions.tolist() == [1]
    assert found.proofs.tolist() == [UNKNOWN]

    proven = GuidedSearch(game, simulations=4, exploration=1.0).search(states, evaluate)
    assert proven.simulations.tolist() == [0]  # that a1 wins is seen at once
    assert proven.visits.tolist() == [[0, 0]]
    assert proven.proofs.tolist() == [1]
    assert proven.action_proofs.tolist() == [[UNKNOWN, 1]]


@every_variant
@pytest.mark.parametrize(
    "settings",
    [{}, {"solver": False}, {"exploration": 0.3, "rollouts": 3}, {"exploration": 4.0, "rollout_plies": 3}],
    ids=lambda settings: ",".join(settings) or "usual",
)
def test_counts_with_playouts_are_those_of_the_slow_twin(spec, settings):
    game = ludus.make_game(spec)
    states = np.concatenate([game.start[None], states_of(game, 3)])
    some_keys = keys(len(states))
    settings = {"exploration": 1.4, **settings}
    found = PlayoutSearch(game, simulations=90, **settings).search(states, some_keys)
    for i, (state, key) in enumerate(zip(states, some_keys, strict=True)):
        root, done = Search(game, draws=Draws(int(key)), **settings).run(state, 90)
        side = 1 - 2 * game.player(state)
        assert found.visits[i].tolist() == counts(root, game)
        assert found.simulations[i] == done
        assert found.proofs[i] == (UNKNOWN if root.known is None else root.known * side)
        assert found.values[i] == pytest.approx(side * (root.total / root.visits if root.known is None else root.known))


@every_variant
@pytest.mark.parametrize("formula", ["puct", "uct"])
@pytest.mark.parametrize("solver", [True, False])
def test_counts_with_priors_and_values_are_those_of_the_slow_twin(spec, formula, solver):
    game = ludus.make_game(spec)
    states = np.concatenate([game.start[None], states_of(game, 4, seed=1)])
    found = GuidedSearch(game, 60, exploration=1.25, formula=formula, solver=solver).search(states, assessments(game))
    for i, state in enumerate(states):
        twin = Search(game, 1.25, formula, solver, evaluate=lambda state: assessment(game, state))
        root, done = twin.run(state, 60)
        side = 1 - 2 * game.player(state)
        assert found.visits[i].tolist() == counts(root, game)
        assert found.simulations[i] == done
        assert found.proofs[i] == (UNKNOWN if root.known is None else root.known * side)
        assert found.values[i] == pytest.approx(side * (root.total / root.visits if root.known is None else root.known))


@pytest.mark.parametrize(
    ("spec", "expected"),
    # facts: random against random, player 0's wins less player 1's (X 737/1260, O 121/420; first 53 %; 49.5 and 48.5 %)
    [("tictactoe", 737 / 1260 - 121 / 420), ("quixo", 0.06), ("quarto", 0.010)],
)
def test_playouts_end_as_random_games_do(spec, expected):
    game = ludus.make_game(spec)
    found = PlayoutSearch(game, simulations=1, rollouts=10, solver=False).search(
        np.repeat(game.start[None], 4000, axis=0), keys(4000)
    )
    assert found.values.mean() == pytest.approx(expected, abs=0.02)


def test_playouts_that_do_not_end_count_as_drawn():
    game = ludus.make_game("quixo")
    found = PlayoutSearch(game, simulations=50, rollout_plies=2).search(game.start[None], keys(1))
    assert found.values.tolist() == [0.0]
    assert found.action_values.tolist() == [[0.0] * game.actions]


@every_variant
def test_every_simulation_is_counted_once(spec):
    game = ludus.make_game(spec)
    states = states_of(game, 20)
    found = PlayoutSearch(game, simulations=150).search(states, keys(20))
    assert (found.visits.sum(axis=1) == found.simulations).all()
    assert (found.visits[game.masks(states) == 0] == 0).all()
    assert (found.simulations[found.proofs == UNKNOWN] == 150).all()
    guided = GuidedSearch(game, simulations=70, leaves=4).search(states, assessments(game))
    assert (guided.visits.sum(axis=1) == guided.simulations).all()


# ---- proofs


def endings(game, count, empty, seed=0):
    """Unfinished positions with at most so many empty cells, all different (in Nim, with any heaps)."""
    found, wanted = {}, 16 if game.name == "quarto" else 99
    while len(found) < count:
        for state in positions(game, 600, seed):
            if game.name == "nim" or game.text(state)[:wanted].count("-") <= empty:
                found[state.tobytes()] = state
        seed += 1
    return np.array(list(found.values())[:count])


def value_after(game, state, action, known):
    """What an action is worth with perfect play, for the player who takes it."""
    after = game.play(state, action)
    return solved(game, after, known) * (1 if game.player(after) == game.player(state) else -1)


@pytest.mark.parametrize(
    ("spec", "count", "empty"),
    [
        ("tictactoe", 100, 9),
        ("nim:heaps=2+3+4", 20, None),
        ("nim:heaps=2+3+4,misere=true", 20, None),
        ("nim:heaps=4+5,limit=3", 20, None),
        ("quarto", 40, 4),
        ("quarto:squares=true", 40, 4),
        ("othello:size=4", 40, 6),
    ],
)
def test_proofs_are_what_brute_force_finds(spec, count, empty):
    game = ludus.make_game(spec)
    states, known = endings(game, count, empty), {}
    found = PlayoutSearch(game, simulations=200_000, exploration=10.0).search(states, keys(count))
    assert found.proofs.tolist() == [solved(game, state, known) for state in states]
    for i, state in enumerate(states):
        for action in game.legal_actions(state):
            if found.action_proofs[i, action] != UNKNOWN:
                assert found.action_proofs[i, action] == value_after(game, state, action, known)
        assert found.action_proofs[i, found.actions[i]] == found.proofs[i]
    assert set(found.proofs.tolist()) >= {-1, 1}


def test_tic_tac_toe_is_proven_drawn_from_the_start():
    game = ludus.make_game("tictactoe")
    found = PlayoutSearch(game, simulations=200_000, exploration=10.0).search(game.start[None], keys(1))
    assert found.proofs.tolist() == [0]
    assert found.simulations[0] < 100_000


@pytest.fixture(scope="module")
def small_quixo():
    """The values of all positions of 3×3 Quixo for their movers: 1, -1, and 0 where nobody can force a line (there is none)."""
    game = ludus.make_game("quixo:size=3")
    cells = np.array(list(np.ndindex(*[3] * 9)))
    x, o = ((cells == mark) @ (1 << np.arange(9)) for mark in (1, 2))
    states = np.concatenate([(x | o << 32 | mover << 25 | 3 << 26)[:, None] for mover in (0, 1)]).astype(np.uint64)
    places = {int(word): i for i, word in enumerate(states[:, 0])}
    ends, movers = game.outcomes(states), game.players(states).astype(np.int64)
    values = np.where(ends == 2, 0, ends * (1 - 2 * movers))
    after = np.full((len(states), game.actions), -1)
    masks = game.masks(states)
    for action in range(game.actions):
        rows = np.flatnonzero(masks[:, action])
        after[rows, action] = [places[int(word)] for (word,) in game.plays(states[rows], np.full(len(rows), action))]
    while True:
        best = np.where(after >= 0, -values[after], -1).max(axis=1)
        improved = np.where(ends == 2, best, values)
        if (improved == values).all():
            return game, states[ends == 2], values[ends == 2]
        values = improved


def test_all_positions_of_small_quixo_have_the_published_values(small_quixo):
    """Tanaka and others, arXiv 2007.15895, and facts: the start is won; 12748 of 19683 boards are, for the side to move."""
    game, states, values = small_quixo
    assert values[(states == game.start).all(axis=1)].tolist() == [1]
    assert set(values.tolist()) == {1, -1}


def test_wins_in_small_quixo_are_proven_and_nothing_else(small_quixo):
    game, states, values = small_quixo
    chosen = np.random.default_rng(0).choice(len(states), 300, replace=False)
    found = PlayoutSearch(game, simulations=3000).search(states[chosen], keys(300))
    proven = found.proofs != UNKNOWN
    assert proven.sum() > 200
    assert (found.proofs[proven] == values[chosen][proven]).all()
    assert set(found.proofs[proven].tolist()) == {1, -1}


def test_without_the_solver_nothing_is_proven():
    game = ludus.make_game("tictactoe")
    state = game.position("XX-OO---- X")
    found = PlayoutSearch(game, simulations=500, solver=False).search(state[None], keys(1))
    assert found.proofs.tolist() == [UNKNOWN]
    assert set(found.action_proofs.flatten().tolist()) == {UNKNOWN}
    assert found.simulations.tolist() == [500]
    assert found.actions.tolist() == [2]


def test_a_proven_loss_is_entered_no_more():
    """X to move must block at c2: after any other move O wins at once, and one visit more proves it."""
    game = ludus.make_game("tictactoe")
    state = game.position("X--OO-X-- X")
    found = PlayoutSearch(game, simulations=400).search(state[None], keys(1))
    lost = [action for action in game.legal_actions(state) if action not in (5, *wins(game, state))]
    assert lost
    assert (found.action_proofs[0, lost] == -1).all()
    assert found.visits[0, lost].max() <= 8
    assert found.actions.tolist() == [5]


# ---- signs


def wins(game, state):
    """The actions that win at once."""
    actions = game.legal_actions(state)
    after = game.plays(np.repeat(state[None], len(actions), axis=0), actions)
    return [a for a, result in zip(actions, game.outcomes(after), strict=True) if result == 1 - 2 * game.player(state)]


def with_wins(game, count):
    """Positions where some action, but not every, wins at once, some of each player."""
    found = {0: [], 1: []}
    for seed in range(100):
        for state in positions(game, 300, seed):
            if len(found[game.player(state)]) < count and 0 < len(wins(game, state)) < len(game.legal_actions(state)):
                found[game.player(state)].append(state)
        if min(map(len, found.values())) == count:
            break
    assert min(map(len, found.values())) > 2
    return np.array(found[0] + found[1])


# In misère Nim nobody wins by his own move, and on 8×8 hardly ever one of several moves wins at once.
@pytest.mark.parametrize("spec", [spec for spec in VARIANTS if "misere" not in spec and spec != "othello"])
@pytest.mark.parametrize("solver", [True, False])
def test_a_win_in_one_is_found(spec, solver):
    game, known = ludus.make_game(spec), {}
    states = with_wins(game, 8)
    found = PlayoutSearch(game, simulations=600, solver=solver).search(states, keys(len(states)))
    for state, action, visits, value in zip(states, found.actions, found.visits, found.values, strict=True):
        assert solver or action == visits.argmax()
        assert action in wins(game, state) or (not solver and value_after(game, state, int(action), known) == 1)
        assert value > 0.5


@pytest.mark.parametrize("spec", [spec for spec in VARIANTS if "misere" not in spec and spec != "othello"])
@pytest.mark.parametrize("formula", ["puct", "uct", "gumbel"])
def test_a_win_in_one_is_seen_without_a_simulation_however_unlikely_it_is_said_to_be(spec, formula):
    game = ludus.make_game(spec)
    states = with_wins(game, 8)

    def evaluate(leaves):
        priors = game.masks(leaves).astype(np.float64)
        for row, state in enumerate(leaves):
            priors[row, wins(game, state)] = 0.0
        return priors, -np.ones(len(leaves))

    found = GuidedSearch(game, simulations=1, formula=formula).search(states, evaluate)
    assert (found.proofs == 1).all()
    assert not found.simulations.any()
    for state, action, policy in zip(states, found.actions, found.policy, strict=True):
        assert action in wins(game, state)
        assert np.flatnonzero(policy).tolist() == wins(game, state)


@pytest.mark.parametrize("spec", ["quarto", "quarto:squares=true"])
@pytest.mark.parametrize("solver", [True, False])
def test_no_piece_is_given_that_wins_where_another_is_left(spec, solver):
    game = ludus.make_game(spec)
    chosen, safe = [], []
    for state in positions(game, 1500, seed=3):
        gives = [a for a in game.legal_actions(state) if a >= 16]
        losing = [a for a in gives if wins(game, game.play(state, a))]
        if gives and 0 < len(losing) < len(gives):
            chosen.append(state)
            safe.append(set(gives) - set(losing))
    chosen, safe = chosen[:40], safe[:40]
    assert {game.player(state) for state in chosen} == {0, 1}
    actions = PlayoutSearch(game, simulations=1500, solver=solver).search(np.array(chosen), keys(len(chosen))).actions
    assert all(action in harmless for action, harmless in zip(actions, safe, strict=True))


def test_who_places_and_then_gives_knows_that_it_is_he_who_gives():
    """Where a piece may be placed follows from which pieces are left to give afterwards, by the same player."""
    game, known = ludus.make_game("quarto"), {}
    states = [state for state in endings(game, 120, 4, seed=5) if int(state[1]) >> 36 & 1][:40]
    found = PlayoutSearch(game, simulations=3000, exploration=4.0, solver=False).search(np.array(states), keys(len(states)))
    told = 0
    for state, action in zip(states, found.actions, strict=True):
        values = [value_after(game, state, other, known) for other in game.legal_actions(state)]
        assert value_after(game, state, int(action), known) == max(values)
        told += len(set(values)) > 1
    assert told > 10


# ---- the same, whatever is beside it


@every_variant
def test_what_is_found_depends_on_state_and_key_alone(spec):
    game = ludus.make_game(spec)
    states, some_keys = states_of(game, 30), keys(30)
    search = PlayoutSearch(game, simulations=60)
    together = search.search(states, some_keys)
    order = np.random.default_rng(0).permutation(30)
    shuffled = search.search(states[order], some_keys[order])
    alone = [search.search(states[i : i + 1], some_keys[i : i + 1]) for i in range(30)]
    for name in FIELDS:
        expected = getattr(together, name)
        assert np.array_equal(getattr(shuffled, name), expected[order])
        assert np.array_equal(np.concatenate([getattr(found, name) for found in alone]), expected)
    assert not same(search.search(states, keys(30, seed=9)), together)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_what_is_found_does_not_depend_on_the_threads(threads, monkeypatch):
    game = ludus.make_game("othello:size=6")
    states = states_of(game, 40)
    expected = PlayoutSearch(game, simulations=100).search(states, keys(40))
    guided = GuidedSearch(game, simulations=20, leaves=3).search(states, assessments(game))
    monkeypatch.setattr("ludus.envs.threads.SMALLEST_BATCH", 1)
    monkeypatch.setattr("ludus.envs.threads.SMALLEST_PART", 1)
    set_threads(threads)
    try:
        assert same(PlayoutSearch(game, simulations=100).search(states, keys(40)), expected)
        assert same(GuidedSearch(game, simulations=20, leaves=3).search(states, assessments(game)), guided)
    finally:
        set_threads(None)


def test_what_is_found_does_not_depend_on_how_the_work_is_cut_up(monkeypatch):
    game = ludus.make_game("othello:size=6")
    states = states_of(game, 5)
    expected = PlayoutSearch(game, simulations=3000).search(states, keys(5))
    monkeypatch.setattr(playouts, "SLICE", 7)
    assert same(PlayoutSearch(game, simulations=3000).search(states, keys(5)), expected)


def test_a_tree_with_no_more_room_grows_no_more_and_is_searched_on(monkeypatch):
    game = ludus.make_game("tictactoe")
    free = PlayoutSearch(game, simulations=3000, solver=False).search(game.start[None], keys(1))
    monkeypatch.setattr(playouts, "SLICE", 7)
    monkeypatch.setattr(forests, "LARGEST", 64 * 300)
    found = PlayoutSearch(game, simulations=3000, solver=False).search(game.start[None], keys(1))
    assert found.simulations.tolist() == [3000]
    assert found.visits.sum() == 3000
    assert not same(found, free)


def test_a_guided_search_with_no_room_says_so(monkeypatch):
    monkeypatch.setattr(forests, "LARGEST", 64 * 300)
    game = ludus.make_game("othello")
    with pytest.raises(MemoryError, match=r"the trees of 2 positions have no room .* search fewer positions"):
        GuidedSearch(game, simulations=500).search(np.repeat(game.start[None], 2, axis=0), assessments(game))


# ---- trees that are kept


def subtree(nodes, values, node):
    """A node and all below it: visits, total for player 0, proof for player 0, children by action."""
    turn = 1 - 2 * nodes[node, CHOOSER]
    known = None if nodes[node, KNOWN] == UNKNOWN else int(nodes[node, KNOWN] * turn)
    first = nodes[node, FIRST]
    children = {int(nodes[c, ACTION]): subtree(nodes, values, c) for c in range(first, first + nodes[node, COUNT])}
    for c in range(first, first + nodes[node, COUNT]):
        assert nodes[c, PARENT] == node
    return int(nodes[node, VISITS]), float(values[node, TOTAL] * turn), known, children


@every_variant
@pytest.mark.parametrize("plies", [0, 1, 2, 4])
def test_a_kept_tree_is_the_part_below_the_position(spec, plies):
    game = ludus.make_game(spec)
    search = PlayoutSearch(game, simulations=4000, solver=game.name != "nim")
    for start in (game.start, game.play(game.start, game.legal_actions(game.start)[-1])):
        tree = search.plot()
        search.search(start[None], keys(1), [tree])
        nodes, values = tree.nodes[0].copy(), tree.values[0].copy()
        state, node = start, ROOT
        for _ in range(plies):
            children = nodes[nodes[node, FIRST] :][: nodes[node, COUNT]]
            if not len(children) or not children[:, VISITS].max():
                return
            node = nodes[node, FIRST] + children[:, VISITS].argmax()
            state = game.play(state, int(nodes[node, ACTION]))
        (kept,) = tree.begin(state[None], reuse=True)
        assert np.array_equal(replayed(game, nodes, kept, start), state)  # it may have been reached on another way
        assert nodes[kept, VISITS] >= nodes[node, VISITS]
        expected = subtree(nodes, values, kept)
        assert subtree(tree.nodes[0], tree.values[0], ROOT) == expected
        assert tree.nodes[0, ROOT, CHOOSER] == game.player(state)
        assert tree.books[0, USED] == size(expected)


def replayed(game, nodes, node, root):
    """The state at a node."""
    if node == ROOT:
        return root
    return game.play(replayed(game, nodes, nodes[node, PARENT], root), int(nodes[node, ACTION]))


def size(tree):
    return 1 + sum(map(size, tree[3].values()))


def test_a_kept_tree_is_searched_on_with_what_it_knew():
    game = ludus.make_game("othello")
    search = PlayoutSearch(game, simulations=500)
    tree = search.plot()
    first = search.search(game.start[None], keys(1), [tree])
    action = int(first.actions[0])
    state = game.play(game.start, action)
    again = search.search(state[None], keys(1, seed=1), [tree])
    assert again.simulations.tolist() == [500]
    assert again.visits.sum() == 500 + first.visits[0, action] - 1  # the first visit of a node is its own playout
    fresh = search.search(state[None], keys(1, seed=1))
    assert fresh.visits.sum() == 500


def test_a_position_that_the_tree_does_not_know_begins_anew():
    game = ludus.make_game("othello")
    search = PlayoutSearch(game, simulations=100)
    tree = search.plot()
    search.search(game.start[None], keys(1), [tree])
    other = positions(game, 30, seed=4)[25:26]
    assert same(search.search(other, keys(1), [tree]), search.search(other, keys(1)))


@every_variant
def test_games_are_played_to_their_end_with_trees_kept(spec):
    game = ludus.make_game(spec)
    games = 6
    kept, fresh = Mcts(game, simulations=40, reuse=True).begin(games), Mcts(game, simulations=40).begin(games)
    states = np.repeat(game.start[None], games, axis=0)
    playing = np.arange(games)
    for ply in range(30):
        some_keys = keys(games, seed=ply)
        alone = Mcts(game, simulations=40).act(states[playing], some_keys[playing])
        assert np.array_equal(fresh.act(states[playing], some_keys[playing], playing), alone)
        actions = kept.act(states[playing], some_keys[playing], playing)
        assert game.masks(states[playing])[np.arange(len(playing)), actions].all()
        states[playing] = game.plays(states[playing], actions)
        playing = playing[game.outcomes(states[playing]) == 2]
        if not len(playing):
            break


def test_kept_trees_that_take_too_much_memory_say_so(monkeypatch):
    monkeypatch.setattr("ludus.agents.mcts.LARGEST", 2**20)
    game = ludus.make_game("tictactoe")
    player = Mcts(game, reuse=True).begin(20)
    with pytest.raises(MemoryError, match=r"the trees that mcts keeps of 20 games take 4 MiB, more than 1; play fewer games"):
        player.act(game.start[None], keys(1), np.zeros(1, np.int64))


def test_kept_trees_depend_on_their_own_game_alone():
    game = ludus.make_game("othello:size=6")
    policy = Mcts(game, simulations=50, reuse=True)
    openings = states_of(game, 4)

    def moves(games):
        player, states, played = policy.begin(4), openings.copy(), []
        for ply in range(4):
            actions = player.act(states[games], keys(4, seed=ply)[games], games)
            states[games] = game.plays(states[games], actions)
            played.append(actions.tolist())
        return np.array(played)

    together = moves(np.arange(4))
    assert np.array_equal(moves(np.array([2, 0])), together[:, [2, 0]])


# ---- priors and values from outside


def uniform(game):
    return lambda leaves: (np.ones((len(leaves), game.actions)), np.zeros(len(leaves)))


def test_with_the_true_values_plugged_in_every_move_is_perfect():
    game, known = ludus.make_game("tictactoe"), {}
    states = np.unique(states_of(game, 150), axis=0)

    def evaluate(leaves):
        return np.ones((len(leaves), 9)), np.array([solved(game, leaf, known) for leaf in leaves])

    for settings in ({}, {"leaves": 3}, {"formula": "uct"}, {"solver": True}):
        found = GuidedSearch(game, 60, **{"solver": False, **settings}).search(states, evaluate)
        for state, action in zip(states, found.actions, strict=True):
            assert value_after(game, state, int(action), known) == solved(game, state, known)


def test_the_true_values_tell_in_quarto_too_where_a_player_acts_twice():
    game, known = ludus.make_game("quarto"), {}
    states = endings(game, 60, 4, seed=2)

    def evaluate(leaves):
        return np.ones((len(leaves), 32)), np.array([solved(game, leaf, known) for leaf in leaves])

    found = GuidedSearch(game, 120, solver=False).search(states, evaluate)
    for state, action in zip(states, found.actions, strict=True):
        assert value_after(game, state, int(action), known) == solved(game, state, known)


def test_priors_lead_the_search_and_those_of_illegal_actions_do_not_count():
    game = ludus.make_game("tictactoe")
    state = game.position("XO------- X")
    priors = np.zeros(9)
    priors[[0, 1, 4]] = 5.0, 5.0, 0.25  # a1 and b1 are taken
    found = GuidedSearch(game, 20).search(
        state[None], lambda leaves: (np.repeat(priors[None], len(leaves), axis=0), np.zeros(len(leaves)))
    )
    assert found.visits[0].tolist() == [0, 0, 0, 0, 20, 0, 0, 0, 0]


def test_priors_of_zero_for_every_legal_action_are_taken_as_equal():
    game = ludus.make_game("tictactoe")

    def nothing(leaves):
        return np.zeros((len(leaves), 9)), np.zeros(len(leaves))

    assert same(
        GuidedSearch(game, 50).search(game.start[None], nothing), GuidedSearch(game, 50).search(game.start[None], uniform(game))
    )


def test_noise_takes_its_share_of_the_priors_at_the_root_alone():
    game = ludus.make_game("tictactoe")
    state = game.position("XO------- X")
    noise = np.array([[9.0, 9.0, 3.0, 1.0, 0, 0, 0, 0, 0]])  # of the legal actions: three quarters c1, one quarter a2

    def evaluate(leaves):
        assert len(leaves) == 1
        return np.array([[0, 0, 0, 1.0, 1.0, 1.0, 1.0, 0, 0]]), [0.0]

    priors = {}
    for share in (0.0, 0.25, 1.0):
        search = GuidedSearch(game, 30, noise_share=share).begin(state[None], noise)
        for _ in range(6):
            search.take(*evaluate(search.select()))
        tree = search.forest
        first, count = tree.nodes[0, ROOT, FIRST], tree.nodes[0, ROOT, COUNT]
        priors[share] = tree.values[0, first : first + count, 3].tolist()
        inner = next(c for c in range(first, first + count) if tree.nodes[0, c, COUNT])
        below = tree.nodes[0, inner, FIRST]
        assert set(tree.values[0, below : below + tree.nodes[0, inner, COUNT], 3].tolist()) <= {0.0, 1 / 3, 1 / 4}
    assert priors[0.0] == [0, 0.25, 0.25, 0.25, 0.25, 0, 0]
    assert priors[0.25] == pytest.approx([0.1875, 0.25, 0.1875, 0.1875, 0.1875, 0, 0])
    assert priors[1.0] == pytest.approx([0.75, 0.25, 0, 0, 0, 0, 0])


def test_a_kept_root_gets_its_noise_once():
    game = ludus.make_game("tictactoe")
    guided = GuidedSearch(game, 40, noise_share=1.0)
    evaluate = uniform(game)

    def run(search):
        while len(leaves := search.select()):
            search.take(*evaluate(leaves))
        return search

    first = run(guided.begin(game.start[None]))
    action = int(first.found().visits[0].argmax())
    state = game.play(game.start, action)
    noise = np.zeros((1, 9))
    noise[0, (action + 1) % 9] = 1
    kept = guided.begin(state[None], noise, first)
    begin = kept.forest.nodes[0, ROOT, FIRST]
    assert kept.forest.values[0, begin : begin + 8, 3].tolist() == noise[0, game.legal_actions(state)].tolist()
    again = guided.begin(state[None], 1 - noise, kept)
    assert again.forest.values[0, begin : begin + 8, 3].tolist() == noise[0, game.legal_actions(state)].tolist()
    before = again.found().visits.sum()
    assert before > 0
    assert run(again).found().visits.sum() == before + 40


@every_variant
def test_leaves_in_flight_are_counted_as_lost_and_so_lie_apart(spec):
    game = ludus.make_game(spec)
    states = np.array([state for state in [game.start, *states_of(game, 60)] if not ends(game, state)][:8])
    search = GuidedSearch(game, simulations=40, leaves=6, exploration=2.0).begin(states)
    evaluate = uniform(game)
    assert np.array_equal(search.select(), states)  # at first each tree has but its root to ask about
    search.take(*evaluate(states))
    leaves = search.select()
    choices = [min(6, len(game.legal_actions(state))) for state in states]
    assert len(leaves) == sum(choices)
    for state, rows in zip(states, np.split(leaves, np.cumsum(choices)[:-1]), strict=True):
        following = game.plays(np.repeat(state[None], len(rows), axis=0), game.legal_actions(state)[: len(rows)])
        assert np.array_equal(rows, following)  # priors and values being equal, the first actions come first
    search.take(*evaluate(leaves))
    while len(leaves := search.select()):
        search.take(*evaluate(leaves))
    found = search.found()
    assert (found.visits.sum(axis=1) == found.simulations).all()


def ends(game, state):
    """Whether some action ends the game."""
    actions = game.legal_actions(state)
    return (game.outcomes(game.plays(np.repeat(state[None], len(actions), axis=0), actions)) != 2).any()


def test_counting_as_lost_leaves_no_trace():
    """The root's value is the average of all that was said, each from the side of the root's player."""
    game = ludus.make_game("othello")
    heard = []

    def evaluate(leaves):
        priors, values = assessments(game)(leaves)
        heard.extend((values * np.where(game.players(leaves) == 0, 1, -1)).tolist())
        return priors, values

    found = GuidedSearch(game, simulations=64, leaves=8).search(game.start[None], evaluate)
    assert len(heard) == 65
    assert found.values.tolist() == [sum(heard) / 65]


def test_leaves_have_to_be_told_about_before_the_next():
    game = ludus.make_game("tictactoe")
    search = GuidedSearch(game, 10).begin(game.start[None])
    search.select()
    with pytest.raises(RuntimeError, match="still wait for their priors and values"):
        search.select()
    with pytest.raises(RuntimeError, match="still wait for their priors and values"):
        GuidedSearch(game, 10).begin(game.start[None], kept=search)


@pytest.mark.parametrize(
    ("priors", "values", "words"),
    [
        (np.ones((1, 8)), np.zeros(1), r"priors of shape \(1, 9\) .* not \(1, 8\)"),
        (np.ones((1, 9)), np.zeros(2), r"values of shape \(1,\), not .* \(2,\)"),
        (np.full((1, 9), -1.0), np.zeros(1), "numbers of 0 or more"),
        (np.full((1, 9), np.nan), np.zeros(1), "numbers of 0 or more"),
        (np.ones((1, 9)), np.full(1, np.nan), "values are numbers"),
    ],
)
def test_answers_that_cannot_be_are_refused_and_may_be_given_again(priors, values, words):
    game = ludus.make_game("tictactoe")
    search = GuidedSearch(game, 10).begin(game.start[None])
    search.select()
    with pytest.raises(ValueError, match=words):
        search.take(priors, values)
    search.take(np.ones((1, 9)), np.zeros(1))
    assert len(search.select()) == 1


# ---- settings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"simulations": 0}, "simulations is 0; .* takes 1 to"),
        ({"rollouts": 0}, "rollouts is 0; .* takes 1 to"),
        ({"rollout_plies": -1}, "rollout_plies is -1; .* takes 1 to"),
        ({"exploration": -0.1}, "exploration is -0.1; it is a number of 0 or more"),
        ({"exploration": float("nan")}, "exploration is nan"),
        ({"seconds": 0.0}, "seconds is 0.0; a search takes more than 0 seconds"),
        ({"seconds": -1.0}, "seconds is -1.0"),
    ],
)
def test_settings_out_of_range_are_answered_with_a_sentence(settings, words):
    with pytest.raises(ValueError, match=words):
        Mcts(ludus.make_game("tictactoe"), **settings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"simulations": 0}, "simulations is 0"),
        ({"leaves": 0}, "leaves is 0"),
        ({"exploration": -1.0}, "exploration is -1.0"),
        ({"formula": "ucb"}, "formula is 'ucb'; there are: puct, uct"),
        ({"noise_share": 1.5}, "noise_share is 1.5"),
    ],
)
def test_settings_of_a_guided_search_out_of_range_are_answered_with_a_sentence(settings, words):
    with pytest.raises(ValueError, match=words):
        GuidedSearch(ludus.make_game("tictactoe"), **settings)


def test_noise_and_earlier_searches_of_another_shape_are_refused():
    game = ludus.make_game("tictactoe")
    guided = GuidedSearch(game)
    with pytest.raises(ValueError, match=r"noise is of shape \(1, 8\); it takes \(1, 9\)"):
        guided.begin(game.start[None], np.ones((1, 8)))
    with pytest.raises(ValueError, match="earlier search was of 1 positions, this one is of 2"):
        guided.begin(np.repeat(game.start[None], 2, axis=0), kept=guided.begin(game.start[None]))


def test_settings_are_read_from_a_spec():
    game = ludus.make_game("tictactoe")
    texts = {"simulations": "50", "exploration": "0.7", "solver": "false", "reuse": "true", "seconds": "none"}
    policy = Mcts(game, **settings_of(Mcts, texts))
    assert policy == Mcts(game, simulations=50, exploration=0.7, solver=False, reuse=True)
    assert policy.spec == "mcts:simulations=50,exploration=0.7,solver=false,reuse=true"


def test_with_seconds_a_search_goes_on_until_they_are_over():
    game = ludus.make_game("othello")
    found = PlayoutSearch(game, simulations=1, seconds=0.05).search(game.start[None], keys(1))
    assert found.simulations[0] > 100
    assert found.visits.sum() == found.simulations[0]


def test_no_positions_are_searched_at_once():
    game = ludus.make_game("othello")
    assert Mcts(game).act(np.zeros((0, 3), np.uint64), keys(0)).shape == (0,)
    search = GuidedSearch(game).begin(np.zeros((0, 3), np.uint64))
    assert len(search.select()) == 0


def test_more_simulations_play_better():
    """Against random play in Othello 6×6: a search of 30 simulations wins nearly all of 40 games, on either side."""
    game = ludus.make_game("othello:size=6")
    policy = Mcts(game, simulations=30)
    rng = np.random.default_rng(0)
    states, seats = np.repeat(game.start[None], 40, axis=0), np.arange(40) % 2
    while len(playing := np.flatnonzero(game.outcomes(states) == 2)):
        mine = game.players(states[playing]) == seats[playing]
        masks = game.masks(states[playing])
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        if mine.any():
            actions[mine] = policy.act(states[playing[mine]], keys(int(mine.sum()), seed=int(rng.integers(2**31))))
        states[playing] = game.plays(states[playing], actions)
    results = game.outcomes(states) * (1 - 2 * seats)
    assert (results == 1).sum() >= 34
