"""Policies given by a table: looked up right, drawn as they say, the same for all symmetric positions; and their files."""

import pickle
import zipfile

import numpy as np
import pytest

import ludus
from ludus.agents import policies_for
from ludus.agents.registry import read_policy
from ludus.agents.table import TablePolicy
from ludus.envs import make_game
from ludus.oracles.statespace.canonical import canonical
from ludus.oracles.statespace.index import StateIndex
from ludus.oracles.statespace.table import Table

from ..helpers.games import EACH, keys, positions
from ..helpers.sentences import says

every_game = pytest.mark.parametrize("spec", EACH)


def distinct(game, count, seed=0):
    """Different unfinished positions, in no order."""
    states = np.unique(positions(game, count, seed), axis=0)
    return states[np.random.default_rng(seed).permutation(len(states))]


def random_chances(game, states, seed=0):
    """Odd probabilities of the legal actions."""
    weights = np.random.default_rng(seed).random((len(states), game.num_actions)) * game.masks(states)
    return weights / weights.sum(axis=1, keepdims=True)


def first_legal(game, states):
    return game.masks(states).argmax(axis=1)


def policy_of(table, title="mine"):
    return TablePolicy(table.game, given=table, title=title)


# ---- finding states


@every_game
def test_an_index_finds_every_state_and_no_other(spec):
    game = make_game(spec)
    states = distinct(game, 3000)
    half = len(states) // 2
    index = StateIndex(game, states[:half])
    assert index.find(states[:half]).tolist() == list(range(half))
    assert (index.find(states[half:]) == -1).all()
    assert StateIndex(game, states[:0]).find(states[:3]).tolist() == [-1, -1, -1]


# ---- playing


@every_game
def test_a_table_plays_what_it_says_and_at_random_elsewhere(spec):
    game = make_game(spec)
    states = distinct(game, 400)
    known = len(states) // 2
    policy = policy_of(Table(game, states[:known], first_legal(game, states[:known])))
    some_keys = keys(len(states))
    actions = policy.act(states, some_keys)
    assert np.array_equal(actions[:known], first_legal(game, states[:known]))
    assert np.array_equal(actions[known:], ludus.make_policy("random", game).act(states[known:], some_keys[known:]))
    chances = policy.probabilities(states)
    assert (chances[np.arange(known), actions[:known]] == 1).all()
    assert np.array_equal(chances[known:], ludus.make_policy("random", game).probabilities(states[known:]))
    assert np.allclose(chances.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=2+3+3", "quixo:size=3", "othello:size=4"])
@pytest.mark.parametrize("certain", [True, False])
def test_a_symmetric_table_says_the_same_of_all_images(spec, certain):
    game = make_game(spec)
    states = np.unique(canonical(game, distinct(game, 200))[0], axis=0)
    choices = first_legal(game, states) if certain else random_chances(game, states)
    policy = policy_of(Table(game, states, choices, symmetric=True))
    reported = policy.probabilities(states)
    wanted = np.eye(game.num_actions)[choices] if certain else choices
    assert np.allclose(reported, wanted, atol=1e-12)
    each = np.array([game.permuted(states, np.full(len(states), symmetry)) for symmetry in range(len(game.symmetries.cells))])
    # a position may be its own image in several ways: then the chances belong to one of them, which is the same game
    free = np.array([len(np.unique(images, axis=0)) == len(each) for images in each.swapaxes(0, 1)])
    for symmetry, actions in enumerate(game.symmetries.actions):
        turned, some_keys = each[symmetry], keys(len(states), seed=symmetry)
        values = policy.probabilities(turned)
        assert (values[game.masks(turned) == 0] == 0).all()
        assert np.allclose(values[free][:, actions], wanted[free], atol=1e-12)
        there, here = policy.act(turned[free], some_keys[free]), policy.act(states[free], some_keys[free])
        assert np.array_equal(there, actions[here])


# ---- files


@pytest.fixture
def kept(tmp_path):
    """A table of tic-tac-toe, and its file."""
    game = make_game("tictactoe")
    states = distinct(game, 300)
    table = Table(game, states, random_chances(game, states))
    table.write(tmp_path / "a.npz")
    return table, tmp_path / "a.npz"


@pytest.mark.parametrize("spec", ["tictactoe", "nim:heaps=3+3", "quarto", "othello"])
@pytest.mark.parametrize("kind", ["actions", "probabilities", "symmetric"])
def test_a_table_comes_back_from_its_file_as_it_was(spec, kind, tmp_path):
    game, path = make_game(spec), tmp_path / "table.npz"
    states = distinct(game, 2 if (spec, kind) == ("quarto", "symmetric") else 100)
    if kind == "symmetric":
        states = np.unique(canonical(game, states)[0], axis=0)
    table = Table(game, states, (first_legal if kind == "actions" else random_chances)(game, states), kind == "symmetric")
    table.write(path)
    back, policy = Table.read(path, game), ludus.make_policy(f"table:path={path}", game)
    assert np.array_equal(back.states, table.states)
    assert np.array_equal(back.choices, table.choices)
    assert back.symmetric == table.symmetric
    assert policy.spec == f"table:path={path}"
    assert np.array_equal(policy.act(states, keys(len(states))), policy_of(table).act(states, keys(len(states))))
    content = path.read_bytes()
    table.write(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda arrays: {"weights": np.zeros(3)}, "is not a table that this version of ludus reads"),
        (lambda arrays: {**arrays, "states": np.array([{}], dtype=object)}, "is damaged, or no table at all"),  # it is pickled
        (
            lambda arrays: {**arrays, "probabilities": np.ones((len(arrays["states"]), 9)) / 9},
            r"a\.npz is damaged: its choice in '.*' must be a legal action",
        ),
    ],
)
def test_other_arrays_are_sentences(kept, change, sentence):
    table, path = kept
    np.savez(path, **change(dict(np.load(path))))
    with pytest.raises(ValueError, match=sentence):
        Table.read(path, table.game)


