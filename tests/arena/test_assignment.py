"""Files of students: what plays, what each fault says, that no file disturbs another, and what systems of courses read."""

import json
from types import ModuleType

import numpy as np
import pytest

import ludus
from ludus.arena import grade_files, student
from ludus.data import positions
from ludus.oracles import make_oracle

GOOD = 'def agent(board, moves):\n    print("thinking")\n    return "b2" if board[1, 1] == 0 else moves[-1]\n'
BROKEN = {
    "syntax": ("def agent(legal:\n", "it raised SyntaxError: '(' was never closed (syntax.py, line 1)"),
    "exits": ("\nexit(3)\n", "it raised SystemExit: 3 (exits.py, line 2)"),
    "dies": ("import os\nos._exit(4)\n", "its process ended with exit status 4, while it was loaded"),
    "hoards": ("x = []\nwhile True: x.append(bytes(10**6))\n", "it raised MemoryError (hoards.py, line 2)"),
    "prints": ("while True: print('x' * 10**6)\n", "it raised OSError: [Errno 27] File too large (prints.py, line 1)"),
    "empty": ("x = 3\n", "it cannot play: there is no function in the file; put @ludus.agent before the one that plays"),
    "two": ("def act(legal): ...\ndef policy(legal): ...\n", "it cannot play: act and policy may each be the agent; put"),
    "strange": ("def mine(grid, legal): return 1\n", "it cannot play: mine has a parameter grid; what is asked about one position"),
}
FAULTY = {
    "illegal": ("def agent(legal): return 0\n", "illegal", "the agent answered a1, which is not legal in "),
    "wrong": ("def agent(legal): return 1 / (len(legal) - 5)\n", "error", "the agent answered "),
    "leaves": ("import os\ndef agent(legal): os._exit(1)\n", "died", "the agent ended its process, which ended with exit status 1"),
}
SMALL = {"levels": ["random"], "games": 4, "positions": 20, "memory": 2**26, "move_time": 600}


@pytest.fixture
def written(tmp_path):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.py").write_text(text)
        return [tmp_path / f"{name}.py" for name in texts]

    return write


def test_a_broken_file_gets_its_sentence_and_the_others_their_grades(written):
    alone = grade_files("tictactoe", written(good=GOOD), **SMALL)
    texts = {name: text for name, (text, _) in BROKEN.items()} | {"good": GOOD}
    graded = grade_files("tictactoe", reversed(written(**texts)), **SMALL)
    for name, (_, sentence) in BROKEN.items():
        file = graded.files[f"{name}.py"]
        assert file["extra_data"]["first_error"].startswith(sentence)
        assert (file["score"], {test["status"] for test in file["tests"]}) == (0, {"failed"})
    good, again = (part.files["good.py"] for part in (alone, graded))
    for file in (good, again):
        del file["extra_data"]["matches"][0]["seconds_a_move"]
    assert good == again
    assert good["extra_data"]["counts"].keys() == {"moves"}
    assert good["extra_data"]["printed"].startswith("thinking\nthinking\n")
    assert len(graded.files["prints.py"]["extra_data"]["printed"]) == 10_000


def test_the_first_fault_is_named_with_its_position_and_faults_are_counted(written):
    graded = grade_files("tictactoe", written(**{name: text for name, (text, *_) in FAULTY.items()}), **SMALL)
    for name, (_, kind, sentence) in FAULTY.items():
        more, tests = graded.files[f"{name}.py"]["extra_data"], graded.files[f"{name}.py"]["tests"]
        assert more["first_error"].startswith(sentence)
        assert more["counts"][kind] > 0
        assert [test["status"] for test in tests[:3]] == ["passed", "failed", "passed"]
    assert graded.files["leaves.py"]["extra_data"]["counts"] == {"moves": 10, "died": 10}  # then it is not asked any more


def test_a_file_that_takes_too_long_is_ended(written, monkeypatch):
    endless, late = written(endless="while True: pass\n", late="import time\ndef agent(legal): time.sleep(600)\n")
    (slow,) = grade_files("tictactoe", [late], **SMALL | {"move_time": 0.05}).files.values()
    assert "the agent took longer than 0.05 s for a move in " in slow["extra_data"]["first_error"]
    assert [test["status"] for test in slow["tests"][:3]] == ["passed", "passed", "failed"]
    monkeypatch.setattr(student, "START_TIME", 0.1)
    (never,) = grade_files("tictactoe", [endless], **SMALL).files.values()
    assert never["extra_data"]["first_error"] == "it is not loaded after 0.1 s"


