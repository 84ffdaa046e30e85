"""What cannot be is refused in a sentence that says what is wrong: specs of players that speak, prompts, and what a bench asks."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from ludus import make_game, make_policy
from ludus.text import PromptVariant, prompt_variants
from ludus.text.bench.sets import frozen_set, position_set
from ludus.text.bench.settings import BenchSettings
from ludus.text.disguises import disguise
from ludus.text.environments import Tasks
from ludus.text.variants.names import MOST_BYTES

LLM = "llm:model=m,url=http://host/v1"
SPECS = {
    "engine:": "needs a command",
    "engine:start=5": "needs a command",
    "engine:prog 'open": "cannot be split",
    "engine:protocl=gtp prog": "did you mean 'protocol'",
    "engine:protocol=uci prog": "protocol is 'uci'; it must be ludus or gtp",
    "engine:protocol=gtp prog": "no such move as '1-1' of nim",
    "engine:start=1 start=2 prog": "start is set twice; once is enough",
    "engine:command=prog": "the command stands last, without a name",
    "lm": "llm:model=NAME",
    "llm:": "needs the name of a model",
    "llm:qwen3": "needs the name of a model, as in llm:model=",
    "llm:model=m": "needs a key; name the environment variable that has it",
    "llm:model=m,url=ftp://host/v1": "must be an address such as http://localhost:8000/v1",
    "llm:model=m,url=http://me:secret@host/v1": "must not contain a name, a password or a query",
    "llm:model=m,url=http://host/v1?key=secret": "must not contain a name, a password or a query",
    f"{LLM},key=sk-secret": "no variable has this name",
    f"{LLM},key=SECRET": "no variable has this name",
    f"{LLM},temperature=3": "temperature is 3",
    f"{LLM},retires=3": "did you mean 'retries'",
    f"{LLM},system=/no/such/file": "no/such/file",
    f"{LLM},variant=gird": "there is no variant 'gird' of the prompt; did you mean 'grid'?",
    f'{LLM},variant="grid,list"': "'grid,list' has several variants of the prompt, grid, list; name one, or a file with one",
    f"{LLM},variant=/no/such/file.json": "/no/such/file.json",
}
"""Specs of policies, in Nim."""
NAMES = {
    "": "there is no variant '' of the prompt; there are: plain, brief, formal,",
    "grid+list": "'grid+list' joins two variants of the prompt that both set its board; name one of them",
    "none.json": "none.json",
}
"""Names of variants of the prompt."""
FILES = [
    ({"name": "a"}, "Expected `array`, got `object`"),
    ([], "holds no variant of the prompt; docs/text.md says"),
    ([{"template": "$board"}], "mine.json is damaged: Object missing required field `name`"),
    ([{"name": "a", "temperature": 1}], "mine.json has no field 'temperature'; did you mean 'template'?"),
    ([{"name": "a", "board": "gird"}], "mine.json is damaged: Invalid enum value 'gird' - at `$.board`"),
    ([{"name": "a", "legal": 1}], "mine.json is damaged: Expected `bool`, got `int` - at `$.legal`"),
    ([{"name": "a b"}], "has a name of letters, digits, '-', '_' and '+', up to 60, not 'a b'"),
    ([{"name": "a", "template": "$bord"}], "the template of 'a' has $bord; it may have $title, $rules, $player, $board, $legal"),
    ([{"name": "a", "template": "${board.__class__}"}], "has a dollar sign alone; it may have"),
    ([{"name": "a", "template": "$rules"}], "the template of 'a' has no $board, and the prompt is to say it"),
    ([{"name": "a", "template": "$board", "legal": True}], "has no $legal, and"),
    ([{"name": "null"}], "mine.json is called 'null', which is a name of ludus"),
    (" " * (MOST_BYTES + 1), "has 65,537 bytes; a file of this kind has 65,536 at most"),
    ("[" * 60_000, "it is nested too deeply"),
]
"""Files of such variants."""
GAME = make_game("tictactoe")
CALLS: dict[str, Callable[[], object]] = {
    "the game is over in 'XXXOO---- O'": lambda: position_set(GAME, ["XXXOO---- O"]),
    "none of the 1 positions of tictactoe asks anything": lambda: position_set(GAME, ["--------- X"]),
    "none of the 0 positions": lambda: position_set(GAME, []),
    "no frozen set of othello:size=4; ludus-positions-1 has": lambda: frozen_set("othello:size=4"),
    "nobody is asked": lambda: BenchSettings(sets=(frozen_set(GAME),), controls=()),
    "no game is named": lambda: BenchSettings(sets=()),
    "tictactoe has no disguise 'relabeled'; did you mean 'relabelled'?": lambda: disguise(GAME, "relabeled"),
    "has no disguise 'magic'; there are: none": lambda: disguise(disguise(GAME, "relabelled"), "magic"),
    "Ann begins, so with 2 numbers of Ann and 0": lambda: disguise(GAME, "magic").position("Ann: 2 7; Bob: -; Bob to move"),
    "has three numbers that make 15": lambda: disguise(GAME, "magic").position("Ann: 2 7 6; Bob: 1 3 9; Ann to move"),
    "it takes 9 cells of V, Z or -, as in '--------- V'": lambda: disguise(GAME, "symbols").position("X-------- O"),
    "disguise 'no such'": lambda: BenchSettings(sets=(frozen_set(GAME),), disguises=("no such",)),
    "rename it": lambda: BenchSettings(sets=(frozen_set(GAME),), variants=(PromptVariant(name="null"),)),
    "no result; choose another": lambda: Tasks("tictactoe", reward="result"),
    "there is no variant 'legl'": lambda: Tasks("nim", variant="legl"),
}


def check_refusal(call: Callable[[], object], words: str) -> None:
    with pytest.raises((ValueError, OSError), match=re.escape(words)) as refusal:
        call()
    assert "secret" not in str(refusal.value).lower()


@pytest.mark.parametrize("spec", SPECS)
def test_a_spec_that_cannot_be_used_is_refused(spec: str) -> None:
    if spec.startswith("llm") and find_spec("openai") is None:
        pytest.skip("openai is not installed")
    check_refusal(lambda: make_policy(spec, "nim"), SPECS[spec])


@pytest.mark.parametrize("text", NAMES)
def test_a_name_that_there_is_not_is_refused(text: str) -> None:
    check_refusal(lambda: prompt_variants(text), NAMES[text])


@pytest.mark.parametrize(("content", "words"), FILES)
def test_a_file_that_holds_no_variants_is_refused(content: object, words: str, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text(content if isinstance(content, str) else json.dumps(content))
    check_refusal(lambda: prompt_variants(str(tmp_path / "mine.json")), words)


@pytest.mark.parametrize("words", CALLS)
def test_what_contradicts_itself_is_refused(words: str) -> None:
    check_refusal(CALLS[words], words)
