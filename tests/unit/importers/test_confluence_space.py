"""Confluence's XML exports of spaces."""

from datetime import UTC, datetime
from pathlib import Path

from tests.unit.importers.attached_files import pdf
from tests.unit.importers.exports import write_zip
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.confluence_space import ConfluenceSpace
from treering.importers.local_times import UTC_ASSUMED
from treering.importers.protocol import ImportOptions
from treering.model.drafts import ChannelKind, RecordKind


def thing(kind: str, id_: str, texts: dict[str, str] | None = None, **refs: str) -> str:
    told = "".join(f'<property name="{name}"><![CDATA[{text}]]></property>' for name, text in (texts or {}).items())
    told += "".join(f'<property name="{name}"><id name="id">{ref}</id>\n</property>' for name, ref in refs.items())
    return f'<object class="{kind}" package="x"><id name="id">{id_}</id>{told}</object>\n'


PEOPLE = (
    thing("Space", "1", {"key": "OPS", "name": "Operations"})
    + thing("ConfluenceUserImpl", "ff01", {"name": "ana", "email": "ana@corp.example"})
    + thing("ConfluenceUserImpl", "ff02", {"name": "ben"})
)


def page(id_: str, title: str, version: int = 1, day: int = 4, **refs: str) -> str:
    texts = {
        "title": title,
        "version": str(version),
        "creationDate": "2024-03-01 10:00:00.000",
        "lastModificationDate": f"2024-03-0{day} 10:00:00.000",
        "contentStatus": "current",
    }
    return thing("Page", id_, texts, **{"space": "1", "lastModifier": "ff01"} | refs)


def body(owner: str, text: str, kind: str = "2") -> str:
    nested = text.replace("]]>", "]]]]><![CDATA[>")
    return thing("BodyContent", f"9{owner}", {"body": nested, "bodyType": kind}, content=owner)


def read(tmp_path: Path, *objects: str | bytes, files: dict[str, object] | None = None, **options: object) -> Outcome:
    inner = b"".join(part if isinstance(part, bytes) else part.encode() for part in objects)
    entities = b'<?xml version="1.0"?>\n<hibernate-generic datetime="2024-04-01 00:00:00">' + PEOPLE.encode() + inner
    path = write_zip(tmp_path / "space.zip", {"entities.xml": entities + b"</hibernate-generic>"} | (files or {}))
    found = Outcome(ConfluenceSpace(), path, ImportOptions(**options))  # type: ignore[arg-type]
    found.skipped.pop(UTC_ASSUMED, 0)
    return found


def test_pages_have_all_their_versions_in_one_lineage(tmp_path: Path):
    found = read(
        tmp_path,
        body("11", "<p>old</p>"),
        page("10", "Runbook", 2, 5),
        page("11", "Runbook v1", 1, 4, originalVersion="10", space=""),
        body("10", '<p><ac:link><ri:user ri:userkey="ff02"/></ac:link> runs it</p>'),
    )
    assert found.recognized
    assert found.source == "confluence"
    old, new = found.records
    assert [(one.source_id, one.lineage, one.title, one.channel) for one in (old, new)] == [
        ("10@1", "10", "Runbook v1", "OPS"),
        ("10@2", "10", "Runbook", "OPS"),
    ]
    assert (new.kind, new.text, new.author, new.mentions) == (RecordKind.DOCUMENT, "@ben runs it", "ana", ("ben",))
    assert new.valid_from == datetime(2024, 3, 5, 10, tzinfo=UTC)
    assert found.actors["ana"].aliases == ("ana@corp.example",)
    assert found.channels["OPS"].name == "Operations"


def test_b43_code_within_the_cdata_of_a_body_is_read_in_either_spelling_of_its_end(tmp_path: Path):
    code = (
        '<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">c</ac:parameter>'
        "<ac:plain-text-body><![CDATA[a < b && c]]></ac:plain-text-body></ac:structured-macro>"
    )
    found = read(tmp_path, page("10", "A"), body("10", code), page("12", "B"), body("12", code.replace("]]>", "]] >")))
    assert found.texts == ["```c\na < b && c\n```"] * 2