def test_a_file_that_deletes_itself_harms_no_file(written, tmp_path):
    files = written(gone='import os\nos.remove("gone.py")\nopen("kept", "w").close()\ndef act(legal): return legal[0]\n')
    assert grade_files("tictactoe", files, **SMALL).files["gone.py"]["extra_data"]["first_error"] == ""
    assert [file.name for file in tmp_path.iterdir()] == ["gone.py"]


def test_the_value_lost_is_that_of_the_oracle_in_the_same_positions(written):
    graded = grade_files("tictactoe", written(last="def mine(legal): return legal[-1]\n"), **SMALL, seed=5)
    asked, oracle = positions("tictactoe", 20, seed=5), make_oracle(ludus.make_game("tictactoe"))
    lost, floors = [], []
    for state, mask in zip(asked.states, asked.masks, strict=True):
        legal = np.flatnonzero(mask)
        values = oracle.action_values(np.repeat(state[None], len(legal), axis=0), legal).values.astype(float)
        lost.append(values.max() - values[-1])
        floors.append(values.max() - values.mean())
    grade = graded.files["last.py"]["extra_data"]["grade"]
    assert (grade["value_lost"], grade["random_value_lost"]) == (pytest.approx(np.mean(lost)), pytest.approx(np.mean(floors)))


def test_the_moves_that_lose_most_are_named_and_no_answer_counts_as_the_worst_one(written):
    graded = grade_files("tictactoe", written(last="def act(legal): return legal[-1]\n", none="def act(legal): ...\n"), **SMALL)
    worst = graded.files["last.py"]["extra_data"]["worst_moves"]
    assert 0 < len(worst) <= 3
    assert all("it plays" in words and "; best " in words for words in worst)
    lost = [file["extra_data"]["grade"]["value_lost"] for file in graded.files.values()]
    assert lost[1] == max(lost) > graded.files["none.py"]["extra_data"]["grade"]["random_value_lost"]
    assert graded.files["none.py"]["extra_data"]["worst_moves"] == []


def test_a_folder_stands_for_its_files_and_one_that_is_not_there_costs_no_other_its_grade(written, tmp_path):
    written(good=GOOD)
    graded = grade_files("tictactoe", [tmp_path, tmp_path / "gone.py"], **SMALL)
    assert [file["score"] > 0 for file in graded.files.values()] == [True, False]
    assert graded.files["gone.py"]["extra_data"]["first_error"] == "it cannot be read (No such file or directory)"


CHOSEN = {
    "@ludus.agent\ndef one(legal): ...\ndef agent(legal): ...": "one",
    "def policy(legal): ...\ndef last(legal): ...": "policy",
    "def first(legal): ...\ndef last(legal): ...\ndef _help(x): ...\ndef main(): ...": "last",
    "def help(x, y): ...\ndef act(observations, masks): ...": "act",
}


@pytest.mark.parametrize("text", CHOSEN)
def test_what_plays_of_a_file_is_the_marked_function_or_the_one_of_a_known_name_or_the_last(text, monkeypatch):
    module, played = ModuleType(student.MODULE), []
    exec(f"import ludus\n{text}", vars(module))
    monkeypatch.setattr(student, "as_policy", lambda thing, *_, **how: played.append((thing.__name__, how.get("one_position"))))
    student.make_agent(vars(module), ludus.make_game("tictactoe"))
    assert played == [(CHOSEN[text], "observations" not in text)]


def test_the_command_writes_what_gradescope_and_github_classroom_read(written, run, tmp_path):
    out, files = tmp_path / "out", written(good=GOOD, syntax="def")
    status, printed, _ = run("assignment", "tictactoe", "--games", 2, "--positions", 5, "--out", out, "--levels", "random", *files)
    assert (status, sorted(file.name for file in out.iterdir())) == (0, ["good.json", "index.html", "syntax.json"])
    assert "syntax.py: it raised SyntaxError" in printed
    results = json.loads((out / "good.json").read_text())
    assert [test["name"] for test in results["tests"]] == ["loads", "legal", "in time", "beats random", "value lost"]
    assert results["score"] == pytest.approx(sum(test["score"] for test in results["tests"]))
    assert results["max_score"] == sum(test["max_score"] for test in results["tests"]) == 5
    github = results["extra_data"]["github_classroom"]
    assert (github["version"], github["status"], github["max_score"]) == (1, "fail", 5)
    assert [(test["score"], {"pass": "passed", "fail": "failed"}[test["status"]]) for test in github["tests"]] == [
        (test["score"], test["status"]) for test in results["tests"]
    ]
    assert "good.py" in (out / "index.html").read_text()
