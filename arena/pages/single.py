"""Pages of one file: style sheets and ES modules are put into the page, which then needs no server and nothing beside it.

Browsers load no module from a file on the disk, so the modules are join_modules into one. Its checksum in the page's
Content-Security-Policy keeps any other script from running.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

SHARED = Path(__file__).parent / "shared"
"""The folder of modules and style sheets that pages share."""
MODULES = tuple(SHARED / name for name in ("elements.js", "graph.js", "said.js", "replay.js", "tips.js"))
"""What pages share, each after those that it imports."""
STYLES = tuple(SHARED / name for name in ("theme.css", "tables.css", "graph.css", "replay.css"))
LINKS = re.compile(r"^import .*\n|^export (?=\w)", re.MULTILINE)
"""What connects modules: whole lines that import, and the word before what is exported."""


def render_page(template: Path, script: Path, style: Path | None = None, **shown: Any) -> str:
    """A page of one file.

    Args:
        template: the page's. It also gets `style`, `script` and `security`, the page's Content-Security-Policy; it may use
            the templates that lie beside the script.
        script: the page's own module, which may import from MODULES.
        style: the page's own style sheet, if it has one.
        shown: what else the template shows.
    """
    program = join_modules([*MODULES, script])
    sheets = [*STYLES, *([style] if style else [])]
    common = {
        "style": Markup("\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)),
        "script": Markup(program),
        "security": f"default-src 'none'; style-src 'unsafe-inline'; script-src '{_hash(program)}'; img-src data:",
    }
    return environment(template.parent, script.parent).get_template(template.name).render(common | shown)


def join_modules(modules: Sequence[Path]) -> str:
    """Modules as one, which imports and exports nothing; no two of them may use a name at their top for different things."""
    return LINKS.sub("", "\n".join(module.read_text(encoding="utf-8") for module in modules))


@cache
def environment(*folders: Path) -> Environment:
    """The templates of some folders. Whatever they show is escaped."""
    loader = FileSystemLoader(folders)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
