"""The verbs of orders in sentences, in any person and tense, and where the clauses of a line begin."""

from __future__ import annotations

import re
from dataclasses import dataclass

_OWN = r"(?:(?:its|his|her|their|my|the|a|an)\s+)?"
#: kinds of clauses and the verbs that begin them; longer ones stand before those that they begin with
_KINDS: tuple[tuple[str, str], ...] = (
    ("hold_fire", rf"(?:holds?|held|holding|ceases?|withholds?)\s+{_OWN}fire|(?:does(?:n't|\s+not)|do\s+not|don't|won't"
     rf"|will\s+not)\s+"
     r"(?:fire|shoot)|no\s+(?:fire|shooting|weapons?\s+fire|attacks?)\b"),
    ("no_physical", r"(?:makes?\s+)?no\s+physicals?(?:\s+attacks?)?|(?:does(?:n't|\s+not)|won't|will\s+not)\s+(?:kick"
     r"|punch|strike)"),
    ("opportunity", r"(?:holds?|holding|keeps?|readies|ready|declares?)\s+(?:an?\s+)?opportunity(?:\s+action)?"),
    ("hold_move", rf"(?:does(?:n't|\s+not)|do\s+not|don't|won't|will\s+not)\s+move|(?:stands?|stays?|stood|standing"
     rf"|staying|keeps?|remains?)\s+"
     rf"(?:still|put|here|there|in\s+place|where\s+\w+\s+(?:is|are|stands)|stationary|fast)|(?:holds?|holding|keeps?)\s+{_OWN}"
     r"(?:position|ground|still|place)|no\s+move(?:ment|s)?|stays?|remains?|staying|stationary"),
    ("careful", r"(?:carefully\s+(?:stands?|gets?)\s+up|(?:stands?|gets?)\s+up\s+carefully)"),
    ("stand", r"(?:(?:tries|try|attempts?|trying)\s+to\s+)?(?:stands?|stood|standing|gets?|got|getting|rises?|rose|rising)"
     r"\s+(?:back\s+)?(?:up|to\s+(?:its|his|her|their)\s+feet)|rises?|rose|rising"),
    ("stand_bare", r"stands?|stood|standing"),
    ("prone", r"(?:go(?:es)?|went|going|drop(?:s|ped|ping)?|falls?|lies?|lying|lay|get(?:s|ting)?)\s+(?:to\s+the\s+ground"
     r"|prone|down|flat)"
     r"|(?:hits?)\s+the\s+dirt|prone"),
    ("twist", r"(?:torso[\s-]*)?twist(?:s|ed|ing)?(?:\s+(?:its|his|her|the|my)?\s*torso)?"),
    ("flip", r"flip(?:s|ped|ping)?(?:\s+(?:its|his|her|the|my|their)?\s*arms)?"),
    ("turret", r"(?:(?:turn|swing|rotate|point)(?:s|ed|ing)?\s+(?:its|the|his|her|my)?\s*)?turret"),
    ("alpha", rf"(?:(?:makes?|fires?|does|do|takes?)\s+{_OWN})?alpha[\s-]*(?:strik(?:es?|ing)|struck)(?:ed)?"),
    ("dfa", r"(?:(?:makes?|performs?|does)\s+a\s+)?(?:dfa(?:s|'s|ed|ing)?|death\s+from\s+above)"),
    ("charge", r"(?:charg(?:es?|ed|ing)|ram(?:s|med|ming)?)"),
    ("primary", r"primary(?:\s+target)?(?:\s+is)?"),
    ("raw", r"(?:dis)?mount(?:s|ed|ing)?|(?:dis)?embark(?:s|ed|ing)?|boards?|dig(?:s|ging)?\s+in|swarm(?:s|ed|ing)?"
     r"|leg[\s-]attack(?:s|ed|ing)?"
     r"|let(?:s|ting)?\s+go|unjam(?:s|med|ming)?|clear(?:s|ed|ing)?|pick(?:s|ed|ing)?\s+up"
     r"|(?:starts?\s+)?(?:mission\s+)?action|artillery"
     r"|bomb(?:s|ed|ing)?(?:\s+run)?|declares?\s+(?:now|first)|pass(?:es)?"),
    ("pause", r"paus(?:es?|ed|ing)"),
    ("wait", r"wait(?:s|ed|ing)?"),
    ("evade", r"evad(?:es?|ed|ing)"),
    ("sprint", r"sprint(?:s|ed|ing)?"),
    ("walk", r"(?:at\s+(?:a\s+)?)?(?:walk(?:s|ed|ing)?|march(?:es|ed|ing)?|cruis(?:es?|ed|ing))(?:\s+speed)?"),
    ("run", r"(?:at\s+(?:a\s+)?)?(?:runs?|ran|running|flank(?:s|ed|ing)?|dash(?:es|ed|ing)?)(?:\s+speed)?"),
    ("jump", r"(?:uses?\s+(?:its|his|her|the)\s+)?jump(?:s|ed|ing)?(?:\s+jets)?|leap(?:s|ed|t|ing)?|hop(?:s|ped|ping)?"),
    ("move", r"mov(?:es?|ed|ing)|advanc(?:es?|ed|ing)|go(?:es)?|went|going|head(?:s|ed|ing)(?=\s+(?:to|for|into|\d))"
     r"|retreat(?:s|ed|ing)?"
     r"|proceed(?:s|ed|ing)?|relocat(?:es?|ed|ing)|step(?:s|ped|ping)?|back(?:s|ed|ing)(?:\s+up)?|withdraw(?:s|n|ing)?"
     r"|withdrew"),
    ("kick", r"kick(?:s|ed|ing)?|stomp(?:s|ed|ing)?"),
    ("punch", r"punch(?:es|ed|ing)?"),
    ("push", r"push(?:es|ed|ing)?|shov(?:es?|ed|ing)"),
    ("club", r"club(?:s|bed|bing)?"),
    ("hatchet", r"hatchet(?:s|ed|ing)?|chop(?:s|ped|ping)?"),
    ("sword", r"sword(?:s|ed|ing)?|slash(?:es|ed|ing)?"),
    ("spot", r"spot(?:s|ting)?(?=\s)"),
    ("fire", r"(?:opens?\s+(?:up|fire)|fir(?:es?|ed|ing)|shoot(?:s|ing)?|(?:takes?\s+a\s+)?shot|blast(?:s|ed|ing)?"
     r"|engag(?:es?|ed|ing)"
     r"|unload(?:s|ed|ing)?|attack(?:s|ed|ing)?|targets?|targeting|target(?:ed)?)"),
    ("turn", r"turn(?:s|ed|ing)?|rotat(?:es?|ed|ing)|fac(?:es?|ed|ing)|pivot(?:s|ed|ing)?|point(?:s|ed|ing)?|end(?:s|ed|ing)?"),
)  # fmt: skip
_VERB = re.compile(
    "|".join(rf"(?P<{kind}>(?:{pattern}))" for kind, pattern in _KINDS).join((r"(?i)(?<![\w-])(?:", r")(?![\w-])"))
)
#: words to name where none could be read
KNOWN_VERBS = (
    "walks", "runs", "jumps", "moves", "cruises", "flanks", "turns", "stands up", "goes prone", "holds position", "waits",
    "evades", "sprints", "charges", "fires", "shoots", "alpha strikes", "holds fire", "twists", "kicks",
    "punches", "pushes", "faces",
)  # fmt: skip
MOVES = frozenset(
    [
        "hold_move",
        "careful",
        "stand",
        "stand_bare",
        "prone",
        "dfa",
        "charge",
        "pause",
        "wait",
        "evade",
        "sprint",
        "walk",
        "run",
        "jump",
        "move",
        "turn",
        "opportunity",
    ]
)
SHOTS = frozenset(["hold_fire", "twist", "flip", "turret", "alpha", "fire", "primary"])
BLOWS = frozenset(["kick", "punch", "push", "club", "hatchet", "sword", "no_physical"])
_JOINTS = re.compile(
    r"(?i)(?:^|\s|(?<=[,;.!]))(?:and|then|also|but|&|->|will|shall|'ll|now|finally|next|afterwards?|after\s+that|before"
    r"|while|still|first|again"
    r"|it|he|she|they|i|we|who|which|is|are|be|as\s+well|wants?\s+to|to\s+then|in\s+order\s+to|plus|[,;.!:])\s*$"
)


