"""Who takes part in a Slack export: the people it lists, and placeholders for the ids that it only mentions.

Bots, deleted accounts and people of other organizations are often missing from the lists; they appear here under their
ids, as named by their own messages. Names are labels: nobody is merged by name or e-mail. Follows FORMATS section 1.1.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from treering.importers.slack_json import Json, Message, record_at, stripped, text_at
from treering.model.drafts import ActorDraft, ActorKind

__all__ = ["NOBODY", "SLACKBOT", "People"]

NOBODY = "unknown"  # the author of a message that names none
SLACKBOT = "USLACKBOT"

_MENTIONED, _LABELLED, _INTRODUCED = range(3)  # how good a placeholder's name is


@dataclass(slots=True)
class _Placeholder:
    """An id that no list explains; the better name wins, and of equal ones the earliest, whatever comes first."""

    id: str
    kind: ActorKind
    names: dict[str, tuple[int, int]] = field(default_factory=dict)  # name -> (-quality, first micros)

    def draft(self) -> ActorDraft:
        best = sorted(self.names, key=lambda name: (self.names[name], name))
        return ActorDraft(self.id, best[0] if best else self.id, self.kind, tuple(sorted(best[1:])))


class People:
    """The actors of one export: `listed` ones first, then placeholders as messages bring them up."""

    def __init__(self) -> None:
        self.listed: dict[str, ActorDraft] = {}
        self.names: dict[str, str] = {SLACKBOT: "Slackbot"}  # of those listed, so that texts never depend on order
        self.user_names: dict[str, str] = {}  # the short names, of which the names of group conversations are made
        self._bots: dict[str, str] = {}  # bot id -> the user that the bot is
        self._teams: Counter[str] = Counter()
        self._placeholders: dict[str, _Placeholder] = {}
        self._told: dict[str, ActorDraft] = {}
        self._nameless: set[str] = set()  # told by their id alone

    @property
    def team(self) -> str:
        """The id of the organization or, outside Enterprise Grid, of the workspace; "" if the lists do not say."""
        orgs = {team: count for team, count in self._teams.items() if team.startswith("E")}
        teams = orgs or self._teams
        return min(teams, key=lambda team: (-teams[team], team), default="")

    def list_user(self, user: Json) -> bool:
        """Take in one entry of users.json; False if it has no id."""
        id_, profile = text_at(user, "id"), record_at(user, "profile")
        if not id_:
            return False
        names = [text_at(profile, "display_name"), text_at(profile, "real_name"), text_at(user, "real_name")]
        names = [stripped(name) for name in [*names, text_at(user, "name")] if name.strip()]
        earlier = self.listed.get(id_)
        known = [earlier.name, *earlier.aliases] if earlier else []
        name, *aliases = dict.fromkeys([*known, *names, id_])
        others = [alias for alias in [*aliases, text_at(profile, "email")] if alias and alias != id_]
        self.listed[id_] = ActorDraft(id_, name, _listed_kind(user), tuple(dict.fromkeys(others)))
        self.names[id_] = name
        self.user_names[id_] = text_at(user, "name")
        if bot := text_at(profile, "bot_id"):
            self._bots[bot] = id_
        if not user.get("is_stranger") and earlier is None:
            for team in {text_at(user, "team_id"), text_at(record_at(user, "enterprise_user"), "enterprise_id")} - {""}:
                self._teams[team] += 1
        return True

    def author_of(self, message: Message, micros: int) -> str:
        """The id of a message's author, of whom we learn what the message says."""
        if user := message["user"]:
            if user not in self.listed:
                self._introduce(user, message, micros)
            return user
        bot = message["bot_id"]
        name = text_at(message["bot_profile"], "name") or message["username"]
        if bot in self._bots:
            return self._bots[bot]
        if not bot and not name:
            self._placeholder(NOBODY, ActorKind.UNKNOWN)
            return NOBODY
        id_ = bot or f"bot:{stripped(name)}"
        self._call(self._placeholder(id_, ActorKind.BOT), name, _INTRODUCED, micros)
        return id_

    def mention(self, id_: str, label: str = "", micros: int = 0) -> None:
        """Note an id that a text or a list of members names."""
        if id_ not in self.listed:
            self._call(self._placeholder(id_, ActorKind.UNKNOWN), label.removeprefix("@"), _LABELLED, micros)

    def news(self) -> Iterator[ActorDraft]:
        """The placeholders that are new since the last call, or have got their first name."""
        fresh = [id_ for id_ in self._nameless if self._placeholders[id_].names]
        if len(self._told) < len(self._placeholders):
            fresh += [id_ for id_ in self._placeholders if id_ not in self._told]
        for id_ in fresh:
            self._told[id_] = self._placeholders[id_].draft()
            self._nameless.discard(id_)
            if not self._placeholders[id_].names:
                self._nameless.add(id_)
            yield self._told[id_]

    def corrections(self) -> Iterator[ActorDraft]:
        """The placeholders of which more has been learned since they were given out."""
        for id_, placeholder in self._placeholders.items():
            if placeholder.draft() != self._told.get(id_):
                yield placeholder.draft()

    def _introduce(self, user: str, message: Message, micros: int) -> None:
        placeholder = self._placeholder(user, ActorKind.UNKNOWN)
        profile = message["user_profile"]
        home = message["home_team"] or text_at(profile, "team")
        if placeholder.kind is ActorKind.UNKNOWN and self.listed and (profile or home) and home not in self._teams:
            placeholder.kind = ActorKind.EXTERNAL
        keys = ("display_name", "real_name", "name")
        name = next((text_at(profile, key) for key in keys if text_at(profile, key).strip()), message["username"])
        self._call(placeholder, name, _INTRODUCED, micros)

    def _placeholder(self, id_: str, kind: ActorKind) -> _Placeholder:
        found = self._placeholders.get(id_)
        if found is None:
            found = self._placeholders[id_] = _Placeholder(id_, ActorKind.SYSTEM if id_ == SLACKBOT else kind)
            if id_ == SLACKBOT:
                self._call(found, "Slackbot", _INTRODUCED, 0)
        if found.kind is ActorKind.UNKNOWN:
            found.kind = kind
        return found

    @staticmethod
    def _call(placeholder: _Placeholder, name: str, quality: int, micros: int) -> None:
        if name := stripped(name.strip()):
            place = (-quality, micros)
            placeholder.names[name] = min(place, placeholder.names.get(name, place))


def _listed_kind(user: Json) -> ActorKind:
    if text_at(user, "id") == SLACKBOT:
        return ActorKind.SYSTEM
    if user.get("is_bot") or user.get("is_workflow_bot"):
        return ActorKind.BOT
    return ActorKind.EXTERNAL if user.get("is_stranger") else ActorKind.HUMAN
