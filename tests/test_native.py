"""Compiled kernels: what they take, what they may do, and that what is kept of them is neither lost nor stale."""

import enum
import json
import types
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from ludus.envs import make_game
from ludus.envs.kernels.arrays import Keys, Masks, Numbers
from ludus.envs.kernels.bits import leading, select, variable
from ludus.envs.kernels.keys import derive_key, derive_keys
from ludus.envs.native import Link, apart, build, cache, compiled, releases_gil

from .processes import ROOT, checkout, run

GAME = make_game("tictactoe")


@pytest.fixture(autouse=True, scope="module")
def kernels_of_these_tests(tmp_path_factory: pytest.TempPathFactory):
    """The kernels of this file are kept in a folder of its own, and not among the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDUS_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def kernel_from(source, **scope):
    """A kernel from its source, with these globals."""
    scope |= {"np": np}
    exec(source, scope)
    return scope["kernel"]


# ---- what kernels take


def total(values: Numbers, factor: int) -> int:
    result = 0
    for i in range(values.shape[0]):
        result += values[i]
    return result * factor


def xored(keys: Keys, key: np.uint64) -> np.uint64:
    for i in range(keys.shape[0]):
        key ^= keys[i]
    return key


def transposed(source: Masks, result: Masks) -> None:
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            result[j, i] = source[i, j]


NUMBERS = np.arange(5)
WRONG = {
    "a list": ([1, 2], 1),
    "nothing": (None, 1),
    "a number for an array": (3, 1),
    "a narrower dtype": (NUMBERS.astype(np.int32), 1),
    "an unsigned dtype": (NUMBERS.astype(np.uint64), 1),
    "floats": (NUMBERS.astype(np.float64), 1),
    "objects": (NUMBERS.astype(object), 1),
    "the other byte order": (NUMBERS.astype(NUMBERS.dtype.newbyteorder()), 1),
    "two dimensions": (NUMBERS[None], 1),
    "no dimension": (np.array(1), 1),
    "every other element": (NUMBERS[::2], 1),
    "backwards": (NUMBERS[::-1], 1),
    "misaligned": (np.zeros(41, np.int8)[1:].view(np.int64), 1),
    "a subclass": (NUMBERS.view(np.recarray), 1),
    "a float for an integer": (NUMBERS, 1.0),
    "a numpy float for an integer": (NUMBERS, np.float64(1)),
    "a text for an integer": (NUMBERS, "1"),
    "an array for an integer": (NUMBERS, NUMBERS),
    "nothing for an integer": (NUMBERS, None),
    "an argument too few": (NUMBERS,),
    "an argument too many": (NUMBERS, 1, 1),
    "no argument": (),
}


@pytest.mark.parametrize("given", WRONG.values(), ids=WRONG)
def test_wrong_arguments_raise_a_type_error(given):
    with pytest.raises(TypeError):
        GAME.kernel(total)(*given)


def test_arguments_have_no_names():
    with pytest.raises(TypeError):
        GAME.kernel(total)(NUMBERS, factor=1)


def test_the_error_is_gone_with_the_next_call():
    for _ in range(3):
        with pytest.raises(TypeError):
            GAME.kernel(total)(NUMBERS, "one")
        assert GAME.kernel(total)(NUMBERS, 2) == 20


@pytest.mark.parametrize("factor", [0, 1, -1, -7, 2**62, -(2**63), 2**63 - 1, True, np.int8(-3), np.uint64(9), np.array(4)])
def test_whole_numbers_of_any_kind_pass_unchanged(factor):
    assert GAME.kernel(total)(np.array([1]), factor) == int(factor)


@pytest.mark.parametrize("factor", [2**63, -(2**63) - 1, 2**200])
def test_a_number_beyond_64_bits_is_refused(factor):
    with pytest.raises(OverflowError):
        GAME.kernel(total)(NUMBERS, factor)


@pytest.mark.parametrize("key", [0, 1, 2**63 - 1, 2**63, 2**63 + 5, 2**64 - 1, np.uint64(2**64 - 1)])
def test_unsigned_words_pass_unchanged(key):
    assert GAME.kernel(xored)(np.zeros(3, np.uint64), key) == int(key)
    assert GAME.kernel(xored)(np.array([2**64 - 1], np.uint64), key) == int(key) ^ (2**64 - 1)


@pytest.mark.parametrize("shape", [(2, 3), (1, 1), (0, 4), (4, 0)])
def test_arrays_of_two_dimensions_are_rows_of_columns(shape):
    source = np.arange(np.prod(shape), dtype=np.int8).reshape(shape)
    result = np.empty(shape[::-1], np.int8)
    GAME.kernel(transposed)(source, result)
    np.testing.assert_array_equal(result, source.T)


def derived(key, index):
    """SplitMix64's finaliser, on Python's own integers."""
    word = 2**64 - 1
    bits = key + 0x9E3779B97F4A7C15 * (index + 1) & word
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & word
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & word
    return bits ^ bits >> 31


def test_keys_are_those_of_a_twin_in_plain_python():
    # The first numbers of SplitMix64 with seed 1234567: https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64
    assert [derived(1234567, i) for i in range(2)] == [6457827717110365317, 3203168211198807973]
    random = np.random.default_rng(0)
    keys = np.array([0, 1, 2**63 - 1, 2**63, 2**64 - 1, *random.integers(2**64, size=200, dtype=np.uint64)], np.uint64)
    indices = np.array([0, 1, 2**62, 2**63 - 1, 7, *random.integers(2**63, size=200)])
    expected = [derived(int(key), int(index)) for key, index in zip(keys, indices, strict=True)]
    assert [GAME.kernel(derive_key)(key, index) for key, index in zip(keys, indices, strict=True)] == expected
    batch = np.empty(len(keys), np.uint64)
    GAME.kernel(derive_keys)(keys, indices, batch)
    assert batch.tolist() == expected


# ---- what kernels may do

REFUSED = {
    "raises": "if n < 0: raise ValueError('no')",
    "asserts": "assert n > 0",
    "makes an array": "values = np.zeros(n, np.int64); values[n // 2] = n; n = values.sum()",
    "makes a list": "values = [n]; values.append(n); n = len(values)",
    "prints": "print(n)",
    "makes a dictionary": "n = {n: n}[n]",
    "names what is not there": "n = nowhere(n)",
    "asks for an attribute of a number": "n = n.nothing",
}


@pytest.mark.parametrize("line", REFUSED.values(), ids=REFUSED)
def test_a_kernel_that_does_what_kernels_may_not_is_refused(line):
    kernel = kernel_from(f"def kernel(n: int) -> int:\n    {line}\n    return n")
    with pytest.raises(
        TypeError, match=r"^the kernel kernel(, or a function it calls, allocates memory or can raise| could not be)"
    ):
        GAME.kernel(kernel)


@pytest.mark.parametrize("parameter", ["n: float", "n: list", "n: str", "n: np.ndarray"])
def test_an_argument_of_another_kind_is_refused(parameter):
    with pytest.raises(TypeError, match=r"a kernel takes arrays, int and np\.uint64"):
        GAME.kernel(kernel_from(f"def kernel({parameter}) -> int:\n    return 0"))


def test_division_by_zero_is_a_number():
    kernel = GAME.kernel(kernel_from("def kernel(n: int, by: int) -> int:\n    return n // by"))
    assert (kernel(-7, 2), kernel(7, -2), kernel(7, 0)) == (-4, -4, 0)


@pytest.mark.parametrize("instructions", [build.instructions, dict], ids=["in instructions", "as written"])
def test_the_nth_set_bit_is_found_on_every_processor(instructions, monkeypatch):
    monkeypatch.setattr(build, "instructions", instructions)
    source = f"""def kernel(word: np.uint64, nth: int) -> int:
        return select(word, nth) + 0 * {len(instructions())}"""
    kernel = compiled(kernel_from(source, select=select), Link("tests", {}, {}))
    random = np.random.default_rng(0)
    words = random.integers(2**64, size=(2, 300), dtype=np.uint64)
    for word in [*(words[0] & words[1]).tolist(), 1, 2**63, 2**64 - 1]:
        expected = [place for place in range(64) if word >> place & 1]
        assert [kernel(word, nth) for nth in range(len(expected))] == expected
        with np.errstate(over="ignore"):
            assert [select(np.uint64(word), nth) for nth in range(len(expected))] == expected


def test_kernels_may_call_themselves():
    kernel = GAME.kernel(kernel_from("def kernel(n: int) -> int:\n    return n if n < 2 else kernel(n - 1) + kernel(n - 2)"))
    assert [kernel(n) for n in (0, 1, 10, 25)] == [0, 1, 55, 75025]


@releases_gil
def spun(n: int) -> int:
    result = 0
    for i in range(n):
        result ^= i * i
    return result


def test_a_constant_may_start_a_function_that_calls_itself():
    kernel = kernel_from(
        """
