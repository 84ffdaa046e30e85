"""How much work a regular expression does: a slow matcher that counts its steps, and texts that make it try again and again.

The matcher backtracks as Python's `re` does, over the tree that `re` itself parses. Its count depends on nothing but the expression
and the text, so a test can ask whether the work grows as the text does.
"""

from __future__ import annotations

import re
import sys

if sys.version_info >= (3, 11):
    from re import _constants as constants
    from re import _parser as parser
else:
    import sre_constants as constants
    import sre_parse as parser

SINGLE = {constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN}
REPEATS = {constants.MAX_REPEAT, constants.MIN_REPEAT}
USUAL = " \n0a"
"""Signs that are tried with every expression, since many of its parts take them."""
MOST = 1000
"""Steps for each character, beyond which nothing is counted any more."""
DEEPEST = 20_000
FEW = 20
"""A part that is repeated no more often than that makes no text slow."""
NEVER = "\0"
"""A sign that ends a match, where an expression does not take everything."""


class Work:
    """The steps that one expression needs.

    Args:
        expression: the expression.
        whole: whether it is only ever matched from the start of a text, and not searched for.
    """

    def __init__(self, expression: re.Pattern[str], whole: bool = False) -> None:
        self.tree, self.flags, self.whole = parser.parse(expression.pattern, expression.flags), expression.flags, whole
        self.steps, self.text, self.groups = 0, "", {}
        self.tests = {}

    def count(self, text: str) -> int:
        """The steps that it takes to find every match in a text, or to match it from its start."""
        self.steps, self.text, start = 0, text, 0
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))  # a group that is repeated is matched by calls within calls
        while start <= len(text):
            self.groups = {}
            stop = self.match([*self.tree], 0, start, lambda at: at)
            if self.whole:
                break
            start = start + 1 if stop is None or stop == start else stop
        return self.steps

    def match(self, nodes, index, at, then):
        """Where the rest of a sequence ends that begins at a place, as `then` goes on from there; None if it does not match."""
        while True:
            self.steps += 1
            assert self.steps <= MOST * (len(self.text) + 1), f"more than {MOST} steps for each character"
            if index == len(nodes):
                return then(at)
            kind, value = nodes[index]
            if kind in SINGLE:
                if at >= len(self.text) or not self.takes(nodes[index], self.text[at]):
                    return None
                at, index = at + 1, index + 1
                continue
            if kind is constants.AT:
                if not self.stands(value, at):
                    return None
                index += 1
                continue
            break

        def rest(stop):
            return self.match(nodes, index + 1, stop, then)

        if kind is constants.SUBPATTERN:
            group, added, removed, inner = value
            assert (added, removed) == (0, 0), "flags within an expression are not understood"

            def close(stop):
                before = self.groups.get(group)
                self.groups[group] = at, stop
                if (end := rest(stop)) is None:
                    self.groups[group] = before
                return end

            return self.match([*inner], 0, at, close)
        if kind is constants.BRANCH:
            ends = (self.match([*branch], 0, at, rest) for branch in value[1])
            return next((end for end in ends if end is not None), None)
        if kind in (constants.ASSERT, constants.ASSERT_NOT):
            direction, inner = value
            start = at if direction > 0 else at - inner.getwidth()[0]
            held = start >= 0 and self.match([*inner], 0, start, lambda stop: stop) is not None
            return rest(at) if held == (kind is constants.ASSERT) else None
        if kind is constants.GROUPREF:
            start, stop = self.groups.get(value) or (0, None)
            if stop is None or not self.text.startswith(self.text[start:stop], at):
                return None
            return rest(at + stop - start)
        assert kind in REPEATS, f"{kind} is not understood"
        least, most, inner = value
        inner = [*inner]
        if len(inner) == 1 and inner[0][0] in SINGLE:
            return self.repeat_single(inner[0], least, most, kind is constants.MAX_REPEAT, at, rest)
        return self.repeat(inner, least, most, kind is constants.MAX_REPEAT, at, rest)

    def repeat_single(self, node, least, most, greedy, at, rest):
        """A sign that is repeated, without a call for each."""
        if greedy:
            stop = at
            while stop < len(self.text) and stop - at < most and self.takes(node, self.text[stop]):
                self.steps, stop = self.steps + 1, stop + 1
            ends = (rest(end) for end in range(stop, at + least - 1, -1))
            return next((end for end in ends if end is not None), None)
        stop = at
        while True:
            if stop - at >= least and (end := rest(stop)) is not None:
                return end
            if stop - at >= most or stop >= len(self.text) or not self.takes(node, self.text[stop]):
                return None
            self.steps, stop = self.steps + 1, stop + 1

    def repeat(self, inner, least, most, greedy, at, rest, times=0):
        """A sequence that is repeated."""

        def again(stop):
            if stop == at and times >= least:
                return None
            return self.repeat(inner, least, most, greedy, stop, rest, times + 1)

        if times < least:
            return self.match(inner, 0, at, again)
        if greedy:
            end = self.match(inner, 0, at, again) if times < most else None
            return rest(at) if end is None else end
        end = rest(at)
        return self.match(inner, 0, at, again) if end is None and times < most else end

    def takes(self, node, sign):
        """Whether a node for one sign takes it."""
        key = str(node), sign
        if key not in self.tests:
            kind, value = node
            if kind is constants.ANY:
                taken = sign != "\n" or bool(self.flags & re.DOTALL)
            elif kind is constants.IN:
                taken = any(_holds(part, sign, self.flags) for part in value if part[0] is not constants.NEGATE)
                taken = taken != (value[0][0] is constants.NEGATE)
            else:
                taken = (chr(value) == sign) == (kind is constants.LITERAL)
            self.tests[key] = taken
        return self.tests[key]

    def stands(self, where, at):
        """Whether a place is the start, the end, or at the edge of a word."""
        before, after = self.text[at - 1 : at] if at else "", self.text[at : at + 1]
        many = bool(self.flags & re.MULTILINE)
        if where is constants.AT_BEGINNING_STRING or (where is constants.AT_BEGINNING and not many):
            return at == 0
        if where is constants.AT_BEGINNING:
            return before in ("", "\n")
        if where is constants.AT_END_STRING:
            return after == ""
        if where is constants.AT_END:
            return after == "" or (after == "\n" and (many or at == len(self.text) - 1))
        edge = (re.match(r"\w", before, self.flags & re.ASCII) is None) != (re.match(r"\w", after, self.flags & re.ASCII) is None)
        return edge == (where is constants.AT_BOUNDARY)

    # ---- texts

    def texts(self, times: int):
        """Texts with a part that stands there many times, after and before all that may come around it.

        Args:
            times: how often.
        """
        signs, starts, bodies = {*USUAL}, {""}, set()
        self._collect([*self.tree], "", signs, starts, bodies)
        repeated = [*_singles(self.tree, False)]
        one_of_a_kind = {tuple(self.takes(node, sign) for node in repeated): sign for sign in sorted(signs)}
        for start in sorted(starts):
            for body in sorted({*one_of_a_kind.values()} | (bodies | starts) - {""}):
                for stop in ("", NEVER):
                    yield start + body * times + stop

    def _collect(self, nodes, before, signs, starts, bodies):
        """Gathers the signs of a sequence, what may come before its repetitions, and what is repeated."""
        for node in nodes:
            kind, value = node
            if kind in SINGLE:
                signs.update(self._signs(node))
            elif kind is constants.SUBPATTERN:
                self._collect([*value[3]], before, signs, starts, bodies)
            elif kind is constants.BRANCH:
                for branch in value[1]:
                    self._collect([*branch], before, signs, starts, bodies)
            elif kind in (constants.ASSERT, constants.ASSERT_NOT):
                self._collect([*value[1]], before, signs, starts, bodies)
            elif kind in REPEATS:
                if value[1] > FEW:
                    starts.add(before)
                    bodies.add(self._sample([*value[2]]))
                    bodies.update(self._sample([*branch]) for branch in _branches([*value[2]]))
                self._collect([*value[2]], before, signs, starts, bodies)
            before += self._sample([node])

    def _sample(self, nodes) -> str:
        """A short text that a sequence takes."""
        text = ""
        for kind, value in nodes:
            if kind in SINGLE:
                text += next(iter(self._signs((kind, value))), "")
            elif kind is constants.SUBPATTERN:
                text += self._sample([*value[3]])
            elif kind is constants.BRANCH:
                text += self._sample([*value[1][0]])
            elif kind in REPEATS:
                text += self._sample([*value[2]]) * value[0]
        return text

    def _signs(self, node):
        """Signs that a node for one sign takes."""
        kind, value = node
        named = [value] if kind is constants.LITERAL else []
        if kind is constants.IN:
            named += [part[0] for kind, part in value if kind is constants.RANGE]
            named += [part for kind, part in value if kind is constants.LITERAL]
        signs = [*map(chr, named), *'a0 \n.x"']
        return [sign for sign in dict.fromkeys(signs) if self.takes(node, sign)]


