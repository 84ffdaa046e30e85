"""What a sentence says of the moves in it: which it decides on, speaks for, leaves open and speaks against."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import NamedTuple

from .phrases import AFTER, ALSO, CLAUSE, DECIDES, DOUBTS, ENDS, MATTER, NUMBERED, QUESTION, SIGNS, TOKEN, WORD, Role


class Mention(NamedTuple):
    """A move in a text: its name as the game writes it, and where it stands."""

    name: str
    start: int
    stop: int


class Spoken:
    """A sentence and the moves in it.

    Attributes:
        favored: the names of the moves that it speaks for.
        options: of those that it only considers.
        refuted: of those that it calls impossible or bad.
    """

    def __init__(self, sentence: str, mentions: list[Mention]) -> None:
        self.sentence, self.mentions = sentence, mentions
        self.signs = [(match.start(), match[0]) for match in TOKEN.finditer(sentence) if match[0] in MATTER]
        self.places = [place for place, _ in self.signs]
        self.kept, self.favored, self.options, self.refuted = list[Mention](), list[str](), list[str](), list[str]()
        self.settled = list[str]()
        self.asks = sentence.rstrip().endswith("?") and QUESTION.search(sentence) is not None
        last: Mention | None = None
        for one in mentions:
            roles, after = self.roles(0, one.start), AFTER.match(sentence, one.stop)
            if roles and CLAUSE.match(sentence, one.stop):
                roles = roles & {"condition"} | self.roles(sentence.rfind(",", 0, one.start) + 1, one.start)
            said = after.lastgroup if after else None
            if said == "against":
                self.refuted.append(one.name)
                if after and "are " in after[0]:  # all that stand beside it
                    self.refuted += self.favored
                    self.favored = []
            elif not roles & {"against", "unlike"}:
                self.kept.append(one)
                is_equal = last is not None and ALSO.fullmatch(sentence, last.stop, one.start)
                if said == "settles" and roles <= {"tells"}:
                    self.settled.append(one.name)
                if (not roles and said != "option" and said != "tells") or is_equal:
                    self.favored.append(one.name)
                    last = one
                elif "tells" not in roles and said != "tells":
                    self.options.append(one.name)
        if self.asks:
            self.kept, self.settled, self.favored, self.options = [], [], [], [*self.favored, *self.options]

    def roles(self, start: int, stop: int) -> set[Role]:
        """What the words between two places say of what comes after them."""
        found = set[Role]()
        last = bisect_right(self.places, stop - 1)
        for place, sign in self.signs[max(0, last - 30) : last]:
            if place >= start:
                found -= ENDS.get(sign, set())
                if sign in SIGNS:
                    found.add(SIGNS[sign])
        return found

    def is_alone(self) -> bool:
        """Whether the sentence is one move and nothing else."""
        (_, start, stop), *others = self.mentions
        return not others and not WORD.search(NUMBERED.sub("", DOUBTS.sub("", self.sentence[:start]) + self.sentence[stop:]))

    def decided(self) -> list[str]:
        """The moves that it decides on: the first ones after words that decide, and those that stand beside them as equals."""
        names, stops = list[str](), [one.stop for one in self.kept]
        for match in DECIDES.finditer(self.sentence) if self.kept else ():
            first = bisect_left(stops, match.end())
            clause = self.sentence.rfind(",", 0, match.start()) + 1
            if first == len(stops) or "condition" in self.roles(0, match.start()) or self.roles(clause, match.start()):
                continue
            gap = self.sentence[match.end() : self.kept[first].start]
            if self.roles(match.end(), self.kept[first].start) or (
                match["weak"] and (WORD.search(gap) or WORD.match(self.sentence, self.kept[first].stop))
            ):
                continue
            names.append(self.kept[first].name)
            for one, other in zip(self.kept[first:], self.kept[first + 1 :], strict=False):
                if not ALSO.fullmatch(self.sentence, one.stop, other.start):
                    break
                names.append(other.name)
        return names + self.settled