def triangle(n, depth):
    return n if n == 0 else n + triangle(n - 1, depth + 1)

def kernel(n: int) -> int:
    return triangle(n, variable(0))
""",
        variable=variable,
    )
    assert GAME.kernel(kernel)(10) == 55


def test_a_function_kept_apart_and_an_instruction_give_what_python_gives():
    kernel = kernel_from("def kernel(bits: np.uint64) -> np.uint64:\n    return zeros(bits)", zeros=apart(zeros_above))
    compiled = GAME.kernel(kernel)
    for bits in (0, 1, 2, 3, 2**31, 2**32, 2**63, 2**64 - 1):
        assert compiled(bits) == leading(np.uint64(bits)) == 64 - bits.bit_length()


def zeros_above(bits: np.uint64) -> np.uint64:
    return leading(bits)


def declared(number: int) -> int:
    raise NotImplementedError


def test_a_kernel_is_linked_with_the_function_that_is_plugged_in():
    kernel = kernel_from("def kernel(number: int) -> int:\n    return declared(number) + 1", declared=declared)
    plugs = [kernel_from(f"def kernel(number):\n    return number * {factor}") for factor in (2, 3)]
    assert [GAME.kernel(kernel, {declared: plug})(10) for plug in plugs] == [21, 31]


def test_kernels_run_in_many_threads_at_once():
    def work(which):
        kernel = (spun, spun, total)[which % 3]
        arguments = (NUMBERS, which) if kernel is total else (10**6 + which,)
        return [GAME.kernel(kernel)(*arguments) for _ in range(20)]

    alone = [work(which) for which in range(12)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(work, range(12))) == alone


def test_a_kernel_first_asked_for_by_many_threads_at_once_works():
    kernel = kernel_from("def kernel(n: int) -> int:\n    return 3 * n + 1")
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: GAME.kernel(kernel)(n), range(64))) == [3 * n + 1 for n in range(64)]


# ---- what is kept of them, by other processes

TWICE = """
import sys, ludus

