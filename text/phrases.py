"""The words around a move, in lower-case answers, and what they say of it.

`SIGNS` are single words before a move, `DECIDES` are phrases after which the move follows that is played, and `AFTER` are phrases
after a move. The commonest words of German, Spanish, French, Russian and Chinese answers are among them.
"""

from __future__ import annotations

import re
from typing import Literal

Role = Literal["against", "unlike", "condition", "option", "tells"]
"""What a word says of the moves after it: that they are not played (`against`), that another one is played in their place
(`unlike`), that something has to happen first (`condition`), that they could be played (`option`), or that they are part of the
board, the past or what the opponent does (`tells`)."""

ROLES: dict[Role, str] = {
    "against": """not never no cannot can't don't won't wouldn't shouldn't isn't illegal nor neither reject rejected refuse decline
        against so_is anything_but anywhere_but everything_but mistake_to wrong_to nicht kein ne jamais nunca не 不 不能""",
    "unlike": "instead_of away_from than without avoid avoided avoiding except statt",
    "condition": """if suppose supposing unless whether when whenever once until afterwards later next_turn after_that wenn falls si
        если 如果""",
    "option": """could might may maybe perhaps possibly candidate candidates options legal available possible either both between
        consider considered considering alternative alternatives choices tempting looking_at can't_decide not_sure unsure
        könnte vielleicht podría quizás pourrais""",
    "tells": """they he she you they'll he'll she'll you'll white_plays black_plays white_takes black_takes your opponent
        opponents threat threats threaten threatens threatening after because since already has have had holds held owns hold
        own is_on are_on previous previously last_move played took placed moved block blocks prevent prevents preventing stop
        stops stopping flip flips flipping outflanks outflank bracket brackets capture captures avoids attack attacks attacking
        leaving leaves keeps keep gives giving discs idea then like du hast weil""",
}
SIGNS: dict[str, Role] = {word.replace("_", " "): role for role, words in ROLES.items() for word in words.split()}
ENDS: dict[str, set[Role]] = {
    ",": {"against", "unlike"},
    ")": {"against", "unlike"},
    "i": {"unlike"},
    "chose": {"against", "unlike"},
    "decide": {"option"},
    "decided": {"option"},
    **{f"and {verb}": {"unlike"} for verb in ("play", "go", "take", "choose", "pick")},
    ":": {"against", "unlike"},
    ";": {"against", "unlike", "tells", "option"},
}
"""After which signs and words a role no longer holds."""
MATTER = {*SIGNS, *ENDS}
SEVERAL = "|".join(rf"{word}\b" for word in MATTER if " " in word)
TOKEN = re.compile(rf"{SEVERAL}|不能?|如果|[^\W\d_]+(?:'(?!s\b)[a-z]+)?|[,:;)]")

VERBS = "play|choose|chose|pick|select|go|take|place|move|give|put|push|pass|mark|remove|drop|settle|decide|block|open|hand|set"
DECIDES = re.compile(
    rf"""\b(?:
        i(?:'ll|'d|'m|\ am|\ will|\ shall|\ would|\ must|\ can\ only)?
            (?:\ have\ to|\ want\ to|\ need\ to|\ going\ to|\ rather|\ just)?
            (?:\ now|\ therefore|\ then|\ simply|\ just|\ should|\ still)?
            \ (?:(?:{VERBS})(?:s|ing|d|ting|ping)?
                |say|mean|meant|like|recommend|prefer|feel\ like|answer|respond|reply|blocks?|to|decided)\b
        | (?:my|the|final|best|correct|optimal|chosen|winning|next)\ (?:(?:final|best|next|chosen|winning|only|correct)\ )?
            (?:move|answer|choice|action|play|reply|decision)(?:\ here)?(?:\ is|\ would\ be|\ will\ be|[:=]|$)
        | (?:move|answer|choice|action|play|decision|final|mine|block|pick)\s{{0,2}}[:=>]
        | let's\ (?:play|go|choose|hand|give) | let\ me\ play | going\ (?:with|for) | (?:decide[ds]?|settled?)\ on | opt(?:ed)?\ for
        | (?P<weak>therefore|thus|hence|so|conclusion)(?=[,:\ ])
        | ich\ (?:spiele|setze|nehme|wähle|gebe|ziehe) | (?:spiele|setze|nehme|wähle)\ ich | mein\ zug(?:\ ist)?
        | juego | elijo | coloco | mi\ (?:jugada|movimiento)(?:\ es)? | je\ (?:joue|choisis|prends) | mon\ coup | (?:мой\ )?ход
        )(?!\w)
        | 我(?:的走法是|选择?|下|必须)""",
    re.VERBOSE,
)
"""What the writer of an answer plays follows; after the weak ones only where it is the next thing and the last of its clause."""
PRAISES = r"""(?:\ (?:a|an|the|my|our|most|more|very|only|one|also|still|just|simply|clearly|definitely|certainly|obviously
        |probably|really|now|then|currently|slightly|much|quite|pretty|at|least))*
    \ (?:best|better|good|strong(?:er|est)?|great|optimal|winning|right|correct|forced|forcing|necessary|essential|decent|fine|solid
        |safe(?:st)?|natural|key|perfect|ideal|interesting|critical|important|vital|sound|enough|useful|flexible|legal|free|open
        |available|valid|central|corner|center|centre|edge|way|must|where\ i\ (?:play|go)
        |what\ i(?:'ll|'d\ play|\ will|\ play|\ choose|\ pick|\ want)
        |move|choice|answer|pick|play|reply|one|option|it|square|cell)\b
    (?!(?:\ \w+)?\ (?:of|for)\ (?:my\ opponent|they|them|you)\b)"""
