"""Games, policies, trainers and evaluations from outside: by entry points, by --import and by module:name."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import gymnasium as gym
import numpy as np
import pettingzoo
import pytest
from pettingzoo.env_registry import registration

import ludus
from ludus.agents import policies_for, policy_names
from ludus.agents.random import Random
from ludus.agents.registry import POLICIES, read_policy
from ludus.arena import resume, tournament
from ludus.baselines import Measure, Settings, Trainer, train, trainer_class, trainer_names
from ludus.baselines.runs.registry import TRAINER_CLASSES
from ludus.core.plugins import places
from ludus.games.registry import GAMES
from ludus.search.evaluations import EVALUATIONS

from ..helpers.system import processes
from ..helpers.system.processes import OUTSIDE
from ..helpers.training.pictures import no_pictures

SOURCE = (OUTSIDE / "stones.py").read_text(encoding="utf-8")
ENTRIES = {
    "games": {"stones": "stones:Stones"},
    "policies": {"taker": "stones:Taker"},
    "trainers": {"counter": "stones:Counter"},
    "evaluations": {"wrong_way": "stones:won_by_threes"},
}
NEVER = ("--evaluate-every", "never")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A folder to work in, on the path; what is registered or imported is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(places, "_plugged_in", {})
    no_pictures(monkeypatch)
    for registry in (GAMES, POLICIES, TRAINER_CLASSES, EVALUATIONS):
        monkeypatch.setattr(registry, "_outside", {})
        monkeypatch.setattr(registry, "_homes", {})
    modules, ids, others = {*sys.modules}, {*gym.registry}, {*registration.aec_registry}
    yield tmp_path
    for name in {*sys.modules} - modules:
        if Path(str(getattr(sys.modules[name], "__file__", None))).parent == tmp_path:
            del sys.modules[name]
    for kept, registry in ((ids, gym.registry), (others, registration.aec_registry)):
        for id_ in {*registry} - kept:
            del registry[id_]


@pytest.fixture
def module(here):
    """The game's module, as somebody has written it."""
    (here / "stones.py").write_text(SOURCE, encoding="utf-8")
    return "stones"


@pytest.fixture
def package(module, here):
    """The same, as installed by pip."""
    install(here, "ludus-stones", ENTRIES)


def install(site, name, entries):
    """What pip leaves of a package beside its modules."""
    info = site / f"{name.replace('-', '_')}-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
    lines = [f"[ludus.{group}]\n" + "".join(f"{k} = {v}\n" for k, v in some.items()) for group, some in entries.items()]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return info


@pytest.fixture
def shell(tmp_path_factory, here):
    """Runs a command in another process, which knows nothing of what is plugged in in this one: what it prints."""
    script = tmp_path_factory.mktemp("scripts") / "ludus_script.py"
    script.write_text("import sys\nfrom ludus.cli import main\n\nsys.exit(main())\n")

    def command(*words):
        return processes.run_script(script, list(words), here)[0]

    return command


def moves_of(policy, *lefts):
    """What a policy takes of so many stones."""
    states = np.array([policy.game.position(str(left)) for left in lefts])
    return (policy.act(states, np.zeros(len(states), np.uint64)) + 1).tolist()


# ---- installed packages


def test_an_installed_package_is_found_by_its_names(package):
    assert ludus.make_game("stones:heaps=5").perft(5) == 8  # 1+1+1+1+1, 2+1+1+1 in 4 orders, 2+2+1 in 3
    assert moves_of(ludus.make_policy("taker:many=2", "stones"), 1, 2, 5) == [1, 2, 2]
    assert trainer_class("counter").name == "counter"
    assert moves_of(ludus.make_policy("minimax:depth=1,evaluation=wrong_way", "stones"), 4, 5) == [2, 1]


def test_lists_name_what_is_installed(package, document):
    assert ludus.game_names()[-1] == "stones"
    assert policy_names()[-1] == "taker"
    assert trainer_names()[-1] == "counter"
    assert "taker" in policies_for(ludus.make_game("stones"))
    assert "taker" not in policies_for(ludus.make_game("nim"))
    (listed,) = (game for game in document("list")["games"] if game["name"] == "stones")
    assert listed["ids"]["gymnasium"] == "ludus/Stones-v0"
    assert "counter" in document("train", "--list")