def twice(n: int) -> int:
    return 2 * n

print(ludus.make_game("tictactoe").kernel(twice)(21), "numba" in sys.modules)
"""
PERFT = "import sys, ludus; print(ludus.make_game('tictactoe').perft(9), 'numba' in sys.modules)"
BUILT, KEPT = "True\n", "False\n"  # whether numba was needed


@pytest.mark.parametrize(("code", "answer"), [(TWICE, "42 "), (PERFT, "255168 ")], ids=["plain", "recursive"])
def test_a_second_process_builds_nothing(code, answer, tmp_path):
    assert run("-c", code, cwd=tmp_path, LUDUS_CACHE=tmp_path / "cache") == answer + BUILT
    assert run("-c", code, cwd=tmp_path, LUDUS_CACHE=tmp_path / "cache") == answer + KEPT


def truncated(content):
    return content[: len(content) // 2]


def flipped(content):
    return content[:-100] + bytes([content[-100] ^ 1]) + content[-99:]


@pytest.mark.parametrize(
    "damage", [truncated, flipped, lambda _: b"", lambda _: b"?" * 5000], ids=["short", "bit", "empty", "junk"]
)
def test_a_damaged_file_is_built_again_without_a_word(damage, tmp_path):
    run("-c", TWICE, cwd=tmp_path, LUDUS_CACHE=tmp_path)
    (file,) = tmp_path.rglob(f"*{cache.SUFFIX}")
    file.write_bytes(damage(file.read_bytes()))
    assert run("-c", TWICE, cwd=tmp_path, LUDUS_CACHE=tmp_path) == "42 " + BUILT
    assert run("-c", TWICE, cwd=tmp_path, LUDUS_CACHE=tmp_path) == "42 " + KEPT


def test_a_folder_that_cannot_be_written_costs_the_cache_and_no_more(tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    for place in ("cache", "cache/deeper"):
        assert run("-c", TWICE, cwd=tmp_path, LUDUS_CACHE=tmp_path / place) == "42 " + BUILT


def test_processes_that_build_at_once_do_not_disturb_each_other(tmp_path):
    def one(_):
        return run("-c", TWICE, cwd=tmp_path, LUDUS_CACHE=tmp_path)

    with ThreadPoolExecutor(2) as pool:
        assert [printed.split()[0] for printed in pool.map(one, range(2))] == ["42", "42"]
    assert one(3) == "42 " + KEPT
    assert {file.suffix for file in tmp_path.rglob("*") if file.is_file()} == {cache.SUFFIX}


def test_a_kernel_that_names_numpy_and_max_is_the_same_in_every_process(tmp_path):
    (tmp_path / "program.py").write_text(
        "import numpy as np\nfrom ludus.envs.native import Link\n"
        "def kernel(a: int) -> int:\n    return max(np.int64(a), a)\n"
        "print(Link('any', {}, {}).fingerprint(kernel, ''))"
    )
    assert len({run("program.py", cwd=tmp_path, PYTHONPATH=ROOT / ".types") for _ in range(3)}) == 1


def test_a_cleared_cache_is_built_anew(tmp_path):
    run("-c", TWICE, cwd=tmp_path, LUDUS_CACHE=tmp_path)
    clear = "from ludus.envs.native import cache; print(len(cache.entries()), cache.clear(), cache.entries())"
    assert run("-c", clear, cwd=tmp_path, LUDUS_CACHE=tmp_path) == "1 1 []\n"
    assert run("-c", TWICE, cwd=tmp_path, LUDUS_CACHE=tmp_path) == "42 " + BUILT


# ---- never stale


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory):
    """A checkout to edit, with a cache of its own."""
    return checkout(tmp_path_factory.mktemp("edited") / "tree")


def says(tree, expression):
    """What an expression comes to in a process of that checkout."""
    code = f"import sys, ludus\nfrom ludus.envs.kernels.keys import derive_key\nprint({expression}, 'numba' in sys.modules)"
    return run("-c", code, cwd=tree, PYTHONPATH=".types", LUDUS_CACHE=tree / "cache", PYTHONDONTWRITEBYTECODE=1)


EDITS = {
    "a line of the rules": ("envs/games/tictactoe.py", "u64(0o007)", "u64(0o001)", "ludus.make_game('tictactoe').perft(7)"),
    "a table of constants": ("envs/games/othello.py", "if cell % size_)", "if cell)", "ludus.make_game('othello:size=4').perft(5)"),
    "a helper that all share": (
        "envs/kernels/bits.py",
        "plane[i] = (bits >> u64(i)) & ONE",
        "plane[i] = 0",
        "ludus.make_game('othello').observations(ludus.make_game('othello').start[None], [0]).sum()",
    ),
    "a constant that all share": (
        "envs/kernels/keys.py",
        "0x9E3779B97F4A7C15",
        "0x9E3779B97F4A7C17",
        "ludus.make_game('nim').kernel(derive_key)(1, 2)",
    ),
    "how kernels are built": (
        "envs/native/signature.py",
        '"PyLong_FromUnsignedLongLong" if',
        '"PyLong_FromLongLong" if',
        "ludus.make_game('nim').kernel(derive_key)(1, 1)",
    ),
}


@pytest.mark.parametrize(("file", "old", "new", "expression"), EDITS.values(), ids=EDITS)
def test_an_edit_is_noticed_and_so_is_its_undoing(tree, file, old, new, expression):
    source = (tree / file).read_text()
    assert source.count(old) == 1
    before = says(tree, expression).split()[0]
    (tree / file).write_text(source.replace(old, new))
    try:
        after = says(tree, expression).split()[0]
    finally:
        (tree / file).write_text(source)
    assert after != before
    assert says(tree, expression) == f"{before} {KEPT}"


ADDS = "def kernel(n: int) -> int:\n    return n + "
AROUND = "def around(k):\n    def kernel(n: int) -> int:\n        return n + k\n    return kernel\nkernel = around(K)"
INSIDE = "def kernel(n: int) -> int:\n    more = lambda m: m + K\n    return more(n)"
WHERE = {
    "a global": lambda k: kernel_from(ADDS + "K", K=k),
    "a default": lambda k: kernel_from(f"def more(n, k={k}): return n + k\n{ADDS}more(0)"),
    "a function": lambda k: kernel_from(f"def more(n): return n + {k}\n{ADDS}more(0)"),
    "a function inside": lambda k: kernel_from(INSIDE, K=k),
    "a function around": lambda k: kernel_from(AROUND, K=k),
    "an array": lambda k: kernel_from(ADDS + "TABLE[1500]", TABLE=table(k)),
    "an array in a tuple": lambda k: kernel_from(ADDS + "TABLES[0][1500]", TABLES=(table(k),)),
    "a module": lambda k: kernel_from(ADDS + "settings.K", settings=module(K=k)),
    "an enumeration": lambda k: kernel_from(ADDS + "Piece.K", Piece=enum.IntEnum("Piece", {"K": k})),
    "the names of a tuple": lambda k: kernel_from(ADDS + "Pair(1, 2).a", Pair=namedtuple("Pair", ("a b", "b a")[k - 1])),
}


def table(value):
    """A long table, all zeros but for one entry in the middle."""
    entries = np.zeros(2000, np.int64)
    entries[1500] = value
    return entries


def module(**content):
    """A module of these names."""
    made = types.ModuleType("settings")
    vars(made).update(content)
    return made


@pytest.mark.parametrize("make", WHERE.values(), ids=WHERE)
def test_a_value_is_noticed_wherever_it_stands(make):
    assert [GAME.kernel(make(k))(10) for k in (1, 2)] == [11, 12]


# ---- a game from outside

LINES = """
WORTH = -1

