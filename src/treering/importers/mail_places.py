"""The channel that a mail belongs to, and who may read it there.

A mail that came through a list is in the list's channel; the source says nothing of who reads the list, so the operator
does (`--visibility`). Other mail is in the channel of the people that it names, author and receivers, as in a group
chat: every copy gives the same ones, and they are those who have read it. Who got a blind copy is not named. Mail that
names no receiver, as the text files of list archives, is in one channel whose readers are unknown.

An operator who says `--visibility public` says that all of the input may be read by everybody. Then there is nothing to
keep apart, and mail outside of lists is in that one channel, too: archives of lists that left no mark of the list.
"""

import hashlib
from collections.abc import Mapping

from treering.importers.mail_addresses import UNKNOWN
from treering.importers.mail_letters import Letter
from treering.model.drafts import ChannelDraft, ChannelKind

__all__ = ["MAILBOX", "Places", "is_of_list"]

MAILBOX = "mailbox"  # the channel of mail that does not say who read it
NAMES_SHOWN = 6


class Places:
    """Channels by mail.

    Args:
        visibility: what the operator says of readers that are unknown: PUBLIC or PRIVATE.
        names: the display names of addresses.
        phrases: what lists call themselves, by their ids.
    """

    def __init__(
        self, visibility: ChannelKind, names: Mapping[str, str], phrases: Mapping[str, tuple[str, ...]]
    ) -> None:
        self._visibility = visibility
        self._names = names
        self._phrases = phrases

    def channel(self, letter: Letter) -> ChannelDraft:
        """The channel of a mail."""
        where = letter.mailing_list
        if where is not None:
            id_ = f"{'news' if where.is_newsgroup else 'list'}:{where.id}"
            aliases = (*self._phrases.get(where.id, ()), where.id)
            return ChannelDraft(id_, where.name, self._visibility, None, aliases, stated=False)
        people = sorted({each.id for each in (letter.author, *letter.others, *letter.to, *letter.cc)} - {UNKNOWN.id})
        if self._visibility is ChannelKind.PUBLIC or not (letter.to or letter.cc):
            return ChannelDraft(MAILBOX, MAILBOX, self._visibility, None, stated=False)
        shown = [self._names.get(id_, id_) for id_ in people]
        name = ", ".join(shown[:NAMES_SHOWN]) + (f" and {len(shown) - NAMES_SHOWN} more" if shown[NAMES_SHOWN:] else "")
        if len(people) <= 2:
            return ChannelDraft("mail:" + " ".join(people), name, ChannelKind.DIRECT, tuple(people))
        digest = hashlib.sha256(" ".join(people).encode()).hexdigest()[:16]
        return ChannelDraft(f"mail:{digest}", name, ChannelKind.GROUP, tuple(people))


def is_of_list(channel: str) -> bool:
    """Whether a channel's id is that of a list or newsgroup."""
    return channel.startswith(("list:", "news:"))
