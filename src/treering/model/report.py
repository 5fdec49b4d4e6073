"""What happened to every record of an import, counted and named."""

from collections import Counter
from dataclasses import dataclass, field

from treering.model.drafts import Quarantined

__all__ = ["Counts", "FileReport", "ImportReport"]

SHOWN_MAX = 50  # quarantined records named in a file's report; all of them lie in the memory's quarantine


@dataclass(slots=True)
class Counts:
    """`read` = `kept` + `unchanged` + `versions` + skipped records + `quarantined`."""

    read: int = 0
    kept: int = 0  # logged as new
    unchanged: int = 0  # already in the log
    versions: int = 0  # logged as an edit, a next version or a deletion of something known
    skipped: Counter[str] = field(default_factory=Counter)  # reason -> how many; whole files are counted here, not read
    quarantined: int = 0

    def add(self, other: "Counts") -> None:
        """Take over another's counts."""
        self.read += other.read
        self.kept += other.kept
        self.unchanged += other.unchanged
        self.versions += other.versions
        self.skipped += other.skipped
        self.quarantined += other.quarantined

    def as_json(self) -> dict[str, object]:
        """The counts as `treering add --json` prints them."""
        return {
            "read": self.read,
            "kept": self.kept,
            "unchanged": self.unchanged,
            "versions": self.versions,
            "skipped": dict(sorted(self.skipped.items())),
            "quarantined": self.quarantined,
        }


@dataclass(slots=True)
class FileReport:
    """One file of an import.

    What was skipped or quarantined names no channel; it is counted for the file's only channel where it has just one.
    """

    path: str
    file: str
    format: str
    source: str
    counts: Counts = field(default_factory=Counts)
    quarantined: list[Quarantined] = field(default_factory=list)  # the first ones
    channels: dict[str, Counts] = field(default_factory=dict)  # records alone, by the source's id of their channel

    def by_channel(self) -> dict[str | None, Counts]:
        """The counts split by channel; None: of no channel in particular. Together they are the file's counts."""
        split: dict[str | None, Counts] = {}
        rest = Counts(
            read=self.counts.read - sum(counts.read for counts in self.channels.values()),
            skipped=Counter(self.counts.skipped),
            quarantined=self.counts.quarantined,
        )
        for channel, counts in self.channels.items():
            split[channel] = Counts()
            split[channel].add(counts)
        if rest != Counts():
            only = next(iter(self.channels)) if len(self.channels) == 1 else None
            split.setdefault(only, Counts()).add(rest)
        return split

    def as_json(self) -> dict[str, object]:
        """The file's part of `treering add --json`."""
        return {
            "path": self.path,
            "file": self.file,
            "format": self.format,
            "source": self.source,
            **self.counts.as_json(),
            "quarantine": [{"position": bad.position, "reason": bad.reason} for bad in self.quarantined],
        }


@dataclass(slots=True)
class ImportReport:
    """A receipt: when it is returned, everything counted as kept is durable and searchable."""

    files: dict[tuple[str, str], FileReport] = field(default_factory=dict)
    channels_unknown: int = 0  # channels whose members no source has told: visible to the owner alone
    actors_unknown: int = 0  # actors met only as an id
    visibility: str | None = None  # what was assumed where the source knows no membership
    grown: dict[str, int] = field(default_factory=dict)  # leaves touched, nodes made and summarized
    names: dict[tuple[str, str], str] = field(default_factory=dict)  # (source, id of a channel) -> its name
    cleared: int = 0  # entries of the quarantine that read now; only a retry clears them
    root: str = ""
    embedded: bool = True  # False: some vectors are still missing

    @property
    def total(self) -> Counts:
        """The counts of all files together."""
        total = Counts()
        for report in self.files.values():
            total.add(report.counts)
        return total

    def by_channel(self) -> dict[tuple[str, str | None], Counts]:
        """The counts of all files by (source, channel); together they are the total."""
        split: dict[tuple[str, str | None], Counts] = {}
        for report in self.files.values():
            for channel, counts in report.by_channel().items():
                split.setdefault((report.source, channel), Counts()).add(counts)
        return dict(sorted(split.items(), key=lambda entry: (entry[0][0], entry[0][1] or "")))

    def as_json(self) -> dict[str, object]:
        """The whole report as `treering add --json` prints it."""
        return {
            "total": self.total.as_json(),
            "files": [report.as_json() for report in self.files.values()],
            "channels": [
                {
                    "source": source,
                    "channel": channel,
                    "name": self.names.get((source, channel or "")),
                    **counts.as_json(),
                }
                for (source, channel), counts in self.by_channel().items()
            ],
            "unknown": {"channels": self.channels_unknown, "actors": self.actors_unknown},
            "visibility": self.visibility,
            "grown": self.grown,
            "root": self.root,
            "embedded": self.embedded,
        }
