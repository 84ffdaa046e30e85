"""Words from somebody who means harm, to be said wherever a program of ours takes words from others.

Each tries to run code of evil.py or to show what a module holds, to read a file, to start a program, to ask an address, to say
something to a shell, a terminal or a page, or is no word at all. Code that ran leaves the file `executed`; SECRET stands in a file
and in the environment.
"""

from __future__ import annotations

SECRET = "do-not-show-this"
CODE = [
    *("evil:f", "python:evil:f", "evil:f,seeds=3", " evil:f ", "evil:f\n", "evil :f", "evil: f", "evil.f:f", "evil:f:f"),
    *("evil.py:f", "python:python:evil:f", "PYTHON:evil:f", "EVIL:f", "Evil:f", "./evil:f", "../evil:f", "evil", "evil:"),
    *(":evil", "run:evil:f", "ｅvil:f", "еvil:f", "evil：f", "evil\u200b:f", "evil\x00:f", "evil\u2028:f", "évil:f"),
    *("evil:ｆ", "\ufeffevil:f", "evil\t:f", "os:environ", "os:getcwd", "os.path:join", "sys:modules", "builtins:eval"),
    *("__main__:x", "subprocess:Popen,args=touch executed", "ludus.games.othello.rules:Othello"),
    *("ludus.text.engines:EnginePolicy,command=touch executed", "os:environ,x=1", "OS:ENVIRON"),
]
NESTED = [
    *("tictactoe:x=evil:f", "nim:heaps=1+evil:f", "quixo:size=evil:f", "nim:evil:f", "nim:limit=3,evil:f"),
    *("othello,evil:f", "minimax:evaluation=evil:f", "minimax:evaluation=evil", "expectimax:evaluation=evil:f"),
    *('minimax:evaluation="evil:f"', "minimax:depth=evil:f", "random+evil:f", "evil:f+random", "random,evil:f"),
    *("mcts:simulations=2,evaluation=python:evil:f", "minimax:evaluation= evil:f", "minimax:EVALUATION=evil:f"),
    *("minimax:evaluation=ｅvil:f", "minimax:evaluation=os:environ", "MINIMAX:evaluation=evil:f"),
    *("minimax :evaluation=evil:f", "minimax:evaluation=classic+evil:f", "random:trust=true,x=evil:f"),
]
FILES = [
    *("run:.", "run:", "run:../secret", ".", "..", "/etc", "/etc/passwd", "~", "run:~", "run:/etc", "file:///etc/passwd"),
    *("secret.csv", "table:path=secret.csv", 'table:path="secret.csv"', "table:path=/etc/passwd", "TABLE:path=secret.csv"),
    *("table", "/dev/zero", "alphazero:path=secret.csv", "alphazero:network=secret.csv", "run:secret.csv,sample=true"),
    *("..%2f..%2fetc%2fpasswd", "/proc/self/environ", "sb3:model.zip", "sb3:model.zip,trust=true"),
    *("SB3:model.zip,trust=true", "sb3 :model.zip", "sb3:model.zip,sample=true,trust=true"),
]
OUTSIDE = [
    *("engine:touch executed", "engine: touch executed", "ENGINE:touch executed", "engine:sh -c 'touch executed'"),
    *("llm:model=x,url=http://127.0.0.1:9/", "llm:model=x,instructions=secret.csv", "LLM:model=x", "http://127.0.0.1:9/"),
    *("$(touch executed)", "`touch executed`", "; touch executed #", "| touch executed", "&& touch executed", "%PATH%"),
    "$LUDUS_SECRET",
]
NO_WORDS = [
    *("", " ", "\n", "\x1b[2J\x1b]0;evil\x07", "\r", "\x00", "\u202e:f", "💥", "{0.__class__}", "%s%n", "{{7*7}}", "None"),
    *("null", "[]", "<script>document.title='shown'</script>", "'\"><img src=x onerror=alert(1)>"),
    *("'; DROP TABLE games; --", "__proto__", "9" * 5000, "x" * 5000, "evil:" * 1000, "nim:" + "heaps=1," * 100),
    *("+" * 3000, "nim:heaps=" + "1+" * 90 + "1", "random:" * 30, "1e999", "-1", "٣ ٣"),
]
SPECS = [*CODE[:10], *NESTED, *FILES[::3], *OUTSIDE[:6]]
"""Some of them, for what takes time to read."""
WORDS = [*CODE, *NESTED, *FILES, *OUTSIDE, *NO_WORDS]
EVIL = """
from pathlib import Path
Path(__file__).with_name("executed").touch()
def f(observations, masks): return masks.argmax(1)
"""
