"""Settings of Sphinx for the site. `make site` builds it with warnings as errors."""

import re
from pathlib import Path

import ludus
from ludus.web.alone import BUILT

project = "Ludus"
author = "The Ludus authors"
copyright = author
version = release = ludus.__version__
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]

myst_heading_anchors = 4
nb_execution_mode = "off"  # `make site` sets it
nb_execution_raise_on_error = True
nb_execution_timeout = 240
nb_merge_streams = True

default_role = "py:obj"  # what docstrings have in backticks is code, and a link where it names something of the reference
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
maximum_signature_line_length = 100
napoleon_use_rtype = False
suppress_warnings = ["misc.highlighting_failure"]  # outlines of code, as `...`, are no mistakes

html_theme = "furo"
html_favicon = "../images/tictactoe.svg"
html_title = f"Ludus {release}"
html_static_path = [str(Path(__file__).parent / "static")]
html_css_files = ["site.css"]
html_extra_path = [str(BUILT)]  # the page in which the boards are played
html_show_sphinx = html_show_sourcelink = html_copy_source = False
html_theme_options = {"navigation_with_keys": False, "footer_icons": []}

SECTION = re.compile(r"(^(?:Args|Returns|Raises|Yields):$)", re.MULTILINE)
QUOTED = re.compile(r"(?<!`)`([^`]+)`(?!`)")
INDENTED = re.compile(r"(?:^|(?<=\n))\n((?: {4}.*\n|\n)+)")


def _code(app, what, name, thing, options, lines):
    """Writes an indented part of a docstring, which is code, as reStructuredText has it: after `::`."""
    head, *sections = SECTION.split("\n".join(lines) + "\n", maxsplit=1)
    head = INDENTED.sub(lambda code: f"\n::\n\n{code[1]}\n", head)
    if what in ("property", "attribute"):  # in which napoleon takes what stands before a colon for a type
        head = QUOTED.sub(r":py:obj:`\1`", head)
    lines[:] = "".join([head, *sections]).split("\n")


def _skipped(app, what, name, thing, skip, options):
    """Leaves out the fields of NamedTuples, which the parameters describe."""
    return True if type(thing).__name__ == "_tuplegetter" else None


def setup(app):
    app.connect("autodoc-skip-member", _skipped)
    app.connect("autodoc-process-docstring", _code, priority=1)  # before napoleon