_LEADING = re.compile(r"(?i)(?:[,;.:!&]|->(?=\s*$)|(?:then|and|also)\b)\s*")
#: characters that the longest joint takes, and more
_LONGEST = 60


@dataclass(slots=True)
class Clause:
    """One clause: its kind, its verb as typed, and what follows it; ``before`` is what stood before the first verb."""

    kind: str
    verb: str
    rest: str


def clauses(words: str) -> tuple[str, list[Clause]]:
    """A line's clauses, and what stands before the first.

    >>> clauses("walks to 0709, then fires LRM at x")[1]
    [Clause(kind='walk', verb='walks', rest='to 0709'), Clause(kind='fire', verb='fires', rest='LRM at x')]
    """
    words = re.sub(r"(?i)\b(?:(?:is|are|am)\s+)?going\s+to\s+(?=[a-z])(?!\d)", "will ", words)
    found = [one for one in _VERB.finditer(words) if not _inside(words, one.start()) and not _is_noun(words, one)]
    parts = []
    for number, one in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(words)
        parts.append(Clause(one.lastgroup or "", one[0], trimmed(words[one.end() : end])))
    return trimmed(words[: found[0].start()] if found else words), parts


def _inside(words: str, position: int) -> bool:
    """Whether a place in the words lies in brackets."""
    before = words[:position]
    return before.count("(") > before.count(")")


def _is_noun(words: str, found: re.Match[str]) -> bool:
    """Whether what looks like a verb is part of something else: a kick's ``left foot``, ``spotted by``, ``alpha strike at``."""
    before = words[: found.start()].rstrip().lower()
    if found.lastgroup in ("fire", "turn") and re.search(
        r"(?:set|sets|setting)\s+(?:it\s+)?on$|(?:rate|line|field|arc)\s+of$", before
    ):
        return True
    if found.lastgroup in ("club", "hatchet", "sword", "punch", "kick", "turret", "twist") and re.search(
        r"(?:with|using)\s+(?:its|his|her|the|a)?$", before
    ):
        return True
    if found.lastgroup == "turret" and re.search(r"(?:the|its|in|to)$", before) and re.search(r"(?:takes|hit|for)\b", before):
        return True
    if found.lastgroup == "turret" and re.search(r"\b(?:clear|unjam|free)\w*(?:\s+(?:its|the|his|her))?$", before):
        return True
    return (
        found.lastgroup == "fire"
        and found[0].lower() == "target"
        and re.search(r"(?:same|primary|secondary|its)$", before) is not None
    )


def trimmed(words: str) -> str:
    """Words without the joints at their ends: ``and then``, commas, ``will``."""
    words = words.strip()
    while True:
        shorter = words.rstrip(" ,;.:!")
        # a joint is short: nobody need search a long text for it
        head, tail = shorter[:-_LONGEST], shorter[-_LONGEST:]
        shorter = (head + _JOINTS.sub("", tail)).rstrip()
        if found := _LEADING.match(shorter):
            shorter = shorter[found.end() :]
        if shorter == words:
            return words
        words = shorter
