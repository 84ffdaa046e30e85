"""Batches from outside: what is no state, action, seat or symmetry is refused in a sentence, and nothing reads beyond a table."""

import numpy as np
import pytest

import ludus
from ludus.agents import make_policy
from ludus.oracles import make_oracle
from ludus.oracles.statespace.canonical import canonical
from ludus.oracles.statespace.index import StateIndex

from ..helpers.games import EACH, keys, positions

QUESTIONS = {
    "batch": lambda game, states: game.batch(states),
    "players": lambda game, states: game.players(states),
    "outcomes": lambda game, states: game.outcomes(states),
    "masks": lambda game, states: game.masks(states),
    "plays": lambda game, states: game.plays(states, np.arange(len(states)) % game.num_actions),
    "observations": lambda game, states: game.observations(states, np.arange(len(states)) % 2),
    "permuted": lambda game, states: game.permuted(states, np.arange(len(states)) % len(game.symmetries.cells)),
    "perft": lambda game, states: [game.perft(2, state) for state in states],
}
"""What a game answers about many states."""


def flipped(states, seed, most=8):
    """Each state with some of its bits turned over."""
    random, states = np.random.default_rng(seed), states.copy()
    rows = np.arange(len(states))
    for _ in range(most):
        places = random.integers(64 * states.shape[1], size=len(states))
        states[rows, places >> 6] ^= np.uint64(1) << (places & 63).astype(np.uint64)
    return states


def test_words_that_are_no_state_are_refused_by_every_question_with_their_row(game):
    states = positions(game, 5)
    states[3] = 2**64 - 1
    for question in QUESTIONS.values():
        with pytest.raises(ValueError, match="not a state of") as error:
            question(game, states)
        assert f"({', '.join(['0xffffffffffffffff'] * game.num_words)}) is not a state of {game};" in str(error.value)
    with pytest.raises(ValueError, match=r"states\[3\] "):
        game.masks(states)


def test_random_words_are_answered_or_refused_and_crash_nothing(game):
    random, states, sentences = np.random.default_rng(0), positions(game, 40), set()
    batches = [random.integers(2**64, size=(40, game.num_words), dtype=np.uint64), np.zeros((2, game.num_words), np.uint64)]
    for state in np.concatenate([*batches, *(flipped(states, most, most) for most in (1, 2, 3))]):
        for question in QUESTIONS.values():
            try:
                question(game, state[None])
            except ValueError as error:
                sentences.add(str(error).partition(") ")[2])
    assert sentences == {f"is not a state of {game}; is it one of another game or variant?"}


def test_an_action_a_seat_or_a_symmetry_that_there_is_not_is_refused_with_its_row(game):
    states = positions(game, 3)
    turns, actions = len(game.symmetries.cells), game.num_actions
    for ask, what, count, wrong in (
        (game.plays, "action", actions, (-1, actions, 10**6, 2**40)),
        (game.observations, "seat", 2, (-1, 2, 127)),
        (game.permuted, "symmetry", turns, (-1, turns, 10**9)),
    ):
        for number in wrong:
            with pytest.raises(ValueError, match=f"the {what} of row 2 is {number}; in .* from 0 to {count - 1}$") as error:
                ask(states, [0, count - 1, number])
            assert str(game) in str(error.value)
        for number in (0.5, np.nan, 2**64, "0", None):
            with pytest.raises(ValueError, match=f"each {what} is a whole number that int"):
                ask(states, [0, 0, number])
    with pytest.raises(ValueError, match="each seat is a whole number that int8 holds; got"):
        game.observations(states, [0, 1, 256])  # 0 to int8


def test_arrays_that_are_not_in_one_piece_are_as_good_as_others(game):
    states = positions(game, 6)
    loose = np.zeros(states.nbytes + 1, np.int8)[1:].view(np.uint64).reshape(states.shape)
    loose[:] = states
    wide = np.repeat(states, 2, axis=0)
    assert not loose.flags.aligned
    for question in QUESTIONS.values():
        expected = question(game, states)
        for same in (loose, wide[::2], np.asfortranarray(states), states[::-1][::-1], states.view(np.recarray)):
            np.testing.assert_array_equal(question(game, same), expected)
    numbers = np.zeros(6 * 8 + 1, np.int8)[1:].view(np.int64)
    assert not numbers.flags.aligned
    actions = game.masks(states).argmax(axis=1)
    numbers[:] = actions
    for given in (numbers, actions.tolist(), actions.astype(np.float64), actions.astype(np.uint8)):
        np.testing.assert_array_equal(game.plays(states, given), game.plays(states, actions))


