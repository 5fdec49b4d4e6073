"""Questions made by hand: the loaders' own, as the protocols meet them."""

from typing import Any

from treering.evaluation.answering.questions import Posed
from treering.evaluation.benchmark import Facet, Question


def question(text: str = "When is the launch?", answer: str = "2025-07-18", category: str = "single", **more: Any):
    return Question(more.pop("id", "q1"), text, category, answer=answer, **more)


def posed(*evidence: str, **more: Any) -> Posed:
    return Posed(question(**more), evidence or ("[2025-07-01] Ana: launch on the 18th",))


RUBRIC = (
    Facet("who", "names Ana", 0.5, fails_if="another name"),
    Facet("when", "gives the date", 0.25),
    Facet("why", "gives the reason", 0.25),
)
CHECKS = (
    Facet("p0", "Does the reply mention the dentist?", 0.25),
    Facet("p1", "Does the reply mention the report?", 0.25),
    Facet("f0", "Does the reply mention the gym?", 0.25, expected="no"),
    Facet("f1", "Does the reply mention the cinema?", 0.25, expected="no"),
)
OPTIONS = (("A", "Monday"), ("B", "Tuesday"), ("C", "Friday"), ("D", "never"))