"""What is said of a move that is played, after `is`."""
AFTER = re.compile(
    rf"""[^\w,;.]{{0,3}}(?:(?:cell|square|space|spot)\ )?(?:
        (?P<against>
            (?:which\ |that\ )?(?:is|was|would\ be|looks|seems|are|were)
                (?:\ already|\ also|\ clearly|\ just|\ simply)?(?:\ an?)?
                \ (?:illegal|taken|occupied|bad|weak|worse|mistake|blunder|losing|impossible|invalid|unavailable|forbidden|wrong
                    |full|too|passive
                    |not\ (?:an?\ |yet\ )?(?:option|legal|available|possible|good|allowed|free|empty|better|best))\b
            | (?:isn't|wasn't|wouldn't|can't|cannot|does\ not|doesn't|loses|fails|would\ lose|allows|ignores|ist|está|ya\ está)\b
            | занято | is\ (?:mine|yours)\b | (?:has|makes)\ no\b | (?:gives|wins\ for)\ (?:my\ opponent|them|they|him|her|you)\b)
        | (?P<option>(?:might|could|may)\b | would\ be\ (?:nice|great|good|tempting)\b | \? )
        | (?P<tells>is\ (?:on|at|empty|blank)\b | (?:has|contains|holds)\ (?:piece|an?)\b | belongs\b
            | (?:is|was)\b(?!\W*\Z|{PRAISES}))
        | (?P<settles>it\ is\b | then\b\W*$
            | is\ (?:clearly\ )?(?:my|forced|best|strongest|the\ (?:best|only|right|correct|winning)\ (?:move|choice|one))\b)
        )""",
    re.VERBOSE,
)
"""What the words after a move say of it."""
QUESTION = re.compile(
    r"(?:\A|[,:;] ?|\b(?:so|but|and|or|hmm|well) )\W*"
    r"(?:is|are|was|should|shall|would|could|can|may|do|does|did|what|which|why|how|where|who|will)\b[^?]*\?\W*\Z"
)
"""A sentence that asks decides nothing."""
NUMBERED = re.compile(r"\b\d{1,2}[.)]")
"""The number of an item of a list."""
CLAUSE = re.compile(r" (?:is|seems|looks|gives|wins|beats|keeps|makes)\b")
"""After a move: it begins a clause of its own."""
WITHDRAWS = re.compile(
    r"\b(?:scratch that|never ?mind|cancel that"
    r"|(?:that|this)(?: one| cell| square)?(?:'s| is)(?: already)? (?:taken|occupied|illegal))\b"
)
"""Nothing that was said before counts."""
DOUBTS = re.compile(
    r"\A(?:but|however|aber|pero)\b|(?<!can )\bwait[,.!… -]|\b(?:actually\b|hmm|on second thought|no, |correction|oops|sorry)"
)
"""What was decided before has to be decided again."""
SEQUEL = re.compile(r"\b(?:next|then|later|afterwards)\b")
"""What is decided here comes after what was decided before."""
ALSO = re.compile(
    r"\s?(?:[,/&|]|(?:, ?)?\b(?:or|and|oder|und|o|ou|y|et|или|и)\b|或者?|和)\s?"
    r"(?:maybe |perhaps |possibly |alternatively |then )?(?:also )?"
)
"""Between moves of which none is put before the other."""
WORD = re.compile(r" ?\w")
SENTENCE = re.compile(
    r"(?<=[.!?;。！？])\s+|(?<=[。！？])|\n|, (?=(?:but|so|then|therefore|hence|thus|aber|also|pero|however)\b)|,(?=所以)"
    r"|(?<=[\w)])(?<!anything)(?<!anywhere)(?<!everything)(?= but\b)|(?=\bscratch that\b|\bno, |\bwait, )"
)
"""Where a sentence ends, or a clause that stands against the one before or follows from it."""
