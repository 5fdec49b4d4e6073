"""Words that tell what a sentence does for the work: decides, promises, blocks, assigns, asks. English only.

In other languages a sentence is weighed by how central it is, and by a question mark.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from treering.forest.kinds import Cue

__all__ = ["CUE_WORDS", "QUESTION_MARKS"]

_WORDS: Final = {
    Cue.DECISION: """agree agreed agrees agreement approve approved approves chose chosen conclude concluded confirm
        confirmed consensus decide decided decides decision decisions final finally finalize finalized lgtm prefer
        reject rejected resolved ruled settled signed voted""",
    Cue.TRANSITION: """closed deployed deprecated drafted filed fixed landed launched merged opened postponed published
        reopened released reverted reviewed shipped superseded tested unblocked verified""",
    Cue.COMMITMENT: """assign commit committed deadline deliver due eod eta i'll plan planned plans promise promised
        schedule scheduled shall should todo tomorrow tonight we'll will""",
    Cue.BLOCKER: """blocked blocker blockers blocking blocks broke broken can't cannot crash crashed crashes delayed
        down error errors fail failed failing fails failure incident issue outage pending regression risk stuck
        unresolved waiting""",
    Cue.OWNERSHIP: """accountable assigned assignee charge handle handles handling lead leads maintain maintainer
        maintains manager manages owner owners owns report reports responsible responsibility team""",
}

CUE_WORDS: Final[Mapping[str, Cue]] = MappingProxyType({w: cue for cue, words in _WORDS.items() for w in words.split()})
QUESTION_MARKS: Final = ("?", "？", "؟")
