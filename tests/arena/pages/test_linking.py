"""JavaScript modules become one script, which does what they do."""

import re
import subprocess
from pathlib import Path

import pytest

from ludus.arena.pages.linking import link_modules

from ...helpers.native.node import NODE

MODULES = {
    "main.js": """
import { double as twice, Counter } from "./numbers.js";
import * as words from "/shared/words.js";
import {
  START,
} from "/shared/words.js";

console.log([twice(4), new Counter().next(), words.join("a", "b"), START].join(" "));
""",
    "numbers.js": """
const START = 6; // another module has a START of its own
export function double(number) {
  return 2 * number;
}
export class Counter {
  next() {
    return START + 1;
  }
}
export async function wait() {}
""",
    "shared/words.js": """
console.log("once");
export const START = "start";
export const join = (...parts) => parts.join("");
""",
}
REFUSED = {
    'import "./numbers.js";': "main.js has 'import \"./numbers.js\";', which cannot be linked here",
    "export default 1;": "main.js has 'export default 1;'",
    'const late = await import("./numbers.js");': "main.js has 'import(\"./numbers.js\");'",
    'const text = "</script>";': "main.js has '</script>\";'",
    'import { passed } from "./round.js";': "must not import each other in a circle: main.js imports round.js imports main.js",
}


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    (tmp_path / "shared").mkdir()
    for name, text in MODULES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_linked_modules_do_what_the_modules_do(modules: Path):
    script = link_modules(modules / "main.js", {"/shared/": modules / "shared"})
    done = subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True)
    assert done.stdout == "once\n8 7 ab start\n"


@pytest.mark.parametrize("line", REFUSED)
def test_what_cannot_be_linked_is_refused(modules: Path, line: str):
    (modules / "main.js").write_text(f"{line}\n")
    (modules / "round.js").write_text('import { other } from "./main.js";\nexport const passed = other;\n')
    with pytest.raises(ValueError, match=re.escape(REFUSED[line])):
        link_modules(modules / "main.js", {"/shared/": modules / "shared"})
