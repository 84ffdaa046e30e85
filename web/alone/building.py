"""Builds the page without a server: one file of HTML that holds the page of `ludus web`, a worker that answers it, and its files.

The same sources and versions of the libraries give the same bytes. A policy in the page's head lets it load nothing from elsewhere
and run no other script than its own; it works from a folder, a mail or a site.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any
from zlib import Z_BEST_COMPRESSION, compressobj

from ...arena.pages.linking import link_modules
from ...arena.pages.single import SHARED
from ...envs import make_game
from ...games.registry import BUILT_IN
from ..kernels.building import ALLOWED_THERE, SETTINGS, build_kernels, files_for_web, variants_for_web
from ..kernels.networks import network_for_page
from ..offers import Offers, lesson_document, puzzles_document
from ..positions import position_view

HERE = Path(__file__).parent
PAGE = HERE.parent / "page"
PLACES = {"/page/": PAGE, "/shared/": SHARED}
"""The folders of what the page loads from `ludus web`, by how their addresses begin."""
MOST_BYTES = 1_500_000
EDGE = 14
"""Between a drawing and its lower edge, as in board.js."""
SVG = 'xmlns="http://www.w3.org/2000/svg"'
FIRST = "tictactoe"
"""The game whose board is in the HTML, which an address without a game begins."""


def make_files() -> dict[str, bytes]:
    """The files that the page holds, by their names; JavaScript gets one by `await kernels.file(name)`, as a Uint8Array.

    They are the kernels, the books of oracles, the networks, and the documents that the worker answers with.
    The same sources and versions of the libraries give the same bytes.

    Raises:
        ValueError: ziglang, which links the kernels, is not installed.
    """
    documents = {
        "offers.json": offers_alone(),
        "lessons.json": {spec: lesson_document(spec) for spec in variants_for_web()},
        "puzzles.json": {spec: puzzles_document(spec) for spec in variants_for_web()},
    }
    encoded = {
        name: json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode() for name, document in documents.items()
    }
    return build_kernels() | files_for_web() | encoded


def offers_alone() -> dict[str, Any]:
    """The choices of a page without a server: as `ludus web` offers them, but only the policies and settings that play in it."""
    document = Offers(networks=[spec for spec in variants_for_web() if network_for_page(make_game(spec))]).document()
    games = [game for game in document["games"] if game["name"] in BUILT_IN]
    for game in games:
        for variant, levels in game["levels"].items():
            game["levels"][variant] = [level for level in levels if level["policy"].partition(":")[0] in SETTINGS]
        game["policies"] = [_policy_alone(policy) for policy in game["policies"] if policy["name"] in SETTINGS]
    return {"games": games, "watched": []}


def _policy_alone(policy: Mapping[str, Any]) -> dict[str, Any]:
    names = SETTINGS[policy["name"]].split()
    settings = [setting for setting in policy["settings"] if setting["name"] in names]
    return {**policy, "settings": [{**each, "allowed": ALLOWED_THERE.get(each["name"], each["allowed"])} for each in settings]}


def build_page(files: Mapping[str, bytes]) -> bytes:
    """The page.

    Args:
        files: what it holds, by name, as `make_files` makes them.

    Raises:
        ValueError: the page is larger than MOST_BYTES, or a module cannot be linked.
    """
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    boards = [_first_board(game["name"], game["title"]) for game in offers_alone()["games"]]
    drawings, board_styles, links = zip(*boards, strict=True)
    first, script = (HERE / "first.js").read_text(encoding="utf-8"), link_modules(HERE / "begin.js", PLACES)
    styles = [_file(path).decode() for path in re.findall(r'<link rel="stylesheet" href="([^"]+)">\n', html)]
    style = "".join([*styles, (HERE / "framed.css").read_text(encoding="utf-8"), *board_styles])
    html = re.sub(r'<link rel="stylesheet"[^\n]*\n|<script type="module"[^\n]*\n', "", html)
    html = re.sub(r'(?<=")/(?:page|shared)/[\w.]+\.svg(?=")', _embed_picture, html)
    html = _put(html, "<html", f'<html data-first="{FIRST}"')
    html = _put(html, "<title>", f"{_policy([first, script], style)}\n<title>")
    html = _put(html, "</head>", f"<style>{style}</style>\n<script>{first}</script>\n</head>")
    html = _fill(html, "games", "".join(links))
    html = _fill(html, "board", "".join(drawings))
    held = {**files, "worker.js": link_modules(HERE / "worker.js", PLACES).encode()}
    texts = [f'<script type="text/plain" data-file="{escape(name)}">{pack(content)}</script>' for name, content in held.items()]
    page = _put(html, "</body>", "\n".join([*texts, f"<script>{script}</script>", "</body>"])).encode()
    if len(page) > MOST_BYTES:
        raise ValueError(f"the page is {len(page):,} bytes large, and may be {MOST_BYTES:,}; make one of its files smaller")
    return page


def pack(content: bytes) -> str:
    """A file as base64 of gzip."""
    return b64encode(compress(content)).decode()


def compress(content: bytes) -> bytes:
    """The gzip of a file, whose bytes depend on the content alone."""
    compressor = compressobj(Z_BEST_COMPRESSION, wbits=31)
    return compressor.compress(content) + compressor.flush()


def _policy(scripts: Iterable[str], style: str) -> str:
    """What browsers let the page do."""
    *script_hashes, style_hash = (f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (*scripts, style))
    allowed = {
        "default-src": "'none'",
        "script-src": f"{' '.join(script_hashes)} 'wasm-unsafe-eval'",
        "worker-src": "blob:",
        "style-src": style_hash,
        "img-src": "data: blob:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    content = "; ".join(f"{kind} {sources}" for kind, sources in allowed.items())
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'


def _first_board(name: str, title: str) -> tuple[str, str, str]:
    """A game's board before any script has run: its drawing, the style that shows it alone, and the game's link."""
    view = position_view(name, None, [])
    drawing = re.sub(r"<text [^>]*>" + re.escape(escape(view["caption"])) + "</text>", "", view["svg"])
    width = re.findall(r'viewBox="0 0 ([\d.]+)', drawing)[0]
    low = [float(y) + float(high) for y, high in re.findall(r'<rect [^>]*\by="([\d.]+)"[^>]* height="([\d.]+)"', drawing)[1:]]
    height = f"{max(low) + EDGE:g}"  # the first rectangle is the paper, which ends where the page ends it, too
    drawing = re.sub(r"<svg [^>]*>", f'<svg {SVG} data-first="{name}" viewBox="0 0 {width} {height}">', drawing, count=1)
    drawing = drawing.replace("<rect ", '<rect class="paper" ', 1)
    chosen = f'[data-first="{name}"]'
    style = f"#board > svg{chosen} {{ display: none; }}\n{chosen} #board > svg{chosen} {{ display: block; }}\n"
    link = f'<a href="#game={name}" data-game="{name}">{escape(title)}</a>'
    return drawing, f"{style}{chosen} .field {{ --ratio: {width} / {height}; }}\n", link


def _put(html: str, place: str, text: str) -> str:
    """Puts text in a place of index.html."""
    if html.count(place) != 1:
        raise ValueError(f"index.html is to have {place!r} once, not {html.count(place)} times")
    return html.replace(place, text)


def _fill(html: str, name: str, content: str) -> str:
    """Puts content into the empty element with an id."""
    tag = re.search(rf'<[^>]*\bid="{name}"[^>]*>(?=</)', html)
    return _put(html, tag[0] if tag else f'id="{name}"></', f"{tag[0] if tag else ''}{content}")


def _file(address: str) -> bytes:
    _, folder, name = address.split("/")
    return (PLACES[f"/{folder}/"] / name).read_bytes()


def _embed_picture(address: re.Match[str]) -> str:
    return f"data:image/svg+xml;base64,{b64encode(_file(address[0])).decode()}"