def test_a_package_that_cannot_be_loaded_is_named_and_breaks_nothing_else(package, here, run):
    (here / "broken.py").write_text("1 / 0\n")
    install(here, "ludus-broken", {"games": {"rubble": "broken:Rubble"}, "policies": {"wreck": "broken:Wreck"}})
    sentence = r"'rubble' is of the package ludus-broken 1.2, which cannot be loaded \(ZeroDivisionError: division by zero\)"
    with pytest.warns(UserWarning, match=sentence):
        assert ludus.game_names()[6:] == ("stones",)
    with pytest.raises(ValueError, match=sentence):
        ludus.make_game("rubble")
    with pytest.warns(UserWarning, match="'wreck' is of the package ludus-broken"):
        assert "taker" in policies_for(ludus.make_game("stones"))
    assert run("perft", "stones", 2)[0] == 0
    assert "which cannot be loaded" in run("play", "rubble")[2]


def test_two_packages_that_offer_one_name_are_both_named(package, here):
    install(here, "ludus-pebbles", {"games": {"stones": "pebbles:Stones"}})
    with pytest.raises(ValueError, match=r"ludus-(stones|pebbles) 1.2 and the package .* each offer the game 'stones'"):
        ludus.make_game("stones")


# ---- modules that the user names


def test_gymnasium_imports_the_module_that_an_id_names(module):
    env = gym.make("stones:ludus/Stones-v0", opponent="stones:always_two", seat=1, heaps=(5,))
    env.reset(seed=0)
    assert env.unwrapped.position == "3"
    envs = gym.make_vec("stones:ludus/Stones-v0", num_envs=3, opponent=None)
    assert envs.reset(seed=0)[0]["observation"].shape == (3, 2, 1, 8)
    board = pettingzoo.make("aec", "ludus/stones-v0", heaps=(5,))
    board.reset(seed=0)
    board.step(1)
    assert board.unwrapped.position == "3"


@pytest.mark.parametrize("given", [["--import", "stones", "perft", "stones", "3"], ["perft", "stones", "3", "--import=stones"]])
def test_a_module_is_imported_before_or_after_the_command(module, run, given):
    assert "stones depth 3: 8 leaves" in run(*given)[1]
    assert run("perft", "stones", "3")[0] == 0  # the same process


def test_without_the_import_the_name_is_not_known(module, run):
    assert run("perft", "stones", "3")[0] == 2
    assert "No module named 'stone'" in run("--import", "stone", "perft", "nim", "1")[2]
    assert "'a/b' is not the name of a module" in run("--import", "a/b", "perft", "nim", "1")[2]