def has_line(cells):
    for line in (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124):
        if int(cells) & line == line:
            return True
    return False
"""
MISERE = """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import lines
import ludus
from lines import has_line
from ludus.envs.games.tictactoe import BOARD, TicTacToe, legal, observe, permute, play, player
from ludus.envs.kernels.bits import u64
from ludus.envs.rules import ONGOING


def outcome(state):
    x, o = state[0] & BOARD, (state[0] >> u64(9)) & BOARD
    if has_line(x):
        return lines.WORTH
    if has_line(o):
        return -lines.WORTH
    return 0 if (x | o) == BOARD else ONGOING


@ludus.register_game
@dataclass(frozen=True)
class MisereTicTacToe(TicTacToe):
    name: ClassVar[str] = "misere"
    title: ClassVar[str] = "Misère tic-tac-toe"
    variants: ClassVar[tuple[str, ...]] = ("misere",)
"""
EVERYWHERE = """
import json
import gymnasium, pettingzoo, misere, ludus
from ludus.arena import evaluate

game = ludus.make_game("misere")
random = ludus.make_policy("random", game)
env = pettingzoo.make("aec", "ludus/misere-v0")
env.reset(seed=0, options={"position": "XX-OO---- X"})
env.step(2)
seat = gymnasium.make("ludus/MisereTicTacToe-v0", opponent="random", seat=0)
observation, _ = seat.reset(seed=0)
over = False
while not over:
    observation, reward, over, _, _ = seat.step(observation["action_mask"].argmax())
