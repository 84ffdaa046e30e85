"""Games in a notebook: `ludus.show(record)` steps through a game in one output that needs no server."""

from pathlib import Path

import gymnasium as gym
import pytest
from playwright.sync_api import Browser, expect

import ludus
from ludus.arena import GameRecord, tournament
from ludus.envs import Game, make_game
from ludus.games.game import StateArray

from ...helpers.arena.reported import EVIL, evil
from ...helpers.system.browser import CHROMIUM
from ...helpers.watching import watching

GAMES = ("tictactoe", "othello:size=4")


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    contest = tournament(GAMES, ["random", evil], 4, seed=5, faults="count")
    return [next(record for record in contest.store.records() if record.pairing.game == spec and record.actions) for spec in GAMES]


def named(game: Game, state: StateArray) -> str:
    """What a screen reader says of a board."""
    return f"{game.status(state)}: {game.text(state)}"


def test_an_environment_is_shown_as_it_stands():
    env = gym.make("ludus/TicTacToe-v0", opponent=None)
    env.reset(seed=1)
    env.step(4)
    game = make_game("tictactoe")
    assert game.svg(game.play(game.start, 4), 4) in ludus.show(env)._repr_html_()
    with pytest.raises(ValueError, match="has no board of Ludus"):
        ludus.show(3)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_two_outputs_in_one_notebook_are_stepped_through_each_by_itself(
    chromium: Browser, records: list[GameRecord], tmp_path: Path
):
    notebook = tmp_path / "notebook.html"
    outputs = "".join(f"<div class='output'>{ludus.show(record)._repr_html_()}</div>" for record in records)
    notebook.write_text(f"<!DOCTYPE html><title>Notebook</title>{outputs}", encoding="utf-8")
    with watching(chromium, str(tmp_path)) as page:
        page.goto(notebook.as_uri())
        boards = [page.frame_locator("iframe").nth(number).locator(".board svg") for number in range(2)]
        states = [make_game(record.pairing.game).play_line(record.actions) for record in records]
        for number, record in enumerate(records):
            game, frame = make_game(record.pairing.game), page.frame_locator("iframe").nth(number)
            frame.get_by_role("button", name="To the start").click()
            frame.get_by_role("button", name="On", exact=True).click()
            expect(boards[number]).to_have_attribute(
                "aria-label", f"{game.status(states[number][1])}: {game.text(states[number][1])}"
            )
            expect(frame.locator(".players")).to_contain_text(EVIL)
        expect(boards[0]).to_have_attribute("aria-label", named(make_game(records[0].pairing.game), states[0][1]))
