"""A training run on the page: its curves grow while it trains, and its latest checkpoint answers."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from ludus.agents import make_policy
from ludus.baselines import Execution, Measure, train
from ludus.baselines.runs.folder import Folder
from ludus.baselines.runs.plan import RunPlan
from ludus.baselines.runs.run import Run
from ludus.envs import make_game
from ludus.games.kernels.keys import derive
from ludus.web.runs import progress_of

from ..helpers.site import Client, connected, served
from ..helpers.system.browser import CHROMIUM
from ..helpers.tab import address, watching

SHORT = Measure(every="0.5", games=2, ladder=("random",))
GAME = make_game("tictactoe")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "a run"
    folder.mkdir()
    return folder


def answers(page: Client, policy: Path) -> list[str]:
    """What a policy answers to each first move."""
    return [page.ask("answer", game="tictactoe", moves=[first], policy=str(policy))["move"] for first in GAME.moves]


def answers_of(policy: Path) -> list[str]:
    """The same from the folder, as it is now."""
    states = np.stack([GAME.play(GAME.start, action) for action in range(9)])
    keys = np.full(9, GAME.kernel(derive)(0, 1), np.uint64)
    return [GAME.move_name(int(action)) for action in make_policy(f"run:{policy}", GAME).act(states, keys)]


def test_a_new_checkpoint_answers_instead_of_the_old_one(folder: Path):
    found = dict[int, list[str]]()
    with served(watched=[str(folder)]) as host, connected(host) as page:

        def watch(run: Run) -> None:
            if run.parts in (1, 100):
                found[run.parts] = answers(page, folder)
                assert found[run.parts] == answers_of(folder)

        train("qlearning", GAME, folder, games=4000, measure=SHORT, execution=Execution(checkpoint_seconds=0, watch=watch))
    assert found[1] != found[100]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("metrics.csv", "part,seconds,games,loss\n1,2,3,inf\n2,3,inf,4\n3,4,5,nan\n"),
        ("evaluations.json", "[" * 100_000),
        ("evaluations.json", "\xff"),
    ],
)
def test_a_damaged_run_is_shown_or_refused_in_a_sentence(folder: Path, file: str, text: str):
    Folder.create(folder, RunPlan.make("qlearning", GAME, 0, None, {}), Measure("never")).note()
    (folder / file).write_text(text, encoding="latin-1")
    if file == "metrics.csv":
        assert json.loads(json.dumps(progress_of(folder), allow_nan=False))["trainer"] == "qlearning"
    else:
        with pytest.raises(ValueError, match=r"evaluations.json is damaged.*; delete it"):
            progress_of(folder)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_curves_grow_while_it_trains(chromium: Browser, folder: Path):
    with served(watched=[str(folder)]) as host, watching(chromium, host) as page:
        page.goto(address(host, folder))
        expect(page.get_by_role("alert")).to_contain_text("no file run.json")
        curve = page.locator("figure", has_text="draws")

        def watch(run: Run) -> None:
            if run.parts in (5, 60) and not run.evaluation_due:
                expect(page.locator(".done")).to_contain_text(f"{run.trainer.done:,} of 2,000 games")
                expect(curve).to_have_attribute("data-points", str(run.parts))

        train("qlearning", GAME, folder, games=2000, measure=SHORT, execution=Execution(checkpoint_seconds=0, watch=watch))
        expect(page.locator(".done")).to_contain_text("finished")
        expect(page.locator("figure", has_text="points a game against random")).to_have_attribute("data-points", "6")
        expect(page.get_by_role("alert")).to_have_count(0)
        page.get_by_role("link", name="Play against its latest checkpoint").click()
        expect(page.locator("#far")).to_contain_text(str(folder))
        page.get_by_role("button", name=re.compile("^b2")).click()
        expect(page.locator("#moves button")).to_have_count(2)
