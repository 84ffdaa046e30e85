"""The tasks of the main thread, in the page without a server, never hold its window up for long. In a fresh browser."""

import json

import pytest
from playwright.sync_api import Browser

from ..helpers.system.browser import CHROMIUM

MOVES = 6
"""Moves of a game that is played and analysed, those of the policy included."""
PLAY = """async (moves) => {
  const { dataset } = document.querySelector("#stage");
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  const click = (place) => place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const coloured = () => document.querySelector(".target:is(.win, .draw, .loss, .estimate)");
  while (Number(dataset.plies) < moves && dataset.over !== "true") {
    const place = document.querySelector(".target.open:not(.chosen), #extra button");
    if (place) click(place);
    await frame();
    if (place && dataset.over !== "true") for (let frames = 0; frames < 60 && !coloured(); frames++) await frame();
  }
}"""
"""Plays the first move that is open, again and again, and waits up to a second for colours before each."""


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_no_task_of_the_page_holds_a_processor_for_over_50_ms_while_a_game_is_played_and_analysed(chromium: Browser, alone: str):
    page = chromium.new_context(offline=True).new_page()
    chromium.start_tracing(page=page, categories=["toplevel", "__metadata"])
    page.goto(f"{alone}#game=tictactoe&first=you&second=mcts&analyse=")
    page.wait_for_selector(".target.open")
    page.evaluate(PLAY, MOVES)
    events = json.loads(chromium.stop_tracing())["traceEvents"]
    page.context.close()
    threads = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    tasks = [event for event in events if event["name"] == "ThreadControllerImpl::RunTask"]
    of_page = [event for event in tasks if threads.get((event["pid"], event["tid"])) == "CrRendererMain"]
    assert 0 < max(event.get("tdur", 0) for event in of_page) <= 50_000  # microseconds of the processor
