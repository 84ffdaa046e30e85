"""Another face of Quarto: pieces that differ in other attributes."""

from __future__ import annotations

from typing import ClassVar

from ..drawing.pieces import Attributes
from .rules import Quarto


class OtherPieces(Quarto):
    """The attributes of the pieces have other names, and so other letters."""

    attributes: ClassVar[Attributes] = (("red", "green"), ("thin", "wide"), ("plain", "spotted"), ("open", "closed"))
