"""What works where only the core is installed, and what each missing extra says. Run in a folder to write to.

`make wheel` runs it in an empty environment, test_packaging.py in a process from which the other libraries are hidden.
"""

import contextlib
import io
import sys
from collections.abc import Callable
from importlib import import_module

import gymnasium
import pettingzoo

import ludus
from ludus.arena import evaluate, grade_exact
from ludus.cli import main
from ludus.games.registry import id_name

MISSING = {
    "play tictactoe --against alphazero": "pip install '.[rl]'",
    "train maskable_ppo tictactoe --run b": "pip install '.[train,evolution,rl]'",
    "train neat tictactoe --run c": "pip install '.[evolution]'",
    "train evolved_table nim --run d": "pip install '.[evolution]'",
    "replay games.sqlite --export games.parquet": "pip install '.[frames]'",
    "arena nim --policies random greedy --games 2 --engine ray --no-report": "pip install '.[ray]'",
    "puzzle setcover:items=20 --solvers exact --seeds 1": "pip install '.[puzzles]'",
    "puzzle setcover:items=20 --solvers greedy --report page.html": "a report page needs jinja2",
    "arena nim --policies random greedy --games 2 --report page.html": "pip install '.[report]'",
    "grade nim:heaps=1+2 --policy random --exact --report page.html": "pip install '.[report]'",
    "demo --report page.html": "pip install '.[report]'",
    "web": "ludus web needs starlette, which is not installed; pip install '.[web]'",
    "serve tictactoe": "ludus serve needs starlette, which is not installed; pip install '.[web]'",
}
"""Commands that need an extra, and what their one sentence says."""
CELLS = "".join(f"{column}{row}\n" for row in "123" for column in "abc")
"""Every move of tic-tac-toe in turn: a player who types them comes to the end of a game, since those of taken cells are refused."""


def works() -> None:
    """Every environment, policies, grades, a whole game against a policy, a tournament, a training, the check of a game."""
    for name in ludus.game_names():
        env = gymnasium.make(f"ludus/{id_name(name)}-v0", render_mode="svg")
        observation, _ = env.reset(seed=0)
        env.step(int(observation["action_mask"].argmax()))
        assert env.render().startswith("<svg")
        envs = gymnasium.make_vec(f"ludus/{id_name(name)}-v0", num_envs=8)
        observation, _ = envs.reset(seed=0)
        envs.step(observation["action_mask"].argmax(1))
        board = pettingzoo.make("aec", f"ludus/{name}-v0")
        board.reset(seed=0)
        for _ in board.agent_iter():
            observation, _, terminated, truncated, _ = board.last()
            board.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
    assert evaluate("minimax:depth=2", "tictactoe", against="random", games=20).games == 20
    assert not grade_exact("perfect", "tictactoe").beatable
    assert command("list")[0] == 0
    status, printed = command("text bench --games nim --positions 3 --controls perfect")
    assert (status, "To write a page of it" in printed) == (0, True), printed
    status, printed = command("play tictactoe --against minimax:depth=2", typed=CELLS)
    assert status == 0
    assert printed.endswith("O wins: you lose.\n"), printed
    status, printed = command("arena nim --policies random nim_sum --games 4 --store games.sqlite")
    assert status == 0, printed
    assert "To write a page of it: pip install '.[report]' in a clone of Ludus; then: ludus arena --resume games.sqlite" in printed
    assert "<svg" in ludus.show(grade_exact("greedy", "tictactoe"))._repr_html_()
    assert command("check tictactoe")[0] == 0
    assert command("train qlearning nim --games 200 --evaluate-games 2 --run a")[0] == 0


def command(line: str, typed: str = "") -> tuple[int, str]:
    """Runs a command while somebody types: its exit status, and what it printed."""
    printed = io.StringIO()
    sys.stdin = io.StringIO(typed)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = main(line.split())
    return status, printed.getvalue()


def answers() -> None:
    """Each missing extra is a sentence with the line that installs it, said before any work, and an exit status of 2."""
    for mode in ("human", "rgb_array"):
        refuses("resvg_py, which is not installed; pip install '.[render]'", gymnasium.make, "ludus/Nim-v0", render_mode=mode)
    for module in ("puzzles.page", "arena.report.page"):
        refuses("pip install '.[report]'", import_module, f"ludus.{module}")
    for line, sentence in MISSING.items():
        status, printed = command(line)
        assert status == 2, (line, status, printed)
        assert sentence in printed, (line, printed)
        assert "Traceback" not in printed


def refuses(sentence: str, function: Callable[..., object], *arguments: object, **keywords: object) -> None:
    """Checks that a call raises an error that says this."""
    try:
        function(*arguments, **keywords)
    except ValueError as error:
        assert sentence in str(error), error  # noqa: PT017  without pytest
        return
    raise AssertionError(f"it needs no library: {arguments}")


if __name__ == "__main__":
    works()
    answers()
    print(ludus.__file__)