def _holds(part, sign, flags) -> bool:
    """Whether a part of a set of signs holds one."""
    kind, value = part
    if kind is constants.LITERAL:
        return chr(value) == sign
    if kind is constants.RANGE:
        return value[0] <= ord(sign) <= value[1]
    word = {
        constants.CATEGORY_DIGIT: r"\d", constants.CATEGORY_NOT_DIGIT: r"\D", constants.CATEGORY_SPACE: r"\s",
        constants.CATEGORY_NOT_SPACE: r"\S", constants.CATEGORY_WORD: r"\w", constants.CATEGORY_NOT_WORD: r"\W",
    }[value]  # fmt: skip
    return re.match(word, sign, flags & re.ASCII) is not None


def _branches(nodes):
    """The branches of a sequence that is nothing but a choice."""
    while len(nodes) == 1 and nodes[0][0] is constants.SUBPATTERN:
        nodes = [*nodes[0][1][3]]
    return nodes[0][1][1] if len(nodes) == 1 and nodes[0][0] is constants.BRANCH else []


def _singles(nodes, is_repeated):
    """The nodes for one sign in the parts of a tree that are repeated."""
    for kind, value in nodes:
        if kind in SINGLE and is_repeated:
            yield kind, value
        elif kind is constants.SUBPATTERN:
            yield from _singles(value[3], is_repeated)
        elif kind is constants.BRANCH:
            for branch in value[1]:
                yield from _singles(branch, is_repeated)
        elif kind in REPEATS:
            yield from _singles(value[2], is_repeated or value[1] > FEW)
        elif kind in (constants.ASSERT, constants.ASSERT_NOT):
            yield from _singles(value[1], is_repeated)
