"""Confluence's storage format: what a page says, and files of pages."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.importers.exports import write_folder, write_zip
from tests.unit.importers.outcome import Outcome, mutations
from treering.importers.confluence import ConfluenceStorage
from treering.importers.confluence_storage import read_storage
from treering.importers.storage_tree import parse_storage
from treering.model.drafts import RecordKind


def text(source: str) -> str:
    return read_storage(source).text


def macro(name: str, inner: str = "", **parameters: str) -> str:
    told = "".join(f'<ac:parameter ac:name="{key}">{value}</ac:parameter>' for key, value in parameters.items())
    return f'<ac:structured-macro ac:name="{name}">{told}{inner}</ac:structured-macro>'


def plain(code: str) -> str:
    return f"<ac:plain-text-body><![CDATA[{code}]]></ac:plain-text-body>"


def rich(inner: str) -> str:
    return f"<ac:rich-text-body>{inner}</ac:rich-text-body>"


def test_b43_code_is_fenced_with_its_language_and_kept_to_the_letter():
    code = 'if [ "$a" -lt 3 ] && true; then\n  echo "<ok>"  &amp;\nfi'
    page = f"<p>Run:&nbsp;</p>{macro('code', plain(code), language='bash', linenumbers='true')}<p>then&hellip;</p>"
    assert text(page) == f"Run:\n\n```bash\n{code}\n```\n\nthen…"


def test_b43_the_end_of_cdata_within_code_is_part_of_the_code():
    page = macro("code", "<ac:plain-text-body>\n   <![CDATA[a[b[1]]]]><![CDATA[> 2]]>\n  </ac:plain-text-body>")
    assert text(page) == "```\na[b[1]]> 2\n```"


def test_ends_of_lines_are_those_of_xml_in_code_too():
    assert text(macro("code", plain("a\r\n b")) + "<p>c\r\nd</p>") == "```\na\n b\n```\n\nc d"


def test_code_that_contains_a_fence_gets_a_longer_one():
    assert text(macro("code", plain("```\nx\n```"), language="none")) == "````\n```\nx\n```\n````"


def test_b43_people_are_told_by_their_account_and_pages_by_their_title():
    page = (
        '<p><ac:link><ri:user ri:account-id="712020:aa"/></ac:link> owns <ac:link><ri:page ri:content-title="Runbook"/>'
        "<ac:plain-text-link-body><![CDATA[RB]]></ac:plain-text-link-body></ac:link>, "
        '<ac:link><ri:page ri:space-key="OPS" ri:content-title="Home"/></ac:link></p>'
    )
    found = read_storage(page, {"712020:aa": "Ana"}.get)  # type: ignore[arg-type]
    assert found.text == "@Ana owns [[Runbook|RB]], [[OPS:Home]]"
    assert list(found.mentions) == ["712020:aa"]
    assert list(found.pages) == [("", "Runbook"), ("OPS", "Home")]


def test_links_have_their_words_and_their_addresses():
    found = read_storage(
        '<p><a href="https://w.example/a">wiki</a>, <a href="https://w.example/b">https://w.example/b</a>, '
        '<a href="mailto:ana@corp.example">mail</a>, <a href="#below">below</a>, '
        '<ac:link><ri:url ri:value="https://w.example/c"/></ac:link></p>'
    )
    expected = "[wiki](https://w.example/a), https://w.example/b, [mail](ana@corp.example), below, https://w.example/c"
    assert found.text == expected
    assert list(found.links) == ["https://w.example/a", "https://w.example/b", "https://w.example/c"]


def test_images_and_files_are_attachments():
    found = read_storage(
        '<ac:image ac:alt="a plan"><ri:attachment ri:filename="plan.png"/><ac:caption><p>The plan</p></ac:caption>'
        '</ac:image><p><ac:link><ri:attachment ri:filename="budget.xlsx"/></ac:link></p>'
        + macro("view-file", '<ac:parameter ac:name="name"><ri:attachment ri:filename="deck.pptx"/></ac:parameter>')
    )
    assert list(found.attachments) == ["plan.png", "budget.xlsx", "deck.pptx"]
    assert found.text == "![The plan](plan.png)\n\nbudget.xlsx\n\ndeck.pptx"


def test_headings_lists_and_tasks():
    page = (
        "<h2>Plan <em>B</em></h2><ol start='3'><li><p>one</p><ul><li>deep<br/>er</li></ul></li><li>two</li></ol>"
        "<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status>"
        "<ac:task-body>ship</ac:task-body></ac:task><ac:task><ac:task-body>rest</ac:task-body></ac:task></ac:task-list>"
        "<ul><li>a</li><ul><li>loose</li></ul></ul>"
    )
    assert text(page) == ("## Plan B\n\n3. one\n   - deep\n     er\n4. two\n\n- [x] ship\n- [ ] rest\n\n- a\n  - loose")


def test_tables_are_rows_and_code_in_a_cell_stays_code():
    page = (
        "<table><colgroup><col/></colgroup><tbody><tr><th><p>Who</p></th><th>What</th></tr>"
        "<tr><td><p>Ina</p><p>Bo</p></td><td></td></tr>"
        f"<tr><td>{macro('code', plain('x =' + chr(10) + '  1'))}</td><td>done</td></tr></tbody></table>"
    )
    assert text(page) == "| Who | What |\n| Ina Bo |  |\n\n```\nx =\n  1\n```\n\ndone"


def test_panels_are_their_bodies_under_their_titles():
    page = macro("warning", rich("<p>hot</p>")) + macro("panel", rich("<p>x</p>"), title="Scope", bgColor="red")
    assert text(page + macro("expand", rich("<p>more</p>"), title="Details")) == (
        "Warning\n\nhot\n\nScope\n\nx\n\nDetails\n\nmore"
    )


def test_macros_that_are_words_stand_in_their_line_and_tables_of_contents_say_nothing():
    page = f"<p>{macro('status', title='DONE', colour='Green')} {macro('jira', key='KES-1', server='J')}</p>"
    found = read_storage(page + macro("toc", maxLevel="3") + macro("unheard-of", rich("<p>kept</p>")))
    assert found.text == "DONE KES-1\n\nkept"
    assert list(found.issues) == ["KES-1"]


def test_layouts_quotations_dates_emoji_and_removed_words():
    page = (
        "<ac:layout><ac:layout-section><ac:layout-cell><blockquote><p>said</p><p>twice</p></blockquote>"
        "</ac:layout-cell></ac:layout-section></ac:layout>"
        '<p><time datetime="2024-03-04" /> <ac:emoticon ac:name="tick" /> <del>no</del>'
        "<ac:placeholder>type</ac:placeholder></p><pre>a\n  b</pre><hr/>"
    )
    assert text(page) == "> said\n> \n> twice\n\n2024-03-04 :tick: ~~no~~\n\n```\na\n  b\n```\n\n---"


def test_a_node_of_the_new_editor_is_read_once():
    page = (
        '<ac:adf-extension><ac:adf-node type="panel"><ac:adf-attribute key="panel-type">note</ac:adf-attribute>'
        "<ac:adf-content><p>once</p></ac:adf-content></ac:adf-node>"
        "<ac:adf-fallback><p>once</p></ac:adf-fallback></ac:adf-extension>"
    )
    assert text(page) == "once"


def test_what_was_never_closed_is_closed_and_declarations_are_no_text():
    assert text('<?xml version="1.0"?><!DOCTYPE p [<!ENTITY a "b">]><p>one <b>two<p>three</ac:x> & four') == (
        "one\n\ntwo\n\nthree & four"
    )


def test_elements_within_elements_without_end_are_read():
    assert text("<div>" * 5_000 + "deep" + "</div>" * 5_000) == "deep"


@given(st.text("<>/ac:ri![]CDATA-&;#\"'= \n\ue000pbx1", max_size=80))
def test_whatever_a_page_contains_it_is_read(source: str):
    parse_storage(source)
    assert read_storage(source).text == read_storage(source).text.strip("\n")


PAGE = '<p>Hello <ac:link><ri:user ri:account-id="712020:aa"/></ac:link></p>'


def read(path: Path) -> Outcome:
    return Outcome(ConfluenceStorage(), path)


def test_a_file_is_a_document_known_by_its_path_and_dated_as_the_file(tmp_path: Path):
    root = write_folder(
        tmp_path / "handbook", {"ops/runbook.xml": PAGE.encode(), "ops/a.png": b"\x89PNG", "b.xml": b"<p>x</p>"}
    )
    os.utime(root / "ops/runbook.xml", (1709546400, 1709546400))
    found = read(root)
    assert found.recognized
    record = next(record for record in found.records if record.lineage == "ops/runbook")
    assert (record.kind, record.channel, record.title) == (RecordKind.DOCUMENT, "ops", "runbook")
    assert record.valid_from == datetime(2024, 3, 4, 10, tzinfo=UTC)
    assert record.valid_from_raw == "file modified 2024-03-04T10:00:00+00:00"
    assert record.mentions == ("712020:aa",)
    assert found.skipped == {"not a page": 1}


def test_the_ids_that_a_leading_comment_states_count_more_than_the_path(tmp_path: Path):
    head = "<!-- confluence-page-id: 4711 --><!-- confluence-space-key: OPS --><h1>Runbook</h1>"
    record = read(write_folder(tmp_path, {"x/y.xml": (head + PAGE).encode()})).only
    assert (record.lineage, record.channel, record.title) == ("4711", "OPS", "Runbook")


def test_in_an_archive_a_page_is_undated_and_has_the_same_id(tmp_path: Path):
    once = read(write_folder(tmp_path / "a", {"runbook.xml": PAGE.encode()})).only
    zipped = read(write_zip(tmp_path / "a.zip", {"runbook.xml": PAGE.encode()})).only
    assert (zipped.source_id, zipped.lineage) == (once.source_id, once.lineage)
    assert (zipped.valid_from_raw, zipped.valid_from.year) == ("undated", 1970)


@pytest.mark.parametrize(
    "files", [{"a.xml": b"<note>x</note>"}, {"a.md": b"x", "b.xml": PAGE.encode()}, {"a.txt": PAGE.encode()}]
)
def test_other_files_are_not_recognized(tmp_path: Path, files: dict[str, object]):
    assert not read(write_folder(tmp_path, files)).recognized


def test_an_empty_page_is_a_named_skip(tmp_path: Path):
    assert read(write_folder(tmp_path, {"a.xml": b"<p> </p>"})).skipped == {"page without a text": 1}


def test_damaged_pages_never_crash(tmp_path: Path):
    page = PAGE + macro("code", plain("x"), language="c") + "<table><tr><td>a</td></tr></table><ul><li>b</li></ul>"
    for damaged in mutations(page.encode(), count=200, seed=2):
        found = read(write_folder(tmp_path, {"a.xml": damaged}))
        assert len(found.records) + len(found.skipped) == 1
