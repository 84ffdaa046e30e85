"""Every hostile word is sent to every field that takes words from outside: nothing runs or is shown, the answer is a sentence."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import ludus
from ludus.agents import make_policy
from ludus.arena.matches.record import parse
from ludus.arena.planning.plan import Plan
from ludus.arena.store.store import Store
from ludus.baselines import resume
from ludus.baselines.runs.folder import Folder
from ludus.cli.playing.live_game import load
from ludus.core.files.documents import parse_document
from ludus.records import load_openings
from ludus.text.answering import answer_lines, lines_of
from ludus.text.environments import Tasks
from ludus.text.environments.serving import EpisodeSession, Host
from ludus.web.offers import Offers
from ludus.web.server import application as page_application
from ludus.web.watch_list import WatchList

from ..helpers.arena.played import plan_of, random_games
from ..helpers.asking import ask
from ..helpers.site import Client, connected, served
from ..helpers.training.pictures import no_pictures
from ..written.reading import FILES
from .words import EVIL, SECRET, SPECS, WORDS

GAME = "tictactoe"
STORE = "cup.sqlite"
NAMES = {"evil", "Evil", "EVIL"}
"""Modules that the words name."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The current folder, with evil.py in it."""
    folder = tmp_path_factory.mktemp("words")
    (folder / "evil.py").write_text(EVIL)
    (folder / "secret.csv").write_text(f"{SECRET},1,2\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("LUDUS_SECRET", SECRET)
        for name in NAMES & sys.modules.keys():  # which another test may have left
            patch.delitem(sys.modules, name)
        patch.setattr(sys, "path", [path for path in sys.path if path])
        no_pictures(patch)
        with Store.create(folder / STORE, plan_of(GAME, count=2)) as store:
            store.add(store.plan.pairings[0], random_games(GAME, [0]))
        yield folder


@pytest.fixture
def untouched(folder: Path) -> Callable[[str, object], None]:
    """Checks after each word that nothing ran and nothing is shown."""

    def check(word: str, answer: object) -> None:
        assert SECRET not in str(answer), word
        assert not (folder / "executed").exists(), word
        assert not NAMES & sys.modules.keys(), word

    return check


def check_sentence(word: str, text: str) -> None:
    """Checks that a text is a sentence, in one line."""
    assert len(text.split()) >= 4, (word, text)
    assert len(text.splitlines()) == 1, (word, text)
    assert "Traceback" not in text, (word, text)


# ---- a page in the browser


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[Client]:
    """A page's connection to a server that thinks in this process, so that an import would show here."""

    async def think(_: Any, __: float, function: Callable[..., Any], *arguments: Any) -> Any:
        return function(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ludus.web.thinkers.Thinkers.ask", think)
        with served(watched=[STORE], networks=[GAME]) as host, connected(host) as page:
            yield page


FROM_PAGES: dict[str, Callable[[str], dict[str, Any]]] = {
    "a game to show": lambda word: {"kind": "show", "game": word},
    "a game to answer in": lambda word: {"kind": "answer", "game": word, "policy": "random"},
    "a game to judge": lambda word: {"kind": "judge", "game": word},
    "a game to be asked about": lambda word: {"kind": "opine", "game": word, "policy": "random"},
    "a position": lambda word: {"kind": "show", "game": GAME, "start": word},
    "a position to judge": lambda word: {"kind": "judge", "game": GAME, "start": word},
    "a move": lambda word: {"kind": "show", "game": GAME, "moves": [word]},
    "a policy that is to play on": lambda word: {"kind": "show", "game": GAME, "policies": ["random", word]},
    "a policy that answers": lambda word: {"kind": "answer", "game": GAME, "policy": word},
    "a policy that is asked": lambda word: {"kind": "opine", "game": GAME, "policy": word},
    "a seed": lambda word: {"kind": "answer", "game": GAME, "policy": "random", "seed": word},
    "what is watched": lambda word: {"kind": "follow", "name": word},
    "a store of games": lambda word: {"kind": "games", "store": word},
    "a store of a game": lambda word: {"kind": "replay", "store": word, "pairing": 0, "number": 0},
    "a result": lambda word: {"kind": "games", "store": STORE, "result": word},
    "what is asked for": lambda word: {"kind": word},
    "a field": lambda word: {"kind": "show", "game": GAME, f"x{word}": word},
}


@pytest.mark.parametrize("entrance", FROM_PAGES)
def test_a_page_names_no_code_and_no_file(entrance: str, page: Client, untouched: Callable[[str, object], None]):
    for word in WORDS:
        answer = page.ask(**FROM_PAGES[entrance](word))
        assert answer.keys() == {"id", "error"}, word
        check_sentence(word, answer["error"])
        untouched(word, answer)


@pytest.mark.parametrize("field", ["game", "policy", "against"])
def test_a_filter_of_a_page_lets_no_game_through(field: str, page: Client, untouched: Callable[[str, object], None]):
    for word in WORDS:
        answer = page.ask("games", store=STORE, **{field: word})
        assert answer.get("games", []) == [], word
        untouched(word, answer)


@pytest.mark.parametrize("path", ["/{}", "/page/{}", "/shared/{}", "/watch?name={}", "/watch/{}", "/?token={}"])
def test_an_address_leads_to_no_file_but_the_pages(path: str, folder: Path, untouched: Callable[[str, object], None]):
    app = page_application(Offers(), WatchList())
    for word in WORDS:
        for said in (word, quote(word, safe="")):
            answer = asyncio.run(ask(app, path.format(said)))
            assert answer.status in ({200} if "?" in path else {200, 307, 404, 405}), word
            untouched(word, answer)


# ---- a client of `ludus serve`


FROM_CLIENTS: dict[str, Callable[[str], tuple[str, Any]]] = {
    "a position": lambda word: ("reset", {"position": word}),
    "a split": lambda word: ("reset", {"split": word}),
    "a seed": lambda word: ("reset", {"seed": word}),
    "a game": lambda word: ("reset", {"game": word}),
    "an opponent": lambda word: ("reset", {"opponent": word}),
    "an action": lambda word: ("step", {"action": word}),
    "a field": lambda word: ("reset", {f"x{word}": word}),
    "data": lambda word: ("reset", f"x{word}"),
    "a type": lambda word: (f"x{word}", {}),
}


def answer_to(session: EpisodeSession, kind: str, data: Any) -> dict[str, Any]:
    answer = asyncio.run(session.answer(json.dumps({"type": kind, "data": data})))
    assert answer is not None
    return answer


@pytest.mark.parametrize("entrance", FROM_CLIENTS)
def test_a_client_names_no_code_and_no_file(entrance: str, folder: Path, untouched: Callable[[str, object], None]):
    session = EpisodeSession(Host(Tasks(GAME, "random", count=20)))
    for word in WORDS:
        answer = answer_to(session, *FROM_CLIENTS[entrance](word))
        assert answer["type"] == "error", word
        check_sentence(word, answer["data"]["message"])
        untouched(word, answer)


def test_what_a_client_answers_is_no_move(folder: Path, untouched: Callable[[str, object], None]):
    session = EpisodeSession(Host(Tasks(GAME, count=20)))
    for word in WORDS:
        answer_to(session, "reset", {"seed": 1})
        answer = answer_to(session, "step", {"answer": word})
        assert answer["data"]["observation"]["score"]["legal"] is False, word
        untouched(word, answer)


# ---- a program that asks an engine


PROGRAMS = {
    "ludus": ["game {}", "position {}", "go x{}", "x{}"],
    "gtp": ["{}", "boardsize {}", "set_game x{}", "play black {}", "play {} b2", "genmove x{}", "ludus-setup_board {}"],
}


@pytest.mark.parametrize("protocol", PROGRAMS)
def test_a_program_that_asks_names_no_code(protocol: str, folder: Path, untouched: Callable[[str, object], None]):
    before = f"game {GAME}\nposition --------- X\n" if protocol == "ludus" else ""
    for line, word in product(PROGRAMS[protocol], WORDS):
        sent = before + line.format(word.replace("\n", " ").replace("#", "")) + "\n"
        game = None if protocol == "ludus" else GAME
        for answer in answer_lines("random", lines_of(io.BytesIO(sent.encode())), protocol, game):
            assert not answer or answer.startswith(("error ", "?")), word
            assert answer.isprintable(), word
            untouched(word, answer)


# ---- files


RECORD = '[Game {}]\n[Player 0 "a"]\n[Player 1 "b"]\n[Result "1-0"]\n\n1. a1 2. a2 3. b1 4. b2 5. c1 1-0\n'
SAVED = {"game": GAME, "against": "random", "seat": 0, "seed": 0, "start": "--------- X", "moves": []}


def read_saved(field: str, folder: Path, word: str) -> object:
    (folder / "saved.json").write_text(json.dumps(SAVED | {field: [word] if field == "moves" else word}))
    return load(folder / "saved.json", False, lambda spec, _: spec)


def read_plan(folder: Path, word: str, entrant: str = "random") -> object:
    """What a plan of a store with a word for its game, or for an entrant, is read as."""
    plan = plan_of(GAME, count=2).document()
    (pairing,) = plan["pairings"]
    changed = {"pairings": [[word, *pairing[1:]]], "entrants": [[pairing[1], entrant], [pairing[2], "random"]]}
    return parse_document(json.dumps(plan | changed), Plan, "the plan", "keep a copy")


def use_entrant(folder: Path, word: str) -> object:
    plan: Any = read_plan(folder, GAME, word)
    return make_policy(plan.entrants[0][1], GAME)


def read_openings(folder: Path, word: str) -> object:
    (folder / "some.openings").write_text(f"# Game: {word}\na1\n{word} zz\n")
    return load_openings(folder / "some.openings", GAME)


def run_with(folder: Path, **changes: Any) -> Path:
    """A run whose document says something else."""
    path = folder / "run"
    shutil.copytree(FILES / "runs" / "qlearning-rows", path, dirs_exist_ok=True)
    document = json.loads((path / "run.json").read_text())
    changes["settings"] = document["settings"] | changes.get("settings", {})
    (path / "run.json").write_text(json.dumps(document | changes))
    return path


def meet_ladder(folder: Path, word: str) -> object:
    """The policy that a run is measured against."""
    ladder: Any = Folder.open(run_with(folder, measure={"every": "0.5", "ladder": [word]})).measure.ladder
    return make_policy(ladder[0], GAME)


FROM_FILES: dict[str, Callable[[Path, str], object]] = {
    "the game of a record": lambda _, word: parse(RECORD.format(json.dumps(word))),
    **{f"the {field} of a saved game": partial(read_saved, field) for field in SAVED if field != "seed"},
    "the game of a store": read_plan,
    "an entrant of a store": use_entrant,
    "a file of openings": read_openings,
    "the trainer of a run to go on with": lambda folder, word: resume(run_with(folder, trainer=word)),
    "the game of a run to go on with": lambda folder, word: resume(run_with(folder, game=word)),
    "the opponent of a run to go on with": lambda folder, word: resume(run_with(folder, settings={"opponent": word})),
    "the trainer of a run to play against": lambda folder, word: make_policy(f"run:{run_with(folder, trainer=word)}", GAME),
    "the game of a run to play against": lambda folder, word: make_policy(f"run:{run_with(folder, game=word)}", GAME),
    "the ladder of a run": meet_ladder,
}


@pytest.mark.parametrize("entrance", FROM_FILES)
def test_a_file_names_no_code(entrance: str, folder: Path, tmp_path: Path, untouched: Callable[[str, object], None]):
    for word in SPECS if "to go on with" in entrance else WORDS:
        with pytest.raises((ValueError, OSError)) as error:
            FROM_FILES[entrance](tmp_path, word)
        check_sentence(word, str(error.value))
        untouched(word, str(error.value))


def test_what_the_words_try_works_where_a_user_types_them(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """So the checks above would notice an entrance that lets a word through."""
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    with pytest.raises(ValueError, match="not a game"):
        ludus.make_game(WORDS[0])
    assert sys.modules.pop("evil")
    (folder / "executed").unlink()
