import gzip
import io
import json
import os
import tarfile
import zipfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder, write_zip
from treering.errors import UnreadableInput
from treering.importers import archives
from treering.importers.tree import FileTree, open_tree

EXPORT = {"users.json": b"[]", "ops/2024-03-04.json": b"[1]", "ops/2024-03-05.json": b"[2]"}


def contents(path: Path) -> dict[str, bytes]:
    with open_tree(path) as tree:
        return {name: read(tree, name) for name in tree.names()}


def read(tree: FileTree, name: str) -> bytes:
    with tree.open(name) as file:
        return file.read()


def tar_gz(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def test_a_folder_a_zip_a_tar_gz_and_a_zip_in_a_zip_hold_the_same_files(tmp_path: Path):
    inner = write_zip(tmp_path / "inner.zip", EXPORT)
    outer = write_zip(tmp_path / "outer.zip", {"parcel/inner.zip": inner.read_bytes(), "parcel/._inner.zip": b"x"})
    assert contents(write_folder(tmp_path / "folder", EXPORT)) == EXPORT
    assert contents(inner) == EXPORT
    assert contents(outer) == EXPORT
    assert contents(tar_gz(tmp_path / "export.tar.gz", EXPORT)) == EXPORT
    assert contents(tar_gz(tmp_path / "export.tgz", EXPORT)) == EXPORT


def test_the_folders_around_everything_are_stripped(tmp_path: Path):
    wrapped = {f"downloads/heron export/{name}": content for name, content in EXPORT.items()}
    assert contents(write_folder(tmp_path / "folder", wrapped)) == EXPORT
    assert contents(write_zip(tmp_path / "a.zip", wrapped)) == EXPORT


def test_the_folder_of_a_lone_channel_is_not_a_wrapper(tmp_path: Path):
    lone = {"ops/2024-03-04.json": b"[]", "ops/attachments/F0X-plan.pdf": b"%"}
    assert (
        contents(write_zip(tmp_path / "a.zip", {f"export/{name}": content for name, content in lone.items()})) == lone
    )


def test_a_single_file_is_a_tree_of_that_name(tmp_path: Path):
    (tmp_path / "talk.jsonl").write_bytes(b"{}")
    (tmp_path / "talk.csv.gz").write_bytes(gzip.compress(b"id,text"))
    (tmp_path / "talk.json").write_bytes(gzip.compress(b"[]"))  # packed, and does not say so
    assert contents(tmp_path / "talk.jsonl") == {"talk.jsonl": b"{}"}
    assert contents(tmp_path / "talk.csv.gz") == {"talk.csv": b"id,text"}
    assert contents(tmp_path / "talk.json") == {"talk.json": b"[]"}


def test_gzip_files_among_others_are_read_as_what_they_hold_unless_that_name_is_taken(tmp_path: Path):
    packed = gzip.compress(b"[1]")
    files = {"a.json.gz": packed, "b.json": b"[2]", "b.json.gz": packed}
    expected = {"a.json": b"[1]", "b.json": b"[2]", "b.json.gz": packed}
    assert contents(write_folder(tmp_path / "folder", files)) == expected
    assert contents(write_zip(tmp_path / "a.zip", files)) == expected


def test_names_come_in_natural_order(tmp_path: Path):
    names = ["messages-10.json", "messages-2.json", "messages-1.json"]
    with open_tree(write_folder(tmp_path, dict.fromkeys(names, b""))) as tree:
        assert tree.names() == ["messages-1.json", "messages-2.json", "messages-10.json"]


@given(st.lists(st.text(st.characters(exclude_characters="\0/\\", exclude_categories=["Cs"]), min_size=1), unique=True))
def test_natural_order_is_an_order_of_any_names(names: list[str]):
    listing = archives.Listing({name: archives.Member(lambda stack: io.BytesIO()) for name in names})
    with ExitStack() as stack:
        ordered = FileTree("t", listing, stack).names()
    assert sorted(ordered) == sorted(names)


def test_copied_metadata_is_left_out_and_counted(tmp_path: Path):
    junk = {"__MACOSX/._users.json": b"x", "ops/.DS_Store": b"x", "ops/._2024-03-04.json": b"x", "Thumbs.db": b"x"}
    with open_tree(write_zip(tmp_path / "a.zip", EXPORT | junk)) as tree:
        assert tree.names() == sorted(EXPORT, key=lambda name: (name.startswith("users"), name))
        assert tree.junk == 4
        assert {name for name, _ in tree.left_out} == set(junk)


def test_utf8_names_without_the_flag_that_says_so_are_read_as_utf8(tmp_path: Path):
    path = write_zip(tmp_path / "a.zip", {"チャネル/2024-03-04.json": b"[]", "users.json": b"[]"})
    unflagged = path.read_bytes().replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    path.write_bytes(unflagged)
    with zipfile.ZipFile(path) as archive:
        assert "チャネル/2024-03-04.json" not in archive.namelist()  # the flag is off indeed
    assert "チャネル/2024-03-04.json" in contents(path)


def test_names_with_the_flag_and_names_that_are_no_utf8_stay_as_they_are(tmp_path: Path):
    flagged = write_zip(tmp_path / "a.zip", {"ops/Shot 10.05\u202fAM.png": b"x", "ops/2024-03-04.json": b"[]"})
    assert "ops/Shot 10.05\u202fAM.png" in contents(flagged)
    latin = write_zip(tmp_path / "b.zip", {"gr?.json": b"[]", "a.json": b"[]"})
    latin.write_bytes(latin.read_bytes().replace(b"gr?.json", b"gr\x81.json"))  # cp437, which is right here
    assert "grü.json" in contents(latin)


@pytest.mark.parametrize("name", ["../users.json", "/etc/passwd", "a/../../b.json", "C:/x.json", "..\\x.json"])
def test_names_that_lead_outside_are_refused(tmp_path: Path, name: str):
    with open_tree(write_zip(tmp_path / "a.zip", EXPORT | {name: b"x"})) as tree:
        assert set(tree.names()) == set(EXPORT)
        assert [reason for _, reason in tree.left_out] == [archives.OUTSIDE]
    if "\\" not in name:  # there it is a letter like any other
        with open_tree(tar_gz(tmp_path / "a.tar.gz", EXPORT | {name: b"x"})) as tree:
            assert set(tree.names()) == set(EXPORT)


def test_links_are_refused_in_archives_and_followed_in_folders_only_within(tmp_path: Path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("link.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("users.json", "[]")
    with open_tree(path) as tree:
        assert tree.names() == ["users.json"]
        assert tree.left_out == (("link.json", archives.LINK),)
    folder = write_folder(tmp_path / "folder", EXPORT)
    (tmp_path / "secret.json").write_text("[]")
    (folder / "within.json").symlink_to(folder / "users.json")
    (folder / "without.json").symlink_to(tmp_path / "secret.json")
    (folder / "up").symlink_to(tmp_path)
    with open_tree(folder) as tree:
        assert set(tree.names()) == {*EXPORT, "within.json"}
        assert {name for name, _ in tree.left_out} == {"without.json", "up"}


def test_a_bomb_is_refused_and_a_file_that_packs_well_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(archives, "RATIO_FREE_BYTES", 100_000)
    messages = [{"ts": f"17095464{place:05d}.000100", "text": "it works on my machine"} for place in range(4_000)]
    day = json.dumps(messages, indent=4).encode()
    path = write_zip(tmp_path / "day.zip", {"ops/2024-03-04.json": day})
    assert len(day) / path.stat().st_size > 8
    assert contents(path)["ops/2024-03-04.json"] == day
    zeros = b"\0" * 5_000_000
    with pytest.raises(UnreadableInput, match="more than any export does"):
        open_tree(write_zip(tmp_path / "bomb.zip", {"a.json": zeros, "b.json": b""}))
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(zeros))
    with (
        open_tree(tmp_path / "bomb.json.gz") as tree,
        tree.open("bomb.json") as file,
        pytest.raises(UnreadableInput, match="more than any export does"),
    ):
        file.read()


def test_what_cannot_be_read_says_what_and_what_now(tmp_path: Path):
    whole = write_zip(tmp_path / "whole.zip", EXPORT).read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:-30])
    (tmp_path / "page.zip").write_bytes(b"<html>please log in</html>")
    with pytest.raises(UnreadableInput, match=r"nowhere does not exist\. Check the path"):
        open_tree(tmp_path / "nowhere")
    with pytest.raises(UnreadableInput, match=r"cut\.zip is a damaged zip archive .* download it again"):
        open_tree(tmp_path / "cut.zip")
    with pytest.raises(UnreadableInput, match="not a zip archive"):
        open_tree(tmp_path / "page.zip")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_listed_is_an_error(tmp_path: Path):
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(UnreadableInput, match="rights"):
        open_tree(tmp_path)
    (tmp_path / "closed").chmod(0o700)


