"""Playing by clicks: every action has its boxes on the drawing, and the window plays whole games."""

import re
from itertools import pairwise

import numpy as np
import pytest

import ludus
from ludus.cli import main
from ludus.games.drawing.clicks import Box, Clicks

from ..helpers.games import positions

GAMES = ["nim", "nim:heaps=200+3", "tictactoe", "quarto", "quixo", "quixo:size=3", "othello", "othello:size=4"]


def middle(box):
    return box.x + box.width / 2, box.y + box.height / 2


def clicked(clicks, path):
    """The results of clicks on the middles of some boxes."""
    return [clicks.click(*middle(box)) for box in path]


@pytest.mark.parametrize("spec", GAMES)
def test_clicking_an_action_s_places_takes_that_action_and_no_other(spec):
    game = ludus.make_game(spec)
    for state in positions(game, 8):
        paths = {action: game.clicks(state, action) for action in game.legal_actions(state)}
        for action, path in paths.items():
            *first, last = clicked(Clicks(paths), path) or [None]
            assert (first, last) == ([None] * (len(path) - 1), action if path else None)


@pytest.mark.parametrize("spec", GAMES)
def test_places_lie_on_the_drawing(spec):
    game = ludus.make_game(spec)
    for state in positions(game, 4):
        width, height = map(float, re.search(r'width="([\d.]+)" height="([\d.]+)"', game.svg(state)).groups())
        for action in game.legal_actions(state):
            for x, y, w, h in game.clicks(state, action):
                assert 0 <= x < x + w <= width
                assert 0 <= y < y + h <= height


def test_quarto_s_pieces_are_clicked_where_they_are_drawn():
    game = ludus.make_game("quarto")
    drawing = game.svg(game.start)
    for piece in range(16):
        x, y = middle(game.clicks(game.start, 16 + piece)[0])
        assert re.search(rf'<g [^>]*"translate\({x:g} {y:g}\)">(<[^>]+/>)+<text [^>]+>{piece}</text></g>', drawing)


def test_a_click_on_a_match_takes_it_and_those_to_its_right():
    game = ludus.make_game("nim")
    state = game.position("1 3 5 7")
    boxes = [game.clicks(state, game.action(f"4-{taken}"))[0] for taken in range(7, 0, -1)]
    assert all(left.x + left.width == right.x for left, right in pairwise(boxes))
    assert boxes[0].x == game.clicks(state, game.action("1-1"))[0].x


def test_a_click_beside_the_open_places_begins_anew():
    a, b, c = (Box(10 * i, 0, 10, 10) for i in range(3))
    clicks = Clicks({0: (a, b), 1: (a, c), 2: (b, a)})
    assert clicks.open == [a, b]
    assert clicked(clicks, [a]) == [None]
    assert clicks.open == [b, c]
    assert clicked(clicks, [a, b]) == [None, 0]
    assert clicks.click(5, 50) is None
    assert clicks.done == ()
    assert clicked(clicks, [b]) == [None]
    assert clicked(clicks, [c]) == [None]
    assert clicks.done == ()


def test_any_click_passes_where_that_is_all_a_player_can_do():
    assert Clicks({64: ()}).click(0, 0) == 64
    assert Clicks({}).click(0, 0) is None


class Screen:
    """Replaces pygame's events by those of a script, one at a time."""

    def __init__(self, monkeypatch, script):
        import pygame

        self.script = script
        monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
        monkeypatch.setattr(pygame.event, "wait", lambda _: self.next())
        monkeypatch.setattr(pygame.event, "get", list)
        monkeypatch.setattr("ludus.cli.playing.window.WindowPlayer._do", lambda player, line: self.do(player, line))

    def do(self, player, line):
        """Like the window, but without a thread."""
        player._output = player._run_line(line)
        player._clicks = player._new_clicks()
        self.player = player

    def next(self):
        import pygame

        event = next(self.script(self.player), None)
        return pygame.event.Event(pygame.QUIT) if event is None else event


def click(box):
    import pygame

    from ludus.cli.playing.window import ZOOM

    return pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=tuple(side * ZOOM for side in middle(box)))


def key(code, text=""):
    import pygame

    return pygame.event.Event(pygame.KEYDOWN, key=code, unicode=text)


@pytest.mark.parametrize(
    ("spec", "seat"), [("nim", "0"), ("tictactoe", "1"), ("quarto", "1"), ("quixo:size=3", "0"), ("othello:size=4", "0")]
)
def test_a_whole_game_is_played_by_clicks(spec, seat, monkeypatch, capsys):
    draws = np.random.default_rng(3)

    def script(player):
        """A click on one of the open boxes until the game is over."""
        if player._live_game.outcome is None:
            open_ = player._clicks.open or [Box(0, 0, 2, 2)]
            yield click(open_[draws.integers(len(open_))])

    Screen(monkeypatch, script)
    assert main(["play", spec, "--against", "random", "--window", "--seat", seat]) == 0
    assert re.search(r": (you win|a draw|you lose)\.$", capsys.readouterr().out.strip())


def test_without_a_screen_the_terminal_is_named(monkeypatch, capsys):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert main(["play", "tictactoe", "--window"]) == 2
    assert "play on the terminal, without --window" in capsys.readouterr().err


def test_moves_and_commands_are_typed_too(monkeypatch, tmp_path, capsys):
    import pygame

    lines = ["b2", "undo", "nonsense", "a1", f"save {tmp_path / 'game.json'}"]
    typed = iter([event for line in lines for event in (*(key(0, letter) for letter in line), key(pygame.K_RETURN))])
    said = []

    def script(player):
        said.append(player._output)
        yield next(typed, key(pygame.K_ESCAPE))

    Screen(monkeypatch, script)
    assert main(["play", "tictactoe", "--against", "perfect", "--window"]) == 0
    assert any("plays" in text for text in said)
    assert any("no move 'nonsense'" in text for text in said)
    assert "saved" in said[-1]
    assert (tmp_path / "game.json").exists()


def test_the_window_closes_while_a_policy_thinks(monkeypatch):
    """With pygame's own events, and a policy that never answers."""
    from threading import Event

    import pygame

    from ludus.cli.playing.window import WindowPlayer

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    began, never = Event(), Event()

    def obey(line):
        began.set()
        never.wait(600)
        return ""

    class Table:
        game, seat, actions = ludus.make_game("tictactoe"), 0, ()
        state, outcome = game.start, None

    player = WindowPlayer(Table(), obey)
    pygame.display.init()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    player.play()
    assert began.wait(600)
    never.set()