def test_links_lead_to_the_pages_of_the_export_and_labels_are_tags(tmp_path: Path):
    found = read(
        tmp_path,
        page("10", "A"),
        page("12", "Runbook"),
        body("10", "".join(f'<ac:link><ri:page ri:content-title="{name}"/></ac:link>' for name in ("Runbook", "Gone"))),
        thing("Label", "5", {"name": "howto"}),
        thing("Labelling", "6", label="5", content="10"),
    )
    assert found.only.refs == ("12", "Gone")
    assert found.only.tags == ("howto",)
    assert found.skipped == {"page without a body": 1}


def test_comments_are_messages_in_the_thread_of_their_page(tmp_path: Path):
    dates = {
        "creationDate": "2024-03-05 10:00:00.000",
        "lastModificationDate": "2024-03-06 10:00:00.000",
        "version": "2",
    }
    found = read(
        tmp_path,
        page("10", "Runbook"),
        body("10", "<p>x</p>"),
        thing("Comment", "20", dates | {"version": "2"}, containerContent="10", parent="19", creator="ff02"),
        body("20", "<p>agreed</p>"),
    )
    said = found.by_id["20@2"]
    assert (said.kind, said.thread, said.reply_to, said.title) == (RecordKind.MESSAGE, "10", "19", "Runbook")
    assert (said.author, said.channel) == ("ben", "OPS")
    assert said.created_at == datetime(2024, 3, 5, 10, tzinfo=UTC)


def test_restrictions_bind_the_pages_below_and_meet_with_theirs(tmp_path: Path):
    def readers(set_: str, owner: str, *people: str) -> str:
        listed = [
            thing("ContentPermission", f"{set_}{place}", {"type": "View"} | ({} if key else {"groupName": "hr"}),
                  **{"owningSet": set_} | ({"userSubject": key} if key else {}))
            for place, key in enumerate(people)
        ]  # fmt: skip
        return thing("ContentPermissionSet", set_, {"type": "View"}, owningContent=owner) + "".join(listed)

    objects = [
        page("10", "Top"),
        page("12", "Below", parent="10"),
        page("14", "Deep", parent="12"),
        page("16", "Group"),
    ]
    objects += [body(id_, "<p>x</p>") for id_ in ("10", "12", "14", "16")]
    found = read(
        tmp_path,
        *objects,
        readers("70", "10", "ff01", "ff02"),
        readers("80", "14", "ff02"),
        readers("90", "16", "ff01", ""),
        visibility=ChannelKind.PUBLIC,
    )
    assert {record.lineage: record.channel for record in found.records} == {
        "10": "OPS/restricted 10",
        "12": "OPS/restricted 10",
        "14": "OPS/restricted 10 14",
        "16": "OPS/restricted 16",
    }
    assert {id_: (channel.kind, channel.members) for id_, channel in found.channels.items()} == {
        "OPS/restricted 10": (ChannelKind.PRIVATE, ("ana", "ben")),
        "OPS/restricted 10 14": (ChannelKind.PRIVATE, ("ben",)),
        "OPS/restricted 16": (ChannelKind.PRIVATE, None),
    }


def test_pages_above_each_other_in_a_circle_are_read(tmp_path: Path):
    found = read(tmp_path, page("10", "A", parent="12"), page("12", "B", parent="10"), body("10", "<p>x</p>"))
    assert found.texts == ["x"]


def test_times_are_of_the_zone_that_the_export_names_unless_the_operator_says_another(tmp_path: Path):
    files: dict[str, object] = {"exportDescriptor.properties": b"source=server\ntimezoneId=America/Vancouver\n"}
    objects = (page("10", "A"), body("10", "<p>x</p>"))
    record = read(tmp_path, *objects, files=files).only
    assert record.valid_from == datetime(2024, 3, 4, 18, tzinfo=UTC)
    assert record.valid_from_raw == "2024-03-04 10:00:00.000 (America/Vancouver)"
    assert read(tmp_path, *objects, files=files, zone="Europe/Berlin").only.valid_from.hour == 9
    files["exportDescriptor.properties"] = b"timezoneId=Nowhere/Land\n"
    assert read(tmp_path, *objects, files=files).only.valid_from_raw.endswith("(UTC assumed)")


