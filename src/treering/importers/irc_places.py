"""Which channel an IRC log is of: its name says it, or else the log itself.

Clients name logs after channels ("#ops.log", "irc.libera.#ops.weechatlog", "libera/#ops/2024-03-04.log"). Channels of
that name on two networks are told apart by the folders above them; of one network they are not, so that it does not
matter from where in the tree of logs one starts.
"""

import re
from collections import defaultdict
from collections.abc import Mapping

from treering.importers.irc_survey import Survey
from treering.importers.tree import FileTree

__all__ = ["channels_of"]

FOLDERS_AROUND = 3  # how far up a channel's folder may be from one of its files: "#ops/2024/03-04.log"

_DAY = r"[._-]?(?:19|20)\d\d[-_.]?\d\d(?:[-_.]?\d\d)?"
_CHANNEL = re.compile(r"(?P<before>[^#&]*?)(?P<channel>[#&][^#&].*)")
_ENDING = re.compile(rf"(?:{_DAY})?(?:\.(?:log|txt|weechatlog|raw|ascii|irc))*$", re.IGNORECASE)
_DATED = re.compile(rf"(?:{_DAY})(?:_\d+)?|\d\d(?=-)")


def channels_of(tree: FileTree, surveys: Mapping[str, Survey]) -> dict[str, str]:
    """The id of the channel of each file; `surveys` are by the names of the files."""
    label = _channel_around(tree) or tree.label
    found = {name: _channel(name, looked_at, label) for name, looked_at in surveys.items()}
    networks: defaultdict[str, set[str]] = defaultdict(set)
    for network, channel in found.values():
        networks[channel].update(filter(None, [network]))
    return {
        name: f"{network}/{channel}" if network and len(networks[channel]) > 1 else channel
        for name, (network, channel) in found.items()
    }


def _channel_around(tree: FileTree) -> str:
    """The folder of a channel that was given itself, or one of whose files was given."""
    folders = tree.path.resolve().parts[-FOLDERS_AROUND:] if tree.path else ()
    return next((folder for folder in reversed(folders) if folder.startswith(("#", "&"))), "")


def _channel(name: str, looked_at: Survey, label: str) -> tuple[str, str]:
    """The network, as far as folders tell it, and the channel."""
    *folders, leaf = name.split("/")
    stem = _ENDING.sub("", leaf)
    if found := _CHANNEL.fullmatch(stem):
        network = found["before"].strip("._-") or (folders[-1] if folders else "")
        return network.lower(), found["channel"].lower()
    for depth, folder in reversed(list(enumerate(folders))):
        if folder.startswith(("#", "&")):
            return (folders[depth - 1].lower() if depth else ""), folder.lower()
    if label.startswith(("#", "&")):
        return "", _ENDING.sub("", label).lower()
    if looked_at.channel:
        return "", looked_at.channel.lower()
    stem = _DATED.sub("", stem).strip("._-")
    network = folders[-2].lower() if len(folders) > 1 else ""
    return network, (stem or (folders[-1] if folders else _ENDING.sub("", label)) or "unnamed").lower()