def test_games_policies_trainers_and_evaluations_are_named_by_their_modules(module, run):
    assert ludus.make_game("stones:Stones,heaps=5").spec == "stones:heaps=5"
    assert moves_of(ludus.make_policy("stones:Taker,many=2", "stones"), 5) == [2]
    assert moves_of(ludus.make_policy("stones:always_two", "stones"), 5) == [2]
    assert moves_of(ludus.make_policy("greedy", "stones"), 4, 5) == [1, 2]
    assert moves_of(ludus.make_policy("minimax:depth=1,evaluation=stones:won_by_threes", "stones"), 4, 5) == [2, 1]
    run_ = train("stones:Counter", "stones", many=1)
    assert run_.plan.trainer == "counter"
    assert moves_of(run_.policy(), 5) == [1]
    trained = run("train", "stones:Counter", "stones:Stones", "--run", "kept", "--many", 2, *NEVER)
    assert "counter has learnt stones: 2 parts" in trained[1]
    assert read_policy("run:kept").is_foreign
    assert read_policy("taker:many=2").is_foreign


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: ludus.make_game("stones:always_two"), "always_two is <function .* which is not a game"),
        (lambda: ludus.make_game("stones:Pebbles"), "the module 'stones' has no 'Pebbles'"),
        (lambda: ludus.make_game("othello:Stones"), "'Stones' in 'othello:Stones' is not a setting"),
        (lambda: ludus.make_policy("stones:always_two,many=1", "nim"), "only subclasses of Policy have settings in a spec"),
        (lambda: ludus.make_policy("stones:Taker", "nim"), "'taker' plays stones, not nim"),
        (lambda: ludus.make_policy("minimax:evaluation=stones:np", "nim"), "stones:np is .*, which is not an evaluation"),
        (lambda: trainer_class("stones:Taker"), "which is not a trainer"),
    ],
)
def test_what_a_module_does_not_hold_is_answered_with_a_sentence(module, make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_names_that_are_taken_are_refused(module):
    ludus.plug_in("stones")
    with pytest.raises(ValueError, match="the trainer 'counter' is there already"):
        ludus.register_trainer(type("Counter", (sys.modules["stones"].Counter,), {"__module__": "elsewhere"}))
    with pytest.raises(ValueError, match="must be one word in lower case"):
        ludus.register_evaluation("two words")(lambda state, weights: 0)


# ---- what is kept


def test_a_run_of_an_own_trainer_is_played_in_a_new_shell(package, here):
    train("counter", "stones:heaps=5", "kept", measure=Measure("never"), many=2)
    reported = json.loads(Path("kept/run.json").read_text())
    assert reported["needs"] == {"counter": "stones", "stones": "stones"}
    code = "import ludus; p = ludus.make_policy('run:kept', 'stones:heaps=5'); print(p, p.many, p.game.spec)"
    assert processes.run("-c", code, cwd=here, PYTHONPATH=here) == "run:kept 2 stones:heaps=5\n"


def test_a_store_is_refused_with_what_brings_its_game_and_policies(module, here, shell):
    ludus.plug_in("stones")
    tournament("stones", ["taker", "stones:always_two", "random"], 2, store="games.db")
    resume("games.db")
    with pytest.raises(AssertionError, match="exit 2") as refused:
        shell("replay", "games.db")
    assert "the store games.db needs 'stones' of the module 'stones'" in str(refused.value)
    assert "taker" in shell("replay", "games.db", "--import", "stones")
    code = "import stones; from ludus.arena import resume; resume('games.db')"
    with pytest.raises(AssertionError, match="names code, 'stones:always_two', and code is not run because a file says so"):
        processes.run("-c", code, cwd=here, PYTHONPATH=here)


# ---- other processes


def test_workers_know_what_this_process_knows(package, run, document):
    specs = ("taker", "stones:always_two", "minimax:depth=1,evaluation=wrong_way")
    played = document("arena", "stones", "--policies", *specs, "--games", 4, "--workers", 2, "--report", "none.html")
    assert {pair["games"] for pair in played["pairs"]} == {4}
    status, _, err = run("train", "counter", "stones", "--run", "kept", "--opponent", "taker", "--workers", 2, *NEVER)
    assert status == 0, err


# ---- all that is wrong with a class is said at once


@dataclass(frozen=True)
class StepsSettings(Settings):
    steps: int = 4


class HalfPolicy(ludus.Policy):
    games = "random"
    depth: int


@dataclass(frozen=True)
class Listed(Random):
    name: ClassVar[str] = "listed"
    sizes: list[int] = ()


class HalfTrainer(Trainer):
    name = "counter"
    unit = "games"
    settings_class = StepsSettings
    presets: ClassVar = {"quick": {"step": 1}}

    def advance(self):
        return {}


def test_all_that_is_wrong_with_a_class_is_said_at_once():
    with pytest.raises(ValueError, match=r"cannot be registered as a policy: ") as policy:
        ludus.register_policy(dataclass(frozen=True)(HalfPolicy))
    for words in ("it has no name", "not define act", "depth of HalfPolicy must have a default", "games is 'random'"):
        assert words in str(policy.value)
    with pytest.raises(ValueError, match="sizes of Listed is of a type that can change, which no setting may be"):
        ludus.register_policy(Listed)
    with pytest.raises(ValueError, match=r"cannot be registered as a trainer: ") as trainer:
        ludus.register_trainer(HalfTrainer)
    for words in ("not define learnt, policy_of, restore, state", "no setting 'games', the length", "preset 'quick' does not fit"):
        assert words in str(trainer.value)
    assert not TRAINER_CLASSES.has("counter")


@pytest.mark.parametrize("register", [ludus.register_policy, ludus.register_trainer])
def test_what_is_no_class_of_the_kind_is_refused(register):
    for thing in (StepsSettings, lambda states, keys: keys, "random"):
        with pytest.raises(ValueError, match=r"is not a (policy|trainer); a .* subclass of"):
            register(thing)
