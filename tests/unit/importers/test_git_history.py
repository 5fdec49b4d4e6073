"""Histories of documents, from repositories that the tests make."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.unit.importers.exports import write_zip
from treering.errors import UnreadableInput
from treering.importers.git_history import GitHistory
from treering.importers.protocol import ImportOptions
from treering.importers.tree import open_tree
from treering.model.drafts import ActorDraft, ChannelDraft, ChannelKind, Draft, Quarantined, RecordDraft, Skipped

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

ANA, BEN = "Ana Lobo <ana@w.example>", "Ben Okoro <ben@w.example>"
LONG = "".join(f"line {number}\n" for number in range(20))


class Repo:
    """A repository that is written to by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, at: str = "2024-01-01T00:00:00+00:00", by: str = ANA, committed: str = "") -> str:
        name, _, email = by.rstrip(">").partition(" <")
        env = os.environ | {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_AUTHOR_NAME": name,
            "GIT_AUTHOR_EMAIL": email,
            "GIT_AUTHOR_DATE": at,
            "GIT_COMMITTER_NAME": "The Server",
            "GIT_COMMITTER_EMAIL": "server@w.example",
            "GIT_COMMITTER_DATE": committed or at,
        }
        command = ["git", "-c", "gc.auto=0", *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=env, check=True, capture_output=True, text=True
        ).stdout.strip()

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if content is None:
                path.unlink()
            else:
                path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files: Mapping[str, str | bytes | None], day: str, message: str = "x", **more: str) -> str:
        """Commit files, None for one that is deleted, at noon of a day; the first 12 characters of the commit's id."""
        self.write(files)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message, at=f"{day}T12:00:00+00:00", **more)
        return self.git("rev-parse", "HEAD")[:12]

    def move(self, old: str, new: str) -> None:
        (self.folder / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", old, new)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "handbook")


def read(path: Path, **options) -> list[Draft]:
    with open_tree(path) as tree:
        assert GitHistory().recognizes(tree)
        return [drafted.draft for drafted in GitHistory().extract(tree, ImportOptions(**options))]


def records(drafts: list[Draft]) -> list[RecordDraft]:
    return [draft for draft in drafts if isinstance(draft, RecordDraft)]


def skipped(drafts: list[Draft]) -> list[tuple[str, str]]:
    return [(draft.reason, draft.position) for draft in drafts if isinstance(draft, Skipped)]


def told(record: RecordDraft) -> tuple[str, str, str]:
    return record.source_id, record.event or record.text, record.valid_from.date().isoformat()


def test_each_commit_that_changed_a_text_is_a_version_by_its_author_at_the_authors_date(repo):
    one = repo.commit({"docs/leave.md": "# Leave\n\n20 days\n", "app.py": "x = 1\n"}, "2024-01-01")
    repo.commit({"app.py": "x = 2\n"}, "2024-01-02")
    text = "# Leave\n\n30 days, see [pay](pay.md)\n"
    two = repo.commit(
        {"docs/leave.md": text, "docs/pay.md": "x"}, "2024-01-03", by=BEN, committed="2024-02-01T00:00:00Z"
    )
    drafts = read(repo.folder)
    assert [told(record) for record in records(drafts)] == [
        (f"docs/leave.md@{one}", "# Leave\n\n20 days\n", "2024-01-01"),
        (f"docs/leave.md@{two}", text, "2024-01-03"),
        (f"docs/pay.md@{two}", "x", "2024-01-03"),
    ]
    assert skipped(drafts) == []
    version = records(drafts)[1]
    assert (version.lineage, version.channel, version.title, version.author, version.refs) == (
        "docs/leave.md",
        "docs",
        "Leave",
        "Ben Okoro",
        ("docs/pay.md",),
    )
    assert version.valid_from_raw == "2024-01-03T12:00:00+00:00"
    assert version.order_hint == int(datetime(2024, 2, 1, tzinfo=UTC).timestamp())
    assert version.id_is_final
    assert [draft for draft in drafts if isinstance(draft, ActorDraft | ChannelDraft)] == [
        ActorDraft("Ana Lobo", "Ana Lobo", aliases=("ana@w.example",)),
        ChannelDraft("docs", "docs", ChannelKind.PRIVATE, None, stated=False),
        ActorDraft("Ben Okoro", "Ben Okoro", aliases=("ben@w.example",)),
    ]


def test_the_authors_zone_is_kept_in_words_and_the_time_is_utc(repo):
    repo.commit({"a.md": "x"}, "2024-01-01")
    repo.write({"a.md": "y"})
    repo.git("commit", "-qam", "x", at="2024-03-04T01:00:00+09:00")
    version = records(read(repo.folder))[1]
    assert version.valid_from == datetime(2024, 3, 3, 16, tzinfo=UTC)
    assert version.valid_from_raw == "2024-03-04T01:00:00+09:00"


def test_coauthors_are_mentioned(repo):
    repo.commit({"a.md": "x"}, "2024-01-01", message=f"x\n\nCo-authored-by: {BEN}\nCo-authored-by: {ANA}")
    assert records(read(repo.folder))[0].mentions == ("Ben Okoro",)


def test_a_renamed_document_stays_the_same_and_a_mere_renaming_is_no_version(repo):
    one = repo.commit({"old/a.txt": LONG, "zoo.md": "z"}, "2024-01-01")
    repo.move("old/a.txt", "new/b.md")
    two = repo.commit({}, "2024-01-02")
    three = repo.commit({"new/b.md": LONG + "more\n"}, "2024-01-03")
    repo.move("new/b.md", "c.md")
    four = repo.commit({"c.md": LONG + "even more\n"}, "2024-01-04")
    drafts = read(repo.folder)
    versions = [record for record in records(drafts) if record.lineage == "old/a.txt"]
    assert [(record.source_id, record.channel) for record in versions] == [
        (f"old/a.txt@{one}", "old"),
        (f"old/a.txt@{three}", "new"),
        (f"old/a.txt@{four}", "handbook"),
    ]
    assert skipped(drafts) == [("renamed, or of other rights, with the same text", f"commit {two}")]


def test_a_later_import_knows_the_document_by_the_same_name(repo):
    repo.commit({"old/a.txt": LONG}, "2024-01-01")
    before = records(read(repo.folder))
    repo.move("old/a.txt", "new/b.md")
    repo.commit({"new/b.md": LONG + "more\n"}, "2024-01-03")
    after = records(read(repo.folder))
    assert after[:1] == before
    assert {record.lineage for record in after} == {"old/a.txt"}


def test_a_path_given_to_another_document_is_another_lineage(repo):
    repo.commit({"a.md": LONG}, "2024-01-01")
    repo.move("a.md", "b.md")
    repo.commit({}, "2024-01-02")
    other = repo.commit({"a.md": "quite another text"}, "2024-01-03")
    repo.commit({"a.md": "and on", "b.md": LONG + "more\n"}, "2024-01-04")
    assert [(record.lineage, record.text[-8:]) for record in records(read(repo.folder))[1:]] == [
        (f"a.md@{other}", "her text"),
        (f"a.md@{other}", "and on"),
        ("a.md", "19\nmore\n"),
    ]


def test_an_edit_on_a_merged_branch_is_a_version_and_the_merge_only_where_it_is_a_new_text(repo):
    base = repo.commit({"a.md": LONG, "b.md": LONG}, "2024-01-01")
    repo.git("checkout", "-q", "-b", "branch")
    on_branch = repo.commit({"a.md": "first\n" + LONG, "b.md": "first\n" + LONG}, "2024-01-02", by=BEN)
    repo.git("checkout", "-q", "main")
    on_main = repo.commit({"a.md": LONG + "last\n"}, "2024-01-03")
    repo.git("merge", "-q", "--no-edit", "branch", at="2024-01-04T12:00:00Z")
    merge = repo.git("rev-parse", "HEAD")[:12]
    found = records(read(repo.folder))
    assert [told(record) for record in found if record.lineage == "a.md"] == [
        (f"a.md@{base}", LONG, "2024-01-01"),
        (f"a.md@{on_main}", LONG + "last\n", "2024-01-03"),
        (f"a.md@{on_branch}", "first\n" + LONG, "2024-01-02"),
        (f"a.md@{merge}", "first\n" + LONG + "last\n", "2024-01-04"),
    ]
    assert [record.source_id for record in found if record.lineage == "b.md"] == [f"b.md@{base}", f"b.md@{on_branch}"]


def test_a_renaming_on_one_branch_and_an_edit_on_the_other_are_one_document(repo):
    repo.commit({"a.md": LONG}, "2024-01-01")
    repo.git("checkout", "-q", "-b", "branch")
    repo.move("a.md", "b.md")
    repo.commit({}, "2024-01-02")
    repo.git("checkout", "-q", "main")
    repo.commit({"a.md": LONG + "last\n"}, "2024-01-03")
    repo.git("merge", "-q", "--no-edit", "branch", at="2024-01-04T12:00:00Z")
    assert (repo.folder / "b.md").read_text() == LONG + "last\n"
    repo.commit({"b.md": "all new"}, "2024-01-05")
    found = records(read(repo.folder))
    assert {record.lineage for record in found} == {"a.md"}
    assert [record.text[-7:] for record in found] == ["ine 19\n", "9\nlast\n", "all new"]


def test_a_deleted_document_is_retired_and_may_come_back(repo):
    one = repo.commit({"a.md": "# Plan\n", "zoo.md": "z"}, "2024-01-01")
    two = repo.commit({"a.md": None}, "2024-01-02", by=BEN)
    three = repo.commit({"a.md": "# Plan again\n"}, "2024-01-03")
    drafts = read(repo.folder)
    found = [record for record in records(drafts) if "zoo" not in record.source_id]
    assert [told(record) for record in found] == [
        (f"a.md@{one}", "# Plan\n", "2024-01-01"),
        (f"a.md@{two}#retired", "retired", "2024-01-02"),
        (f"a.md@{three}", "# Plan again\n", "2024-01-03"),
    ]
    retirement = found[1]
    assert (retirement.refs, retirement.lineage, retirement.text, retirement.title, retirement.author) == (
        ("a.md",),
        f"a.md@{two}#retired",
        "",
        "Plan",
        "Ben Okoro",
    )
    assert ActorDraft("Ben Okoro", "Ben Okoro", aliases=("ben@w.example",)) in drafts


def test_a_deletion_that_a_merge_did_not_take_is_none(repo):
    repo.commit({"a.md": LONG, "zoo.md": "z"}, "2024-01-01")
    repo.git("checkout", "-q", "-b", "branch")
    gone = repo.commit({"a.md": None}, "2024-01-02")
    repo.git("checkout", "-q", "main")
    repo.commit({"zoo.md": "zz"}, "2024-01-03")
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "branch")
    drafts = read(repo.folder)
    assert [record.event for record in records(drafts)] == [None, None, None]
    assert skipped(drafts) == [("deleted on a branch, and kept when it was merged", f"commit {gone}")]


