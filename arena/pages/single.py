"""Pages of one file: style sheets and ES modules are put into the page, which then needs no server and no other file.

Browsers load no module from a file on the disk, so linking.py makes one script of them. Its checksum in the page's
Content-Security-Policy keeps any other script from running.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from ...core.plugins.loading import libraries
from .linking import link_modules

with libraries("a page", "report"):
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

SHARED = Path(__file__).parent / "shared"
"""The folder of modules and style sheets that pages share."""
STYLES = tuple(SHARED / name for name in ("theme.css", "tables.css", "graph.css", "replay.css"))


def render_page(template: Path, script: Path, style: Path | None = None, **variables: Any) -> str:
    """Renders a page of one file.

    Args:
        template: its template. It also gets `style`, `script` and `security`, the page's Content-Security-Policy, and may use the
            templates in the script's folder.
        script: the page's own module.
        style: the page's own style sheet, if it has one.
        variables: the other variables of the template.
    """
    program = link_modules(script, {})
    checksum = base64.b64encode(hashlib.sha256(program.encode()).digest()).decode()
    sheets = [*STYLES, *([style] if style else [])]
    common = {
        "style": Markup("\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets)),
        "script": Markup(program),
        "security": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{checksum}'; img-src data:",
    }
    return environment(template.parent, script.parent).get_template(template.name).render(common | variables)


@cache
def environment(*folders: Path) -> Environment:
    """The environment for the templates of some folders. Variables are escaped."""
    loader = FileSystemLoader(folders)
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