@pytest.mark.parametrize("spec", EACH)
def test_policies_and_oracles_refuse_words_that_are_no_state(spec):
    game = ludus.make_game(spec)
    states, row = positions(game, 3), np.full(game.num_words, 2**64 - 1, np.uint64)
    states[1] = row
    own = {"nim": ["nim_sum"], "quarto": ["easy", "hard", "frontiers"]}.get(game.name, [])
    for policy in [make_policy(name, game) for name in ("random", "minimax:depth=1", "mcts:simulations=4", "perfect", *own)]:
        with pytest.raises(ValueError, match="not a state of"):
            policy.act(states, keys(3))
    oracle = make_oracle(game)
    assert oracle is not None
    asked = [oracle.values, oracle.distances, oracle.choices_of, lambda states: oracle.action_values(states, [0, 0, 0])]
    for ask in [*asked, lambda states: canonical(game, states), lambda states: StateIndex(game, positions(game, 1)).find(states)]:
        with pytest.raises(ValueError, match="not a state of"):
            ask(states)
    for ask in (oracle.solve, oracle.value, oracle.choices, oracle.after):
        with pytest.raises(ValueError, match="not a state of"):
            ask(row)
    with pytest.raises(ValueError, match="the action of row 0 is 1000000"):
        oracle.action_values(game.start[None], [10**6])
    many = positions(game, 300)
    board, action = np.argwhere(game.masks(many) == 0)[0]
    with pytest.raises(ValueError, match=" is not legal in"):
        oracle.action_values(many[board][None], [action])


ABOUT_ONE = {"player", "outcome", "legal_actions", "status", "text", "picture", "svg", "winning_cells", "sizes"} | {
    *("solve", "value", "value_and_action", "score", "choices", "after")
}
ABOUT_MANY = {"players", "outcomes", "masks", "count_discs", "values", "distances", "position_values", "reached", "choices_of"}
"""What games and oracles answer about one state and about many, where they know it."""


@pytest.mark.parametrize("spec", EACH)
def test_arrays_of_another_shape_or_type_are_answered_with_what_is_wanted(spec):
    game = ludus.make_game(spec)
    start, oracle = game.start, make_oracle(game)
    others = [None, 3, "a1", start.tolist(), start[:0], np.append(start, start[:1]), start.astype(np.int64), start[None, None]]
    for names, right, form in ((ABOUT_ONE, start, "a state of {} has"), (ABOUT_MANY, start[None], "states of {} have")):
        for ask in [getattr(thing, name) for thing in (game, oracle) for name in names if hasattr(thing, name)]:
            ask(right)
            for wrong in (*others, start if right.ndim == 2 else start[None]):
                with pytest.raises(ValueError, match=f"{form.format(game)} shape .* and type uint64; got "):
                    ask(wrong)


@pytest.mark.parametrize("spec", ["random", "greedy", "minimax:depth=1", "expectimax:depth=1", "mcts:simulations=4", "perfect"])
def test_states_and_keys_that_do_not_fit_are_answered_in_a_sentence(spec):
    game = ludus.make_game("quixo:size=3")
    policy, states = make_policy(spec, game), np.repeat(game.start[None], 8, axis=0)
    for ask in (policy.act, policy.analyse):
        with pytest.raises(ValueError, match=r"8 states take one key each, an array \(8,\); got shape \(1,\)"):
            ask(states, keys(1))
    with pytest.raises(ValueError, match=r"this is one state; pass state\[None\]"):
        policy.act(game.start, keys(len(game.start)))
    with pytest.raises(ValueError, match=r"states of quixo:size=3 have shape \(B, 1\) and type uint64; got \(8, 1\) and int64"):
        policy.act(states.astype(np.int64), keys(8))
    with pytest.raises(ValueError, match=r"got \(8, 3\)"):
        policy.act(np.zeros((8, 3), np.uint64), keys(8))
