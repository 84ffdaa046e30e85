"""A random walk over each game on both pages; `make wander` goes further. A failure names its step and what the page showed."""

import os
import random

import pytest
from playwright.sync_api import Browser

from ..helpers.system.browser import CHROMIUM
from ..helpers.wander import Wanderer

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
STEPS, SEED = (int(os.environ.get(name, default)) for name, default in (("WANDER_STEPS", 40), ("WANDER_SEED", 1)))


@pytest.mark.parametrize("spec", ["nim", "tictactoe", "quarto", "quixo:size=3", "othello:size=4", "connect_four:rows=4,columns=4"])
def test_whatever_a_person_does_the_page_follows_the_rules_and_whoever_is_to_move_can(
    chromium: Browser, host: str, alone: str, spec: str
):
    rng = random.Random(f"{SEED} {spec}")
    tabs = [Wanderer(chromium, page, spec, rng) for page in (host, alone)]
    for _ in range(STEPS):
        rng.choice(tabs).step()
    for tab in tabs:
        tab.close()