boards = gymnasium.make_vec("ludus/MisereTicTacToe-v0", num_envs=64, opponent=None, autoreset_mode="SameStep")
boards.reset(seed=0)
rewards = {float(reward) for _ in range(9) for reward in boards.step(boards.sample_actions())[1]}
result = evaluate(random, game, random, games=1000)
print(json.dumps([game.perft(9), env.rewards, reward in (1, 0, -1), sorted(rewards)[0], result.games]))
"""
OUTCOME = (
    "import sys, ludus, misere; g = ludus.make_game('misere'); print(g.outcome(g.parse('XXXOO---- O')), 'numba' in sys.modules)"
)


def test_a_game_from_outside_plays_everywhere_and_leaves_no_trace(tmp_path):
    (tmp_path / "lines.py").write_text(LINES)
    (tmp_path / "misere.py").write_text(MISERE)
    here = {"cwd": tmp_path, "LUDUS_CACHE": tmp_path / "cache", "PYTHONDONTWRITEBYTECODE": 1}
    told = json.loads(run("-c", EVERYWHERE, **here))
    assert told == [255168, {"player_0": -1, "player_1": 1}, True, -1, 1000]
    assert run("-c", OUTCOME, **here).startswith("(-1, 1) ")

    (tmp_path / "lines.py").write_text(LINES.replace("0o7,", ""))
    assert run("-c", OUTCOME, **here) == "None " + BUILT
    (tmp_path / "lines.py").write_text(LINES.replace("-1", "1"))
    assert run("-c", OUTCOME, **here) == "(1, -1) " + BUILT
    (tmp_path / "lines.py").write_text(LINES)
    assert run("-c", OUTCOME, **here) == "(-1, 1) " + KEPT

    (tmp_path / "lines.py").unlink()
    (tmp_path / "misere.py").unlink()
    assert run("-c", PERFT, **here).startswith("255168 ")
    assert run("-c", PERFT, **here) == "255168 " + KEPT
    kept = json.loads(run("-m", "ludus.cli", "cache", "--json", **here))
    assert "misere" in {kernel["game"] for kernel in kept["kernels"]}
