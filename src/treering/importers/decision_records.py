"""Architecture decision records: which documents are some, and the name by which others speak of them.

Both usual templates, Nygard's (adr-tools) and MADR, number the files and mostly leave the number out of the text, while
everybody else writes ADR-0007. Status and date are read as those of any document. Follows FORMATS section 14.
"""

import re

__all__ = ["decision_title"]

SECTIONS_MIN = 2  # of those that the templates have, where the folder does not say what it holds

_FOLDER = re.compile(r"(?:^|/)(?:adrs?|(?:architecture[-_ ])?decisions?(?:[-_ ](?:records?|log))?)$", re.I)
_FILE = re.compile(r"(?:adr[-_ ]?)?(?P<number>\d{3,5})(?=[-_ .]|$)", re.I)
_NUMBERED = re.compile(r"(?:adr[-_ ]?)?\d{1,5}\s*[.:)–—-]\s+(?P<title>.+)", re.I)
_NAMED = re.compile(r"\bADR[- ]?\d", re.I)
_SECTION = re.compile(
    r"^(?:#{1,4}|={2,4})[ \t]+(?:\d+\.[ \t]+)?(?:status|context(?: and problem statement)?|considered options"
    r"|decision(?: outcome| drivers)?|(?:positive |negative )?consequences|alternatives(?: considered)?)[ \t:#]*$",
    re.I | re.M,
)
_YEAR = re.compile(r"(?:19|20)\d\d")


def decision_title(path: str, title: str, text: str) -> str:
    r"""The title of a decision record with its identifier; of anything else, the title as it is.

    Args:
        path: where it lies, without the ending of the file's name.
        title: the title that the document gives itself.
        text: the whole document.

    >>> decision_title("docs/0007-use-a-queue", "7. Use a queue", "## Status\n\nAccepted\n\n## Context\n\nLoad.")
    'ADR-0007: Use a queue'
    """
    folder, _, stem = path.rpartition("/")
    file = _FILE.match(stem)
    if file is None or _NAMED.search(title):
        return title
    if not _FOLDER.search(folder) and len(_SECTION.findall(text)) < SECTIONS_MIN:
        return title
    if _YEAR.fullmatch(file["number"]) and re.match(r"[-_.]\d\d[-_.]\d\d", stem[file.end() :]):
        return title  # named by its day
    numbered = _NUMBERED.fullmatch(title)
    return f"ADR-{file['number'].zfill(4)}: {numbered['title'] if numbered else title}"