def test_what_an_archive_says_of_its_size_is_not_believed(tmp_path):
    header = b"{'descr': '<u8', 'fortran_order': False, 'shape': (1000000000000,)}"
    entry = b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header + b"\n"
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("states.npy", entry)
    with pytest.raises(ValueError, match=r"EOF: reading array data, expected [0-9]+ bytes got 0|Unable to allocate") as error:
        ludus.make_policy(f"table:path={tmp_path / 'a.npz'}", "tictactoe")
    says(error, "a.npz", "write it again by Table.write")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda states, first, chances: (states.astype(np.int64), first), "words, uint64"),
        (lambda states, first, chances: (states[:, [0, 0]], first), r"are \(N, 1\) words"),
        (lambda states, first, chances: (states, first[:-1]), "an action, or 9 probabilities, for each position"),
        (lambda states, first, chances: (states, chances[:, :8]), "an action, or 9 probabilities, for each position"),
        (lambda states, first, chances: (states[[0, 1, 0]], first[:3]), "a position stands in the table twice"),
        (lambda states, first, chances: (states, first + 9), "must be a legal action"),
        (lambda states, first, chances: (states, first - 10), "must be a legal action"),
        (lambda states, first, chances: (states, chances / 2), "add up to 1"),
        (lambda states, first, chances: (states, chances * np.nan), "add up to 1"),
    ],
)
def test_arrays_that_are_no_table_are_refused(change, sentence):
    game = make_game("tictactoe")
    states = distinct(game, 50)
    with pytest.raises(ValueError, match=sentence):
        Table(game, *change(states, first_legal(game, states), random_chances(game, states)))


def test_a_symmetric_table_has_canonical_forms_alone():
    game = make_game("tictactoe")
    states = canonical(game, distinct(game, 50))[0]
    turned = np.unique(game.permuted(states, np.full(len(states), 3)), axis=0)
    with pytest.raises(ValueError, match="canonical form of each position"):
        Table(game, turned, first_legal(game, turned), symmetric=True)


def test_tables_are_for_one_game_need_a_file_and_stand_in_no_list(kept):
    table, path = kept
    assert all("table" not in policies_for(make_game(spec)) for spec in EACH)
    with pytest.raises(ValueError, match="name it in the spec: table:path=FILE"):
        ludus.make_policy("table", "tictactoe")
    with pytest.raises(ValueError, match=r"the table .*a\.npz is for tictactoe, not for quixo:size=3"):
        ludus.make_policy(f"table:path={path}", "quixo:size=3")
    with pytest.raises(ValueError, match="the table is for tictactoe, not for nim"):
        TablePolicy(make_game("nim"), given=table)
    with pytest.raises(FileNotFoundError):
        ludus.make_policy(f"table:path={path}.none", "tictactoe")


def test_elsewhere_another_policy_plays(tmp_path):
    game = make_game("tictactoe")
    states = distinct(game, 300)
    half, numbers = len(states) // 2, keys(len(states))
    Table(game, states[:half], first_legal(game, states[:half])).write(tmp_path / "a,b.npz")
    policy = ludus.make_policy(f'table:path="{tmp_path / "a,b.npz"}",otherwise="minimax:depth=2,table=false"', game)
    actions = policy.act(states, numbers)
    assert (actions[:half] == first_legal(game, states[:half])).all()
    other = ludus.make_policy("minimax:depth=2,table=false", game)
    assert (actions[half:] == other.act(states[half:], numbers[half:])).all()
    assert ludus.make_policy(policy.spec, game) == policy == pickle.loads(pickle.dumps(policy))
    assert policy.probabilities(states[:half]).max(axis=1).tolist() == [1] * half
    with pytest.raises(NotImplementedError):
        policy.probabilities(states)


def test_code_elsewhere_is_seen_however_deep_it_stands():
    inner = 'table:path=a.npz,otherwise="minimax:evaluation=kalah:seeds"'
    for spec in (inner, "table:path=a.npz,otherwise=kalah:best", f'table:otherwise="{inner.replace(chr(34), 2 * chr(34))}"'):
        assert read_policy(spec).is_foreign
    assert not read_policy('table:path=a.npz,otherwise="minimax:depth=3,nodes=5"').is_foreign
