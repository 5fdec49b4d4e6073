"""Import, status and tokens: what the explorer does beside showing evidence."""

import json

import pytest

from tests.web.conftest import start_server, watch
from treering.interfaces.rest.callers import new_token, token_line

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
expect = playwright.expect


def test_an_import_is_followed_until_it_is_searchable(page, explorer, tmp_path):
    rows = [
        {"id": f"lamp-{n}", "channel": "workshop", "author": "Ida", "sent_at": f"2026-02-0{n}T09:00:00Z", "text": text}
        for n, text in enumerate(("The lighthouse lamp is ordered.", "The lighthouse lamp arrived broken."), 1)
    ]
    path = tmp_path / "workshop.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    page.goto("/?view=import")
    page.get_by_label("Exports, mailboxes").set_input_files(path)
    page.get_by_role("button", name="Import", exact=True).click()
    job = page.locator(".job").first
    expect(job).to_contain_text("workshop.jsonl")
    expect(job.locator(".badge")).to_have_text("done")
    expect(job.locator(".counts")).to_contain_text("kept")
    page.screenshot(path=explorer.screenshots / "import.png")
    page.goto("/?q=lighthouse+lamp")
    expect(page.locator(".card").first).to_contain_text("lighthouse lamp")


def test_the_status_tells_how_much_there_is(page, explorer):
    page.goto("/?view=status")
    expect(page.locator(".counts")).to_contain_text("records")
    expect(page.locator(".facts").first).to_contain_text("forest")
    expect(page.get_by_text("You see it as its owner")).to_be_visible()
    page.screenshot(path=explorer.screenshots / "status.png")


def test_what_the_server_refuses_is_said_in_its_words(page, explorer):
    page.goto("/?q=release&as_of=the+day+before")
    expect(page.get_by_role("alert")).to_contain_text("the day before")
    assert [one for one in explorer.complaints if "400" not in one] == []
    explorer.complaints.clear()  # the browser itself logs every refused call


@pytest.fixture
def guarded(sample, tmp_path):
    """A server with tokens, one of them for Emi Nakagawa."""
    token = new_token()
    file = tmp_path / "tokens"
    file.write_text(f"{token_line(token, 'Emi Nakagawa')}\n", encoding="utf-8")
    process, address = start_server(sample, tmp_path / "log", "--token-file", str(file))
    yield address, token
    process.terminate()
    process.wait(60)


def test_a_token_is_asked_for_and_kept_for_the_tab_alone(browser, guarded):
    address, token = guarded
    complaints: list[str] = []
    page = browser.new_context(base_url=address).new_page()
    page.set_default_timeout(60_000)
    watch(page, complaints)
    page.goto("/?view=status")
    page.get_by_label("Token", exact=True).fill(token)
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("You see it as Emi Nakagawa")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 1
    assert token not in page.url
    page.goto("/?q=release")
    expect(page.locator(".card")).not_to_have_count(0)
    expect(page.get_by_label("Seen by")).to_be_hidden()  # only the owner looks through somebody's eyes
    page.goto("/?view=import")
    expect(page.get_by_text("Only the owner of the memory imports")).to_be_visible()
    assert [one for one in complaints if "401" not in one] == []
    page.context.close()
