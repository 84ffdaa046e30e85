"""Makes one script of JavaScript modules, which browsers load from a file of the disk, too; they refuse modules there.

Each module becomes a function that is called once, after those that it imports, and gives what it exports:

    const page_game = (() => {
    const { make } = shared_elements;
    …
    return { begin, play };
    })();

Modules of this package need no more: imports by name or of a whole module, exports of functions, classes and constants, and no
circles. A bundler from elsewhere would do more, and be one more program to install, at the version that gives the same bytes.
"""

from __future__ import annotations

import re
from pathlib import Path

IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|\bimport\.meta\b.*|</script.*", re.MULTILINE | re.IGNORECASE)


def link_modules(entry: Path, places: dict[str, Path]) -> str:
    """One script that does what loading a module does; absolute paths begin with one of these folders, as `{"/shared/": …}`.

    ValueError where modules import each other in a circle, or one has a form of import or export that is not known here.
    """
    linker = _Linker(places)
    linker.add(entry.resolve(), ())
    return '"use strict";\n' + "\n".join(linker.functions.values())


class _Linker:
    def __init__(self, places: dict[str, Path]) -> None:
        self._places = places
        self.functions = dict[Path, str]()

    def add(self, module: Path, importers: tuple[Path, ...]) -> str:
        """Adds a module after those that it imports; gives its name in the script."""
        if module in importers:
            circle = " imports ".join(file.name for file in (*importers[importers.index(module) :], module))
            raise ValueError(f"modules must not import each other in a circle: {circle}")
        name = f"{module.parent.name}_{module.stem}"
        if module not in self.functions:
            self.functions[module] = self._function(name, module, (*importers, module))
        return name

    def _function(self, name: str, module: Path, importers: tuple[Path, ...]) -> str:
        text = module.read_text(encoding="utf-8")
        exports = EXPORT.findall(text)

        def write_import(match: re.Match[str]) -> str:
            names, whole, path = match.groups()
            other = self.add(self._resolve(path, module), importers)
            return f"const {whole or '{' + names.replace(' as ', ': ') + '}'} = {other};\n"

        body = EXPORT.sub("", IMPORT.sub(write_import, text))
        if strange := OTHER.search(body):
            raise ValueError(f"{module.name} has {strange[0]!r}, which cannot be linked here (linking.py says what can)")
        return f"const {name} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"

    def _resolve(self, path: str, module: Path) -> Path:
        place = next((place for start, place in self._places.items() if path.startswith(start)), None)
        return (module.parent / path if place is None else place / path.rpartition("/")[2]).resolve()