def test_damage_within_a_member_shows_when_it_is_read(tmp_path: Path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:  # stored: the damage is in the bytes, and the checksum finds it
        archive.writestr("a.json", b"[123456789]")
        archive.writestr("b.json", b"[1]")
    path.write_bytes(path.read_bytes().replace(b"[123456789]", b"[123456780]"))
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(b"[" + os.urandom(10_000))[:-500])
    with open_tree(path) as tree:
        assert read(tree, "b.json") == b"[1]"
        with pytest.raises(UnreadableInput, match=r"a\.zip: a\.json cannot be read"):
            read(tree, "a.json")
    with open_tree(tmp_path / "cut.json.gz") as tree, tree.open("cut.json") as file:
        assert len(file.read(9_000)) == 9_000  # what stands before the damage is read
        with pytest.raises(UnreadableInput, match=r"cannot be read beyond byte 9,\d+ .* download it again"):
            file.read()


def test_an_encrypted_zip_is_unreadable(tmp_path: Path):
    path = write_zip(tmp_path / "a.zip", {"a.json": b"[]", "b.json": b"[]"})
    packed = bytearray(path.read_bytes())
    for signature, flag_offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        packed[packed.index(signature) + flag_offset] |= 1
    path.write_bytes(packed)
    with open_tree(path) as tree, pytest.raises(UnreadableInput, match="password"):
        read(tree, "a.json")


def test_an_empty_folder_and_an_empty_zip_hold_nothing(tmp_path: Path):
    assert contents(write_zip(tmp_path / "a.zip", {})) == {}
    (tmp_path / "folder").mkdir()
    assert contents(tmp_path / "folder") == {}
