"""The main paths of the explorer, clicked through in a real browser."""

import re

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="Playwright for Python is not installed")
expect = playwright.expect

QUESTION = "who approved the release and when"
WIDTH = 360  # of a small phone
PHONE = {"viewport": {"width": WIDTH, "height": 740}, "is_mobile": True, "has_touch": True}


def ask(page, question=QUESTION):
    page.goto("/")
    page.get_by_label("Question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("pieces? of evidence"))).to_be_visible()


def shot(page, explorer, name):
    page.screenshot(path=explorer.screenshots / f"{name}.png")


def test_a_newcomer_finds_who_approved_the_release_and_when(page, explorer):
    page.goto("/")
    expect(page.locator("svg.rings")).to_be_visible()
    shot(page, explorer, "start")
    ask(page)
    answer = page.get_by_role("region", name="Answer")
    expect(answer).to_contain_text("No model was asked")
    approval = page.locator(".card", has_text="Approved for release, on the 9th")
    expect(approval).to_contain_text("Greta Lindqvist")
    expect(approval).to_contain_text("4 Dec 2025")
    expect(approval.locator(".badge")).to_have_text("current")
    expect(approval.locator("mark").first).to_have_text("Approved")
    expect(approval.locator(".citation")).to_contain_text("C0ENG/1764857424.224476")
    shot(page, explorer, "evidence")
    answer.get_by_role("link", name="evidence 1", exact=True).click()
    expect(page.locator(".card:target .rank")).to_have_text("1")


def test_a_card_tells_why_it_was_found(page, explorer):
    ask(page)
    card = page.locator(".card").first
    card.get_by_text("Why it was found").click()
    expect(card.locator(".shares")).to_contain_text("words, here")
    shares = [int(re.sub(r"\D", "", share)) for share in card.locator(".shares dd").all_inner_texts()]
    assert 98 <= sum(shares) <= 102
    expect(card.locator(".paths")).to_contain_text("written by leo")
    page.get_by_text("How the search went").click()
    expect(page.locator(".trace")).to_contain_text("saw")
    shot(page, explorer, "why")


def test_a_record_opens_in_its_thread_and_the_address_keeps_it(page, explorer):
    ask(page)
    page.locator(".card", has_text="Approved for release, on the 9th").locator("a.open").click()
    panel = page.get_by_role("complementary", name="Record in context")
    focal = panel.locator("[aria-current=true]")
    expect(focal).to_contain_text("Approved for release")
    expect(panel).to_contain_text("may I have your approval for the release then?")
    shot(page, explorer, "thread")
    page.reload()
    expect(focal).to_contain_text("Approved for release")
    panel.get_by_role("tab", name="Who may see it").click()
    expect(panel).to_contain_text("Everybody may see")
    panel.get_by_role("tab", name="In the trees").click()
    expect(panel.locator(".paths")).to_contain_text("Greta Lindqvist")
    panel.get_by_role("tab", name="Linked").click()
    expect(panel.get_by_role("tabpanel")).to_contain_text("reply")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator(".card")).not_to_have_count(0)


def test_a_record_that_was_changed_shows_what_each_version_changed(page, explorer):
    page.goto("/?record=documents/rota-2&tab=versions")
    panel = page.get_by_role("complementary", name="Record in context")
    expect(panel.locator(".version")).to_have_count(2)
    expect(panel.locator("del")).to_contain_text("Tuesday")
    expect(panel.locator("ins")).to_contain_text("Thursday")
    shot(page, explorer, "versions")


@pytest.mark.parametrize(
    ("forest", "tree", "summary"),
    [
        ("Channels", "engineering", "engineering, 2025"),
        ("Actors", "Chiara", "Chiara, 2025"),
        ("Artifacts", "DOC-042", "states"),
    ],
)
def test_a_forest_opens_down_to_its_records(page, explorer, forest, tree, summary):
    page.goto("/?view=forests")
    page.get_by_label("Forests").get_by_role("link", name=forest).click()
    page.locator(".trees").get_by_role("link", name=tree, exact=True).click()
    expect(page.get_by_role("heading", level=2)).to_contain_text(tree)
    expect(page.locator(".generated").first).to_contain_text(summary)
    if page.locator("button.node").count():
        page.locator("button.node").first.click()
        page.locator(".inside :is(.nodes, .entries)").first.wait_for()
    while not page.locator(".entries").count():
        deepest = page.locator(".inside .nodes").last
        deepest.locator("button.node").first.click()
        deepest.locator(".inside :is(.nodes, .entries)").first.wait_for()
    expect(page.locator(".entries .entry").first).to_be_visible()
    shot(page, explorer, f"forest-{forest.lower()}")