def test_a_retirement_stated_in_the_text_is_told_once(repo):
    text = "---\nretired: 2025-01-31\n---\nOld {}\n"
    repo.commit({"a.md": text.format(1)}, "2024-01-01")
    repo.commit({"a.md": text.format(2)}, "2024-01-02")
    events = [record for record in records(read(repo.folder)) if record.event]
    assert [(event.event, event.valid_from.date().isoformat(), event.refs) for event in events] == [
        ("retired", "2025-01-31", ("a.md",))
    ]


def test_a_version_is_never_dated_before_the_text_it_was_made_from(repo):
    repo.commit({"a.md": "one"}, "2024-01-01")
    repo.commit({"a.md": "two"}, "2024-03-01")
    repo.commit({"a.md": "three"}, "2024-02-01", committed="2024-03-02T00:00:00Z")  # rebased
    found = records(read(repo.folder))
    assert [record.valid_from.date().isoformat() for record in found] == ["2024-01-01", "2024-03-01", "2024-03-01"]
    assert found[2].valid_from_raw == "2024-02-01T12:00:00+00:00"
    assert found[1].order_hint < found[2].order_hint


def test_an_authors_date_that_no_clock_has_shown_gives_way_to_the_committers(repo):
    repo.write({"a.md": "one"})
    repo.git("add", "--all")
    repo.git("commit", "-qm", "x", at="@0 +0000", committed="2024-01-05T00:00:00Z")
    [version] = records(read(repo.folder))
    assert version.valid_from == datetime(2024, 1, 5, tzinfo=UTC)
    assert version.valid_from_raw == "1970-01-01T00:00:00+00:00, no date; the commit's is taken"


