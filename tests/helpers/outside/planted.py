"""Faults planted in the small game, for the tests of checks: each is a change of its source."""

from typing import NamedTuple


class Fault(NamedTuple):
    """A fault planted in the small game, the fact that it breaks, the function at fault, and what stands in the line named."""

    old: str
    new: str
    fact: str
    function: str
    line: str


FAULTS = {
    # ---- the class
    "a name of two words": Fault('str] = "small"', 'str] = "a small game"', "the form", "name", "a small game"),
    "players of one name": Fault('("X", "O")\n', '("X", "X")\n', "the form", "player_names", '("X", "X")'),
    "a move's name twice": Fault('tuple("abcdef")', 'tuple("abcdea")', "a name of its own", "moves", "def moves|@cached_property"),
    "a move that cannot be typed": Fault('tuple("abcdef")', 'tuple("abcdeF")', "can be typed", "moves", "@cached_property"),
    "a word too few": Fault("return (0,)\n", "return ()\n", "as many 64-bit words", "start_words", "@property"),
    "a symmetry that is not a permutation": Fault(
        "[5, 4, 3, 2, 1, 0]", "[5, 4, 3, 2, 1, 1]", "is a permutation", "symmetries", "@cached_property"
    ),
    "the identity last": Fault(
        "[[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]]",
        "[[5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 5]]",
        "the first changes nothing",
        "symmetries",
        "@cached",
    ),
    "symmetries of another dtype": Fault("np.int16)", "np.int32)", "int16", "symmetries", "@cached_property"),
    "a plane without a name": Fault('"the opponent\'s marks", "ones")', '"ones", "ones")', "the form", "planes", "planes:"),
    "a variant that does not exist": Fault("= (name,)", '= (name, "small:size=3")', "Every variant", "variants", "small:size=3"),
    "a class that can be changed": Fault("@dataclass(frozen=True)\n", "", "frozen", "SmallGame", "class SmallGame"),
    "a method forgotten": Fault("def picture(", "def drawn(", "every method", "SmallGame", "class SmallGame"),
    "a function forgotten": Fault("def permute(", "def turned(", "every function", "SmallGame", "class SmallGame"),
    # ---- the rules
    "the turn does not pass": Fault(" ^ (ONE << TURN),)", ",)", "Both players get to move", "player", "def player"),
    "a player 2": Fault("return number(state[0] >> TURN)", "return 2 * number(state[0] >> TURN)", "0 or 1", "player", "def player"),
    "one player for ever": Fault("return number(state[0] >> TURN)", "return 0", "Both players get to move", "player", "def player"),
    "an action that does not exist": Fault(
        "ALL, TURN = 6, u64(0b111111)", "ALL, TURN = 6, u64(0b1111111)", "one of the game's actions", "legal", "def legal"
    ),
    "an illegal action is legal": Fault(
        "return ~(state[0] | (state[0] >> u64(8))) & ALL", "return ~state[0] & ALL", "after a legal action", "legal", "def legal"
    ),
    "a game without an end": Fault(
        "return 0 if legal(state, 0) == u64(0) else ONGOING",
        "return ONGOING",
        "unfinished game has a legal action",
        "outcome",
        "def outcome",
    ),
    "a result of 5": Fault("        return -1\n", "        return 5\n", "or player 0's result", "outcome", "def outcome"),
    "a plane with a 2": Fault("planes[2] = 1", "planes[2] = 2", "0 and 1 alone", "observe", "def observe"),
    "no plane of ones": Fault("planes[2] = 1", "planes[2] = 0", "never all zero", "observe", "def observe"),
    "a plane not written": Fault("    planes[2] = 1\n", "", "writes every cell", "observe", "def observe"),
    "a cell beyond the plane": Fault("planes[1, cell] =", "planes[1, cell + 1] =", "every cell", "observe", "planes[1, cell + 1]"),
    "a loop that never ends": Fault(
        "    return cells & (cells",
        "    while cells != u64(0):\n        pass\n    return cells & (cells",
        "comes to an end",
        "three",
        "while cells|pass",
    ),
    "a word that is not a word": Fault(
        "    return (moved,)\n", "    return (number(moved),)\n", "give a state", "permute", "def permute"
    ),
    "permute forgets a colour": Fault("u64(0b1_0000_0001)", "u64(1)", "actions[a]", "permute", "def permute"),
    "permute exchanges the players": Fault(
        "    return (moved,)\n",
        "    return (moved if cells[0] == 0 else moved ^ (ONE << TURN),)\n",
        "keeps the player",
        "permute",
        "def permute",
    ),
    "actions that are not turned": Fault(
        "Symmetries(cells, cells)",
        "Symmetries(cells, np.array([[0, 1, 2, 3, 4, 5], [4, 5, 3, 2, 0, 1]], np.int16))",
        "`permute(play",
        "permute",
        "def permute",
    ),
    # ---- compiling
    "a dictionary in a kernel": Fault("    mark = bit(", "    mark = {0: ONE}[0]\n    mark = bit(", "compiles", "play", "{0: ONE}"),
    "text in a kernel": Fault(
        "    mark = bit(", "    if f'{action}' == 'a':\n        return state\n    mark = bit(", "compiles", "play", "f'{action}'"
    ),
    "types that do not fit": Fault(
        "    mark = bit(", "    mark = u64(0) if action > 2 else 'b'\n    mark = bit(", "compiles", "play", "'b'"
    ),
    "a tuple of several types with a variable index": Fault(
        "    mark = bit(", "    mark = (state[0], action)[action % 2]\n    mark = bit(", "compiles", "play", "[action % 2]"
    ),
    # ---- notation and drawing
    "a text that loses a word": Fault("""{'XO'[int(state[0]) >> 16]}\"""", """X\"""", "after a legal action", "text", "def text"),
    "an opening that is not a position": Fault("return (0,)\n", "return (1,)\n", "The start", "text", "def text"),
    "a text that begins too late": Fault(
        'return f"{self._cells(state)} ', 'return f"{self._cells(state)[1:]} ', "The start", "text", "def text"
    ),
    "parse that forgets who moves": Fault(" | turn << 16]", "]", "read again", "parse", "def parse"),
    "marks that nobody sees": Fault(
        "planes[1, cell] = has(state[0], 8 * (1 - seat) + cell)",
        "planes[1, cell] = 0",
        "nothing is hidden",
        "observe",
        "def observe",
    ),
    "parse takes anything": Fault(
        'or turn != cells.count("X") - cells.count("O")', "", "read as it stands, or refused", "parse", "def parse"
    ),
    "parse breaks on bad text": Fault(
        "if len(cells) != CELLS or", "if cells[0] == '' or len(cells) != CELLS or", "or refused", "parse", "def parse"
    ),
    "a drawing that is not well-formed": Fault("return pen.finish()", "return pen.finish()[:-1]", "well-formed", "svg", "def svg"),
    "a drawing that fails": Fault("pen.text(40 * cell", "pen.text(40 / (cell - 3)", "SVG", "svg", "40 / (cell - 3)"),
    "cells that are clicked in the same place": Fault("Box(40 * action,", "Box(0,", "takes that action", "clicks", "def clicks"),
    "an empty picture": Fault(
        "return f\"{' '.join(self.moves)}", "return '' and f\"{' '.join(self.moves)}", "picture is text", "picture", "def picture"
    ),
}
