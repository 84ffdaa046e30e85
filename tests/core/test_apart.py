"""Policies of several people in one process: each plays by its own code, whatever its modules are called."""

import copy
import importlib
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

import ludus
from ludus.arena import tournament
from ludus.core.plugins import load_code
from ludus.core.plugins.apart import reduce_apart

from .test_shadows import here as here

FRONT = "import sys, os\nsys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))\n"
ENDS = "\ndef play(states, keys):\n    return helper.choose(states)\n"
LATE = "\ndef play(states, keys):\n    import helper\n    return helper.choose(states)\n"
CHOOSE = "import numpy as np\ndef choose(states):\n    return np.full(len(states), {})\n"
WAYS = {
    # what files each of them brings
    "beside it": {"agent.py": f"{FRONT}import helper{ENDS}", "helper.py": CHOOSE},
    "at the end of the path": {"agent.py": FRONT.replace("insert(0, ", "append(") + f"import helper{ENDS}", "helper.py": CHOOSE},
    "late": {"agent.py": FRONT + LATE, "helper.py": CHOOSE},
    "late, by a name": {
        "agent.py": f"{FRONT}\ndef play(states, keys):\n    from helper import choose as it\n    return it(states)\n",
        "helper.py": CHOOSE,
    },
    "a package": {
        "agent.py": f"{FRONT}from helpers import helper{ENDS}",
        "helpers/__init__.py": "",
        "helpers/helper.py": f"from .deeper import number\n{CHOOSE.format('number')}",
        "helpers/deeper.py": "number = {}\n",
    },
    "a package, late": {
        "agent.py": f"{FRONT}\ndef play(states, keys):\n    import helpers.helper\n    return helpers.helper.choose(states)\n",
        "helpers/__init__.py": "",
        "helpers/helper.py": CHOOSE,
    },
    "a folder without __init__.py": {"agent.py": f"{FRONT}from helpers import helper{ENDS}", "helpers/helper.py": CHOOSE},
    "relative": {"agent.py": f"from . import helper{ENDS}", "helper.py": CHOOSE},
    "relative, late": {"agent.py": LATE.replace("import helper", "from . import helper"), "helper.py": CHOOSE},
    "by its file": {
        "agent.py": "import sys\nfrom importlib.util import module_from_spec as make, spec_from_file_location as find\n"
        "from pathlib import Path\nspec = find('helper', Path(__file__).with_name('helper.py'))\n"
        f"sys.modules.setdefault('helper', make(spec))\nimport helper\nspec.loader.exec_module(helper)\n{ENDS}",
        "helper.py": CHOOSE,
    },
    "a pickle, later": {
        "agent.py": f"{FRONT}import helper, pickle\ndef play(game):\n    helper = pickle.loads(b'chelper\\nHelper\\n.')\n"
        "    return lambda states, keys: helper.choose(states)\n",
        "helper.py": CHOOSE.replace("def choose", "class Helper:\n  @staticmethod\n  def choose"),
    },
    "a pickle": {
        "agent.py": f"{FRONT}import pickle\nhelper = pickle.loads(b'chelper\\nHelper\\n.')\n{ENDS}",
        "helper.py": CHOOSE.replace("def choose", "class Helper:\n  @staticmethod\n  def choose"),
    },
}  # fmt: skip
GAME = "nim:heaps=1+2"


def bring(folder: Path, files: dict[str, str], number: int) -> None:
    """Writes the files of somebody whose policy plays this action."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text.replace("{}", str(number)))


def action(spec: str) -> int:
    """What a policy plays first."""
    policy = ludus.make_policy(spec, GAME)
    return int(policy.act(ludus.make_game(GAME).start[None], np.zeros(1, np.uint64))[0])


@pytest.mark.parametrize("way", WAYS)
def test_policies_that_bring_modules_of_one_name_play_by_their_own(here, way):
    before = [*sys.path]
    for number, person in enumerate(("ann", "bob", "cleo")):
        bring(here / person, WAYS[way], number)
    policies = {person: ludus.make_policy(f"python:{person}.agent:play", GAME) for person in ("bob", "ann")}
    policies["cleo"] = ludus.make_policy("cleo.agent:play", GAME)
    state, key = ludus.make_game(GAME).start[None], np.zeros(1, np.uint64)
    for _ in range(2):
        for number, person in enumerate(("ann", "bob", "cleo")):
            assert policies[person].act(state, key).tolist() == [number], person
    assert sys.path == before


def test_one_module_name_in_two_folders_is_two_modules(here, monkeypatch):
    for number in (0, 2):
        bring(here / str(number), {"agent.py": f"import helper{ENDS}", "helper.py": CHOOSE}, number)
    played = dict[int, object]()
    for number in (0, 2, 0):
        monkeypatch.chdir(here / str(number))
        assert action("python:agent:play") == number
        played[number] = load_code("agent:play")
    for play in played.values():
        find, place = reduce_apart(play)  # pyright: ignore[reportGeneralTypeIssues]
        assert find(*place) is play  # wherever a worker finds it


def test_a_file_that_two_import_is_run_once(here, monkeypatch):
    monkeypatch.syspath_prepend(here)
    (here / "shared.py").write_text("numbers = []\n")
    for person in ("ann", "bob"):
        bring(here / person, {"agent.py": f"import shared\nshared.numbers.append({person!r})\n"}, 0)
        load_code(f"{person}.agent:shared")
    import shared  # pyright: ignore[reportMissingImports]

    assert shared.numbers == ["ann", "bob"]
    assert importlib.reload(shared).numbers == []


def test_what_such_code_defines_can_be_copied_and_pickled(here):
    bring(here / "ann", {"agent.py": "class Mine:\n    number = 3\n"}, 0)
    mine = load_code("ann.agent:Mine")()
    assert copy.deepcopy(mine).number == pickle.loads(pickle.dumps(mine)).number == 3


def test_a_pickle_that_is_read_as_it_plays_finds_modules_that_no_other_policy_calls_so(here):
    play = "import lazy, pickle\ndef play(states, keys):\n    return pickle.loads(b'clazy\\nchoose\\n.')(states)\n"
    for number, person in enumerate(("ann", "bob")):
        bring(here / person, {"agent.py": FRONT + play, "lazy.py": CHOOSE}, number)
    assert action("ann.agent:play") == 0
    for person in ("bob", "ann"):
        with pytest.raises(KeyError, match="lazy"):  # and never the other's
            action(f"{person}.agent:play")


def test_neither_the_order_of_policies_nor_where_they_play_changes_a_game(here):
    first_move = {"python:ann.agent:play": 0, "python:bob.agent:play": 2}
    for spec, number in first_move.items():
        bring(here / spec[7:10], WAYS["beside it"], number)
    for order, settings in (
        ([*first_move], {}),
        ([*first_move][::-1], {}),
        ([*first_move], {"workers": 1}),
        ([*first_move], {"move_time": 60.0}),
    ):
        played = tournament([GAME], order, 4, opening_plies=0, **settings)  # pyright: ignore[reportArgumentType]
        for record in played.store.records():
            mover = record.pairing.b if record.number % 2 else record.pairing.a
            assert record.actions[0] == first_move[mover]
