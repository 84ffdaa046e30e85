"""What is shipped and what it costs to import: the list of packages, the wheel, the directions of import, the first second."""

import ast
import re
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from ludus.core.plugins.loading import EXTRAS, PLACES, load_object

from ..helpers.sources import ARENA, LAYERS, SOURCES, trees
from ..helpers.system.processes import ROOT, checkout, run

MOST_BYTES = 8_000_000
LIGHT = {library for libraries in EXTRAS.values() for library in libraries}
HIDDEN = (
    *LIGHT,
    "torch",
    "stable_baselines3",
    "sb3_contrib",
    "neat",
    "deap",
    "scipy",
    "pandas",
    "pyarrow",
    "ray",
    "matplotlib",
    "pyspiel",
)
HEAVY = ("torch", "stable_baselines3", "sb3_contrib", "pygame", "matplotlib", "pandas", "scipy", "rich", "resvg_py")

# ---- what is shipped


def test_the_list_of_packages_is_the_tree():
    listed = re.search(r"^packages = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE)
    assert listed is not None
    folders = {Path(name).parent.as_posix() for name in SOURCES if "/" in name}
    data = {"arena/data/templates", "arena/pages/shared", "web/kernels/oracles", "web/page"}
    assert re.findall(r'"(.*?)"', listed[1]) == ["ludus", *sorted(f"ludus.{folder.replace('/', '.')}" for folder in folders | data)]
    assert [folder for folder in folders if f"{folder}/__init__.py" not in SOURCES] == []


def test_the_supported_pythons_are_the_same_ones_everywhere():
    supported = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', (ROOT / "pyproject.toml").read_text())
    makefile, readme = (ROOT / "Makefile").read_text(), (ROOT / "README.md").read_text()
    assert f"for version in {' '.join(supported)};" in makefile
    workflow = (ROOT / ".github" / "workflows" / "checks.yml").read_text()
    assert "python: [" + ", ".join(f'"{version}"' for version in supported) + "]" in workflow
    ranges = re.findall(r"Python (?:from )?(3\.\d+) to (3\.\d+)", readme + makefile)
    assert set(ranges) == {(supported[0], supported[-1])}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel unpacks to. It is built from the sdist, and that from a copy: nothing is left in the checkout."""
    place = tmp_path_factory.mktemp("wheel")
    source = checkout(place / "source")
    printed = run("-m", "build", "--no-isolation", "--outdir", place / "dist", source, cwd=place)
    warned = re.findall(r"(?:Package .* is absent|.*Deprecat|.*deprecat|WARNING).*", printed)
    assert warned == []  # setuptools says so of folders that it will leave out one day
    (wheel,) = (place / "dist").glob("*.whl")
    assert wheel.stat().st_size <= MOST_BYTES
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / "site")
    return place / "site"


def test_the_wheel_holds_the_sources_and_nothing_else(unpacked: Path):
    held = {file.relative_to(unpacked).as_posix(): file for file in unpacked.rglob("*") if file.is_file()}
    expected = {"ludus/__init__.py": ROOT / "__init__.py", "ludus/py.typed": ROOT / "py.typed"}
    expected |= {f"ludus/{name}": file for name, file in SOURCES.items()}
    kinds = [
        ("oracles", "*.book *.npz *.tsv"),
        ("search", "*.npz"),
        ("arena", "*.json *.jinja *.css *.js *.card *.sql"),
        ("core", "*.json"),
        ("baselines", "*.ini"),
        ("games", "*.json *.safetensors *.openings *.puzzles"),
    ]
    kinds += [("text", "*.json *.jsonl.gz *.jinja README.md"), ("puzzles", "*.jinja"), ("web", "*.html *.css *.js *.svg")]
    data = [file for folder, names in kinds for name in names.split() for file in (ROOT / folder).rglob(name)]
    expected |= {f"ludus/{file.relative_to(ROOT).as_posix()}": file for file in data}
    code = {name: file.read_bytes() for name, file in held.items() if ".dist-info/" not in name}
    assert code == {name: file.read_bytes() for name, file in expected.items()}
    (commands,) = (file for name, file in held.items() if name.endswith("entry_points.txt"))
    assert "ludus = ludus.cli:main" in commands.read_text()
    assert any(name.endswith("LICENSE") for name in held)


def test_the_core_of_the_wheel_works_alone_and_names_each_missing_extra(unpacked: Path, tmp_path: Path):
    hidden = f"import runpy, sys; sys.modules |= dict.fromkeys({HIDDEN}); "
    code = f"{hidden}runpy.run_path({str(ROOT / 'tests' / 'project' / 'core_only.py')!r}, run_name='__main__')"
    assert run("-W", "error", "-c", code, cwd=tmp_path, PYTHONPATH=unpacked).endswith(f"{unpacked / 'ludus' / '__init__.py'}\n")


def test_a_checkout_of_another_name_works(tmp_path: Path):
    place = checkout(tmp_path / "ludus-main")
    assert "255,168 leaves" in run("-m", "ludus.cli", "perft", "tictactoe", "9", cwd=place, PYTHONPATH=".types")


# ---- the directions of import


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """The imports and constants in the source files, each with the name of its file."""
    kinds = (ast.Import, ast.ImportFrom, ast.Constant)
    return [(name, node) for name, tree in trees().items() for node in ast.walk(tree) if isinstance(node, kinds)]


@cache
def imports() -> list[tuple[str, str]]:
    """Every module, or name in a module, that a source file imports, at its top or inside functions."""
    return [(name, imported) for name, node in nodes() for imported in imported_by(name, node)]


def imported_by(name: str, node: ast.AST) -> Iterator[str]:
    """The modules that a statement imports, if it is one that does."""
    package = ["ludus", *Path(name).parent.parts]
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def importers(*libraries: str) -> set[str]:
    """The source files that import one of these libraries."""
    return {name for name, imported in imports() if imported.split(".")[0] in libraries}


def layer_of(name: str) -> str:
    return name.split("/")[0].removesuffix(".py")


def test_imports_run_one_way():
    ours = [(name, imported) for name, imported in imports() if imported.split(".")[0] == "ludus"]
    above = {layer: LAYERS[rank + 1 :] for rank, layer in enumerate(LAYERS)}
    assert [(name, imported) for name, imported in ours if imported.split(".")[1] in above[layer_of(name)]] == []


def test_what_is_shipped_imports_nothing_that_is_not():
    parts = {part for _, imported in imports() for part in imported.removeprefix("ludus.").split(".")[:1]}
    assert parts & {"tests", "benchmarks", "examples", "docs"} == set()


def test_what_lies_above_is_named_in_one_table_alone_but_for_the_oracle_of_a_game_in_its_data():
    texts = [(name, node.value) for name, node in nodes() if isinstance(node, ast.Constant)]
    places = [(name, text) for name, text in texts if isinstance(text, str) and re.fullmatch(r"ludus(\.\w+)+(:\w+)?", text)]
    layers = [(name, text, text.split(":")[0].split(".")[1]) for name, text in places]  # or names of loggers, which are no layers
    up = {(name, text) for name, text, layer in layers if layer in LAYERS and rank_of(layer) > rank_of(layer_of(name))}
    assert up == {("core/plugins/loading.py", place) for place in PLACES.values()}
    for place in PLACES.values():
        assert callable(load_object(place))


def rank_of(layer: str) -> int:
    """How high a layer lies."""
    return LAYERS.index(layer)


def imported_files(name: str) -> Iterator[str]:
    """The source files that a source file imports, also for type checkers alone."""
    for importer, imported in imports():
        if importer == name and imported.startswith("ludus."):
            parts = imported.split(".")[1:]
            ends = ("/".join(parts) + ".py", "/".join(parts) + "/__init__.py", "/".join(parts[:-1]) + ".py")
            yield next((end for end in ends if end in SOURCES), "/".join(parts[:-1]) + "/__init__.py")


def circles(edges: dict[str, set[str]]) -> set[str]:
    """What leads back to itself."""
    reached = {start: set(edges[start]) for start in edges}
    for _ in edges:
        grown = {start: ends.union(*(reached[end] for end in ends)) for start, ends in reached.items()}
        if grown == reached:
            break
        reached = grown
    return {start for start, ends in reached.items() if start in ends}


def test_the_folders_of_the_arena_import_one_way():
    above = {folder: ARENA[rank + 1 :] for rank, folder in enumerate(ARENA)}
    pairs = [(name, other) for name in SOURCES if name.startswith("arena/") for other in imported_files(name)]
    folders = [(name, name.split("/")[1], other.split("/")[1]) for name, other in pairs if other.startswith("arena/")]
    assert {folder for _, folder, _ in folders if not folder.endswith(".py")} == {*ARENA}
    assert [(name, used) for name, folder, used in folders if used in above.get(folder, ())] == []


@pytest.mark.parametrize("layer", LAYERS)
def test_no_files_and_no_folders_import_each_other(layer: str):
    files = {name: {*imported_files(name)} - {name} for name in SOURCES if layer_of(name) == layer}
    files = {name: {other for other in others if other in files} for name, others in files.items()}
    assert circles(files) == set()
    folders: dict[str, set[str]] = {name.rpartition("/")[0]: set() for name in files}
    for name, others in files.items():
        folder = name.rpartition("/")[0]
        # what lies in a folder may use the files beside the folder, as agents/quarto uses agents/policy.py
        used = {other.rpartition("/")[0] for other in others}
        folders[folder] |= {other for other in used if not f"{folder}/".startswith(f"{other}/")}
    assert circles(folders) == set()


def test_libraries_are_imported_where_they_belong():
    environments = importers("gymnasium", "pettingzoo")
    assert {layer_of(name) for name in environments} <= {"envs", "baselines", "puzzles", "cli"}
    learning = importers("torch", "stable_baselines3", "sb3_contrib")
    assert {layer_of(name) for name in learning - {"envs/views.py"}} <= {"baselines"}
    assert {name.rpartition("/")[0] for name in importers("llvmlite")} == {"core/native", "core/native/compiler"}


# ---- what a first import costs


def test_a_first_start_compiles_a_handful_of_kernels_and_a_warm_one_none_and_imports_nothing_heavy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("LUDUS_CACHE", str(tmp_path))
    start = "import sys, gymnasium, ludus; gymnasium.make('ludus/Othello-v0').reset(seed=0); "
    assert run("-c", f"{start}print('ludus.core.native.build' in sys.modules)", cwd=tmp_path) == "True\n"
    kept = {file: file.stat().st_mtime_ns for file in (tmp_path / "kernels").rglob("*.kernel")}
    assert 1 <= len(kept) <= 6
    assert run("-c", f"{start}print({set(HEAVY)} & {{*sys.modules}})", cwd=tmp_path) == "set()\n"
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "kernels").rglob("*.kernel")} == kept