def test_a_folder_and_a_file_give_the_whole_history_of_what_ever_lay_there(repo):
    repo.commit({"drafts/a.md": LONG, "README": "r", "docs/b.md": "b", "docs2/c.md": "c"}, "2024-01-01")
    repo.move("drafts/a.md", "docs/a.md")
    repo.commit({}, "2024-01-02")
    assert {record.lineage for record in records(read(repo.folder / "docs"))} == {"drafts/a.md", "docs/b.md"}
    assert {record.lineage for record in records(read(repo.folder / "docs" / "a.md"))} == {"drafts/a.md"}
    assert {record.lineage for record in records(read(repo.folder))} == {
        "drafts/a.md",
        "docs/b.md",
        "docs2/c.md",
        "README",
    }


def test_texts_are_read_in_any_encoding_and_whatever_holds_none_is_named(repo):
    repo.write(
        {"latin.txt": "grün".encode("cp1252"), "binary.md": b"\0\1", "empty.md": "", "broken.md": b"\xff\xfeodd"}
    )
    (repo.folder / "link.md").symlink_to("latin.txt")
    commit = repo.commit({"Größe ü.md": "name"}, "2024-01-01")
    drafts = read(repo.folder)
    assert {record.lineage: (record.text, record.tags) for record in records(drafts)} == {
        "latin.txt": ("grün", ("read as cp1252",)),
        "Größe ü.md": ("name", ()),
    }
    assert {reason for reason, _ in skipped(drafts)} == {"binary file", "empty file", "link, or not a regular file"}
    [lost] = [draft for draft in drafts if isinstance(draft, Quarantined)]
    assert (lost.file, lost.position) == ("broken.md", f"commit {commit}")


