"""What comes from a file runs no code unless the person at the keyboard says so."""

import copy
import json
import pickle
import sys
from pathlib import Path

import pytest

import ludus
from ludus.agents import as_policy
from ludus.arena import Tournament, resume
from ludus.arena.matches.record import parse
from ludus.arena.planning.planning import make_plan
from ludus.arena.store.store import Store
from ludus.core.files.documents import parse_document
from ludus.core.plugins import CheckedSpec, PolicySpec, UntrustedSpec, admit, places, refuse_untrusted, runs_code

from ..helpers.arena.stored import change_plan
from ..hostile.folder import write_model
from ..hostile.words import EVIL

NOT_RUN = "and code is not run because a file says so"
CODE = ["python:evil:f", "evil:f", "minimax:evaluation=evil:f", "random+python:evil:f", "sb3:evil.zip", "sb3:evil.zip,trust=true"]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A stranger's folder, with code in it that leaves a file where it runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(places, "_plugged_in", {})
    Path("evil.py").write_text(EVIL)
    monkeypatch.delitem(sys.modules, "evil", raising=False)
    write_model(tmp_path, "evil.zip")
    yield tmp_path
    sys.modules.pop("evil", None)


def executed():
    """Whether the stranger's code has run."""
    return Path("executed").exists()


def saved_game(**fields):
    """A saved game, as its file holds it."""
    game = {"game": "tictactoe", "against": "random", "seat": 0, "seed": 0, "start": "--------- X", "moves": []}
    Path("saved.json").write_text(json.dumps(game | fields))
    return "saved.json"


def store(spec):
    """A store of which nothing is played yet, whose first policy is made by a spec."""
    Store.create("games.sqlite", make_plan(["tictactoe"], ["random", "greedy"], 2)[0]).close()
    change_plan("games.sqlite", lambda plan: plan | {"entrants": [["random", spec], ["greedy", "greedy"]]})
    return "games.sqlite"


# ---- the rule


@pytest.mark.parametrize(
    "text", [*CODE, "a=evil:f", "a,b=evil : f", "x:y=z,w=evil.deep:f", "run:x+evil:f", " python:evil:f ", "-evil:f"]
)
def test_code_is_found_wherever_it_stands_in_a_text(text):
    assert runs_code(text)


HARMLESS = ["random", "minimax:depth=3,evaluation=plain", "nim:heaps=1+3+5,limit=3", "run:first,sample=true", "cuda:0"]
HARMLESS += ["table:path=runs/best.npz", "--------- X", "c:\\runs", "https://example.org/a", "12:30", ""]


@pytest.mark.parametrize("text", HARMLESS)
def test_a_text_that_names_no_code_is_just_a_text(text):
    assert not runs_code(text)
    assert admit({"one": [text, 5, None]}, "the file") == {"one": [text, 5, None]}


@pytest.mark.parametrize("text", CODE)
def test_nothing_can_be_made_of_an_untrusted_spec_however_it_is_handed_on(text):
    admitted = admit({"a": [[text]]}, "the file x")
    refused = admitted["a"][0][0]
    with pytest.raises(ValueError, match=rf"the file x names code, .*, {NOT_RUN}"):
        refuse_untrusted("random", admitted)
    assert not isinstance(refused, str)
    assert not {"split", "strip", "partition", "__add__", "__getitem__", "__iter__"} & {*dir(refused)}
    for one in (refused, copy.deepcopy(refused), pickle.loads(pickle.dumps(refused))):
        for making in (ludus.make_policy, as_policy):
            with pytest.raises(ValueError, match=rf"the file x names code, .*, {NOT_RUN}"):
                making(one, "tictactoe")
    assert not executed()


def test_a_trusted_file_is_believed_but_for_its_own_word_on_trust():
    for text in ("sb3:a.zip", "sb3:a.zip,trust=false", "sb3:a.zip,trust=true"):
        assert admit(text, "the file", trust=True) == "sb3:a.zip,trust=true"
    assert admit("sb3:a.zip,trust=no,sample=true", "the file", trust=True) == "sb3:a.zip,sample=true,trust=true"
    assert admit(["python:a:b", "random"], "the file", trust=True) == ["python:a:b", "random"]


def test_a_document_says_by_the_types_of_its_fields_where_specs_stand():
    found = parse_document('["random", "evil:f"]', list[PolicySpec], "the file x", "leave it")
    assert found[0] == "random"
    assert isinstance(found[1], UntrustedSpec)
    with pytest.raises(ValueError, match=f"^the file x names code, 'evil:f', {NOT_RUN}"):
        parse_document('["evil:f"]', list[CheckedSpec], "the file x", "leave it")
    for kind in (CheckedSpec, PolicySpec):
        assert parse_document('["evil:f"]', list[kind], "the file x", "leave it", trust=True) == ["evil:f"]
        with pytest.raises(ValueError, match=r"the file x is damaged: Expected `\w+`, got `int` - at `\$\[0\]`; leave it"):
            parse_document("[5]", list[kind], "the file x", "leave it")


def test_a_module_that_the_user_has_plugged_in_may_be_named_by_a_file():
    ludus.plug_in("evil")
    assert not runs_code("python:evil:f")
    assert runs_code("evil:f+other:f")


# ---- the user's word


def test_trust_lets_a_store_name_code(run):
    assert run("arena", "--resume", store("python:evil:f"), "--trust", "--no-report")[0] == 0
    assert executed()
    Path("games.sqlite").unlink()
    assert Tournament(Store.open(store("evil:f"), trust=True)).done == 0
    assert resume("games.sqlite", trust=True).done == 2


def test_trust_loads_a_pickled_model_whatever_the_file_says(run, monkeypatch):
    loaded = []

    def load(file, game, options):
        loaded.append((file, options))
        return ludus.make_policy("random", game)

    monkeypatch.setattr("ludus.baselines.runs.loading.load_model", load)
    monkeypatch.setattr("ludus.agents.registry.PolicySource.is_foreign", False)  # so that it is loaded in this process
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    for spec in ("sb3:evil.zip", "sb3:evil.zip,trust=false,sample=true"):
        assert run("play", "--load", saved_game(against=spec), "--trust")[0] == 0
    assert run("arena", "--resume", store("sb3:evil.zip"), "--trust", "--no-report")[0] == 0
    plain, sampled = ("evil.zip", {"trust": "true"}), ("evil.zip", {"sample": "true", "trust": "true"})
    assert loaded == [plain, sampled, plain]


# ---- what records need


def test_a_record_says_which_module_its_game_needs():
    text = '[Game "stones"]\n[Player 0 "a"]\n[Player 1 "b"]\n[Result "1-0"]\n\n1-0\n'
    needs = json.dumps(json.dumps({"stones": "heaps"}))
    with pytest.raises(ValueError, match="line 1: the record needs 'stones' of the module 'heaps'"):
        parse(text.replace("\n\n", f"\n[Needs {needs}]\n\n"))
    with pytest.raises(ValueError, match="line 5: Needs is not JSON"):
        parse(text.replace("\n\n", '\n[Needs "{"]\n\n'))
