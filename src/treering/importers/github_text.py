"""What a text on GitHub refers to: accounts by `@login`, issues by `#12`, `heron/api#12` or their address.

Code is left out: decorators and CSS are no people, colours no issues. Bare numbers mean issues of the same repository.
"""

import re
from typing import Final

from treering.importers.narrowing import distinct

__all__ = ["accounts_in", "issues_in"]

_CODE: Final = re.compile(r"(?P<fence>```+|~~~+).*?(?:(?P=fence)|\Z)|`[^`\n]*`|<!--.*?(?:-->|\Z)", re.DOTALL)
_ACCOUNT: Final = re.compile(r"(?<![\w@/.-])@([A-Za-z0-9](?:[A-Za-z0-9-]{0,38}))(?![\w/@]|\.\w)")
_ISSUE: Final = re.compile(
    r"https?://(?:www\.)?[\w.-]+/(?P<there>[\w.-]+/[\w.-]+)/(?:issues|pull|discussions)/(?P<at>[0-9]{1,9})(?![\w-])"
    r"|(?<![\w&/#.-])(?:(?P<named>[\w.-]+/[\w.-]+)#|#|GH-)(?P<number>[0-9]{1,9})(?![\w-])"
)


def accounts_in(text: str) -> tuple[str, ...]:
    """The accounts that a text names, by login in lower case.

    >>> accounts_in("@Ana, see `@Override` of org@mail.example; cc @heron/team")
    ('ana',)
    """
    return distinct([name.lower() for name in _ACCOUNT.findall(_CODE.sub(" ", text))]) if "@" in text else ()


def issues_in(text: str, repository: str) -> tuple[str, ...]:
    """The issues that a text names, each with its repository.

    >>> issues_in("fixes #7 and heron/web#12, not `#8` or #fff", "heron/api")
    ('heron/api#7', 'heron/web#12')
    """
    found = _ISSUE.finditer(_CODE.sub(" ", text))
    return distinct([f"{one['there'] or one['named'] or repository}#{one['at'] or one['number']}" for one in found])