def test_texts_of_attached_files_are_documents_beside_their_page(tmp_path: Path):
    def attachment(id_: str, name: str) -> str:
        return thing("Attachment", id_, {"title": name, "version": "1", "creationDate": "2024-03-05 10:00:00.000"},
                     containerContent="10", creator="ff02")  # fmt: skip

    found = read(
        tmp_path,
        page("10", "A"),
        body("10", "<p>x</p>"),
        attachment("30", "plan.pdf"),
        attachment("31", "a.png"),
        attachment("32", "gone.txt"),
        files={"attachments/10/30/1": pdf("Budget"), "attachments/10/31/1": b"\x89PNG", "attachments/10/99/1": b"?"},
    )
    document = found.by_id["30@1"]
    assert (document.text, document.title, document.author) == ("Budget", "plan.pdf", "ben")
    assert (document.reply_to, document.channel, document.kind) == ("10", "OPS", RecordKind.DOCUMENT)
    assert found.skipped == {"attached file": 2}


def test_bodies_in_wiki_markup_are_kept_to_the_letter(tmp_path: Path):
    bodies = (body("10", "h2. Plan\n{code}<b>{code}", "0"), body("12", "*x* [~ana]", ""))
    found = read(tmp_path, page("10", "A"), page("12", "B"), *bodies)
    assert found.texts == ["h2. Plan\n{code}<b>{code}", "*x* [~ana]"]


def test_drafts_trash_and_other_objects_are_named_skips(tmp_path: Path):
    found = read(
        tmp_path,
        page("10", "A").replace("[current]", "[deleted]"),
        body("10", "<p>x</p>"),
        page("12", "B").replace("[current]", "[draft]"),
        body("12", "<p>x</p>"),
        page("14", "C"),
        body("14", "<p> </p>"),
        body("99", "<p>of a template</p>"),
        thing("Notification", "50"),
    )
    assert not found.records
    assert found.skipped == {
        "page in the trash": 1,
        "draft of a page": 1,
        "page without a text": 1,
        "body of another kind of content": 1,
        "object of another kind": 1,
    }


def test_characters_that_xml_does_not_have_cost_nothing_but_themselves(tmp_path: Path):
    raw = body("10", "<p>a\x0bb</p>").replace("a\x0b", "a\x0b]]>&#11;&#xD800;<![CDATA[")
    assert read(tmp_path, page("10", "A"), raw.encode()).texts == ["ab"]


def test_one_object_that_does_not_read_is_kept_aside_and_the_rest_goes_in(tmp_path: Path):
    found = read(tmp_path, "<object class='Page'><oops></object>\n", page("10", "A"), body("10", "<p>x</p>"))
    assert found.texts == ["x"]
    assert [bad.position for bad in found.quarantined] == ["object 4"]
    assert found.reasons[0].startswith("not XML: mismatched tag")


def test_a_page_without_a_date_that_reads_is_kept_aside(tmp_path: Path):
    found = read(tmp_path, page("10", "A").replace("2024-03", "never"), body("10", "<p>x</p>"))
    assert found.reasons == ["lastModificationDate cannot be read: 'never-04 10:00:00.000'"]


def test_another_xml_file_is_not_recognized(tmp_path: Path):
    path = write_zip(tmp_path / "a.zip", {"entities.xml": b"<note/>"})
    assert not Outcome(ConfluenceSpace(), path).recognized


def test_a_damaged_export_never_crashes_and_its_damage_stays_local(tmp_path: Path):
    pages = [page(str(number), f"P{number}") + body(str(number), f"<p>text {number}</p>") for number in range(10, 30)]
    content = "".join(pages).encode()
    kept = []
    for damaged in mutations(content, count=200, seed=7):
        found = read(tmp_path, damaged)
        kept.append(len(found.records))
        assert found.records or found.quarantined or found.skipped
    assert sorted(kept)[100] >= 15