def test_the_life_of_an_artifact_is_read_over_all_channels(page, explorer):
    page.goto("/?view=timeline")
    of = page.get_by_label("Of", exact=True)
    of.locator("option", has_text="DOC-042").wait_for(state="attached")
    of.select_option(label=next(one for one in of.locator("option").all_inner_texts() if one.startswith("DOC-042")))
    expect(page.get_by_role("heading", level=2)).to_contain_text("DOC-042")
    channels = set(page.locator(".life .channel").all_inner_texts())
    assert {"documents", "engineering", "general"} <= channels
    expect(page.get_by_text("Dots on the axis: a step was stated")).to_be_visible()
    page.locator(".strip a").last.click()
    expect(page.locator(".life .month").first).to_contain_text("Jan 2026")
    shot(page, explorer, "timeline")


def test_a_link_reproduces_the_question_and_its_bounds(page):
    page.goto(f"/?q={QUESTION}&as_of=2025-11-10&viewer=Emi+Nakagawa&profile=egcforest&answer=no")
    expect(page.locator(".bounds")).to_contain_text("as of 2025-11-10")
    expect(page.locator(".bounds")).to_contain_text("viewer Emi Nakagawa")
    expect(page.get_by_label("As of", exact=True)).to_have_value("2025-11-10")
    expect(page.get_by_label("Profile", exact=True)).to_have_value("egcforest")
    days = page.locator(".card time").evaluate_all("all => all.map((one) => one.dateTime)")
    assert days
    assert max(days) < "2025-11-11"
    expect(page.locator("#eyes")).to_contain_text("as Emi Nakagawa")


def test_what_a_record_says_never_becomes_a_part_of_the_page(page):
    page.goto("/?q=quicksilver")
    expect(page.locator(".card").first).to_contain_text("<img src=x onerror=")
    assert page.locator("main img, main script").count() == 0
    page.locator(".card a.open").first.click()
    expect(page.locator("#panel h2")).to_have_text("<script>alert(1)</script>")
    assert "owned" not in page.title()


def test_the_keyboard_suffices(page):
    page.goto("/")
    expect(page.locator("svg.rings")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".card")).not_to_have_count(0)
    page.locator("#main").focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(".card").nth(1)).to_be_focused()
    page.keyboard.press("k")
    page.keyboard.press("w")
    expect(page.locator(".card").first.locator("details.why")).to_have_attribute("open", "")
    page.keyboard.press("Enter")
    expect(page.locator("#panel .entry").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".card").first).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Keyboard")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("page", [PHONE], indirect=True)
def test_a_phone_shows_everything_without_scrolling_sideways(page, explorer):
    for name, path in (
        ("ask", f"/?q={QUESTION}"),
        ("tree", "/?view=forests&forest=artifact&tree=DOC-042"),
        ("timeline", "/?view=timeline&of=artifact:DOC-042"),
        ("status", "/?view=status"),
    ):
        page.goto(path)
        page.locator(":is(.cards, .nodes, .life, .facts)").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, name
        shot(page, explorer, f"phone-{name}")


@pytest.mark.parametrize("page", [{"color_scheme": "dark"}], indirect=True)
def test_the_dark_theme_follows_the_system_until_the_reader_chooses(page, explorer):
    ask(page)
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    shot(page, explorer, "dark")
    theme = page.get_by_role("button", name="Theme")
    theme.click()
    expect(theme).to_have_text("Light")
    assert page.evaluate(paper) != dark
    page.reload()
    expect(theme).to_have_text("Light")
    theme.click()
    assert page.evaluate(paper) == dark
