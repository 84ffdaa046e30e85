"""The notebooks of examples/ are those of their tutorials, and run from top to bottom in Jupyter's own runner."""

import runpy

import pytest

from ..helpers.system.processes import ROOT

MADE = runpy.run_path(str(ROOT / "docs" / "notebooks.py"))
FOLDER = ROOT / "examples" / "notebooks"


def test_notebooks_are_made_of_their_tutorials(tmp_path):
    MADE["make_notebooks"](tmp_path)
    made, kept = ({file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} for folder in (tmp_path, FOLDER))
    assert made == kept, "write them anew: make docs"


@pytest.mark.parametrize("name", MADE["TUTORIALS"])
def test_a_notebook_runs_and_shows_tables_and_pictures(name, tmp_path):
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": tmp_path}}).execute()
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", ())}
    assert "text/html" in kinds
    assert name != "perfect" or "image/png" in kinds