def test_the_source_is_the_same_in_every_clone(repo, tmp_path):
    root = repo.commit({"a.md": "x"}, "2024-01-01")
    repo.commit({"a.md": "y"}, "2024-01-02")
    repo.git("clone", "-q", str(repo.folder), str(tmp_path / "copy"))
    for folder in (repo.folder, tmp_path / "copy"):
        with open_tree(folder) as tree:
            assert GitHistory().source(tree) == f"git:{root}"
    ids = [record.source_id for record in records(read(repo.folder))]
    assert [record.source_id for record in records(read(tmp_path / "copy"))] == ids


def test_what_the_environment_and_the_repository_say_to_git_changes_nothing(repo, monkeypatch, tmp_path):
    trap, signer = tmp_path / "trap", tmp_path / "signer"
    signature = "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n"
    signs = f"cat >/dev/null; printf '\\n[GNUPG:] SIG_CREATED \\n' >&2; printf -- '{signature}'"
    signer.write_text(f'#!/bin/sh\ncase "$*" in *--verify*) touch {trap};; *) {signs};; esac\n')
    signer.chmod(0o755)
    repo.git("config", "gpg.program", str(signer))
    repo.commit({"docs/a.md": LONG}, "2024-01-01")
    repo.move("docs/a.md", "docs/b.md")
    repo.write({"docs/b.md": LONG + "x"})
    repo.git("commit", "-qam", "signed", "-S")
    repo.git("log", "--show-signature")
    assert trap.exists()  # it is one
    trap.unlink()
    expected = read(repo.folder / "docs")
    assert [record.lineage for record in records(expected)] == ["docs/a.md"] * 2
    for name, value in (
        ("diff.renames", "false"),
        ("diff.relative", "true"),
        ("log.showSignature", "true"),
        ("diff.external", f"touch {trap};"),
        ("core.fsmonitor", f"touch {trap};"),
        ("core.pager", f"touch {trap};"),
        ("log.date", "relative"),
    ):
        repo.git("config", name, value)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    assert read(repo.folder / "docs") == expected
    assert not trap.exists()


def unreadable(path: Path) -> str:
    with open_tree(path) as tree, pytest.raises(UnreadableInput) as caught:
        list(GitHistory().extract(tree, ImportOptions()))
    return str(caught.value)


def test_what_has_no_history_says_why(repo, tmp_path, monkeypatch):
    assert "repository without commits. Commit something first" in unreadable(repo.folder)
    repo.commit({"a.md": "x"}, "2024-01-01")
    repo.commit({"a.md": "y"}, "2024-01-02")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.folder}", str(tmp_path / "shallow"))
    assert "shallow clone, whose history is cut off. Run `git fetch --unshallow`" in unreadable(tmp_path / "shallow")
    assert "is an archive" in unreadable(write_zip(tmp_path / "a.zip", {"a.md": b"x"}))
    (tmp_path / "plain").mkdir()
    with open_tree(tmp_path / "plain") as tree:
        assert not GitHistory().recognizes(tree)
    assert "not a git repository" in unreadable(tmp_path / "plain")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in unreadable(repo.folder)
